"""Chat templates: the text is plain Jinja's, and whose each part is stays known."""

import json

import pytest
from plain_jinja import NOW, plain_environment

import tokviz
from tokviz.chats.harmony_tools import parsed_tools
from tokviz.chats.prompt import CHARACTERS_MAX, Message, prompt_spans, shares
from tokviz.chats.teaching import TEMPLATES
from tokviz.chats.template import Template, jinja_messages

TOKENS = (("bos_token", "<s>"), ("eos_token", "</s>"))
CHAT = [
    Message("system", "Be brief. "),
    Message("user", "  What is 2+2?\n"),
    Message("assistant", "Easy.", "analysis"),
    Message("assistant", '{"city": "เชียงใหม่"}', "commentary", "functions.weather"),
    Message("tool", "4 <b>&</b>", recipient="functions.weather"),
    Message("assistant", "Four."),
    Message("user", "user"),
]
TOOLS = '{"name": "weather", "parameters": {"type": "object"}}'
# What templates in use do with messages, in few words.
SOURCES = {
    "output of several": "{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m['content'] | trim }}{% endfor %}",
    "plus and tilde": "{% for m in messages %}{{ '<|' + m.role + '|>\n' + m.content ~ 1 ~ '\n' }}{% endfor %}",
    "namespace and loop": """\
{%- set ns = namespace(rules='', n=0) -%}
{%- for m in messages -%}
  {%- if m.role == 'system' -%}{%- set ns.rules = m.content.strip() -%}{%- continue -%}{%- endif -%}
  {%- set ns.n = ns.n + 1 -%}
  {{ '\n' ~ ns.n }}. {{ ns.rules if loop.last else '' }} {{ m.content | upper }}
{%- endfor -%}""",
    "macro": "{% macro turn(m) %}<{{ m.role }}>{{ m.content[:40] }}</{{ m.role }}>{% endmacro %}"
    "{% for m in messages %}{{ turn(m) }}{% endfor %}",
    "block set": "{% for m in messages %}{% set line %}{{ m.role }}: {{ m.content }}{% endset %}{{ line | trim }}\n"
    "{% endfor %}",
    "filter block": "{% filter upper %}{% for m in messages %}{{ m.content }}{% endfor %}{% endfilter %}",
    "split and join": "{% for m in messages %}{{ m.content.split(' ') | join('_') }}{{ '/'.join(['x', 'y']) }}"
    "{% endfor %}",
    "map": "{{ messages | map(attribute='content') | join('\n') }}{{ messages | length }}"
    "{{ messages[-1].content | length }}",
    "calls": """\
{%- for m in messages -%}
  {%- if m.tool_calls is defined -%}
    {%- for call in m.tool_calls -%}{{ call.function.name }}({{ call.function.arguments | tojson }}){%- endfor -%}
  {%- elif m.reasoning_content is defined -%}(thought: {{ m.reasoning_content }}){{ m.content }}
  {%- else -%}{{ m.content | replace('2', 'two') }}
  {%- endif -%}
{%- endfor -%}{{ tools | tojson(indent=2) }}""",
    "generation": "{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}"
    "{% if add_generation_prompt %}<answer>{% endif %}{{ strftime_now('%d %b %Y') }}",
    "json in every way": "{{ messages | tojson(indent=2) }}{{ messages | tojson(ensure_ascii=true, sort_keys=true) }}"
    "{{ messages | tojson(ensure_ascii=False, separators=(',', ':')) }}{{ messages[0].content | tojson }}",
    "recursive loop": "{% for m in messages recursive %}{{ m.content.replace('2', '+') }}{{ loop.index }}{% endfor %}",
}


def plainly(source: str, messages: list[Message], *, reply: bool = True) -> str:
    """Return what Jinja makes of a template by itself, with plain texts."""
    given = json.loads(json.dumps(jinja_messages(messages)))
    source = source.replace("{% generation %}", "").replace("{% endgeneration %}", "")
    return (
        plain_environment()
        .from_string(source)
        .render(messages=given, tools=parsed_tools(TOOLS), add_generation_prompt=reply, **dict(TOKENS))
    )


@pytest.mark.parametrize("name", SOURCES)
def test_the_text_is_what_jinja_makes_of_plain_texts(name):
    source = SOURCES[name]
    for n in range(1, len(CHAT) + 1):
        prompt = Template("", source, TOKENS, TOOLS, NOW).prompt(CHAT[:n])
        assert prompt.text == plainly(source, CHAT[:n]), n


