"""Superwords on the Train page: the choice, what it saves, its merges in the table, and its files."""

from functools import cache

import pandas as pd
from opening import after_training, button, labels, opened
from trainings import trained_of

import tokviz
from pages.ui.train.merges_and_curve import merges_table
from pages.ui.train.progress import latest_merge_lines
from pages.ui.train.result import CAN_BE_MORE, NEVER_MORE
from pages.ui.train.run import train_at_once
from pages.ui.train.superwords import difference_text, superwords_saving_sentences
from tokviz.core.samples import sample
from tokviz.core.steps import ACROSS
from tokviz.records.session_tokenizer import Kept, unpack_kept
from tokviz.training.held_out import split_held_out
from tokviz.training.plan import Plan
from tokviz.training.superwords import SUPERWORDS, Superwords

TEXT = sample("english")
ASKED = {"vocab_size": 500, "pattern": "gpt2", "superwords": True}
OPTIONS = {"vocab_size": 500, "split_pattern": "gpt2", "min_count": 2}


@cache
def across():
    """Return the page after a training with superwords, a part held out, for tests that only read it."""
    app = after_training(opened("pages/train.py", TEXT, hold_out=True, **ASKED))
    app.default_timeout = 0
    return app


def trained(app) -> Kept:
    return app.session_state["kept"]["my tokenizer"]


def table_of(kept: Kept) -> pd.DataFrame:
    return merges_table(kept.tokenizer, kept.origin)


def said(app) -> str:
    return "\n".join(text.value for text in app.text)


def test_superwords_begin_where_the_slider_says_and_the_result_says_what_they_save():
    app = opened("pages/train.py", TEXT, superwords_share=50, **ASKED)
    assert "122 merges inside words, then 122 across them." in [caption.value for caption in app.caption]
    app = after_training(app)
    assert not app.exception
    learned = tokviz.train_superwords(TEXT, superwords_from=378, **OPTIONS)
    plain = tokviz.train(TEXT, **OPTIONS)
    assert trained(app).tokenizer == learned and trained(app).origin.n_inside_words() == 122
    n_tokens, n_without = len(learned.encode(TEXT)), len(plain.encode(TEXT))
    assert n_tokens < n_without
    assert f"Its text: {n_tokens:,} tokens, {1 - n_tokens / n_without:.1%} fewer than the {n_without:,}" in said(app)
    assert "122 merges stay inside words, 122 reach across them." in said(app)
    assert unpack_kept(trained(app).packed_record) == trained(app)


def test_the_part_held_out_is_compared_too_and_a_tokenizer_to_begin_with():
    app = across()
    rest, held = split_held_out(TEXT)
    learned = tokviz.train_superwords(rest, superwords_from=256 + 183, **OPTIONS)
    plain = tokviz.train(rest, **OPTIONS)
    assert f"The tenth left out: {difference_text(len(learned.encode(held)), len(plain.encode(held)))}" in said(app)
    start = train_at_once(TEXT, Plan(300, "gpt2", min_count=2), "start")
    more = {"kept": {"start": start}, "train_start": "start", "new_tokens": 40}
    app = after_training(opened("pages/train.py", TEXT, **more, **ASKED))
    assert not app.exception
    assert "30 merges stay inside words, 10 reach across them." in said(app)
    assert trained(app).tokenizer.split_pattern == SUPERWORDS and trained(app).origin.plan.start.name == "start"
    said_below = {caption.value for caption in app.caption}
    assert CAN_BE_MORE in said_below and NEVER_MORE not in said_below


def test_without_the_choice_nothing_is_said_of_it():
    app = after_training(opened("pages/train.py", TEXT, vocab_size=300))
    assert ACROSS not in trained(app).origin.plan.patterns_by_part() and "across" not in said(app)
    assert not {"words", "for"} & set(table_of(trained(app)).columns)


def test_the_table_tells_which_merges_reach_across_words():
    table = table_of(trained(across())).set_index("merge")
    assert list(table["words"]) == ["inside"] * 183 + ["across"] * 61
    assert any("·" in token.strip("·") for token in table["new token"][183:])


def test_all_files_hold_it():
    app = after_training(opened("pages/train.py", TEXT, **ASKED | {"vocab_size": 300}))
    app = button(app, "Download").click().run()
    assert not app.exception
    assert {".json", ".tiktoken", ".vocab", ".model"} <= {*labels(app, "download_button")}
    assert not [label for label in labels(app) if label.startswith(".")]


def test_words_for_what_was_not_measured_or_saves_nothing():
    steps = tuple(tokviz.train_steps("low lower", vocab_size=258))
    tokenizer = tokviz.Tokenizer.from_steps(steps, split_pattern=SUPERWORDS)
    none = trained_of(tokenizer, steps, 9, way=Superwords(258), split_pattern="gpt2")
    assert superwords_saving_sentences(none.origin) == ["No merge reaches across words: training ended before that."]
    steps = steps[0], steps[1]._replace(part=ACROSS)
    stopped = trained_of(tokenizer, steps, 9, way=Superwords(257), split_pattern="gpt2")
    assert superwords_saving_sentences(stopped.origin)[-1].endswith("only measured when training finishes.")
    assert difference_text(110, 100) == "110 tokens, 10.0% more than the 100 with merges inside words alone."


def test_merges_that_go_by_name_their_language_and_so_does_the_table():
    texts = {"English": "low lower", "Thai": "กา กา"}
    steps = tuple(tokviz.parity_aware_steps(texts, vocab_size=260))
    assert [line.rpartition(" for ")[2] for line in latest_merge_lines(steps)] == [
        step.language for step in steps[::-1]
    ]
    tokenizer = tokviz.Tokenizer.from_steps(steps, split_pattern="cl100k")
    assert list(table_of(trained_of(tokenizer, steps, 9))["for"]) == [step.language for step in steps]
