"""Where one tokenizer needs fewer tokens than another: the parts add up, and the sentence says what they are."""

import re
from functools import cache

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tokviz
from tokviz.core.spans import text_spans
from tokviz.families.teaching import ListTokenizer
from tokviz.text.savings import saving_sentence, savings, savings_sentence

GPT2, CL100K, O200K = (tokviz.load(name) for name in ("gpt2", "cl100k_base", "o200k_base"))
WORDS = ListTokenizer("words", "words", ["the", "strawberry"])
PIECES = [
    "  ",
    "\n",
    "\n\n    ",
    "\t",
    " USA",
    "word",
    " 2024",
    "123456",
    "):",
    "ที่",
    "你好",
    "👩\u200d🍳",
    "é",
    "\u0301",
    "<|endoftext|>",
]


def of(one, other, text, **special):
    return (one, other), [text_spans(each, text, **special) for each in (one, other)]


def figures(one, other, text, **special):
    return {each.kind: each.n_tokens for each in savings(*of(one, other, text, **special))}


@given(
    st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join), st.permutations([GPT2, CL100K, O200K, WORDS])
)
@example("", [GPT2, CL100K, O200K, WORDS])
def test_the_parts_add_up_to_the_difference_and_turn_round_with_the_two(text, tokenizers):
    one, other, *_ = tokenizers
    both, spans = of(one, other, text)
    found = savings(both, spans)
    assert sum(each.n_tokens for each in found) == len(spans[0]) - len(spans[1])
    assert all(each.n_tokens for each in found)
    assert {each.kind: -each.n_tokens for each in found} == figures(other, one, text)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("def f(x):\n        return x", {"indentation": 6, "punctuation at line ends": 1}),
        ("    x", {"indentation": 2}),
        ("a     b", {"white space": 3}),
        ("a\n\nb", {"line ends": 1}),
        (" 2024", {"digits": -2}),
        ("น", {"Thai letters": 1}),
        ("IN CAPITALS", {"capitals": 1}),
        ("👩", {"emoji": -1}),
    ],
)
def test_each_stretch_is_of_the_kind_that_a_reader_sees(text, kinds):
    found = figures(GPT2, CL100K, text)
    assert {kind: found.get(kind) for kind in kinds} == kinds


def test_special_and_unknown_tokens_are_kinds_of_their_own():
    both, spans = (
        (GPT2, CL100K),
        [text_spans(GPT2, "a<|endoftext|>"), text_spans(CL100K, "a<|endoftext|>", allowed_special="all")],
    )
    assert [(each.kind, each.n_tokens) for each in savings(both, spans)] == [("special tokens", len(spans[0]) - 2)]
    assert {*figures(GPT2, WORDS, "the ภาษา")} == {"text outside a vocabulary"}


INDENTED = "x\n        y"


