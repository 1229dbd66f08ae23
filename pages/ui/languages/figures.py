"""What each language pays under each tokenizer: computed once for a tokenizer and sentences, and said in words."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from statistics import median

import pandas as pd
import streamlit as st

from pages.ui.languages.parallel import Parallel, language_name, reference_language, session_sentences
from pages.ui.options import option_value
from pages.ui.session_tokenizers.tokenizer_list import kept_named
from pages.ui.shared.charts import UNKNOWN_SHARE, legend_labels
from pages.ui.shared.messages import show_errors
from tokviz.formats.claude import CLAUDE_VERSIONS, RECONSTRUCTED, claude_token_counts_within_limits
from tokviz.formats.pretrained import load, short_name
from tokviz.languages.parity import Counted, KnownCounts, ParityRow, parity_rows
from tokviz.languages.stored_counts import stored_counts
from tokviz.system.recent import recent
from tokviz.text.unknown_text import UnknownText
from tokviz.text.words import joined_with_and

BYTE_LIKE = 0.8  # tokens per byte, from which a text is cut nearly into bytes
Figures = Mapping[str, Mapping[str, ParityRow]]  # by the names of tokenizers and the codes of languages


def parity_figures_showing_errors(names: Sequence[str]) -> Figures:
    """Return what each language pays under each tokenizer; one that cannot encode is left out, as the page says.

    names: also those of counts of Claude.
    """
    found = {}
    with st.spinner("Counting tokens") if session_sentences().takes_long_to_count else nullcontext():
        for name in names:
            with show_errors("A tokenizer is left out"):
                counted = _known_counts_or_own_tokenizer(name)
                found[name] = _parity_rows_by_language(counted, name, session_sentences(), reference_language())
    return found


def _known_counts_or_own_tokenizer(name: str) -> Counted | None:
    """Return the session's own tokenizer, or what the texts are known to have under an included one or Claude.

    None for other texts than the built-in ones under an included one.
    """
    if name in CLAUDE_VERSIONS:
        return _claude_counts(name, session_sentences())
    own = kept_named(name)
    return stored_counts().get(name) if own is None and session_sentences().words else own


@recent(maxsize=8)
def _claude_counts(name: str, shown: Parallel) -> KnownCounts:
    """Return what the texts have under a count of Claude."""
    texts = tuple(text for sentence in shown.sentences for text in sentence.values())
    counts = claude_token_counts_within_limits(name, texts)
    return KnownCounts(name, {text: (n, UnknownText()) for text, n in zip(texts, counts, strict=True)})


@recent(maxsize=64)
def _parity_rows_by_language(
    tokenizer: Counted | None, name: str, shown: Parallel, compared_with: str
) -> dict[str, ParityRow]:
    """Return what each language pays under a tokenizer, by the codes of languages."""
    if tokenizer is None:  # an included one; kept as keys here, all of them would not fit in memory
        tokenizer = load(name)
    rows = parity_rows(tokenizer, shown.sentences, reference=compared_with, name=name)
    return {row.language: row for row in rows}


def is_comparable(row: ParityRow) -> bool:
    """Return whether a figure says what a language pays: hardly any of its text, and of the reference's, is unknown."""
    return row.parity is not None and max(row.unknown_share, row.reference_unknown_share) < UNKNOWN_SHARE


def highest_parity(figures: Figures, code: str) -> float:
    """Return the most that a language pays under any of the tokenizers, 0.0 if no figure is comparable."""
    return max((rows[code].parity or 0.0 for rows in figures.values() if is_comparable(rows[code])), default=0.0)


def dearest_language(figures: Figures) -> str:
    """Return the code of the language that pays most, leaving out the reference, under any of the tokenizers."""
    others = other_language_codes_in(figures)
    return max(others, key=lambda code: highest_parity(figures, code), default=reference_language())


def language_codes_in(figures: Figures) -> list[str]:
    """Return the codes of the languages that have figures, in the order of the sentences."""
    rows = next(iter(figures.values()), {})
    return [code for code in session_sentences().languages if code in rows]


def other_language_codes_in(figures: Figures) -> list[str]:
    """Return the same without the reference."""
    return [code for code in language_codes_in(figures) if code != reference_language()]


def parity_text(parity: float) -> str:
    """Return a parity as people say it.

    >>> parity_text(5.977), parity_text(1.271), parity_text(15.38)
    ('6.0×', '1.27×', '15.4×')
    """
    return f"{parity:.2f}×" if parity < 2 else f"{parity:.1f}×"


def interval_text(row: ParityRow) -> str:
    """Return the 95% confidence interval of a parity, empty where there is none."""
    return "" if row.parity_low is None else f"{row.parity_low:.2f}–{row.parity_high:.2f}"


