"""A tenth held out: together with the rest it is the whole text, and it is about a tenth."""

import pytest
from odd_texts import ODD

from tokviz.core.samples import SAMPLES, sample
from tokviz.training.held_out import documents_marked_held_out, split_held_out


@pytest.mark.parametrize("name", SAMPLES)
def test_about_a_tenth_of_a_sample_is_held_out(name):
    text = sample(name)
    rest, held = split_held_out(text)
    assert 0.03 < len(held) / len(text) < 0.25
    assert sorted(rest + held) == sorted(text)


@pytest.mark.parametrize("text", ODD)
def test_nothing_of_an_odd_text_is_lost(text):
    rest, held = split_held_out(text)
    assert sorted(rest + held) == sorted(text)
    assert rest or not text


def test_blank_lines_do_not_take_the_place_of_others():
    text = "".join(f"line {n}\n\n" for n in range(1, 31))
    assert split_held_out(text)[1] == "line 10\nline 20\nline 30\n"


def test_a_text_of_few_lines_is_cut_at_white_space_and_one_without_any_is_not():
    text = "word " * 20
    rest, held = split_held_out(text)
    assert rest + held == text and held == " word word "
    assert split_held_out("a" * 100) == ("a" * 100, "") and split_held_out("a" * 95 + " b") == ("a" * 95 + " b", "")


def test_every_tenth_document_is_held_out_and_blocks_are_read_in_their_turn():
    read = []

    def blocks(n):
        read.append(n)
        yield f"{n} "

    held = []
    for is_held_out, document in documents_marked_held_out(blocks(n) for n in range(1, 31)):
        if is_held_out:
            held.append("".join(document))
        else:
            list(document)
    assert held == ["10 ", "20 ", "30 "] and read == list(range(1, 31))
