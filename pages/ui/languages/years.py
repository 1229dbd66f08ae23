"""What languages pay over the years: the included vocabularies by their years, and what happened in words."""

from collections.abc import Collection, Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.languages.figures import (
    Figures,
    compared_texts_text,
    is_comparable,
    other_language_codes_in,
    parity_figures_showing_errors,
    parity_sentence,
    parity_text,
)
from pages.ui.languages.parallel import language_name, reference_language, session_sentences
from pages.ui.languages.years_plot import cheapest_by_year, rows_of_language, year_of, years_plot
from pages.ui.options import option_default, option_value, option_value_among, set_option, show_option_widget
from pages.ui.session_tokenizers.tokenizer_list import compare_last
from pages.ui.shared.charts import COLOURS, clicked_fields_or_none, file_row, show_chart
from tokviz.formats.pretrained import INCLUDED, short_name
from tokviz.languages.parity import ParityRow
from tokviz.text.words import joined_with_and

LANGUAGES_MAX = len(COLOURS) - 1  # and the one that the page names
DRAWN_AT_FIRST = 6  # languages, where none of the usual ones has a text
NAMED_MAX = 3  # tokenizers, in a footnote of one line
PRINTED_HEIGHT = 440  # pixels


def vocabulary_figures() -> Figures:
    """Return the figures of the included tokenizers by year; of those that have the same, the first.

    Of a long file only under the tokenizers that are compared.
    """
    named = sorted(INCLUDED, key=lambda name: (INCLUDED[name].year, INCLUDED[name].maker))
    if session_sentences().takes_long_to_count:
        named = [name for name in named if name in option_value("compared")]
    figures = parity_figures_showing_errors(named)
    alike: dict[tuple, str] = {}
    for name, rows in figures.items():
        alike.setdefault(tuple((row.language, row.n_tokens, row.premiums) for row in rows.values()), name)
    return {name: figures[name] for name in alike.values()}


def most_fallen_language(figures: Figures) -> str:
    """Return the code of the chosen language whose lowest cost has fallen most from the first year to the last."""

    def times_fallen(code: str) -> float:
        lowest = cheapest_by_year(rows_of_language(figures, code))
        return (lowest[0].parity or 0.0) / (lowest[-1].parity or 1.0) if lowest else 0.0

    others = other_language_codes_in(figures)
    return max(_chosen_languages(others) or others, key=times_fallen, default=reference_language())


def years_sentence(figures: Figures, code: str) -> str:
    """Return in a sentence what a language costs under the cheapest tokenizers of the first year and of the last."""
    if not figures:
        return "Years shows included tokenizers: choose at least one."
    name, reference = language_name(code), language_name(reference_language())
    lowest = _cheapest_rows(figures, code)
    if not lowest:
        return parity_sentence(figures, code)  # which says why
    costs = [parity_text(row.parity or 0.0) for row in lowest]
    where = [f"under {short_name(row.tokenizer)} ({year_of(row)})" for row in lowest]
    said = f"{name} costs {costs[0]} as much as {reference} {where[0]}"
    if len(lowest) > 1:
        less = round(100 * (1 - (lowest[-1].parity or 1.0)))
        said += f", {f'but {less}% less than {reference}' if less > 0 else costs[-1]} {where[-1]}"
    return f"{said}."


def _cheapest_rows(figures: Figures, code: str) -> list[ParityRow]:
    """Return for each year the lowest cost of a language; nothing for the one that all are compared with."""
    return [] if code == reference_language() else cheapest_by_year(rows_of_language(figures, code))


def years_summary(figures: Figures, code: str) -> str:
    """Return in words what is counted and what a line goes through.

    The tokens of the language and of the reference come along, for a cost also falls where the reference gets worse.
    """
    reference = language_name(reference_language())
    said = f"Tokens of {compared_texts_text()}"
    if len(lowest := _cheapest_rows(figures, code)) > 1:
        first, last = lowest[0], lowest[-1]
        said += f", {short_name(first.tokenizer)} → {short_name(last.tokenizer)}"
        said += f": {language_name(code)} {first.n_tokens:,} → {last.n_tokens:,}, "
        said += f"{reference} {first.n_reference_tokens:,} → {last.n_reference_tokens:,}"
    return f"{said}. A line joins each year’s cheapest tokenizer."


