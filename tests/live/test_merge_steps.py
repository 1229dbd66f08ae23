"""What the time machine is sent holds every step of a text, and little more than that."""

import json
from itertools import pairwise

import numpy as np
import pytest
from live.receiver import unpacked
from odd_texts import ODD
from trainings import trained_of

import tokviz
from pages.ui.train.run import train_at_once
from tokviz import trace
from tokviz.core.bpe import NEVER
from tokviz.core.samples import SAMPLES, sample
from tokviz.live.document import Document
from tokviz.live.look import Look
from tokviz.live.views.counted_pairs import CountedPairs
from tokviz.live.views.history_view import HistoryView
from tokviz.live.views.merge_steps import (
    PRETOKEN_BYTES_MAX,
    pretoken_encoding_data,
    start_of_pretoken_to_show_first,
    training_tokens_per_byte_curve,
)
from tokviz.records.session_tokenizer import Kept, unpack_kept
from tokviz.training.naive import pair_counts
from tokviz.training.plan import Plan


def sent_of(tokenizer: tokviz.Tokenizer, text: str, **options: object) -> tuple[HistoryView, dict]:
    """Return a view that has told a browser all of its history, and what it told."""
    view = HistoryView(Document(text), tokenizer, **options)
    return view, view.reply(whole=True)


def answered(view: HistoryView, k: int, pretoken: int | None = None) -> dict:
    return view.answer({"revision": view.revision, "k": k, "pretoken": pretoken, "stays": [0, k]})


def test_why_two_tokens_stay_apart_is_answered_where_a_boundary_is_asked_about():
    view, _ = sent_of(tokviz.train("low lower", vocab_size=258), "low er")
    asked = {"revision": view.revision, "k": 0, "pretoken": None, "stays": [0, 0]}
    assert "boundary" not in view.answer(asked)
    for byte, words in {3: "another pretoken: merges never", 5: "no merge for e + r"}.items():
        answer = view.answer(asked | {"boundary": byte})["boundary"]
        assert answer["byte"] == byte and words in answer["why"]
    for byte in (0, 1, 6, -1):  # an end of the text, or closed by a merge
        with pytest.raises(ValueError, match="no token ends"):
            view.answer(asked | {"boundary": byte})


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "trained"])
def test_every_step_can_be_read_from_what_is_sent(name, trained):
    tokenizer = trained if name == "trained" else tokviz.load(name)
    text = "".join(f"{name} {name}" for name in tokenizer.special_tokens) + sample("mixed")[:1000] + "".join(ODD)
    kept = trace(tokenizer, text, allowed_special="all")
    _, sent = sent_of(tokenizer, text, look=Look("all"))
    gaps = unpacked(sent["gaps"]) - 2
    ids = dict(zip(unpacked(sent["ranks"]).tolist(), unpacked(sent["ids"]).tolist(), strict=True))
    data, byte_ids = sent["text"].encode(), unpacked(sent["tokenizer"]["byte_ids"])
    special = dict(sent["special"])
    assert special or not tokenizer.special_tokens
    for k in (0, 10, 200, sent["tokenizer"]["n_merges"]):
        starts = [0, *(np.flatnonzero((gaps == NEVER) | (gaps >= k)) + 1).tolist()]
        read = []
        for start, end in pairwise(starts):
            inside = gaps[start : end - 1]
            made = ids[int(inside.max())] if len(inside) and inside.max() >= 0 else int(byte_ids[data[start]])
            read.append(special.get(start, made))
        assert read == kept.ids_at(k)
    assert np.cumsum(unpacked(sent["pretokens"]["sizes"])).tolist() == kept.pretoken_ends.tolist()


@pytest.mark.parametrize("name", SAMPLES)
def test_at_most_16_bytes_are_sent_for_a_byte_of_text(name):
    text = (sample(name) * 6).encode()[:20_000].decode(errors="ignore")
    for tokenizer in ("gpt2", "cl100k_base", "o200k_base"):
        sent = json.dumps(sent_of(tokviz.load(tokenizer), text)[1], ensure_ascii=False)
        assert len(sent.encode()) <= 16 * len(text.encode())


