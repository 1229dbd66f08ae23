"""What a text costs: in proportion to its length, to parity, to the price, and against the window."""

import pytest

import tokviz
from tokviz.analysis.parity import parity_rows
from tokviz.analysis.text_cost import text_cost
from tokviz.languages.table import parallel_sentences

ROWS = {row.language: row for row in parity_rows(tokviz.load("gpt2"), parallel_sentences(["en", "th"]))}


def test_the_sentences_themselves_cost_what_they_cost():
    for row in ROWS.values():
        cost = text_cost(row, ROWS["en"], n_chars=ROWS["en"].n_chars, price=3.0, window=1_000)
        assert cost.n_tokens == pytest.approx(row.n_tokens)
        assert cost.price == pytest.approx(row.n_tokens * 3 / 1e6)
        assert cost.window_share == pytest.approx(row.n_tokens / 1_000)


def test_twice_the_text_costs_twice_as_much():
    one, two = (text_cost(ROWS["th"], ROWS["en"], n_chars=n, price=1.0) for n in (5_000, 10_000))
    assert two.price == pytest.approx(2 * one.price) and two.window_share == pytest.approx(2 * one.window_share)


def test_without_tokens_there_is_no_cost():
    assert text_cost(ROWS["th"]._replace(parity=None), ROWS["en"], n_chars=10) is None
    assert text_cost(ROWS["th"], ROWS["en"]._replace(n_chars=0), n_chars=10) is None
