"""The result of a training: what it learned, what that changes, and where to go with it."""

import re
from collections.abc import Callable, Collection, Iterable

import pandas as pd
import streamlit as st

from pages.ui.lessons.reveal import show_blocks
from pages.ui.merges.replays import show_merges
from pages.ui.options import option_value
from pages.ui.pages import COMPARE, MERGES, PLAYGROUND, Page
from pages.ui.session_tokenizers.download import show_download_button
from pages.ui.session_tokenizers.tokenizer_list import (
    choose_and_compare_tokenizer,
    choose_tokenizer,
    chosen_tokenizer_name,
    now_used_text,
    tokenizer_names,
)
from pages.ui.shared.buttons import show_button
from pages.ui.shared.text import shared_text
from pages.ui.train.documents import beginning_of_training_text
from pages.ui.train.superwords import show_superwords_saving_if_used
from tokviz import AnyTokenizer, Tokenizer
from tokviz.core.samples import sample
from tokviz.core.spans import token_spans
from tokviz.core.steps import ACROSS
from tokviz.exercises import Line, Lines, token_line
from tokviz.exercises.lines import times_text
from tokviz.families.teaching import byte_tokenizer
from tokviz.formats.pretrained import short_name
from tokviz.records.training import FromTraining
from tokviz.text.words import quantity

SHORT_TEXT = 500  # characters
LOOKED_AT = 1_000  # characters of the text, of which a sentence is shown before and after
EXCERPT = 56  # bytes of that sentence
PRESENTED = 32  # one row of letters on a projector, or two of bytes
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")
CLAUSE_END = re.compile(r".*([.,;:!?](?=\s|$)|[。，；：！？])")
FIRST_MERGES = 10
NEVER_MORE = (
    "No text gets more tokens: the old merges come first, as before, and the new ones only join the tokens that remain."
)
CAN_BE_MORE = (
    "With superwords a text can get more tokens than before: the old merges now reach across words too, and may join "
    "different neighbours."
)
PLACES = {"Guess": MERGES, "Watch": MERGES, "Compare": COMPARE, "Playground": PLAYGROUND}


def show_what_training_begins_with(start: Tokenizer | None) -> None:
    """Show the text under the tokenizer to begin with, None for bytes, where there is nothing learned yet."""
    st.caption("The merges appear here while it trains.")
    text = first_excerpt(beginning_of_training_text(LOOKED_AT))
    if text:
        start = start or byte_tokenizer()
        show_blocks([Lines(token_line(start, text, label="A phrase, before"))], key="before training")


def show_training_result(tokenizer: AnyTokenizer, training: FromTraining) -> None:
    """Show what was learned, what that changes, and where to go with it."""
    presenting = option_value("presenting")
    start, is_chosen = training.plan.start, chosen_tokenizer_name() == tokenizer.name
    with st.container(key=learned_head_key(tokenizer.name), horizontal=True, vertical_alignment="center"):
        st.header(learned_sentence(training), anchor=False, width="content")
        if training.steps:
            size = (
                embedding_growth_sentence(start.n_vocab, tokenizer.n_vocab)
                if start
                else vocabulary_sum(len(training.steps), len(tokenizer.special_tokens))
            )
            st.caption(size, width="content")
    if not training.steps:
        left = "Nothing was learned" if start else "Every token is a single byte"
        st.info(f"{left}. Train on a longer text.")
        return
    assert isinstance(tokenizer, Tokenizer)  # as all that are trained
    if not presenting:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _show_places(tokenizer, training, PLACES.values())
            show_download_button(tokenizer)
    show_blocks([training_lines(tokenizer, training)], key=f"learned by {tokenizer.name}")
    if note := cut_token_note(tokenizer.token_bytes(step.token_id) for step in training.steps[:FIRST_MERGES]):
        st.caption(note)
    table = tokens_before_and_after_table(tokenizer, training)
    if presenting:
        before, after, change, _ = table.iloc[0]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _show_places(tokenizer, training, [MERGES])
            st.markdown(f"{table.index[0]}: {before} tokens before, **{after}** after ({change}).", width="content")
    else:
        st.table(table)
    if not (presenting or (training.held_out and training.held_out.n_tokens)):
        st.caption(
            "Other texts shrink less. To see how much less, leave out a tenth of this one as a test (More options)."
        )
    if start:
        st.caption(CAN_BE_MORE if ACROSS in training.plan.patterns_by_part() else NEVER_MORE)
    show_superwords_saving_if_used(training)
    if is_chosen and not presenting:
        _show_now_used(tokenizer.name)


