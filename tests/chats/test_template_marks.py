"""What a template's prompt knows beside its text: generation blocks, lines, images and calls; many prompts at once."""

import pytest
from conversations.chats import CHATS, SOURCES
from each import each, quick
from hypothesis import given

from tokviz.chats.formats import ChatML
from tokviz.chats.messages import messages_of
from tokviz.chats.prompt import Message
from tokviz.chats.template import Template, jinja_messages

CHAT = [Message("user", " Hi! "), Message("assistant", "Ho! "), Message("user", "?"), Message("assistant", "")]
# Generation blocks in each kind of block, around the same words.
BLOCKS = {
    "loop": "{% for m in messages %}({% generation %}{{ m.content }}!{% endgeneration %}){% endfor %}",
    "branch": "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% else %}{% generation %}"
    "<{{ m.content }}>{% endgeneration %}{% endif %}{% endfor %}",
    "set": "{% for m in messages %}{% set x %}a{% generation %}{{ m.content }}{% endgeneration %}{% endset %}[{{ x }}]"
    "{% endfor %}",
    "macro": "{% macro say(m) %}a{% generation %}{{ m.content }}{% endgeneration %}{% endmacro %}"
    "{% for m in messages %}{{ '[' + say(m) ~ ']' }}{% endfor %}",
    "call": "{% macro around() %}<{{ caller() }}>{% endmacro %}{% for m in messages %}{% call around() %}a"
    "{% generation %}{{ m.content }}{% endgeneration %}{% endcall %}{% endfor %}",
    "filter": "{% for m in messages %}{% filter upper %}a{% generation %}b{{ m.content }}{% endgeneration %}"
    "{% endfilter %}{% endfor %}",
    "whole": "{% generation %}{% for m in messages %}{{ m.content }}{% endfor %}{% endgeneration %}",
    "none": "{{ messages | map(attribute='content') | join }}",
}


@each("name", BLOCKS)
def test_what_a_generation_block_writes_is_marked(name):
    begin, end = "\ue000", "\ue001"  # written in the place of the tags, to see where they are
    source = BLOCKS[name].replace("{% generation %}", begin).replace("{% endgeneration %}", end)
    for n in range(1, len(CHAT) + 1):
        pieces = Template("", source).prompt(CHAT[:n], reply=False).text.replace(end, begin).split(begin)
        ends = [sum(map(len, pieces[: i + 1])) for i in range(len(pieces))]
        (prompt,) = Template("", BLOCKS[name]).prompts(CHAT[:n], [(n, False)])
        assert prompt.text == "".join(pieces)
        assert prompt.generation == tuple(zip(ends[:-1:2], ends[1::2], strict=True))
        assert Template("", BLOCKS[name]).prompt(CHAT[:n], reply=False).generation == prompt.generation


@pytest.mark.parametrize("name", quick(SOURCES, "Qwen"))
@given(messages=CHATS)
def test_many_prompts_are_those_made_one_by_one(name, messages):
    check_prompts(Template(name, SOURCES[name]), messages)


@given(messages=CHATS)
def test_many_prompts_in_chatml_are_those_made_one_by_one(messages):
    for prompt, n, reply in check_prompts(ChatML(), messages):
        assert prompt == ChatML().prompt(messages[:n], reply=reply)


def check_prompts(chat_format, messages):
    """Return prompts of the beginnings of a chat, checked against each alone, with their cuts."""
    ends = [n for n in range(1, len(messages) + 1) if n == len(messages) or messages[n].role != "assistant"]
    try:
        alone = [chat_format.prompt(messages[:n], reply=reply) for n in ends for reply in (True, False)]
    except ValueError:
        return []
    cuts = [(n, reply) for n in ends for reply in (True, False)]
    found = chat_format.prompts(messages, cuts)
    for prompt, wanted in zip(found, alone, strict=True):
        assert (prompt.text, prompt.contents, prompt.markers) == (wanted.text, wanted.contents, wanted.markers)
        assert prompt.generation == wanted.generation
    return [(prompt, *cut) for prompt, cut in zip(found, cuts, strict=True)]


def test_every_stretch_is_from_the_line_that_writes_it():
    source = """{#- 1 -#}
{%- macro seven() -%}
(3)
{%- endmacro -%}
{%- for m in messages -%}
  {%- if m.role == "user" -%}
    {{ "(7)" ~ m.content }}
  {%- else -%}
    {{- "(9)" -}}
    {% set x %}(10){% endset %}
    {{- x ~ seven() }}
  {%- endif -%}
{%- endfor -%}
(14)"""
    found = Template("", source).line_starts(CHAT)
    text = Template("", source).prompt(CHAT).text
    for line in (7, 9, 10, 3, 14):
        places = [at for at in range(len(text)) if text.startswith(f"({line})", at)]
        assert places
        for at in places:
            written = [number for start, number in found if start <= at]
            assert written[-1] == line, (line, at, found)


def test_images_are_parts_among_texts():
    url = {"type": "image_url", "image_url": {"url": "data:"}}
    parts = [{"type": "text", "text": "a"}, url, {"type": "text", "text": "bc"}, {"type": "image"}, {"type": "image"}]
    (message,) = messages_of([{"role": "user", "content": parts}], images=True)
    assert (message.content, message.images) == ("abc", (1, 3, 3))
    texts = [part.get("text") for part in jinja_messages([message])[0]["content"]]
    assert texts == ["a", None, "bc", None, None]
    source = "{% for part in messages[0].content %}{{ part.text if part.type == 'text' else '<image>' }}{% endfor %}"
    prompt = Template("", source).prompt([message])
    assert prompt.text == "a<image>bc<image><image>"
    assert [prompt.text[a:b] for a, b, _ in prompt.contents] == ["a", "bc"]
    with pytest.raises(ValueError, match="message 1 has an image, and ChatML has no place for images"):
        ChatML().prompts([message], [(1, True)])
    with pytest.raises(ValueError, match="only texts become tokens"):
        messages_of([{"role": "user", "content": parts}])


def test_calls_and_thoughts_are_one_message_with_what_is_said():
    functions = [{"name": "f", "arguments": '{"x": 1}'}, {"name": "g", "arguments": {"y": [2]}}]
    calls = [{"id": f"id{n}", "type": "function", "function": each} for n, each in enumerate(functions)]
    said = [
        {"role": "assistant", "content": "Let me see.", "thinking": "Hm.", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "id1", "content": "2"},
        {"role": "tool", "tool_call_id": "id0", "content": "1"},
    ]
    first, *results = jinja_messages(messages_of(said))
    assert (first["content"], first["reasoning_content"], first["thinking"]) == ("Let me see.", "Hm.", "Hm.")
    assert [(each["id"], each["function"]) for each in first["tool_calls"]] == [
        ("id0", {"name": "f", "arguments": {"x": 1}}),
        ("id1", {"name": "g", "arguments": {"y": [2]}}),
    ]
    assert [each["tool_call_id"] for each in results] == ["id1", "id0"]


def test_results_without_ids_are_of_the_calls_in_their_order():
    call, result = Message("assistant", "{}", "commentary", "functions.f"), Message("tool", "1")
    first, *results = jinja_messages([call, call, result, result])
    assert [each["tool_call_id"] for each in results] == [each["id"] for each in first["tool_calls"]]