@pytest.mark.parametrize("name", [name for name in SOURCES if "json" not in name and name != "calls"])
def test_every_message_is_known_where_it_stands(name):
    # Letters of their own tell whose a character is; what templates write is in others.
    chat = [Message("system", "ก ข"), Message("user", "ж2ж "), Message("assistant", " 你好"), Message("user", "ж")]
    prompt = Template("", SOURCES[name], TOKENS, now=NOW).prompt(chat)
    letters = {"ก": (0,), "ข": (0,), "ж": (1, 3), "Ж": (1, 3), "你": (2,), "好": (2,)}
    owners = {at: owner for start, end, owner in prompt.contents for at in range(start, end)}
    for at, character in enumerate(prompt.text):
        assert character not in letters or owners.get(at) in letters[character], (at, prompt.text)
        assert at not in owners or character in letters or not character.isascii() or character in "2 _+TWO", at
    assert {*owners.values()} >= {1, 2, 3}


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_teaching_templates_say_whose_everything_is(name):
    chat = [
        Message("system", "Be brief."),
        Message("user", " Hi! "),
        Message("assistant", "Hello."),
        Message("user", "2?"),
    ]
    prompt = Template(name, TEMPLATES[name]).prompt(chat)
    assert [(prompt.text[a:b], owner) for a, b, owner in prompt.contents] == [
        ("Be brief.", 0), ("Hi!", 1), ("Hello.", 2), ("2?", 3)
    ]  # fmt: skip
    begins = [begin for begin in prompt.begins if begin is not None]
    assert begins == sorted(begins) and len(begins) == 4
    spans = prompt_spans(tokviz.load("gpt2"), prompt)
    before, each, reply = shares(prompt, spans)
    assert sum(share.n_tokens for share in (before, *each, reply)) == len(spans)


def test_turns_in_the_wrong_order_are_refused_in_the_words_of_the_template():
    with pytest.raises(ValueError, match="refuses these messages: user and assistant take turns"):
        Template("", TEMPLATES["Strict turns"]).prompt([Message("assistant", "Hello.")])


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("one\n{% for %}", "not valid Jinja, line 2"),
        ("one\n\n{{ messages[7].content.x }}", "fails: line 3"),
        ("{{ 1 / 0 }}", "fails: line 1: division by zero"),
        ("{{ messages.append(1) }}", "is unsafe"),
        ("{{ ''.__class__.x }}", "is unsafe"),
        ("{{ messages[0].content._marks.x }}", "'str object' has no attribute '_marks'"),
        ("{% include 'x' %}", "fails"),
        ("{% for a in range(999999999) %}{% endfor %}", "Range too big"),
        ("{{ 'ab' * 150000 }}", f"over {CHARACTERS_MAX:,} characters"),
        ("{{ 'a' * 10**10 }}", "memory"),
        ("{{ '%9999999999d' % 1 }}", "memory|fails"),
        ("{{" + "(" * 4_000, "Jinja|nested too deeply"),
        ("x" * 200_001, "at most 200,000"),
    ],
)
def test_a_template_that_fails_says_where(source, said):
    with pytest.raises(ValueError, match=said):
        Template("", source).prompt([Message("user", "Hi!")])


@pytest.mark.slow
def test_a_template_without_end_is_ended(monkeypatch):
    monkeypatch.setattr("tokviz.chats.template.SECONDS", 0.1)
    loop = "{% for a in range(99999) %}"
    with pytest.raises(ValueError, match="the chat template did not end"):
        Template("", loop * 3 + "{% endfor %}" * 3).prompt([Message("user", "Hi!")])


def test_a_lone_surrogate_becomes_a_replacement_character():
    prompt = Template("", "{{ messages[0].content }}").prompt([Message("user", "a\ud800b")])
    assert prompt.text == "a\ufffdb" and prompt.contents == ((0, 3, 0),)
    prompt = Template("", r"{{ '\ud83d\ude00' ~ messages[0].content }}").prompt([Message("user", "Hi!")])
    assert prompt.text == "\ufffd\ufffdHi!" and prompt.contents == ((2, 5, 0),)


def test_a_special_token_is_one_wherever_the_text_has_it():
    prompt = Template("", "<|endoftext|>{{ messages[0].content }}").prompt([Message("user", "Hi<|endoftext|>")])
    ids = prompt_spans(tokviz.load("gpt2"), prompt).ids.tolist()
    assert ids == [50256, 17250, 50256]


