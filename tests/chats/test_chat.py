"""`tokviz.chat`: messages of any form under every format, and the tokens each of them has."""

import json

import pytest

import tokviz
from tokviz.chats.messages import messages_of

MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "สวัสดี <|im_end|>"}]


def test_messages_of_both_forms_are_the_same():
    cl100k = tokviz.load("cl100k_base")
    given = [tokviz.Message(**each) for each in MESSAGES]
    assert tokviz.chat(cl100k, MESSAGES).ids == tokviz.chat(cl100k, given).ids
    assert tokviz.chat(cl100k, iter(MESSAGES)).messages == tuple(given)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_harmony"])
@pytest.mark.parametrize("chat_format", [None, "ChatML", "harmony", "Transcript"])
def test_the_tokens_are_those_of_the_text_and_each_has_one_owner(name, chat_format):
    made = tokviz.chat(tokviz.load(name), MESSAGES, chat_format=chat_format)
    assert made.tokenizer.decode(made.ids) == made.text == made.prompt.text
    before, messages, reply = made.shares
    assert before.n_tokens + sum(each.n_tokens for each in messages) + reply.n_tokens == len(made.ids)


def test_a_marker_that_somebody_types_is_text():
    made = tokviz.chat(tokviz.load("cl100k_base"), MESSAGES, reply=False)
    assert made.ids.count(made.tokenizer.special_tokens["<|im_end|>"]) == 2
    assert made.text.count("<|im_end|>") == 3


def test_the_format_is_that_of_the_markers_unless_it_is_named():
    assert tokviz.chat(tokviz.load("o200k_harmony"), MESSAGES).text.startswith("<|start|>system")
    assert tokviz.chat(tokviz.load("o200k_base"), MESSAGES).text.startswith("<|im_start|>system")
    assert (
        tokviz.chat(tokviz.load("o200k_base"), MESSAGES, chat_format=tokviz.Harmony(effort="high")).text.find("high")
        > 0
    )
    words = tokviz.train_wordpiece("low lower lowest", vocab_size=30)
    assert tokviz.chat(words, MESSAGES).text.startswith("System: Be brief.")


def test_the_beginning_of_an_answer_can_be_left_out():
    cl100k = tokviz.load("cl100k_base")
    with_reply, without = (tokviz.chat(cl100k, MESSAGES, reply=reply) for reply in (True, False))
    assert with_reply.text == without.text + "<|im_start|>assistant\n" and without.shares[2].n_tokens == 0


def test_calls_of_functions_are_messages_of_their_own():
    call = {"function": {"name": "now", "arguments": "{}"}}
    made = tokviz.chat(tokviz.load("o200k_harmony"), [{"role": "assistant", "content": None, "tool_calls": [call]}])
    assert [message.recipient for message in made.messages] == ["functions.now"]


def test_messages_of_data_sets_are_those_of_apis():
    call = {"from": "function_call", "value": '{"name": "now", "arguments": {"zone": "ไทย"}}'}
    said = [
        {"from": "human", "value": "Now?"},
        call,
        {"from": "observation", "value": "noon"},
        {"from": "gpt", "value": "Noon."},
    ]
    found = messages_of({"system": "Be brief.", "conversations": said})
    assert found == [
        tokviz.Message("system", "Be brief."),
        tokviz.Message("user", "Now?"),
        tokviz.Message("assistant", '{"zone": "ไทย"}', "commentary", "functions.now"),
        tokviz.Message("tool", "noon"),
        tokviz.Message("assistant", "Noon."),
    ]
    halves = {"prompt": MESSAGES[:1], "completion": MESSAGES[1:]}
    parts = [{**each, "content": [{"type": "text", "text": each["content"]}]} for each in MESSAGES]
    assert messages_of(halves) == messages_of(parts) == messages_of({"messages": MESSAGES}) == messages_of(MESSAGES)
    assert messages_of([{"from": "function_call", "value": "no JSON"}]) == [tokviz.Message("assistant", "no JSON")]


@pytest.mark.parametrize(
    ("messages", "options", "words"),
    [
        (["Hi!"], {}, "message 1: expected a role and a content, not 'Hi!'"),
        ([{"content": "Hi!"}], {}, "message 1: 'role' is not a name"),
        ([MESSAGES[0], {"role": "user", "content": 3}], {}, "message 2: 'content' is not a text: 3"),
        ([{"role": "user", "content": ["Hi!"]}], {}, "message 1: 'content' is not a text, nor all parts like"),
        ([{"role": "user", "content": [{"type": "audio"}]}], {}, "message 1: 'content' has a part of the type 'audio'"),
        ([{"role": "user", "content": [{"type": "text"}]}], {}, "message 1: 'text' of a part is not a text: None"),
        ({"text": "Hi!"}, {}, "expected 'messages', 'conversations', or 'prompt' and 'completion'"),
        (MESSAGES, {"chat_format": "GPT"}, "there is no chat format 'GPT'.* ChatML, harmony, Transcript"),
        (MESSAGES, {"chat_format": tokviz.Template("mine", "{{ raise_exception('no') }}")}, "no"),
    ],
)
def test_what_is_no_chat_is_told_in_words(messages, options, words):
    with pytest.raises(ValueError, match=words):
        tokviz.chat(tokviz.load("gpt2"), messages, **options)


def test_markers_need_byte_level_bpe():
    with pytest.raises(ValueError, match="ChatML needs byte-level BPE"):
        tokviz.chat(tokviz.train_wordpiece("low lower", vocab_size=30), MESSAGES, chat_format="ChatML")


def test_templates_of_a_folder_are_taken_as_they_are(tmp_path, trained):
    trained.save(tmp_path / "tokenizer.json")
    source = "{{ bos_token }}{% for m in messages %}{{ m.content }}|{% endfor %}"
    config = {"chat_template": [{"name": "default", "template": source}], "bos_token": "<s>"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    templates = tokviz.chat_templates(tmp_path)
    assert templates == {"default": tokviz.Template("default", source, (("bos_token", "<s>"),))}
    tokenizer = tokviz.read(tmp_path)
    made = tokviz.chat(tokenizer, MESSAGES, chat_format=templates["default"])
    assert made.text == "<s>Be brief.|สวัสดี <|im_end|>|" and made.ids[0] == tokenizer.special_tokens["<s>"]
    assert tokviz.chat_templates(tmp_path / "tokenizer.json") == templates


def test_a_file_that_says_nothing_of_chats_has_no_templates(tmp_path, trained):
    trained.save(tmp_path / "a.json")
    assert tokviz.chat_templates(tmp_path / "a.json") == {}
