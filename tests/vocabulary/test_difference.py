"""The first text in which two tokenizers differ, as small as it gets, and the kinds of difference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokviz
from tokviz.core.bpe import ranks_from_merges
from tokviz.families.teaching import list_tokenizer
from tokviz.vocabulary.difference import Comparison, first_difference, named_probe_texts, smallest_text

RANKS = ranks_from_merges([(108, 111), (256, 119), (32, 257), (49, 50), (32, 32)])  # lo, low, " low", 12, two spaces
OTHER = ranks_from_merges([(111, 119), (108, 256), (32, 257), (49, 50), (32, 32)])  # ow, low, " low", 12, two spaces


PLAIN = tokviz.Normalizer()


def toy(pattern="gpt2", ranks=RANKS, special=None, always=(), normalizer=PLAIN):
    return tokviz.Tokenizer("toy", pattern, ranks, special, always, True, normalizer)


LEFT = toy()


def compared(left, right, *texts, by_ids=None):
    found = Comparison(left, right, by_ids)
    for text in texts:
        found.add(text)
    return found


@given(st.lists(st.sampled_from(["a", "b", "1", " ", "a1", "b b", "aa"]), max_size=30), st.sampled_from(["a1", "b b"]))
def test_nothing_can_be_left_out_of_what_remains(parts, wanted):
    def differs(some: str) -> bool:
        return wanted in some and "aa" in some

    small = smallest_text("".join([*parts, wanted, *parts, "aa"]), differs)
    assert differs(small) and not any(differs(small[:i] + small[i + 1 :]) for i in range(len(small)))


def test_the_first_text_that_differs_is_made_small():
    found = first_difference(LEFT, toy(pattern=r"\d|\D+"), ["low low", "the year 1912, " * 40, "12"])
    assert (found.number, found.text, found.left_ids) == (1, "12", (259,))
    assert found.right_ids == (49, 50)


def test_a_short_piece_of_the_text_is_found_where_leaving_out_characters_stops_earlier():
    gpt2, cl100k = tokviz.load("gpt2"), tokviz.load("cl100k_base")
    assert smallest_text("of 2024", Comparison(gpt2, cl100k).differs) == "2024"
    assert first_difference(gpt2, cl100k, ["of 2024"]).text == " 2"
    assert first_difference(gpt2, cl100k, ["2024"]).text == "2024"


def test_what_differs_only_in_its_surroundings_is_found_too(monkeypatch):
    monkeypatch.setattr("tokviz.vocabulary.difference.CONTEXT_BYTES", 4)
    right = toy(pattern=r"(?<=y{8})\d|\D+|\d+")
    assert first_difference(LEFT, right, ["y" * 12 + "12"]).text == "y" * 8 + "12"


@pytest.mark.parametrize(
    ("right", "text", "kind"),
    [
        (toy(pattern=r"\d|\D+"), "x 12", "digits"),
        (toy(pattern=r"\s|\S+"), "x   x", "white space"),
        (toy(ranks=OTHER), "lox", "Latin letters"),
        (toy(normalizer=tokviz.Normalizer(lowercase=True)), "LOW", "text changed by a normalizer"),
        (toy(special={"<s>": 300}), "a<s>", "special tokens"),
        (toy(ranks={**RANKS, b"12": 260, b"  ": 259}), "12", "the same tokens under other ids"),
        (list_tokenizer("words", "the cat sat"), "中", "text outside a vocabulary"),
    ],
)
def test_each_kind_of_difference_has_its_name(right, text, kind):
    found = compared(LEFT, right, text, "", text * 2)
    assert [*found.kinds] == [kind] and found.kinds[kind]["n_texts"] == found.n_differing == 2
    assert found.n_texts == 3 and found.kinds[kind]["n_stretches"] >= 2


def test_a_character_that_is_cut_counts_as_a_whole():
    thai = tokviz.train("ไทย ไทย", vocab_size=262, split_pattern="gpt2")
    [found] = compared(LEFT, thai, "ไ").kinds.values()
    assert (found["kind"], found["first"]) == ("Thai letters", "ไ")


def test_ids_are_compared_where_both_have_the_same_tokens():
    moved = toy(ranks={**RANKS, b"12": 260, b"  ": 259})
    assert compared(LEFT, moved, "12").by_ids and not compared(LEFT, moved, "12", by_ids=False).first
    assert not compared(LEFT, toy(ranks=OTHER)).by_ids


def test_tokenizers_that_are_the_same_differ_in_no_text():
    special = toy(special={"<s>": 300}, always=("<s>",))
    assert first_difference(special, toy(special={"<s>": 300})) is None
    texts = dict(named_probe_texts(LEFT, special))
    assert len(texts) > 60 and first_difference(special, LEFT, [texts["special tokens"]]).text == "<s>"


def test_one_text_is_not_taken_for_a_list_of_its_characters():
    with pytest.raises(ValueError, match="texts must be an iterable of str"):
        first_difference(LEFT, toy(ranks=OTHER), "low")