def test_json_says_which_of_it_a_message_holds():
    call = Message("assistant", '{"city": "Ü", "n": 3}', "commentary", "functions.f")
    source = "{% for m in messages %}{{ m.tool_calls | tojson if m.tool_calls else m | tojson }}\n{% endfor %}"
    prompt = Template("", source).prompt([Message("user", 'Hi "you"'), call])
    said = [(prompt.text[a:b], owner) for a, b, owner in prompt.contents]
    assert said == [('Hi \\"you\\"', 0), ('{"city": "Ü", "n": 3}', 1)]


def test_arguments_written_one_by_one_are_the_messages():
    call = Message("assistant", '{"city": "Ü", "days": [1, {"two": 2}], "n": 3}', "commentary", "functions.f")
    source = """\
{%- for name, value in messages[0].tool_calls[0].function.arguments | items -%}
<{{ name }}>{{ value | tojson | safe if value is not string else value }}
{% endfor -%}"""
    prompt = Template("", source).prompt([call])
    assert prompt.text == '<city>Ü\n<days>[1, {"two": 2}]\n<n>3\n'
    assert [prompt.text[a:b] for a, b, _ in prompt.contents] == ["city", "Ü", "days", '[1, {"two": 2}]', "n"]


def test_a_text_has_no_part_by_name():
    source = "{{ messages[0].content['text'] is defined }} {{ messages[0].content.text is defined }}"
    assert Template("", source).prompt([Message("user", "Hi!")]).text == "False False"


def test_json_that_looks_like_ours_is_written_as_it_is():
    source = r"""{{ [messages[0].content, "\0000\000", "\0000"] | tojson }}"""
    assert Template("", source).prompt([Message("user", "Hi!")]).text == plainly(source, [Message("user", "Hi!")])


def test_reasoning_that_is_told_with_the_answer_is_not_left_out():
    messages = [Message("user", "2+2?"), Message("assistant", "Easy.", "analysis"), Message("assistant", "4.")]
    source = "{% for m in messages %}{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}"
    prompt = Template("", source + "{{ m.content }}{% endfor %}").prompt(messages)
    spans = prompt_spans(tokviz.load("gpt2"), prompt)
    before, each, reply = shares(prompt, spans)
    assert all(each) and sum(share.n_tokens for share in (before, *each, reply)) == len(spans)
    assert Template("", "{% for m in messages %}{{ m.content }}{% endfor %}").prompt(messages).begins[1] is None


@pytest.mark.parametrize("mark", ["7", "none", "'abc'", "[1]", "10**12"])
def test_a_template_cannot_forge_whose_a_text_is(mark):
    with pytest.raises(ValueError, match=r"no attribute|undefined"):
        Template("", "{{ messages[0].content.of('x', " + mark + ") }}").prompt([Message("user", "Hi!")])


def test_what_a_template_says_of_its_failure_is_shortened():
    with pytest.raises(ValueError) as e:
        Template("", "{{ raise_exception('x' * 1000000) }}").prompt([Message("user", "Hi!")])
    assert len(str(e.value)) < 1_000


def test_calls_have_ids_that_templates_insist_on():
    call = Message("assistant", "{}", "commentary", "functions.f")
    first, result, second = jinja_messages([call, Message("tool", "1", recipient="functions.f"), call])
    ids = [each["tool_calls"][0]["id"] for each in (first, second)]
    assert len({*ids}) == 2 and all(len(each) == 9 and each.isalnum() for each in ids)
    assert result["tool_call_id"] == ids[0]


def test_the_turns_of_mistral_are_tokens_as_mistral_common_makes_them():
    messages = [Message("user", "What is 2+2?"), Message("assistant", "4, of course."), Message("user", "ภาษาไทย?")]
    prompt = Template("As Mistral", TEMPLATES["As Mistral"]).prompt(messages)
    assert tokviz.load("mistral-v3").encode(prompt.text, allowed_special="all") == [
        1, 3, 2592, 1117, 29473, 29518, 29574, 29518, 29572, 4, 29473, 29549, 29493, 1070, 3131, 29491, 2, 3, 29473,
        31802, 29871, 31903, 29871, 30730, 30316, 30216, 29572, 4,
    ]  # fmt: skip
    assert tokviz.load("mistral-nemo").encode(prompt.text, allowed_special="all") == [
        1, 3, 7493, 1395, 1032, 1050, 1043, 1050, 1063, 4, 1052, 1044, 1307, 5725, 1046, 2, 3, 25967, 114588, 3262,
        68836, 1063, 4,
    ]  # fmt: skip
