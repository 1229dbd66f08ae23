"""Which part of a template's prompt is whose.

The templates are written here, in the manner of families in use and with their markers. All look at the first message,
so none can be rendered for an empty chat.
"""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokviz
from tokviz.chats.chatml import chat_tokenizer, chatml_prompt
from tokviz.chats.prompt import Message, Prompt, Share, prompt_spans, shares
from tokviz.chats.template import Template

TOKENS = (("bos_token", "<s>"), ("eos_token", "</s>"))
TURNS = """\
{%- macro take_turns(messages) -%}
  {%- for m in messages -%}
    {%- if (m.role == "user") != (loop.index0 % 2 == 0) -%}
      {{ raise_exception("user and assistant take turns") }}
    {%- endif -%}
  {%- endfor -%}
{%- endmacro -%}
"""
FAMILIES = {
    "Qwen": """\
{%- if messages[0].role != "system" -%}{{ "<|im_start|>system\nYou help.<|im_end|>\n" }}{%- endif -%}
{%- for m in messages -%}{{ "<|im_start|>" + m.role + "\n" + m.content + "<|im_end|>\n" }}{%- endfor -%}
{%- if add_generation_prompt -%}{{ "<|im_start|>assistant\n" }}{%- endif -%}""",
    "Qwen, thinking": """\
{%- set ns = namespace(asked=-1) -%}
{%- if messages[0].role == "system" -%}{{ "<|im_start|>system\n" + messages[0].content + "<|im_end|>\n" }}{%- endif -%}
{%- for m in messages if m.role == "user" -%}{%- set ns.asked = ns.asked + 1 -%}{%- endfor -%}
{%- set users = namespace(n=-1) -%}
{%- for m in messages -%}
  {%- if m.role == "user" -%}
    {%- set users.n = users.n + 1 -%}{{ "<|im_start|>user\n" + m.content + "<|im_end|>\n" }}
  {%- elif m.role == "system" and not loop.first -%}
    {{ raise_exception("the system begins") }}
  {%- elif m.role == "assistant" -%}
    {{ "<|im_start|>assistant\n" }}
    {%- if users.n == ns.asked and (loop.last or m.reasoning_content) -%}
      {{ "<think>\n" + (m.reasoning_content or "") + "\n</think>\n\n" }}
    {%- endif -%}
    {{ m.content }}
    {%- for call in m.tool_calls or [] -%}
      {{ '<tool_call>\n{"name": "' + call.function.name + '", "arguments": ' }}
      {{- call.function.arguments | tojson }}{{ "}\n</tool_call>" }}
    {%- endfor -%}
    {{ "<|im_end|>\n" }}
  {%- elif m.role == "tool" -%}{{ "<|im_start|>user\n<tool>\n" + m.content + "\n</tool><|im_end|>\n" }}
  {%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ "<|im_start|>assistant\n" }}{%- endif -%}""",
    "Gemma": TURNS + """\
{{ bos_token }}
{%- set rules, rest = ("", messages) -%}
{%- if messages[0].role == "system" -%}
  {%- set rules, rest = (messages[0].content | trim + "\n\n", messages[1:]) -%}
{%- endif -%}
{{ take_turns(rest) }}
{%- for m in rest -%}
{{ "<start_of_turn>" + ("model" if m.role == "assistant" else m.role) + "\n" + (rules if loop.first else "") }}
{{- m.content | trim + "<end_of_turn>\n" }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ "<start_of_turn>model\n" }}{%- endif -%}""",
    "Llama 2": TURNS + """\
{%- set rules, rest = (none, messages) -%}
{%- if messages[0].role == "system" -%}{%- set rules, rest = (messages[0].content, messages[1:]) -%}{%- endif -%}
{{ take_turns(rest) }}
{%- for m in rest -%}
  {%- set front = "<<SYS>>\n" + rules + "\n<</SYS>>\n\n" if loop.first and rules is not none else "" -%}
  {%- if m.role == "user" -%}{{ bos_token + "[INST] " + front + m.content | trim + " [/INST]" }}
  {%- else -%}{{ " " + m.content | trim + " " + eos_token }}
  {%- endif -%}
{%- endfor -%}""",
    "Llama 3.2": """\
{{ "<|begin_of_text|>" }}
{%- set rules, rest = ("", messages) -%}
{%- if messages[0].role == "system" -%}
  {%- set rules, rest = (messages[0].content | trim, messages[1:]) -%}
{%- endif -%}
{{ "<|start_header_id|>system<|end_header_id|>\n\nToday Date: 26 Jul 2024\n\n" + rules + "<|eot_id|>" }}
{%- if tools and not rest -%}{{ raise_exception("nobody to tell the tools") }}{%- endif -%}
{%- for m in rest -%}
{{ "<|start_header_id|>" + m.role + "<|end_header_id|>\n\n" + m.content | trim + "<|eot_id|>" }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ "<|start_header_id|>assistant<|end_header_id|>\n\n" }}{%- endif -%}""",
    "Phi-3": """\
{{ bos_token if messages[0].role }}
{%- for m in messages -%}{{ "<|" + m.role + "|>\n" + m.content + "<|end|>\n" }}{%- endfor -%}
{{ "<|assistant|>\n" if add_generation_prompt else eos_token }}""",
    "Zephyr": """\
{%- if messages[0].role != "system" -%}{{ "<|system|>\n</s>\n" }}{%- endif -%}
{%- for m in messages -%}
{{ "<|" + m.role + "|>\n" + m.content + eos_token + "\n" }}
{%- if loop.last and add_generation_prompt -%}{{ "<|assistant|>\n" }}{%- endif -%}
{%- endfor -%}""",
    "Mistral": TURNS + """\
{%- set rules, rest = ("", messages) -%}
{%- if messages[0].role == "system" -%}
  {%- set rules, rest = (messages[0].content + "\n\n", messages[1:]) -%}
{%- endif -%}
{{ bos_token }}{{ take_turns(rest) }}
{%- for m in rest -%}
  {%- if m.role == "user" -%}
    {{ "[INST] " + (rules if loop.last else "") + m.content + "[/INST]" }}
  {%- else -%}{{ " " + m.content + eos_token }}
  {%- endif -%}
{%- endfor -%}""",
    "DBRX": """\
{%- set rules, rest = ("You help.", messages) -%}
{%- if messages[0].role == "system" -%}{%- set rules, rest = (messages[0].content, messages[1:]) -%}{%- endif -%}
{%- for m in rest -%}
  {%- if loop.first -%}{{ "<|im_start|>system\n" + rules + "<|im_end|>\n" }}
  {{- "<|im_start|>" + m.role + "\n" + m.content + "<|im_end|>" }}
  {%- else -%}{{ "\n<|im_start|>" + m.role + "\n" + m.content + "<|im_end|>" }}
  {%- endif -%}
  {%- if loop.last and add_generation_prompt -%}{{ "\n<|im_start|>assistant\n" }}{%- endif -%}
{%- endfor -%}""",
    "Tulu 3": """\
{{ bos_token if messages[0].role }}
{%- for m in messages -%}
  {%- set end = (eos_token if loop.last else eos_token + "\n") if m.role == "assistant" else "\n" -%}
  {{ "<|" + m.role + "|>\n" + m.content + end }}
  {%- if loop.last and add_generation_prompt -%}{{ "<|assistant|>\n" }}{%- endif -%}
{%- endfor -%}""",
}  # fmt: skip


