"""A chat that is written out is told by its beginning, and its messages are those that a format wrote."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.chats.formats import ChatML, Harmony, Template
from tokviz.chats.prompt import Message
from tokviz.chats.teaching import TEMPLATES
from tokviz.chats.written_chat import chat_format_name_in, messages_in

CHAT = [
    Message("system", "Be brief."),
    Message("user", "What is 2+2?\n\nAnd <b>3+3</b>? ภาษาไทย"),
    Message("assistant", "Four."),
    Message("user", "Thanks 👍"),
]
FORMATS = {"ChatML": ChatML(), "harmony": Harmony()} | {
    name: Template(name, TEMPLATES[name]) for name in ("As Llama 3", "As Mistral", "As Gemma")
}
WITHOUT_SYSTEM = ("As Mistral", "As Gemma")  # who has the user say it


@pytest.mark.parametrize("reply", [True, False])
@pytest.mark.parametrize("name", FORMATS)
def test_what_a_format_wrote_is_taken_apart_again(name, reply):
    chat = CHAT[1:] if name in WITHOUT_SYSTEM else CHAT
    text = FORMATS[name].prompt(chat, reply=reply).text
    assert chat_format_name_in(text) == name
    assert messages_in(text) == chat


def test_channels_and_calls_of_harmony_are_told_apart():
    chat = [
        Message("user", "Weather?"),
        Message("assistant", "Look it up.", "analysis"),
        Message("assistant", '{"city": "Bangkok"}', "commentary", "functions.weather"),
        Message("tool", "hot", recipient="functions.weather"),
    ]
    assert messages_in(Harmony().prompt(chat).text) == chat


def test_the_rules_of_llama_2_are_a_system_message():
    text = "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nHi! [/INST] Hello. </s><s>[INST] Bye. [/INST]"
    assert chat_format_name_in(text) == "As Mistral"
    assert [(each.role, each.content) for each in messages_in(text)] == [
        ("system", "Be brief."), ("user", "Hi!"), ("assistant", "Hello."), ("user", "Bye."),
    ]  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("around", [lambda listed: listed, lambda listed: {"model": "x", "messages": listed}])
def test_messages_as_json_are_those_of_an_api(around, indent):
    listed = [
        {"role": "developer", "content": "Be brief."},
        {"content": [{"type": "text", "text": "Wea"}, {"type": "input_text", "text": "ther?"}], "role": "user"},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "weather", "arguments": "{}"}}]},
    ]
    text = json.dumps(around(listed), indent=indent)
    assert chat_format_name_in(text) == "JSON"
    assert messages_in(text) == [
        Message("system", "Be brief."),
        Message("user", "Weather?"),
        Message("assistant", "{}", "commentary", "functions.weather"),
    ]


@pytest.mark.parametrize(
    "more", [{"content": None}, {"content": None, "function_call": {"name": "f"}}, {"refusal": "No"}]
)
def test_an_answer_without_content_is_left_out(more):
    text = json.dumps([{"role": "user", "content": "Hi!"}, {"role": "assistant", **more}])
    assert messages_in(text) == [Message("user", "Hi!")]


@pytest.mark.parametrize(
    "record",
    [
        {"id": "1", "conversations": [{"from": "human", "value": "Hi!"}, {"from": "gpt", "value": "Hello."}]},
        [{"from": "human", "value": "Hi!"}, {"from": "gpt", "value": "Hello."}],
        {"prompt": [{"role": "user", "content": "Hi!"}], "completion": [{"role": "assistant", "content": "Hello."}]},
    ],
)
def test_chats_of_data_sets_are_told_and_taken(record):
    text = json.dumps(record, indent=1)
    assert chat_format_name_in(text) == "JSON"
    assert messages_in(text) == [Message("user", "Hi!"), Message("assistant", "Hello.")]


@pytest.mark.parametrize(
    "text",
    ["", "Hello", "[1, 2]", "{}", '{"a": 1}', "a <|im_start|>user\nHi!", "<|im_start|>", "[INST", "<s>", "<|start|>"],
)
def test_any_other_text_is_no_chat(text):
    assert chat_format_name_in(text) is None
    with pytest.raises(ValueError, match="does not begin as a chat"):
        messages_in(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[{"role": "user", "content": "Hi!"', "not JSON"),
        ('[{"role": 1}]', "message 1: 'role' is not a name such as 'user': 1"),
        ('[{"role": "user"}, 3]', "message 2: expected a role and a content, not 3"),
        ('[{"role": "user", "content": [{"type": "image"}]}]', "message 1: .* a part of the type 'image'"),
        ('[{"from": "human", "value": 3}]', "message 1: 'content' is not a text: 3"),
        ("<|im_start|>user", "no message in it is complete"),
    ],
)
def test_a_chat_that_is_damaged_is_refused_in_words(text, words):
    with pytest.raises(ValueError, match=words):
        messages_in(text)


def test_a_hostile_text_takes_no_long_time():
    with pytest.raises(ValueError, match="no message in it is complete"):
        messages_in("[INST]" * 30_000)
    with pytest.raises(ValueError, match="200,007 characters"):
        messages_in("[INST] " + "a" * 200_000)


@given(
    st.sampled_from(["<|im_start|>u", "[INST]", "<|start|>u", '[{"role":', '[{"from":', "<start_of_turn>u"]), st.text()
)
def test_whatever_follows_is_messages_or_refused(begins, rest):
    try:
        assert all(isinstance(each.content, str) for each in messages_in(begins + rest))
    except ValueError as e:
        assert str(e)