def show_languages_menu() -> None:
    """Show the menu of the languages that the chart draws."""
    codes = [code for code in session_sentences().languages if code != reference_language()]
    _chosen_languages(codes)  # which forgets a choice made for other texts
    with st.popover("Languages", type="tertiary"):
        show_option_widget("years_languages", st.multiselect, "Languages to draw",
                           options=sorted(codes, key=language_name), max_selections=LANGUAGES_MAX,
                           format_func=language_name)  # fmt: skip


def show_years(figures: Figures, picked: str) -> DeltaGenerator:
    """Show the chart of the languages chosen and the one picked; a click on a point opens its sentences."""
    codes = other_language_codes_in(figures)
    drawn = list(dict.fromkeys([*_chosen_languages(codes)[:LANGUAGES_MAX], *({picked} & {*codes})]))
    rows = {code: rows_of_language(figures, code) for code in drawn}
    if not any(rows.values()):
        st.caption("There is no figure to show over the years.")
        return st.container(key="desk-files", horizontal=True)
    legend = _points_legend({row.tokenizer for of_one in rows.values() for row in of_one})
    about = [legend]
    if not option_value("presenting"):
        st.caption(f"{legend} {_pressed_point_words(rows)}")
        about = ["Years are when a vocabulary came out, sometimes before the model it is named after."]
    plot = years_plot(rows, chosen=option_value("compared"), picked=picked, large=bool(option_value("presenting")))
    place = st.container(key="years-plot")
    lost = [short_name(name) for name, of_one in figures.items() if not all(is_comparable(of_one[it]) for it in drawn)]
    if lost:
        about.append(f"Left out: {joined_with_and(lost)}, for which too much of the text is unknown.")
    st.caption(" ".join(about))
    files = file_row("languages")
    with place:
        return show_chart(plot, "languages", title=years_sentence(figures, picked).rstrip("."),
                          caption=f"{years_summary(figures, picked)} {legend}",
                          on_point=open_sentences_of_clicked_point, export_height=PRINTED_HEIGHT, files=files,
                          alt_text="Line chart: what languages cost by year, a point for each tokenizer")  # fmt: skip


def _points_legend(drawn: Collection[str]) -> str:
    """Return in words which points are filled, those of the tokenizers chosen, and which of them cannot be drawn."""
    chosen = option_value("compared")
    filled = [short_name(name) for name in chosen if name in drawn]
    counted = f"{len(filled)} of the {len(chosen)} tokenizers chosen"
    if not filled:
        legend = "None of the tokenizers chosen is drawn."
    else:
        legend = f"Filled: {joined_with_and(filled) if len(filled) <= NAMED_MAX else counted}. Hollow: others."
    return legend if all(name in INCLUDED for name in chosen) else f"{legend} Tokenizers of your own have no year."


def _pressed_point_words(rows: Mapping[str, Sequence[ParityRow]]) -> str:
    """Return in words which point of the chart was pressed, for fingers, which cannot hover."""
    clicked = clicked_fields_or_none("languages") or {}
    for row in rows.get(clicked.get("code", ""), ()):
        if row.tokenizer == clicked.get("name"):
            cost = f"{parity_text(row.parity or 0.0)} {language_name(reference_language())}"
            return f"{language_name(row.language)}, {short_name(row.tokenizer)}, {year_of(row)}: {cost}"
    return "Press a point for its name and its sentences."


def open_sentences_of_clicked_point() -> None:
    """Pick the language that was clicked, and if a point is one tokenizer's, that, which joins those compared."""
    clicked = clicked_fields_or_none("languages") or {}
    if "code" in clicked:
        set_option("sentence_language", clicked["code"])
    if name := clicked.get("name"):
        set_option("sentence_tokenizer", name)
        if name not in option_value("compared"):
            compare_last(name)


def _chosen_languages(codes: Sequence[str]) -> list[str]:
    """Return the languages chosen to be drawn, of these codes; the usual ones after a choice made for other texts."""
    chosen = option_value("years_languages")
    if chosen and not set(chosen) & set(codes):
        usual = [code for code in option_default("years_languages") if code in codes]
        set_option("years_languages", usual or codes[:DRAWN_AT_FIRST])
    return option_value_among("years_languages", codes)
