"""Parallel sentences: those that ship, the user's own pairs, typed or pasted into a table, and the tokens of all.

Own pairs outlive a change of page and a reload; of a tab's memory anything may come, so every one is checked.
"""

import json
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from pages.ui.options import option_value, option_widget, set_option, widget_key
from pages.ui.session_tokenizers.download import download_button
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_named
from pages.ui.shared.charts import pointed_cell
from pages.ui.shared.live import document
from pages.ui.shared.text import set_document_text
from pages.ui.shared.token_view import token_view
from tokviz.analysis.parity import LanguageCost
from tokviz.core.pretokens import well_formed
from tokviz.languages.table import parallel_sentences

REFERENCE = "English"
SHIPPED = {"en": "English", "th": "Thai", "zh-Hans": "Chinese"}
COLUMNS = ("language", REFERENCE, "the same in the language")
PAIRS_MAX = 200
CHARACTERS_MAX = 2_000  # of a sentence
LANGUAGE_MAX = 30  # characters of its name
OWN_LANGUAGES_MAX = 8

Pair = tuple[str, str, str]  # a language, a sentence in the reference language, the same in the language


def shipped_sentences() -> list[dict[str, str]]:
    """Return the sentences that ship, by the names of languages as pages show them.

    >>> list(shipped_sentences()[0])
    ['English', 'Thai', 'Chinese']
    """
    return [{SHIPPED[code]: text for code, text in sentence.items()} for sentence in parallel_sentences(SHIPPED)]


def sentences() -> list[dict[str, str]]:
    """Return all parallel sentences, the user's own last."""
    return shipped_sentences() + sentences_of(own_pairs())


def sentences_of(pairs: list[Pair]) -> list[dict[str, str]]:
    """Return the sentences of pairs that are complete; a language that ships is known in any case.

    >>> sentences_of([("THAI ", "two", "สอง"), ("Lao", "two", "ສອງ"), ("Lao", "", "x"), ("english", "a", "b")])
    [{'English': 'two', 'Thai': 'สอง'}, {'English': 'two', 'Lao': 'ສອງ'}]
    """
    names = {name.casefold(): name for name in shipped_sentences()[0]}
    found = []
    for language, reference, text in pairs:
        language = " ".join(language.split())
        name = names.get(language.casefold(), language)
        if not name or name == REFERENCE or not reference.strip() or not text.strip():
            continue
        if name not in names.values():
            if len(names) >= OWN_LANGUAGES_MAX + len(shipped_sentences()[0]):
                continue
            names[name.casefold()] = name
        found.append({REFERENCE: reference, name: text})
    return found


def own_pairs() -> list[Pair]:
    """Return the user's own pairs, incomplete ones too."""
    pairs = []
    for packed in option_value("pairs")[:PAIRS_MAX]:
        try:
            cells = json.loads(packed)
        except ValueError:
            continue
        if isinstance(cells, list) and len(cells) == len(COLUMNS) and all(isinstance(cell, str) for cell in cells):
            language, reference, text = (well_formed(cell) for cell in cells)
            pairs.append((language[:LANGUAGE_MAX], reference[:CHARACTERS_MAX], text[:CHARACTERS_MAX]))
    return pairs


def pairs_editor() -> None:
    """Show the user's own pairs to edit."""
    key = widget_key("pairs")
    if key not in st.session_state:
        # The editor keeps edits to the table it began with, so that table may not change under it.
        st.session_state["pairs:begun"] = own_pairs()
    edited = st.data_editor(
        pd.DataFrame(st.session_state["pairs:begun"], columns=list(COLUMNS), dtype="object"),
        key=key,
        num_rows="dynamic",
        hide_index=True,
        column_config={
            COLUMNS[0]: st.column_config.TextColumn(max_chars=LANGUAGE_MAX, width="small"),
            COLUMNS[1]: st.column_config.TextColumn(max_chars=CHARACTERS_MAX),
            COLUMNS[2]: st.column_config.TextColumn(max_chars=CHARACTERS_MAX),
        },
    )
    cells = edited.map(lambda cell: cell if isinstance(cell, str) else "")
    rows = [(language, reference, text) for language, reference, text in cells.itertuples(index=False)]
    packed = [json.dumps(row, ensure_ascii=False) for row in rows[:PAIRS_MAX] if any(row)]
    if len(sentences_of(rows)) < sum(map(any, rows)):
        st.caption(
            "A row counts when all three cells are filled in and the language is not English; "
            f"up to {PAIRS_MAX} rows and {OWN_LANGUAGES_MAX} languages of your own."
        )
    if packed != option_value("pairs"):
        st.session_state["pairs"] = packed
        st.rerun()  # the whole page: its figures, and what the tab is to keep


def take_cell() -> None:
    """Show the sentences of the cell of the heat map that was clicked."""
    if cell := pointed_cell("languages"):
        tokenizer, language = cell
        set_option("sentence_tokenizer", tokenizer)
        set_option("sentence_language", language)


def sentence_view(costs: Mapping[str, Mapping[str, LanguageCost]]) -> None:
    """Show the sentences that English and a language share, their tokens under a tokenizer, and what they cost there.

    costs: of the languages, by the names of tokenizers.
    """
    languages = list(dict.fromkeys(name for sentence in sentences() for name in sentence if name != REFERENCE))
    st.subheader("The sentences, and their tokens", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        language = option_widget(
            "sentence_language", st.segmented_control, "Language", options=languages, required=True
        )
        name = option_widget(
            "sentence_tokenizer", st.segmented_control, "Tokenizer", options=list(costs), required=True
        )
        download_button(tokenizer_named(name), type="tertiary")
    st.caption("One sentence per line. Each is counted on its own, without its line end (↵).")
    figures = _figures(costs[name][language])
    shown = [sentence for sentence in sentences() if language in sentence and REFERENCE in sentence]
    for column, which, said in zip(st.columns(2), (REFERENCE, language), figures, strict=True):
        key = f"sentences {'in English' if which == REFERENCE else 'elsewhere'}"
        text = "\n".join(sentence[which] for sentence in shown)
        if document(key, text).text != text:
            set_document_text(key, text)
        with column:
            st.text(f"{which}: {said}")
            token_view(tokenizer_named(name), key=f"tokens of {key}", document=key, editable=False,
                       height=360, panes=("tokens",))  # fmt: skip


def _figures(cost: LanguageCost) -> tuple[str, str]:
    """Return in words what the sentences cost in English, and in the language."""
    in_language = [f"{cost.n_tokens:,} tokens"]
    if cost.bytes_per_token is not None:
        in_language.append(f"{cost.bytes_per_token:.2f} bytes per token")
    if cost.parity is not None:
        in_language.append(f"{cost.parity:.2f}× {REFERENCE}")
    return f"{cost.n_reference_tokens:,} tokens", " · ".join(in_language)