def stretches(prompt: Prompt) -> list[str]:
    """The text cut where messages begin: what stands before all, each message that is there, the reply."""
    begins = [begin for begin in (*prompt.begins, prompt.reply) if begin is not None]
    assert begins == sorted(begins)
    ends = [*begins, len(prompt.text)]
    return [prompt.text[: ends[0]], *(prompt.text[a:b] for a, b in pairwise(ends))]


def made(family: str, *said: tuple[str, ...], reply: bool = True) -> list[str]:
    messages = [Message(*each) for each in said]
    return stretches(Template("", FAMILIES[family], TOKENS).prompt(messages, reply=reply))


SYSTEM, USER, ANSWER, MORE = ("system", "Be brief."), ("user", "Hi!"), ("assistant", "Hello."), ("user", "Hi again.")


@pytest.mark.parametrize("said", ["Be brief.", "", " <b"])
def test_the_same_text_is_the_same_messages_as_in_chatml(said):
    for chat in ([("system", said), USER, ANSWER], [("system", "Be brief."), ("user", said)], [("system", said)]):
        messages = [Message(*each) for each in chat]
        for reply in (False, True):
            prompt, wanted = (
                Template("", FAMILIES["Qwen"]).prompt(messages, reply=reply),
                chatml_prompt(messages, reply=reply),
            )
            assert (prompt.text, prompt.begins, prompt.reply) == (wanted.text, wanted.begins, wanted.reply)


def test_the_same_messages_have_the_same_tokens_as_in_chatml():
    tokenizer, messages = (
        chat_tokenizer(tokviz.load("cl100k_base")),
        [Message("system", "Be brief."), Message("user", "Hi!")],
    )
    for prompt in (Template("", FAMILIES["Qwen"]).prompt(messages), chatml_prompt(messages)):
        before, each, _ = shares(prompt, prompt_spans(tokenizer, prompt))
        assert (before, each[0]) == (Share(0, 0), Share(8, 5))