def show_interval_note_if_any(figures: Figures, where: str = "Figures in brackets, shown where you point,") -> None:
    """Say what the intervals of figures are, if any has one, and where they are shown; nothing on a projector."""
    shown = any(interval_text(row) for of_each in figures.values() for row in of_each.values())
    if shown and not option_value("presenting"):
        what = "are 95% intervals: with other sentences like these, the figures would nearly always lie there."
        st.caption(f"{where} {what}")


def show_note_on_bytes_if_any(figures: Figures) -> None:
    """Say which tokenizers of the user's own make all else look cheap, as they hardly join bytes of the reference."""
    language = language_name(reference_language())
    for name, rows in figures.items():
        reference = rows[reference_language()]
        if kept_named(name) and reference.n_tokens > BYTE_LIKE * reference.n_bytes:
            st.text(f"{name} cuts {language} nearly into bytes, so all other languages look cheap beside it.")


def precise_parity_text(row: ParityRow) -> str:
    """Return what a language pays, shown when it is pointed at."""
    if row.parity is None:
        return "no tokens to compare"
    interval = f" ({interval_text(row)})" if interval_text(row) else ""
    said = f"{row.parity:.2f}×{interval} · {row.n_tokens:,} tokens"
    return said if is_comparable(row) else f"{said} · {row.unknown_share:.0%} unknown"


def figure_table(figures: Figures, codes: Sequence[str]) -> pd.DataFrame:
    """Return a row for each language and tokenizer, for charts."""
    labels = legend_labels(figures)
    return pd.DataFrame(
        [
            {
                "language": language_name(code),
                "tokenizer": labels[name],
                "pays": rows[code].parity,
                "interval": interval_text(rows[code]),
                "compares": is_comparable(rows[code]),
                "unknown": max(rows[code].unknown_share, rows[code].reference_unknown_share),
            }
            for code in codes
            for name, rows in figures.items()
        ]
    ).astype({"pays": float})


def parity_sentence(figures: Figures, code: str) -> str:
    """Return in a sentence what a language pays under each tokenizer, or at most and at least under many."""
    name = language_name(code)
    if code == reference_language():
        return f"The others are compared with {name}."
    paid = {each: rows[code].parity or 0.0 for each, rows in figures.items() if is_comparable(rows[code])}
    if not paid:
        return f"No figure for {name} is comparable: too much of the text is unknown."
    return f"{name} costs {_parities_text(paid, as_much_as=language_name(reference_language()))}."


def figures_summary(figures: Figures) -> str:
    """Return in words what is counted, and what the language in the middle pays under each tokenizer."""
    others = other_language_codes_in(figures)
    middles = {}
    for name, rows in figures.items():
        if paid := [rows[code].parity or 0.0 for code in others if is_comparable(rows[code])]:
            middles[name] = median(paid)
    where = f"in {len(others) + 1} languages, relative to {language_name(reference_language())}"
    said = f"The tokens of {compared_texts_text()} {where}."
    if len(others) > 2 and middles and not option_value("presenting"):
        said += f" Half of the languages cost more than {_parities_text(middles)}."
    return said


def _parities_text(paid: Mapping[str, float], *, as_much_as: str = "") -> str:
    """Return in words what is paid under tokenizers by these names, of more than three at most and at least.

    as_much_as: with what it compares, to be named.

    >>> _parities_text({"gpt2": 2.5, "own": 1.25}, as_much_as="English")
    '2.5× as much as English under GPT-2 and 1.25× under own'
    """
    named = list(paid)
    if len(named) > 3:
        named = [end(named, key=lambda name: paid[name]) for end in (max, min)]
    than = [f" as much as {as_much_as}" if as_much_as and i == 0 else "" for i in range(len(named))]
    return joined_with_and(
        f"{parity_text(paid[name])}{than[i]} under {short_name(name)}" for i, name in enumerate(named)
    )


def picture_caption(figures: Figures) -> str:
    """Return for a picture what its figures were counted on."""
    counts = {name: rows[reference_language()] for name, rows in figures.items()}
    n_sentences = next(iter(counts.values())).n_sentences
    tokens = ", ".join(f"{name} {row.n_tokens:,}" for name, row in counts.items())
    language = language_name(reference_language())
    reconstructed = f". {RECONSTRUCTED}" if figures.keys() & CLAUDE_VERSIONS else ""
    return f"Tokens relative to {language}, for {_texts_text(n_sentences)}; there: {tokens}{reconstructed}"


def compared_texts_text() -> str:
    """Return in words which texts are compared."""
    return _texts_text(len(session_sentences().sentences))


def _texts_text(n_sentences: int) -> str:
    """Return in words which texts are compared, sentences of your own by their number."""
    own = "sentence" if n_sentences == 1 else f"{n_sentences:,} sentences"
    return f"the same {session_sentences().words or own}"
