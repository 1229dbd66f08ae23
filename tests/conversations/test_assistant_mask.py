"""Which tokens are trained on: those that a template marks, or those that follow from who says what."""

from conversations.chats import CHATS, FORMATS
from each import each
from hypothesis import given
from hypothesis import strategies as st

import tokviz
from tokviz.chats.formats import Template
from tokviz.chats.prompt import Message
from tokviz.conversations.assistant_mask import AssistantMask, assistant_mask

CHAT = [Message("user", "Hi!"), Message("assistant", " Ho! "), Message("user", "?"), Message("assistant", "Hu.")]


def mask(chat_format, messages=CHAT, tokenizer="qwen3") -> AssistantMask:
    return assistant_mask(tokviz.turns(tokviz.load(tokenizer), messages, chat_format=chat_format))


def texts(found: AssistantMask, stretches) -> list[str]:
    return [found.prompt.text[start:stop] for start, stop in stretches]


@each(
    "name, derived, marked",
    [
        ("ChatML", [" Ho! <|im_end|>", "Hu.<|im_end|>"], None),
        ("Qwen", [" Ho! <|im_end|>", "<think>\n\n</think>\n\nHu.<|im_end|>"], None),
        ("Tags", ["Ho!", "Hu."], None),  # whose end is no special token of this tokenizer
        ("As Qwen 3", ["Ho!<|im_end|>", "Hu.<|im_end|>"], ["Ho!<|im_end|>", "Hu.<|im_end|>"]),
        ("marked", ["Ho!<|im_end|>", "Hu.<|im_end|>"], ["Ho!<|im_end|>", "Hu.<|im_end|>"]),
    ],
)
def test_an_answer_is_trained_on_up_to_its_last_special_token(name, derived, marked):
    found = mask(FORMATS[name])
    assert texts(found, found.derived) == derived
    assert (found.marked and texts(found, found.marked)) == marked
    assert found.stretches == (found.marked or found.derived) and found.differing == []
    trained = [token for token, is_in in zip(found.spans.ids.tolist(), found.tokens, strict=True) if is_in]
    assert found.straddling or tokviz.load("qwen3").decode(trained) == "".join(marked or derived)


def test_calls_and_thoughts_are_part_of_the_answer():
    call = Message("assistant", '{"x": 1}', "commentary", "functions.f")
    messages = [Message("user", "?"), Message("assistant", "Hm.", "analysis"), call]
    found = mask(FORMATS["Qwen"], messages)
    (text,) = texts(found, found.derived)
    assert text.startswith("<think>\nHm.\n</think>") and text.endswith('{"x": 1}}\n</tool_call><|im_end|>')


MARKED = "{{% for m in messages %}}<|im_start|>{{% if m.role == 'assistant' %}}{0}{{% else %}}{{{{ m.content }}}}"
MARKED += "{{% endif %}}<|im_end|>{{% endfor %}}{{{{ '<|im_start|>' if add_generation_prompt }}}}"


def test_what_only_one_of_both_masks_has_is_named():
    found = mask(Template("", MARKED.format("{% generation %}{{ m.content }}{% endgeneration %}")))
    assert texts(found, found.derived) == [" Ho! <|im_end|>", "Hu.<|im_end|>"]
    assert {found.spans.ids[i] for i in found.differing} == {151645} and len(found.differing) == 2
    assert "2 tokens" in found.words


def test_a_token_across_the_edge_of_an_answer_is_trained_on_and_named():
    source = MARKED.format("A:{{ ' ' }}{% generation %}{{ m.content | trim }}{% endgeneration %}{{ '.' }}")
    found = mask(Template("", source), [CHAT[0], Message("assistant", "Ho.")])
    across = [(found.spans.char_starts[i], found.spans.char_ends[i]) for i in found.straddling]
    assert [found.prompt.text[a:b] for a, b in across] == [" Ho", ".."]
    assert all(found.tokens[i] for i in found.straddling) and "2 tokens reach" in found.words


@given(messages=CHATS, stretches=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=3))
def test_a_token_is_in_a_stretch_if_any_of_it_is(messages, stretches):
    found = mask(FORMATS["ChatML"], messages, "gpt2")
    naive = [
        any(a < end and start < b for a, b in stretches if a < b)
        for start, end in zip(found.spans.char_starts.tolist(), found.spans.char_ends.tolist(), strict=True)
    ]
    assert found.tokens_in(tuple(stretches)).tolist() == naive