MARKERS = st.sampled_from(["", "\n", "<|user|>\n", "<|im|>", "<start_of_turn>", "[INST] ", "### U:\n", "<s>", " "])
SAID = st.tuples(st.sampled_from(["system", "user", "assistant"]), st.sampled_from(["a", "b <", "[INST]", "\n", "ก"]))


@given(
    before=MARKERS, leads=st.tuples(MARKERS, MARKERS, MARKERS), tails=st.tuples(MARKERS, MARKERS, MARKERS),
    end=st.sampled_from(["", "</s>"]), said=st.lists(SAID, min_size=1, max_size=4), reply=st.booleans(),
)  # fmt: skip
def test_whatever_stands_around_a_message_is_its_own(before, leads, tails, end, said, reply):
    around = {role: [leads[n], tails[n]] for n, role in enumerate(("system", "user", "assistant"))}
    source = (
        f"{{%- set around = {json.dumps(around)} -%}}{{{{ {json.dumps(before)} if messages[0].role }}}}"
        "{%- for m in messages -%}{{ around[m.role][0] + m.content + around[m.role][1] }}{%- endfor -%}"
        f"{{{{ '<reply>' if add_generation_prompt else {json.dumps(end)} }}}}"
    )
    found = Template("", source).prompt([Message(*each) for each in said], reply=reply)
    wanted = [before, *(around[role][0] + text + around[role][1] for role, text in said)]
    if reply:
        wanted.append("<reply>")
    else:
        wanted[-1] += end
    assert stretches(found) == wanted


@pytest.mark.parametrize(
    ("family", "wanted"),
    [
        ("Qwen", ["<|im_start|>system\nYou help.<|im_end|>\n", "<|im_start|>user\nHi!<|im_end|>\n",
                  "<|im_start|>assistant\nHello.<|im_end|>\n", "<|im_start|>user\nHi again.<|im_end|>\n",
                  "<|im_start|>assistant\n"]),
        ("Qwen, thinking", ["", "<|im_start|>user\nHi!<|im_end|>\n", "<|im_start|>assistant\nHello.<|im_end|>\n",
                            "<|im_start|>user\nHi again.<|im_end|>\n", "<|im_start|>assistant\n"]),
        ("Gemma", ["<s>", "<start_of_turn>user\nHi!<end_of_turn>\n", "<start_of_turn>model\nHello.<end_of_turn>\n",
                   "<start_of_turn>user\nHi again.<end_of_turn>\n", "<start_of_turn>model\n"]),
        ("Llama 2", ["", "<s>[INST] Hi! [/INST]", " Hello. </s>", "<s>[INST] Hi again. [/INST]"]),
        ("Llama 3.2", ["<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n"
                       "Today Date: 26 Jul 2024\n\n<|eot_id|>",
                       "<|start_header_id|>user<|end_header_id|>\n\nHi!<|eot_id|>",
                       "<|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|>",
                       "<|start_header_id|>user<|end_header_id|>\n\nHi again.<|eot_id|>",
                       "<|start_header_id|>assistant<|end_header_id|>\n\n"]),
        ("Phi-3", ["<s>", "<|user|>\nHi!<|end|>\n", "<|assistant|>\nHello.<|end|>\n", "<|user|>\nHi again.<|end|>\n",
                   "<|assistant|>\n"]),
        ("Zephyr", ["<|system|>\n</s>\n", "<|user|>\nHi!</s>\n", "<|assistant|>\nHello.</s>\n",
                    "<|user|>\nHi again.</s>\n", "<|assistant|>\n"]),
        ("Mistral", ["<s>", "[INST] Hi![/INST]", " Hello.</s>", "[INST] Hi again.[/INST]"]),
        ("Tulu 3", ["<s>", "<|user|>\nHi!\n", "<|assistant|>\nHello.</s>\n", "<|user|>\nHi again.\n",
                    "<|assistant|>\n"]),
    ],
)  # fmt: skip
def test_every_message_has_its_marker_and_its_role(family, wanted):
    assert made(family, USER, ANSWER, MORE) == wanted
    assert made(family, USER)[:2] == wanted[:2]


