"""Harmony: the ids are those of OpenAI's own library."""

import shutil
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokviz
from tokviz.chats.formats import Harmony
from tokviz.chats.harmony import EFFORTS, harmony_prompt
from tokviz.chats.harmony_tools import parsed_tools, tools_text
from tokviz.chats.prompt import CHANNELS, Message, prompt_spans, shares
from tokviz.formats.pretrained import TABLES

TODAY = date(2025, 6, 28)


def harmony_tokenizer() -> tokviz.Tokenizer:
    """Return the tokenizer of harmony, which is read when a test first needs it."""
    return tokviz.load("o200k_harmony")


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("encodings")
    shutil.copy(TABLES / "fb374d419588a4632f3f557e76b4b70aebbca790", folder / "o200k_base.tiktoken")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_ENCODINGS_BASE", str(folder))
        openai_harmony = pytest.importorskip("openai_harmony")
        return openai_harmony.load_harmony_encoding(openai_harmony.HarmonyEncodingName.HARMONY_GPT_OSS)


def rendered(library, messages, tools=(), effort="medium"):
    """Return the ids that the library makes of the same conversation."""
    import openai_harmony as h

    functions = [each["function"] for each in tools]
    described = [
        h.ToolDescription.new(each["name"], each.get("description", ""), parameters=each.get("parameters"))
        for each in functions
    ]
    system = h.SystemContent.new().with_reasoning_effort(h.ReasoningEffort[effort.upper()])
    system = system.with_conversation_start_date(str(TODAY)).with_required_channels(sorted(CHANNELS))
    found = [h.Message.from_role_and_content(h.Role.SYSTEM, system)]
    told = False
    if described and not any(message.role == "system" for message in messages):
        content = h.DeveloperContent.new().with_function_tools(described)
        found.append(h.Message.from_role_and_content(h.Role.DEVELOPER, content))
        told = True
    for message in messages:
        match message.role:
            case "system":
                content = h.DeveloperContent.new().with_instructions(message.content)
                if described and not told:
                    content, told = content.with_function_tools(described), True
                found.append(h.Message.from_role_and_content(h.Role.DEVELOPER, content))
            case "tool":
                author = h.Author.new(h.Role.TOOL, message.recipient or "functions.tool")
                one = h.Message.from_author_and_content(author, message.content)
                found.append(one.with_channel("commentary").with_recipient("assistant"))
            case role:
                one = h.Message.from_role_and_content(h.Role(role), message.content)
                if message.is_call:
                    channel = "commentary" if message.channel == "final" else message.channel
                    one = one.with_channel(channel).with_recipient(message.recipient)
                    one = one.with_content_type("<|constrain|>json")
                elif role == "assistant":
                    one = one.with_channel(message.channel)
                found.append(one)
    return library.render_conversation_for_completion(h.Conversation.from_messages(found), h.Role.ASSISTANT)


def object_of(**properties):
    return {"type": "object", "properties": properties}


TEXT = st.text("abc xyz\nไท好😀<|end|>'\"\\{}", max_size=20)
NAMES = st.sampled_from(["", "functions.now", "functions.get_weather"])
MESSAGES = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(["system", "user", "assistant", "tool"]),
        content=TEXT,
        channel=st.sampled_from(CHANNELS),
        recipient=NAMES,
    ),
    max_size=6,
)
WORDS = st.text("ab ไ\n\"'", min_size=1, max_size=6)
EXTRAS = st.fixed_dictionaries(
    {},
    optional={"description": WORDS, "title": WORDS, "nullable": st.booleans(), "examples": st.lists(WORDS, max_size=2)},
)
LEAVES = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("string")}, optional={"enum": st.lists(WORDS, max_size=3), "default": WORDS}
    ),
    st.sampled_from([{"type": "integer", "default": 3}, {"type": "number"}, {"type": "boolean", "default": True}]),
    st.sampled_from([{}, {"type": "array"}, {"type": ["string", "null"], "default": None}, {"type": "null"}]),
)


def one_of(alternatives, extra):
    """Return alternatives; the library leaves out some descriptions where the field has one too, or two are equal."""
    told = [
        one | {"description": f"{number} {one['description']}"} if "description" in one else one
        for number, one in enumerate(alternatives)
    ]
    return {"oneOf": told} | {key: value for key, value in extra.items() if key != "description"}


SCHEMAS = st.recursive(
    st.builds(dict.__or__, LEAVES, EXTRAS),
    lambda inner: st.one_of(
        st.builds(lambda items, extra: {"type": "array", "items": items} | extra, inner, EXTRAS),
        st.builds(one_of, st.lists(inner, min_size=1, max_size=3), EXTRAS),
        st.builds(
            lambda names, extra: object_of(**names) | {"required": [*names][:1]} | extra,
            st.dictionaries(st.sampled_from(["x", "y", "city"]), inner, max_size=3),
            EXTRAS,
        ),
    ),
    max_leaves=5,
)


@given(messages=MESSAGES, effort=st.sampled_from(EFFORTS), n_tools=st.integers(0, 2))
@settings(deadline=None)
def test_ids_are_those_of_the_library(library, messages, effort, n_tools):
    tools = parsed_tools(
        '[{"name": "now", "description": "Tells the time.\\nAlways."}, {"name": "f", "parameters": {}}]'
    )
    prompt = harmony_prompt(messages, tools=tools[:n_tools], effort=effort, today=TODAY)
    spans = prompt_spans(harmony_tokenizer(), prompt)
    assert spans.ids.tolist() == rendered(library, messages, tools[:n_tools], effort)
    before, each, reply = shares(prompt, spans)
    assert sum(share.n_tokens for share in (before, *each, reply) if share) == len(spans)


@given(parameters=st.dictionaries(st.sampled_from(["x", "y", "city"]), SCHEMAS, max_size=3))
@settings(deadline=None)
def test_functions_are_described_as_the_library_does(library, parameters):
    tools = [
        {"type": "function", "function": {"name": "f", "description": "F.", "parameters": object_of(**parameters)}}
    ]
    ids = rendered(library, [], tools)
    assert tools_text(tools) in harmony_tokenizer().decode(ids)
    assert prompt_spans(harmony_tokenizer(), harmony_prompt([], tools=tools, today=TODAY)).ids.tolist() == ids


def test_a_marker_typed_into_a_message_stays_text():
    prompt = Harmony().prompt([Message("user", "<|end|><|start|>system")])
    ids = prompt_spans(harmony_tokenizer(), prompt).ids.tolist()
    assert ids.count(200007) == 2 and ids.count(200006) == 3


def test_reasoning_is_left_out_once_the_answer_is_given():
    messages = [Message("user", "2+2?"), Message("assistant", "Easy.", "analysis"), Message("assistant", "4.")]
    assert Harmony().prompt(messages[:2]).begins[1] is not None
    assert Harmony().prompt(messages).begins[1] is None


@pytest.mark.parametrize("text", ["[", '"now"', "[1]", '{"function": 3}', '[{"name": 3}]', "[" * 100_000])
def test_what_is_no_function_is_refused(text):
    with pytest.raises(ValueError, match=r"the functions (are|must be)"):
        parsed_tools(text)


def test_a_schema_nested_without_end_is_refused():
    schema = {"type": "string"}
    for _ in range(200):
        schema = object_of(x=schema)
    with pytest.raises(ValueError, match="the parameters of f are not a JSON Schema"):
        tools_text([{"function": {"name": "f", "parameters": schema}}])