def _show_now_used(name: str) -> None:
    """Say that all pages use a tokenizer now, and offer the one that they used before."""
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        st.text(now_used_text(name), width="content")
        before = st.session_state.get("used_before_training", name)
        if before != name and before in tokenizer_names():
            st.button(f"Go back to {short_name(before)}", on_click=choose_tokenizer, args=(before,))


def learned_head_key(name: str) -> str:
    """Return the key of the container with what a tokenizer of this name learned, in a sentence."""
    return f"learned-head-{name}"


def _show_places(tokenizer: AnyTokenizer, training: FromTraining, pages: Collection[Page]) -> None:
    """Show the buttons that lead to these pages with what was learned."""
    for label, page in PLACES.items():
        if page in pages and show_button(label, type="primary" if label == "Guess" else "secondary"):
            choose_and_compare_tokenizer(tokenizer.name)
            if page is MERGES:
                guesses = label == "Guess"
                show_merges("", training.plan.n_start_merges, predicting=guesses, plays=not guesses)
            st.switch_page(page.script)


def learned_sentence(training: FromTraining) -> str:
    """Return in words how many merges were learned, and why no more.

    >>> from tokviz.training.plan import Plan
    >>> plan = Plan(512, "cl100k", min_count=2)
    >>> steps = tuple(plan.steps(plan.pretoken_counts_by_part("low lower")))
    >>> learned_sentence(FromTraining(plan, steps, 9))
    'Learned 2 merges, then ran out: no remaining pair occurs twice.'
    """
    learned, least = quantity(len(training.steps), "merge"), training.plan.min_count
    if training.is_early:
        return f"Stopped after {learned}."
    if len(training.steps) == training.plan.n_merges:
        return f"Learned {learned}."
    why = "no pair is left" if least == 1 else f"no remaining pair occurs {times_text(least)}"
    return f"Learned {learned}, then ran out: {why}."


def vocabulary_sum(n_merges: int, n_special: int) -> str:
    """Return in words what a vocabulary that was learned from single bytes consists of.

    >>> vocabulary_sum(35, 0), vocabulary_sum(1, 2)
    ('256 bytes + 35 merges = 291 tokens', '256 bytes + 1 merge + 2 special tokens = 259 tokens')
    """
    special = f" + {quantity(n_special, 'special token')}" if n_special else ""
    return f"256 bytes + {quantity(n_merges, 'merge')}{special} = {256 + n_merges + n_special:,} tokens"


def cut_token_note(tokens: Iterable[bytes]) -> str:
    """Return in words why bytes are shown of tokens that are no whole characters; "" if all of them are.

    >>> cut_token_note([b"a", "ก".encode()[:2]]), cut_token_note([b"a"])
    ('A token such as e0 b8 ends or begins inside a character, so its bytes are shown.', '')
    """
    cut = next((token for token in tokens if token.decode(errors="ignore").encode() != token), b"")
    return f"A token such as {cut.hex(' ')} ends or begins inside a character, so its bytes are shown." if cut else ""