@pytest.mark.parametrize(
    ("one", "other", "text", "sentence"),
    [
        (
            GPT2,
            CL100K,
            INDENTED,
            "6 fewer tokens than A here, all in indentation: it keeps a run of spaces in one token.",
        ),
        (CL100K, GPT2, INDENTED, "6 more tokens than A here, all in indentation: it has no token for several spaces."),
        (GPT2, CL100K, " 2024", "2 more tokens than A here, all in digits: “·2024” is 3 tokens instead of 1."),
        (GPT2, O200K, "👩\u200d🍳 ok", "2 fewer tokens than A here, all in emoji: “🍳” is 1 token instead of 2."),
        (
            GPT2,
            CL100K,
            f"{INDENTED} 2024",
            "4 fewer tokens than A here, mostly in indentation: it keeps a run of spaces in one token.",
        ),
        (
            GPT2,
            CL100K,
            f"IN CAPITALS{INDENTED}",
            "7 fewer tokens than A here, 6 of them in indentation (it keeps a run of spaces in one token) and 1 in "
            "capitals.",
        ),
        (
            GPT2,
            CL100K,
            f"{INDENTED} 2024 2024 2024",
            "as many tokens as A here: 6 fewer in indentation, but 6 more in digits.",
        ),
        (
            GPT2,
            CL100K,
            f"{INDENTED} 2024 2024👩a👩",
            "as many tokens as A here: 6 fewer in indentation, but 6 more elsewhere.",
        ),
        (
            GPT2,
            CL100K,
            "ว่า USA น 2024",
            "3 fewer tokens than A here, mostly in Thai letters: it has 58 tokens with Thai letters; A has none.",
        ),
        (CL100K, GPT2, "น", "1 more token than A here, in Thai letters: it has no tokens with Thai letters; A has 58."),
        (O200K, GPT2, "莓", "2 more tokens than A here, all in Chinese characters: it has 51 tokens with Chinese "),
        (CL100K, O200K, "Ł", "1 fewer token than A here, in Latin letters: “Ł” is 1 token instead of 2."),
        (GPT2, WORDS, "นนน", "5 fewer tokens than A here, all in text outside a vocabulary."),
    ],
)
def test_the_sentence_says_how_many_where_and_why(one, other, text, sentence):
    assert saving_sentence(["A", "B"], *of(one, other, text)).startswith(f"B needs {sentence}")


def test_the_sentence_says_where_nothing_differs():
    assert saving_sentence(["A", "B"], *of(CL100K, O200K, "the cat")) == "B cuts this text just as A does."
    assert not saving_sentence(["A", "B"], *of(CL100K, O200K, ""))


SAMPLES = {
    "Thai": "ภาษาไทยไม่เว้นวรรค",
    "Han": "草莓汉字中文",
    "Arabic": "مرحبا بالعالم",
    "Hangul": "한국어 문장",
    "Cyrillic": "Привет мир",
}


@cache
def naive_count(tokenizer, script):
    is_letter = regex.compile(rf"(?=[\p{{L}}\p{{M}}])\p{{Script={script}}}").match
    return sum(any(map(is_letter, token.decode(errors="ignore"))) for token in tokenizer.mergeable_ranks)


@pytest.mark.parametrize("script", SAMPLES)
@given(st.data())
@settings(max_examples=10)
def test_the_counts_in_a_reason_are_those_of_a_naive_count_and_explain_the_direction(script, data):
    text = "".join(data.draw(st.lists(st.sampled_from(SAMPLES[script]), min_size=1)))
    one, other = data.draw(st.permutations([GPT2, CL100K, O200K]))[:2]
    theirs, own = (naive_count(each, script) for each in (one, other))
    sentence = saving_sentence(["A", "B"], *of(one, other, text))
    said = re.search(r": it has (no|[\d,]+) tokens? with .+; A has (none|[\d,]+)\.$", sentence)
    way = re.search(r"needs [\d,]+ (fewer|more) ", sentence)
    few, many = (theirs, own) if way and way[1] == "fewer" else (own, theirs)
    assert bool(said) == bool(way and many >= 2 * max(few, 1))
    if said:
        assert [0 if each in ("no", "none") else int(each.replace(",", "")) for each in said.groups()] == [own, theirs]


def test_of_several_each_has_its_figure_and_its_main_kind_and_what_saves_most_comes_first():
    tokenizers = [CL100K, GPT2, O200K, CL100K]
    spans = [text_spans(each, f"{INDENTED} น") for each in tokenizers]
    assert savings_sentence("ABCD", tokenizers, spans) == (
        "C needs 1 fewer token than A here, in Thai letters: it has 1,559 tokens with Thai letters; A has 58. B needs "
        "7 more. D needs as many."
    )


def test_a_mixed_kind_is_named_in_words():
    text = "a,\nb):\nc):\ne,\n"
    words = "B needs 4 fewer tokens than A here, all in punctuation at line ends: “,↵” is 1 token instead of 2."
    assert saving_sentence(["A", "B"], *of(GPT2, CL100K, text)) == words