@pytest.mark.parametrize(
    ("family", "wanted"),
    [
        ("Qwen", ["", "<|im_start|>system\nBe brief.<|im_end|>\n", "<|im_start|>user\nHi!<|im_end|>\n"]),
        ("Qwen, thinking", ["", "<|im_start|>system\nBe brief.<|im_end|>\n", "<|im_start|>user\nHi!<|im_end|>\n"]),
        ("Gemma", ["<s>", "<start_of_turn>user\nBe brief.\n\n", "Hi!<end_of_turn>\n"]),
        ("Llama 2", ["", "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\n", "Hi! [/INST]"]),
        ("Llama 3.2", ["<|begin_of_text|>",
                       "<|start_header_id|>system<|end_header_id|>\n\nToday Date: 26 Jul 2024\n\nBe brief.<|eot_id|>",
                       "<|start_header_id|>user<|end_header_id|>\n\nHi!<|eot_id|>"]),
        ("Phi-3", ["<s>", "<|system|>\nBe brief.<|end|>\n", "<|user|>\nHi!<|end|>\n"]),
        ("Zephyr", ["", "<|system|>\nBe brief.</s>\n", "<|user|>\nHi!</s>\n"]),
        ("Mistral", ["<s>", "[INST] Be brief.\n\n", "Hi![/INST]"]),
        ("DBRX", ["", "<|im_start|>system\nBe brief.<|im_end|>\n", "<|im_start|>user\nHi!<|im_end|>"]),
        ("Tulu 3", ["<s>", "<|system|>\nBe brief.\n", "<|user|>\nHi!\n"]),
    ],
)  # fmt: skip
def test_the_system_message_has_what_it_brings(family, wanted):
    assert made(family, SYSTEM, USER)[: len(wanted)] == wanted


def test_a_turn_in_which_the_system_speaks_first_has_its_own_marker():
    begun = ["", "<|im_start|>system\nBe brief.<|im_end|>\n", "<|im_start|>user\nHi!<|im_end|>"]
    later = ["\n<|im_start|>assistant\nHello.<|im_end|>", "\n<|im_start|>user\nHi again.<|im_end|>"]
    assert made("DBRX", SYSTEM, USER, ANSWER, MORE) == [*begun, *later, "\n<|im_start|>assistant\n"]
    empty = [begun[1], "<|im_start|>user\n<|im_end|>", later[0]]
    assert made("DBRX", SYSTEM, ("user", ""), ANSWER, reply=False)[1:] == empty


@given(said=st.lists(SAID, min_size=2, max_size=6))
def test_a_message_begins_with_its_round_of_the_loop(said):
    source = (
        "{%- for m in messages -%}{%- endfor -%}{%- for m in messages -%}"
        "{{ '' if loop.first else '|' if loop.index % 2 else '\n' }}{{ loop.index0 }}>{{ m.content }}"
        "{{ '' if loop.last else '</s>\n' }}{%- endfor -%}"
    )
    found = Template("", source).prompt([Message(*each) for each in said], reply=False)
    for number, begin in enumerate(found.begins[1:], 1):
        assert found.text[begin:].startswith(f"{'|' if number % 2 == 0 else chr(10)}{number}>")


def test_reasoning_ends_with_its_closing_tag():
    thought, call = ("assistant", "Easy.", "analysis"), ("assistant", '{"x": 1}', "commentary", "functions.f")
    begun = ["", "<|im_start|>user\nHi!<|im_end|>\n", "<|im_start|>assistant\n<think>\nEasy.\n</think>\n\n"]
    assert made("Qwen, thinking", USER, thought, ANSWER, reply=False) == [*begun, "Hello.<|im_end|>\n"]
    assert made("Qwen, thinking", USER, thought, ("assistant", ""), reply=False) == [*begun, "<|im_end|>\n"]
    called = '<tool_call>\n{"name": "f", "arguments": {"x": 1}}\n</tool_call><|im_end|>\n'
    assert made("Qwen, thinking", USER, thought, call, reply=False) == [*begun, called]
    assert made("Qwen, thinking", USER, thought, reply=False)[-1] == begun[-1] + "<|im_end|>\n"


def test_reasoning_that_is_left_out_leaves_the_answer_whole():
    thought = ("assistant", "Easy.", "analysis")
    messages = [Message(*each) for each in (USER, thought, ANSWER, MORE)]
    prompt = Template("", FAMILIES["Qwen, thinking"]).prompt(messages, reply=False)
    assert prompt.begins[1] is None
    assert stretches(prompt)[2] == "<|im_start|>assistant\nHello.<|im_end|>\n"


def test_the_system_said_in_the_last_turn_moves_no_other_message():
    assert made("Mistral", SYSTEM, USER, ANSWER, MORE) == [
        "<s>", "", "[INST] Hi![/INST]", " Hello.</s>", "[INST] Be brief.\n\nHi again.[/INST]"
    ]  # fmt: skip
    assert made("Gemma", SYSTEM, ("user", ""))[:2] == ["<s>", "<start_of_turn>user\nBe brief."]
