"""Languages over the years, and programming languages: the words, points and lines against the counts alone."""

import gc
import weakref
from functools import cache
from itertools import pairwise

import pytest
from opening import opened, option_of, part, seen, text_of, without_script
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest
from trainings import made

import tokviz
from pages.ui.languages.figures import parity_figures_showing_errors, parity_text
from pages.ui.languages.parallel import PROGRAMS, Parallel, language_name
from pages.ui.languages.years import (
    most_fallen_language,
    open_sentences_of_clicked_point,
    vocabulary_figures,
    years_sentence,
    years_summary,
)
from pages.ui.languages.years_plot import cheapest_by_year, rows_of_language, year_of, years_plot
from pages.ui.options import option_default
from tokviz.formats.pretrained import INCLUDED
from tokviz.languages.parity import parity_rows
from tokviz.languages.programs import parallel_programs
from tokviz.languages.stored_counts import stored_counts
from tokviz.languages.table import LANGUAGES, parallel_sentences

PAGE = "pages/languages.py"


@cache
def costs(code: str) -> dict[str, float]:
    """Return what a language pays under each included tokenizer."""
    found = {}
    for name in INCLUDED:
        rows = parity_rows(stored_counts()[name], parallel_sentences(["en", code]))
        row = next(row for row in rows if row.language == code)
        if max(row.unknown_share, row.reference_unknown_share) < 0.01:
            found[name] = row.parity
    return found


def years(code: str) -> list[int]:
    return sorted({INCLUDED[name].year for name in costs(code)})


def lowest(code: str, year: int) -> tuple[float, str]:
    return min((cost, INCLUDED[name].known_as) for name, cost in costs(code).items() if INCLUDED[name].year == year)


def points(app: AppTest) -> list[dict]:
    """Return the points of the chart."""
    tables = [convert_arrow_bytes_to_pandas_df(it.data.data) for it in app.get("vega_lite_chart")[0].proto.datasets]
    return max(tables, key=len).to_dict("records")


def test_a_first_visit_opens_on_what_happened_to_the_language_that_fell_most():
    app = seen(PAGE)
    ends = {code: (years(code)[0], years(code)[-1]) for code in option_default("years_languages")}
    fallen = max(ends, key=lambda code: lowest(code, ends[code][0])[0] / lowest(code, ends[code][1])[0])
    (first, of_first), (last, of_last) = (lowest(fallen, year) for year in ends[fallen])
    names = {INCLUDED[name].known_as: name for name in INCLUDED}
    (before, english_before), (after, english_after) = (
        [sum(stored_counts()[names[of]].of_texts[sentence][0] for sentence in LANGUAGES[code].sentences)
         for code in (fallen, "en")]
        for of in (of_first, of_last)
    )  # fmt: skip
    assert [text.value for text in app.text][:2] == [
        f"{language_name(fallen)} costs {parity_text(first)} as much as English under {of_first} ({ends[fallen][0]}), "
        f"but {1 - last:.0%} less than English under {of_last} ({ends[fallen][1]}).",
        f"Tokens of the same twelve sentences, {of_first} → {of_last}: {language_name(fallen)} "
        f"{before:,} → {after:,}, English {english_before:,} → {english_after:,}. A line joins each year’s "
        "cheapest tokenizer.",
    ]
    assert text_of(app, "sentences elsewhere").splitlines() == list(LANGUAGES[fallen].sentences)
    assert option_of(app, "languages_view") == "Years"


def test_the_sentence_of_the_readme():
    with without_script():
        figures = {name: vocabulary_figures()[name] for name in ("gpt2", "o200k_base", "qwen3.5")}
        said = "Thai costs 6.0× as much as English under GPT-2 (2019), but 13% less than English under Qwen 3.5 (2026)."
        assert years_sentence(figures, "th") == said
        of_one = {"o200k_base": figures["o200k_base"]}
        assert years_sentence(of_one, "th") == "Thai costs 1.27× as much as English under GPT-4o (2024)."
        assert years_sentence(figures, "en") == "The others are compared with English."


