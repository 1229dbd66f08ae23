"""Random chats, and the formats that they are written in."""

from hypothesis import strategies as st

from tokviz.chats.formats import ChatML, Harmony, Template
from tokviz.chats.prompt import Message
from tokviz.chats.teaching import TEMPLATES

# As Qwen 3 does: what was thought before the last question is left out, and texts in a row of tools are one turn.
QWEN = """\
{%- set last = namespace(user=-1) -%}
{%- for m in messages if m.role == "user" -%}{%- set last.user = messages.index(m) -%}{%- endfor -%}
{%- for m in messages -%}
  {%- if m.role == "assistant" -%}
    {{ "<|im_start|>assistant\n" }}
    {%- if loop.index0 > last.user and (loop.last or m.reasoning_content) -%}
      {{ "<think>\n" + (m.reasoning_content or "").strip("\n") + "\n</think>\n\n" }}
    {%- endif -%}
    {{ m.content.lstrip("\n") }}
    {%- for call in m.tool_calls or [] -%}
      {{ '\n<tool_call>\n{"name": "' + call.function.name + '", "arguments": ' }}
      {{- call.function.arguments | tojson }}{{ "}\n</tool_call>" }}
    {%- endfor -%}
    {{ "<|im_end|>\n" }}
  {%- elif m.role == "tool" -%}
    {%- if loop.first or loop.previtem.role != "tool" -%}{{ "<|im_start|>user" }}{%- endif -%}
    {{ "\n<tool_response>\n" + m.content + "\n</tool_response>" }}
    {%- if loop.last or loop.nextitem.role != "tool" -%}{{ "<|im_end|>\n" }}{%- endif -%}
  {%- else -%}{{ "<|im_start|>" + m.role + "\n" + m.content + "<|im_end|>\n" }}
  {%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ "<|im_start|>assistant\n" }}{%- endif -%}"""
RULES_LAST = """\
{%- set rules = messages | selectattr("role", "equalto", "system") | map(attribute="content") | join("\n") -%}
{{ bos_token }}
{%- for m in messages if m.role != "system" -%}
  {%- if m.role == "assistant" -%}{{ " " + m.content + eos_token }}
  {%- else -%}{{ "[INST] " + (rules + "\n\n" if loop.last else "") + m.content + "[/INST]" }}
  {%- endif -%}
{%- endfor -%}"""
MARKED = """\
{%- macro say(m) -%}{% generation %}{{ m.content | trim }}<|im_end|>{% endgeneration %}{%- endmacro -%}
{%- for m in messages -%}
  {{ "<|im_start|>" + m.role + "\n" }}
  {%- if m.role == "assistant" -%}{{ say(m) }}{%- else -%}{{ m.content + "<|im_end|>" }}{%- endif -%}
  {{ "\n" }}
{%- endfor -%}
{{ "<|im_start|>assistant\n" if add_generation_prompt }}"""
NO_LOOP = '{{ messages | map(attribute="content") | join("\n") }}{{ "\n" if add_generation_prompt }}'
TOKENS = (("bos_token", "<s>"), ("eos_token", "<|endoftext|>"))
SOURCES = {"Qwen": QWEN, "rules last": RULES_LAST, "marked": MARKED, "no loop": NO_LOOP, **TEMPLATES}
FORMATS = {"ChatML": ChatML(), "harmony": Harmony()}
FORMATS |= {name: Template(name, source, TOKENS) for name, source in SOURCES.items()}

PARTS = [
    "a", "Hello", " ", "\n", "\n\n", "  ", "สวัสดี", "ก็", "👋🏽", "e\u0301", "é", "12345", "<|im_end|>", "<|im_start|>",
    "<|endoftext|>", "</s>", "<|", "|>", "<think>", "\ud800", "\0", "\u2581", "'s", "{", ".\n", "<s>", "<|channel|>",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS), max_size=6).map("".join)
RULES = TEXTS.map(lambda text: [Message("system", text)])
QUESTIONS = TEXTS.map(lambda text: [Message("user", text)])
ANSWERS = st.tuples(TEXTS, st.one_of(st.none(), TEXTS)).map(
    lambda said: [*([Message("assistant", said[1], "analysis")] if said[1] else []), Message("assistant", said[0])]
)
CALLS = st.lists(st.sampled_from(['{"x": 1}', "{}", '{"city":"เชียงใหม่"}', "not JSON"]), min_size=1, max_size=2).map(
    lambda given: [
        *(Message("assistant", each, "commentary", "functions.f") for each in given),
        *(Message("tool", " 31 °C\n", recipient="functions.f") for _ in given),
    ]
)
ROUNDS = st.one_of(
    st.tuples(QUESTIONS, ANSWERS), st.tuples(QUESTIONS, CALLS, ANSWERS), st.tuples(QUESTIONS), st.tuples(ANSWERS, RULES)
)


def joined(parts) -> list[Message]:
    return [message for part in parts for message in part]


CHATS = st.tuples(st.one_of(st.just([]), RULES), st.lists(ROUNDS.map(joined), max_size=4).map(joined)).map(joined)