def test_a_pretoken_too_long_for_its_rows_is_refused_in_words():
    none = tokviz.Tokenizer("none", "none", {bytes([i]): i for i in range(256)})
    assert "too" not in pretoken_encoding_data(trace(none, "a" * PRETOKEN_BYTES_MAX), 0).get("error", "")
    assert (
        f"{PRETOKEN_BYTES_MAX + 1} bytes"
        in pretoken_encoding_data(trace(none, "a" * (PRETOKEN_BYTES_MAX + 1)), 0)["error"]
    )


def test_the_rows_have_a_tree_for_each_token_and_a_reason_between_them():
    gpt2 = tokviz.load("gpt2")
    text = "two unbelievable words"
    shown = pretoken_encoding_data(trace(gpt2, text), text.index(" unbel"))
    assert len(shown["trees"]) == len(gpt2.encode(" unbelievable"))
    assert len(shown["apart"]) == len(shown["trees"]) - 1
    last = gpt2.encode(" unbelievable")[-1]
    assert shown["trees"][-1]["rank"] == gpt2.merge_rank(last)


@pytest.mark.parametrize("text", [text for text in ODD if text])
def test_odd_texts_are_answered(text):
    view, _ = sent_of(tokviz.load("gpt2"), text)
    for k in (-5, 0, 300, 50_000, 10**9):
        json.dumps(answered(view, k))
    kept = view.follower.trace()
    assert start_of_pretoken_to_show_first(kept) in {0, *kept.pretoken_ends.tolist()}


def test_a_special_token_is_not_what_the_page_begins_with_and_has_no_rows():
    gpt2 = tokviz.load("gpt2")
    view, _ = sent_of(gpt2, "<|endoftext|>low", look=Look("all"))
    assert answered(view, 0)["pretoken"]["start"] == len("<|endoftext|>")
    assert "no merge" in answered(view, 0, 0)["pretoken"]["error"]
    view, _ = sent_of(gpt2, "<|endoftext|>low")
    assert answered(view, 0)["pretoken"]["start"] == 2


def test_the_curve_of_a_training_text_begins_with_a_token_a_byte():
    text = sample("english")
    trained = trained_on(text + "<end>" + text, special_tokens=["<end>"])
    n_bytes = 2 * len(text.encode())
    curve = training_tokens_per_byte_curve(trained.origin)
    assert curve[0] == (0, 1.0)
    assert curve[-1] == (44, round(trained.origin.steps[-1].n_tokens / n_bytes, 4))
    for k in (1, 10, 44):
        n_tokens = 2 * len(trained.tokenizer.truncated(k).encode(text))
        assert curve[k] == (k, pytest.approx(n_tokens / n_bytes, abs=1e-4))


def test_a_tokenizer_that_continued_is_told_from_the_step_where_it_began():
    start, text = tokviz.load("gpt2"), sample("thai")
    steps = tuple(tokviz.train_steps(text, vocab_size=50_256 + 40, start=start))
    tokenizer = tokviz.Tokenizer.from_steps(steps, start=start)
    n_bytes, n_before = len(text.encode()), len(start.encode(text))
    trained = trained_of(tokenizer, steps, n_bytes, start=start, n_before=n_before)
    curve = training_tokens_per_byte_curve(trained.origin)
    assert curve[0] == (50_000, round(n_before / n_bytes, 4))
    assert curve[-1] == (50_040, round(len(tokenizer.encode(text)) / n_bytes, 4))
    history = trace(tokenizer, text)
    assert [CountedPairs.for_step(history, trained.origin, k).source for k in (0, 49_999, 50_000)] == [
        *["elsewhere"] * 2,
        "corpus",
    ]
    assert CountedPairs.for_step(trace(tokenizer, text[:-9]), trained.origin, 50_000).source == "unknown"
    table = CountedPairs.for_step(history, trained.origin, 50_000).pairs.top_pair_table(50_000, n_rows=1)
    assert (table.rows[0].pair, table.rows[0].count) == (steps[0].pair, steps[0].count)