def test_points_are_all_figures_none_hides_another_and_lines_join_the_cheapest_of_each_year():
    rows = points(seen(PAGE))
    drawn = set(option_default("years_languages"))
    assert {row["code"] for row in rows} >= drawn and all(row["Maker"] == INCLUDED[row["name"]].maker for row in rows)
    assert len({(row["x"], row["code"]) for row in rows}) == len(rows) == len({row["x"] for row in rows})
    for row in rows:
        assert row["cost"] == costs(row["code"])[row["name"]] and row["Year"] == INCLUDED[row["name"]].year
        assert abs(row["x"] - row["Year"]) < 0.5 and row["chosen"] == (row["name"] in option_default("compared"))
    for code in drawn:
        joined = [(row["Year"], row["cost"]) for row in rows if row["code"] == code and row["cheapest"]]
        shown = sorted({row["Year"] for row in rows if row["code"] == code})
        assert joined == [(year, lowest(code, year)[0]) for year in shown]
    # A vocabulary with the figures of another is shown once: gpt2 has those of r50k_base.
    shown = {row["name"] for row in rows}
    for name in INCLUDED:
        alike = {each for each in INCLUDED if stored_counts()[each].of_texts == stored_counts()[name].of_texts}
        assert len(alike & shown) <= 1


def test_the_page_names_one_of_the_languages_chosen():
    with without_script() as state:
        for chosen, named in ((["de"], "de"), (["de", "hi"], "hi"), (["en"], "th")):
            state.years_languages = chosen
            assert most_fallen_language({name: vocabulary_figures()[name] for name in ("gpt2", "qwen3.5")}) == named


def test_names_of_languages_are_apart_and_inside_the_chart():
    costs = (1.5, 1.5, 3.2, 3.3, 3.4, 3.5, 3.6)
    with without_script():
        row = parity_figures_showing_errors(["gpt2"])["gpt2"]["th"]
        rows = {code: [row._replace(parity=cost)] for code, cost in zip(LANGUAGES, costs, strict=False)}
        layers = years_plot(rows, chosen=[], picked="", large=True).to_dict()["layer"]
    heights = sorted(layers[1]["encoding"]["y"]["axis"]["values"])
    low, high = layers[0]["encoding"]["y"]["scale"]["domain"]
    assert len(heights) == len(costs) and low < heights[0] and heights[-1] < high
    assert all(above / below > 3.6**0.07 for below, above in pairwise(heights))


def test_the_vocabularies_that_the_sentence_names_and_those_chosen_have_names_above_the_chart():
    with without_script():
        rows = {code: rows_of_language(vocabulary_figures(), code) for code in ("th", "de")}
        lowest = [row.tokenizer for row in cheapest_by_year(rows["th"])]
        for large in (False, True):
            layers = years_plot(rows, chosen=["o200k_base"], picked="th", large=large).to_dict()["layer"]
            on_top = layers[1]["encoding"]["x"]["axis"]
            named = {name for name in INCLUDED if f'"{INCLUDED[name].known_as}"' in on_top["labelExpr"]}
            assert {lowest[0], "o200k_base", lowest[-1]} == named and len(on_top["values"]) == 3


def test_a_click_on_a_point_opens_its_sentences():
    with without_script() as state:
        state["chart languages"] = {"selection": {"clicked": [{"code": "hi", "name": "qwen3.5"}]}}
        for before, after in (
            (["gpt2"], ["gpt2", "qwen3.5"]),
            (["qwen3.5", "gpt2"], ["qwen3.5", "gpt2"]),
            ([*"abcdef"], [*"abcde", "qwen3.5"]),
        ):
            state["compared"] = before
            open_sentences_of_clicked_point()
            assert (state["sentence_language"], state["sentence_tokenizer"], state["compared"]) == (
                "hi",
                "qwen3.5",
                after,
            )
        state["chart languages"] = {"selection": {"clicked": []}}
        state["sentence_language"] = "th"
        open_sentences_of_clicked_point()
        assert state["sentence_language"] == "th"


def years_alone():
    from pages.ui.languages.years import show_years, vocabulary_figures
    from pages.ui.options import option_value

    figures = {
        name: {
            code: row._replace(unknown_share=0.5) if (name == "gpt2" and code in ("th", "hi")) or code == "my" else row
            for code, row in rows.items()
        }
        for name, rows in vocabulary_figures().items()
    }
    show_years(figures, option_value("sentence_language"))


