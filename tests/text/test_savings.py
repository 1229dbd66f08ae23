"""Where one tokenizer needs fewer tokens than another: the parts add up, and the sentence says what they are."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tokviz
from tokviz.core.spans import text_spans
from tokviz.families.teaching import ListTokenizer
from tokviz.text.savings import Saving, _sum_text, saving_sentence, savings, savings_sentence

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
        (GPT2, CL100K, INDENTED, "B saves 6 tokens here, all in indentation: A has no token for several spaces."),
        (CL100K, GPT2, INDENTED, "B needs 6 more tokens here, all in indentation: B has no token for several spaces."),
        (GPT2, CL100K, " 2024", "B needs 2 more tokens here, all in digits: “·2024” is 3 tokens in B, 1 in A."),
        (
            GPT2,
            CL100K,
            f"{INDENTED} 2024",
            "B saves 4 tokens here: A has no token for several spaces. It saves 6 in indentation, but loses 2 ",
        ),
        (
            GPT2,
            CL100K,
            f"IN CAPITALS{INDENTED}",
            "B saves 7 tokens here: A has no token for several spaces. It saves 6 in indentation and 1 in capitals.",
        ),
        (
            GPT2,
            CL100K,
            f"{INDENTED} 2024 2024 2024",
            "B needs as many tokens as A here: A has no token for several spaces. It saves 6 in indentation, but ",
        ),
        (CL100K, O200K, "the cat", "B cuts this text just as A does."),
    ],
)
def test_the_sentence_says_how_many_where_and_why(one, other, text, sentence):
    assert saving_sentence(["A", "B"], *of(one, other, text)).startswith(sentence)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((9, 5, 3), "9 in a, 5 in b and 3 in c"),
        ((51, 16, 12, 9), "51 in a, 16 in b and 21 elsewhere"),
    ],
)
def test_the_figures_add_up(numbers, words):
    assert _sum_text([Saving(kind, -number, []) for kind, number in zip("abcd", numbers, strict=False)]) == words


def test_of_several_each_has_its_figure_and_the_largest_its_reason():
    tokenizers = [CL100K, GPT2, O200K, CL100K]
    spans = [text_spans(each, f"{INDENTED} น") for each in tokenizers]
    assert savings_sentence("ABCD", tokenizers, spans) == (
        "B needs 7 more tokens here: B has no token for several spaces. It loses 6 in indentation and 1 in Thai "
        "letters. C saves 1 and D needs as many."
    )


def test_a_mixed_kind_is_named_in_words():
    text = "a,\nb):\nc):\ne,\n"
    words = "B saves 4 tokens here, all in punctuation at line ends: “,↵” is 2 tokens in A, 1 in B."
    assert saving_sentence(["A", "B"], *of(GPT2, CL100K, text)) == words