def excerpt(sentence: str, n: int = EXCERPT) -> str:
    """Return a sentence, or of a long one the beginning, at most `n` bytes.

    It ends with a clause, else with a word, if that leaves half of it or more.

    >>> excerpt("Every morning, long before the street lamps are lit, Anna opens the door of the bakery.")
    'Every morning, long before the street lamps are lit,'
    >>> excerpt("Every morning long before the street lamps are lit Anna opens the door of the bakery.")
    'Every morning long before the street lamps are lit Anna'
    """
    text = sentence.encode()[:n].decode(errors="ignore")
    if text == sentence:
        return text
    clause = CLAUSE_END.match(text)
    words = text if sentence[len(text)].isspace() else text.rsplit(" ", 1)[0]
    whole = (part for part in (clause[0] if clause else "", words) if 2 * len(part) > len(text))
    return next(whole, text)  # of Thai, words could be too little


def first_excerpt(text: str) -> str:
    """Return an excerpt of the first sentence, "" without one; one that fills a row if the page is presented."""
    sentence = next((sentence for sentence in SENTENCE_END.split(text) if sentence.strip()), "")
    return excerpt(sentence, PRESENTED if option_value("presenting") else EXCERPT)


def training_lines(tokenizer: Tokenizer, training: FromTraining) -> Lines:
    """Return the phrase shown before training, as it was and as it is now, and the tokens of the first merges."""
    first = token_spans(tokenizer, [step.token_id for step in training.steps[:FIRST_MERGES]])
    learned = Line("Learned first", first, tokenizer, unit="merges", apart=True)
    text = first_excerpt(beginning_of_training_text(LOOKED_AT))
    if not text:
        return Lines(learned)
    before = token_line(training.plan.start or tokenizer.truncated(0), text, label="A phrase, before")
    return Lines(before, token_line(tokenizer, text, label="The phrase, after"), learned)


def suggest_sample_if_short(begin: Callable[[], None]) -> None:
    """Offer to `begin` with a sample, if the text is too short to learn much from."""
    text = shared_text()
    if len(text) < SHORT_TEXT:
        st.caption("Short text: expect a few dozen merges at most." if text else "There is no text yet to learn from.")
        st.button("Train on the English sample", on_click=begin)


def tokens_before_and_after_table(tokenizer: AnyTokenizer, training: FromTraining) -> pd.DataFrame:
    """Return the tokens of each text before and after, by what share their number has changed, and bytes per token."""
    start, held, english = training.plan.start, training.held_out, sample("english")
    counts = {"Training text": (training.n_before, training.steps[-1].n_tokens, training.n_bytes)}
    if held and held.n_tokens:
        counts["The tenth left out"] = held.n_before, held.n_tokens[-1], held.n_bytes
    if not training.was_trained_on(english):
        before = len(start.encode(english)) if start else None
        counts["The English sample"] = before, len(tokenizer.encode(english)), len(english.encode())
    rows = [
        (f"{n_before:,}", f"{n_after:,}", change_text(n_before, n_after), f"{n_bytes / max(n_after, 1):.2f}")
        for known, n_after, n_bytes in counts.values()
        for n_before in [n_bytes if known is None else known]
    ]
    return pd.DataFrame(rows, columns=["tokens before", "after", "change", "bytes/token"], index=list(counts))


def change_text(before: int, after: int) -> str:
    """Return by what share a number of tokens fell or, with superwords, rose.

    >>> change_text(744_022, 328_530), change_text(300, 300), change_text(10_000, 9_999), change_text(1_015, 1_034)
    ('−55.8%', 'none', 'under 0.1% less', '+1.9%')
    """
    if after == before:
        return "none"
    share = after / before - 1
    if abs(share) < 0.001:
        return f"under 0.1% {'more' if share > 0 else 'less'}"
    return f"{share:+.1%}".replace("-", "−")


def embedding_growth_sentence(before: int, after: int) -> str:
    """Return in words how the embedding of a model grows.

    >>> embedding_growth_sentence(100_277, 102_277)
    'The embedding grows by 2,000 rows, from 100,277 to 102,277.'
    """
    return f"The embedding grows by {quantity(after - before, 'row')}, from {before:,} to {after:,}."