def test_figures_bought_with_unknown_text_are_left_out_and_said():
    app = part(years_alone, years_languages=["th", "de"], sentence_language="ta")
    rows = points(app)
    assert {row["code"] for row in rows} == {"th", "de", "ta"}  # the one that is named is always drawn
    assert ("gpt2", "th") not in {(row["name"], row["code"]) for row in rows}
    assert ("gpt2", "de") in {(row["name"], row["code"]) for row in rows}
    assert any("Left out: BERT and GPT-2, for which too much of the text is unknown." in it.value for it in app.caption)


@pytest.mark.slow
def test_where_nothing_compares_the_page_says_so():
    app = part(years_alone, years_languages=["my"], sentence_language="my", presenting=True)
    assert not app.exception and app.caption[0].value == "There is no figure to show over the years."


def test_programs_take_the_place_of_sentences():
    app = opened(PAGE, parallel_texts="Programming languages", sentence_language="Rust", sentence_tokenizer="gpt2")
    assert not app.exception
    assert app.text[0].value.startswith("Rust costs ") and " as much as Python under " in app.text[0].value
    assert app.text[1].value.startswith("Tokens of the same six functions, ")
    rows = points(app)
    assert {row["code"] for row in rows} == {*option_of(app, "years_languages"), "Rust"} <= {*PROGRAMS.languages}
    # Runs of spaces are tokens of Codex, so unlike sentences, programs cost less than under GPT-2.
    assert {"gpt2", "p50k_base"} <= {row["name"] for row in rows}
    assert text_of(app, "sentences elsewhere") == "\n\n".join(each["Rust"] for each in parallel_programs())
    assert [tab.label for tab in app.tabs] == ["Your sentence", "What it costs"]


def test_a_tokenizer_of_the_session_is_counted_itself_even_under_the_name_of_another():
    with without_script() as state:
        state.kept = {"gpt2": made(tokviz.Tokenizer("gpt2", "gpt2", {bytes([i]): i for i in range(256)}))}
        row = parity_figures_showing_errors(["gpt2"])["gpt2"]["th"]
        assert row.n_tokens == sum(len(text.encode()) for text in LANGUAGES["th"].sentences)


def test_included_tokenizers_are_not_kept_in_memory_with_their_figures(monkeypatch):
    made_one = tokviz.Tokenizer("gpt2", "gpt2", {bytes([i]): i for i in range(256)})
    reference = weakref.ref(made_one)
    monkeypatch.setattr("pages.ui.languages.figures.load", {"gpt2": made_one}.pop)
    del made_one
    with without_script() as state:
        state.parallel = Parallel("own.tsv", ({"en": "a", "th": "ก"},))
        for _ in range(2):  # the second time they are known
            assert parity_figures_showing_errors(["gpt2"])["gpt2"]["th"].n_tokens == 3
        gc.collect()
        assert reference() is None


def test_of_a_long_file_only_the_tokenizers_compared_are_counted():
    long = Parallel("own.tsv", ({"en": "a " * 100_001, "th": "ก" * 1_000},))
    with without_script() as state:
        state.parallel, state.compared = long, ["gpt2"]
        assert list(vocabulary_figures()) == ["gpt2"]
        assert most_fallen_language(vocabulary_figures()) == "th"
        assert years_summary({}, "en").startswith("Tokens of the same sentence.")
        state.compared = ["own"]
        for code in ("th", "en"):
            assert years_sentence(vocabulary_figures(), code) == "Years shows included tokenizers: choose at least one."


def test_the_cheapest_of_a_year_are_in_the_order_of_years():
    with without_script():
        of_thai = rows_of_language(vocabulary_figures(), "th")
        assert [year_of(row) for row in cheapest_by_year([*reversed(of_thai)])] == sorted({*map(year_of, of_thai)})


def test_where_only_a_tokenizer_of_your_own_is_chosen_a_line_says_why_it_is_not_drawn():
    app = opened(
        PAGE,
        kept={"mine": made(tokviz.Tokenizer("mine", "gpt2", {bytes([i]): i for i in range(256)}))},
        compared=["mine"],
    )
    assert not app.exception
    words = "None of the tokenizers chosen is drawn. Tokenizers of your own have no year."
    assert any(caption.value.startswith(words) for caption in app.caption)