def trained_on(text: str, *, vocab_size: int = 300, split_pattern: str = "cl100k", special_tokens=()) -> Kept:
    return train_at_once(text, Plan(vocab_size, split_pattern, special_tokens), "t")


def counted_over(trained: Kept | None, text: str, *, tokenizer=None) -> str:
    tokenizer = tokenizer or trained.tokenizer
    return CountedPairs.for_step(trace(tokenizer, text, allowed_special="all"), trained and trained.origin).source


def test_it_is_told_over_which_text_pairs_are_counted():
    text = sample("english")
    here = trained_on(text)
    back = unpack_kept(here.packed_record)  # as after a reload: the counts are gone
    assert counted_over(here, "another text") == "corpus"
    assert counted_over(back, text) == "corpus"
    assert counted_over(back, text[:-9]) == "unknown"
    assert counted_over(None, text, tokenizer=tokviz.load("gpt2")) == "elsewhere"
    long = trained_on("low lower" * 6_000, split_pattern="none", vocab_size=260)
    assert counted_over(long, "low") == "too large"
    assert counted_over(long, "low lower" * 6_000) == "corpus"


def test_a_text_that_came_back_gives_the_same_table_as_the_training_counts():
    text = "<end>".join(sample("mixed")[at : at + 300] for at in range(0, 1500, 300))
    here = trained_on(text, special_tokens=["<end>"])
    back = unpack_kept(here.packed_record)
    tables = []
    for trained in (here, back):
        counted = CountedPairs.for_step(trace(trained.tokenizer, text, allowed_special="all"), trained.origin)
        assert counted.source == "corpus"
        tables.append([counted.pairs.top_pair_table(k, n_rows=9) for k in (0, 7, 43)])
    for one, other in zip(*tables, strict=True):
        assert [(row.pair, row.count) for row in one.rows] == [(row.pair, row.count) for row in other.rows]
        assert (one.n_pairs, one.n_tied) == (other.n_pairs, other.n_tied)


@pytest.mark.parametrize("name", ["gpt2", "trained"])
def test_the_merge_to_guess_changes_the_text_where_counts_do_not_decide_and_every_guess_is_counted(name, trained):
    text = "the ferry and the other ferries, 3221 + 2334"
    tokenizer = trained if name == "trained" else tokviz.load(name)
    view, _ = sent_of(tokenizer, text)
    ranks = sorted(set(trace(tokenizer, text).gaps.tolist()) - {NEVER})
    for k in (0, ranks[2] + 1, ranks[-1], ranks[-1] + 1):
        cut = tokenizer.truncated(k)
        counts = pair_counts([cut.encode(pretoken) for pretoken in tokenizer.pretokens(text)])
        left, right = min(counts)
        question = {"revision": view.revision, "k": k, "pretoken": None, "stays": [0, k], "predicting": True}
        for pair, count in (((left, right), counts[left, right]), ((right, right), counts.get((right, right), 0))):
            answer = json.loads(json.dumps(view.answer({**question, "guess": pair})))
            assert answer["k"] == k and (answer["next"] or {}).get("rank") == min(
                (r for r in ranks if r >= k), default=None
            )
            assert answer["guess"]["count"] == count
            assert answer["guess"]["rank"] == tokenizer.pair_rank(*tokenizer.tokens_bytes(pair))
    assert "guess" not in answered(view, 0)


def test_where_counts_decide_the_very_next_merge_is_to_be_guessed():
    trained = trained_on("low low lower")
    view, _ = sent_of(trained.tokenizer, "other", training=trained.origin)
    question = {"revision": view.revision, "k": 1, "pretoken": None, "stays": [0, 1], "predicting": True}
    assert view.answer(question)["next"]["rank"] == 1


def test_ties_are_marked_only_where_counts_decide():
    view, _ = sent_of(tokviz.load("gpt2"), "ab cd")
    assert not any(row["tied"] for row in answered(view, 0)["table"]["rows"])
    trained = trained_on("ab cd ab cd", vocab_size=258)
    view, _ = sent_of(trained.tokenizer, "ab cd ab cd", training=trained.origin)
    assert [row["tied"] for row in answered(view, 0)["table"]["rows"]].count(True) > 1
