"""Chats turn by turn: what is found step by step is what comparing whole prompts finds."""

import pytest
from conversations.chats import CHATS, FORMATS
from conversations.naive_turns import naive_turns
from each import quick
from examples import times
from hypothesis import given
from hypothesis import strategies as st

import tokviz
from tokviz.chats.formats import Template
from tokviz.chats.prompt import Message
from tokviz.conversations.answers import answer_ranges
from tokviz.conversations.turn_words import turn_sentences

BLOCKS = st.sampled_from([1, 2, 16])


def check(tokenizer, messages, chat_format, block, ids=()):
    try:
        found = tokviz.turns(tokenizer, messages, chat_format=chat_format, block=block, ids=ids)
    except ValueError as e:
        with pytest.raises(ValueError, match=r".*") as again:
            naive_turns(chat_format.tokenizer(tokenizer), messages, chat_format, ids, block)
        assert str(e) == str(again.value)
        return
    wanted = naive_turns(found.tokenizer, messages, chat_format, ids, block)
    assert len(found.turns) == len(wanted)
    for number, (turn, naive) in enumerate(zip(found.turns, wanted, strict=True), 1):
        text, before = turn.prompt.text, naive.pop("before")
        assert text == naive.pop("text") and turn.number == number
        assert {name: getattr(turn, name) for name in naive} == naive, (number, text, before)
        for each in turn.rewritten:
            assert text.startswith(each.new, each.start) and each.old in before and each.old != each.new
        assert found.n_again == sum(turn.n_again for turn in found.turns if not (turn.keeps_text and turn.keeps_tokens))


@pytest.mark.parametrize("name", quick(FORMATS, "ChatML", "Qwen", "rules last"))
@given(messages=CHATS, block=BLOCKS)
def test_turns_are_what_whole_prompts_give(name, messages, block):
    check(tokviz.load("gpt2"), messages, FORMATS[name], block)


def test_a_special_token_may_begin_in_a_prompt_and_end_in_the_answer():
    bare = Template("", "{% for m in messages %}{{ m.content }}{% endfor %}")
    for begun, ended in (
        ("<|im_", "end|> b"),
        ("<|", "im_end|>"),
        ("a b<|im_end|>c d <", "|im_end|>"),
        ("<|im_end|", ">"),
    ):
        check(tokviz.load("qwen3"), [Message("user", begun), Message("assistant", ended)], bare, 1)


def test_what_follows_the_last_special_token_of_an_answer_is_part_of_it():
    trimmed = Template("", "{% for m in messages %}{{ m.role }}: {{ m.content.split('</think>')[-1] }}\n{% endfor %}")
    said = [Message("user", "1+1?"), Message("assistant", "<think>Hm.</think>2"), Message("user", "Sure?")]
    check(tokviz.load("qwen3"), said, trimmed, 1)
    kept = Template("", "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}")
    first, _ = tokviz.turns(tokviz.load("qwen3"), said, chat_format=kept, block=1).turns
    assert tokviz.load("qwen3").decode(first.answer_ids).endswith("</think>2\n")


# One for each way to encode: with NFC, with a space in front, with marks as spaces, by the longest match.
TOKENIZERS = ["gpt2", "qwen3", "o200k_harmony", "mistral-v3", "gemma4", "bert"]


@pytest.mark.slow
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("name", FORMATS)
@times(10)
@given(messages=CHATS, block=BLOCKS)
def test_turns_are_what_whole_prompts_give_for_every_tokenizer(tokenizer, name, messages, block):
    if tokenizer == "bert" and name in ("ChatML", "harmony"):
        return  # which has no place for their markers
    check(tokviz.load(tokenizer), messages, FORMATS[name], block)


@pytest.mark.parametrize("name", quick(["Qwen", "ChatML", "As Mistral"], "Qwen"))
@given(messages=CHATS, ids=st.lists(st.one_of(st.none(), st.lists(st.integers(0, 50256), max_size=8)), max_size=3))
def test_ids_that_were_produced_are_what_the_cache_has(name, messages, ids):
    n_answers = len([*answer_ranges(messages)])
    check(tokviz.load("gpt2"), messages, FORMATS[name], 1, ids[:n_answers])


def test_what_a_cache_can_use_and_what_is_computed_again_add_up_in_words():
    chat = [Message("user", "Is 17 prime?"), Message("assistant", "\nYes."), Message("user", "And 18?")]
    found = tokviz.turns(tokviz.load("cl100k_base"), chat, chat_format="ChatML")
    turn = found.turns[1]
    before, now = turn.n_before, turn.n_cached + turn.n_again
    assert before == now + 1  # the line ends before and in the answer have become one token
    said = f"The {before} tokens of turn 1 and its answer have become {now}: a cache can use "
    assert next(turn_sentences(found, turn)).startswith(said)
