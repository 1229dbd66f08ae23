"""The languages page: its words, plots and files against `tokviz.parity` and tiktoken alone, and odd input in words."""

import csv
import io
import json
import zipfile
from functools import cache

import pandas as pd
import pytest
import tiktoken
from each import quick
from opening import box, button, charts, data_sent, opened, part, text_of, uploaded, without_script
from streamlit.testing.v1 import AppTest
from trainings import made, trained_of

import tokviz
from pages.ui.languages.cost import cost_table
from pages.ui.languages.figures import (
    dearest_language,
    figures_summary,
    parity_figures_showing_errors,
    parity_sentence,
    parity_text,
)
from pages.ui.languages.parallel import Parallel, language_name, picked_language
from pages.ui.languages.views import (
    DOTS,
    FAMILY,
    MOST,
    NAME,
    PRESENTED_MAX,
    SCRIPT,
    ordered_languages_and_groups,
    parity_csv,
    parity_json,
)
from tokviz.core.samples import sample
from tokviz.core.spans import spans_from_byte_offsets
from tokviz.families.library_training import train_wordpiece
from tokviz.families.teaching import ListTokenizer, list_tokenizer
from tokviz.formats.pretrained import short_name
from tokviz.languages.parallel_files import sentences_of_upload
from tokviz.languages.parity import parity_rows
from tokviz.languages.table import LANGUAGES, parallel_sentences

PAGE = "pages/languages.py"
NAMES = ["gpt2", "cl100k_base", "o200k_base"]
HOSTILE = "<img src=x onerror=alert(1)> [a](javascript:b)"
TABLE = "en\tlo\tace_Arab\ngood morning\tສະບາຍດີຕອນເຊົ້າ\tx y\nthank you\tຂອບໃຈ\tz\n"


@cache
def dots() -> AppTest:
    """Return the page with the range plot, for tests that only read it."""
    return opened(PAGE, languages_view="Dots")


@cache
def odd() -> AppTest:
    """Return the page with values of a tab or a link that are unusual, for tests that only read it."""
    names = ["", " \n", "en", "English", HOSTILE, "\ud83d", *map(str, range(40))]
    return opened(PAGE, compared=[*NAMES, "o200k_harmony"], sentence_language="Thai", languages_order=NAME,
                  own_languages=names, sentence_tokenizer="gpt2", cost_chars=1, cost_price=0.0, window=1,
                  languages_view="Dots")  # fmt: skip


def figures_alone():
    import streamlit as st

    from pages.ui.languages.figures import dearest_language, parity_figures_showing_errors, parity_sentence
    from pages.ui.languages.parallel import picked_language
    from pages.ui.languages.views import show_figures
    from pages.ui.options import option_value

    figures = parity_figures_showing_errors(option_value("compared"))
    picked = picked_language(default=dearest_language(figures))
    st.text(parity_sentence(figures, picked))
    show_figures(figures, option_value("languages_view"), option_value("languages_order"), picked)


def said(app: AppTest) -> list[str]:
    return [text.value for text in app.text]


def parities() -> pd.Series:
    return tokviz.parity([tokviz.load(name) for name in NAMES])["parity"]


def order_of(spec: dict) -> list[str]:
    (sort,) = {tuple(layer["encoding"]["y"]["sort"]) for layer in spec["layer"] if "y" in layer.get("encoding", {})}
    return list(sort)


def figures_in(app: AppTest, column: str, table: int = 0) -> dict:
    shown = app.dataframe[table].value
    return shown.set_index(shown.columns[0])[column].to_dict()


def test_the_words_at_the_top_are_what_parity_says():
    parity = parities()
    most = parity.idxmax()[1]
    paid = [f"{parity_text(parity[name, most])} under {short_name(name)}" for name in NAMES]
    paid[0] = paid[0].replace(" ", " as much as English ", 1)
    assert said(dots())[0] == f"{LANGUAGES[most].name} costs {', '.join(paid[:2])} and {paid[2]}."
    figures = parity_figures_showing_errors(["gpt2", "o200k_base"])
    assert parity_sentence(figures, "th") == "Thai costs 6.0× as much as English under GPT-2 and 1.27× under GPT-4o."
    middle = parity["gpt2"].drop("en").median()
    assert figures_summary(parity_figures_showing_errors(NAMES)) == said(dots())[1]
    assert f"in {len(LANGUAGES)} languages, relative to English. Half of the languages cost more than " \
        f"{parity_text(middle)} under GPT-2" in figures_summary(figures)  # fmt: skip


@pytest.mark.parametrize("name", quick(NAMES, "gpt2"))
def test_figures_are_those_of_tiktoken_alone(name):
    shown = figures_in(part(figures_alone, languages_view="Table", compared=["cl100k_base", name]), short_name(name))
    assert len(shown) == len(LANGUAGES)
    encode = tiktoken.get_encoding(name).encode
    english = sum(len(encode(sentence["en"])) for sentence in parallel_sentences())
    for code in LANGUAGES:
        tokens = sum(len(encode(sentence[code])) for sentence in parallel_sentences())
        assert shown[language_name(code)] == tokens / english
    ranges = figures_in(part(figures_alone, languages_view="Table", compared=[name]), f"{short_name(name)} 95%")
    row = next(row for row in parity_rows(tokviz.load(name), parallel_sentences()) if row.language == "th")
    assert ranges["Thai"] == f"{row.parity_low:.2f}–{row.parity_high:.2f}"


def test_the_plot_has_the_languages_in_the_order_that_was_chosen():
    for app, order in ((dots(), MOST), (odd(), NAME)):
        assert order_of(charts(app)[0]) == [
            language_name(code) for code in ordered_languages_and_groups(parity_figures_showing_errors(NAMES), order)[0]
        ]


@pytest.mark.parametrize("order", quick([MOST, "o200k_base", SCRIPT, FAMILY, NAME], MOST, SCRIPT, NAME))
def test_languages_are_ordered_by_what_they_pay_in_groups_or_by_name(order):
    shown = [
        language_name(code) for code in ordered_languages_and_groups(parity_figures_showing_errors(NAMES), order)[0]
    ]
    assert sorted(shown) == sorted(language_name(code) for code in LANGUAGES)
    codes = {language_name(code): code for code in LANGUAGES}
    if order == NAME:
        assert shown == sorted(shown)
    elif order in (SCRIPT, FAMILY):
        groups = [getattr(LANGUAGES[codes[name]], order) for name in shown]
        assert len(list(dict.fromkeys(groups))) == sum(a != b for a, b in zip(groups, ["", *groups], strict=False))
    else:
        parity = parities()
        paid = parity[order] if order in NAMES else parity.groupby(level=1).max()
        assert shown == sorted(shown, key=lambda name: -paid[codes[name]])


def test_a_language_of_a_link_is_picked_under_any_name_and_one_that_is_gone_gives_way():
    with without_script() as state:
        for named, code in (("th", "th"), ("Thai", "th"), ("tha_Thai", "th"), ("tlh", "ta")):
            state.sentence_language = named
            assert picked_language(default=dearest_language(parity_figures_showing_errors(NAMES))) == code
    options = [app.selectbox(key="sentence_language").options[0] for app in (dots(), odd())]
    assert options == ["Tamil", "As named above"]
    # Of many tokenizers the words name the dearest and the cheapest.
    assert said(odd())[0] == "Thai costs 6.0× as much as English under GPT-2 and 1.27× under GPT-4o."


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) for name in NAMES[:2]] + NAMES[2:])
def test_the_sentences_of_a_language_say_their_figures_and_what_is_uncertain(name):
    app = opened(PAGE, sentence_tokenizer=name, sentence_language="my")
    row = next(row for row in parity_rows(tokviz.load(name), parallel_sentences()) if row.language == "my")
    line = next(text for text in said(app) if text.startswith("Burmese · မြန်မာ: "))
    figures = f"{parity_text(row.parity)} English · {row.bytes_per_token:.2f} bytes per token"
    assert f"{row.n_tokens:,} tokens in {short_name(name)} · {figures}" in line
    about = next(caption for caption in app.caption if caption.value.startswith("Myanmar script · Sino-Tibetan"))
    assert about.value.endswith("not proofread by a native speaker") and about.help == LANGUAGES["my"].notes
    assert text_of(app, "sentences elsewhere").splitlines() == list(LANGUAGES["my"].sentences)
    assert text_of(app, "sentences in the reference").splitlines() == list(LANGUAGES["en"].sentences)


def test_intervals_are_explained_only_where_they_are_shown():
    one = Parallel("own.tsv", ({"en": "good morning", "th": "สวัสดี"},))
    for app, words in (
        (dots(), ["Figures in brackets, shown where you point"]),
        (part(figures_alone, compared=["gpt2"], languages_view="Table"), ["The columns that end in 95%"]),
        (part(figures_alone, compared=["gpt2"], languages_view="Dots", parallel=one), []),
    ):
        said_of_intervals = [it.value.split(" are 95%")[0].rstrip(",") for it in app.caption if "95%" in it.value]
        assert said_of_intervals == words


def test_the_files_are_those_of_the_command_line(capsys):
    figures = parity_figures_showing_errors(["gpt2", "o200k_base"])
    for option, written in (("--csv", parity_csv), ("--json", parity_json)):
        tokviz_main(["parity", "-t", "gpt2", "-t", "o200k_base", option])
        printed = capsys.readouterr().out
        if option == "--csv":
            assert list(csv.DictReader(io.StringIO(written(figures)))) == list(csv.DictReader(io.StringIO(printed)))
        else:
            assert json.loads(written(figures)) == json.loads(printed)


def tokviz_main(arguments: list[str]) -> None:
    from tokviz.cli import main

    main(arguments)


@pytest.mark.slow
def test_a_file_of_ones_own_takes_the_place_of_the_sentences():
    app = opened(PAGE, languages_view="Dots", compared=["gpt2"], sentence_language="th")
    app = uploaded(app, ("own.tsv", TABLE.encode()), label="Your own")
    assert not app.exception
    encode = tiktoken.get_encoding("gpt2").encode
    paid = sum(len(encode(text)) for text in ("ສະບາຍດີຕອນເຊົ້າ", "ຂອບໃຈ")) / len(
        encode("good morning") + encode("thank you")
    )
    lao = f"Lao costs {parity_text(paid)} as much as English under GPT-2."
    assert said(app)[:2] == ["own.tsv: 2 sentences in 3 languages.", lao]
    assert order_of(charts(app)[0])[0] == "Lao" and "ace_Arab" in order_of(charts(app)[0])
    assert "The tokens of the same 2 sentences in 3 languages" in said(app)[2]
    button(app, "Back to the built-in texts").click().run()
    assert not app.exception and len(order_of(charts(app)[0])) == len(LANGUAGES)


def test_a_zip_file_and_files_without_english_are_taken_too():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        packed.writestr("dev/tha_Thai.dev", "สอง\n")
        packed.writestr("dev/fin_Latn.dev", "kaksi\n")
    for files in ({"dev.zip": data.getvalue()}, {"th.txt": "สอง".encode(), "fi.txt": b"kaksi"}):
        with without_script() as state:
            state.parallel = Parallel("own", tuple(sentences_of_upload(files, unpacked_max=10**6)))
            words = figures_summary(parity_figures_showing_errors(["gpt2"]))
            assert any(f"relative to {name}." in words for name in ("Thai", "Finnish"))


def own_file():
    from pages.ui.languages.parallel import show_texts_menu

    show_texts_menu()


REFUSED = {
    b"": "own.tsv is empty",
    b"en\ttlh q\n": "is not the code of a language",
    b"en\tth\na\t \n": "Fewer than two",
    b"\xff\xfe\xfd": "own.tsv",
    b"PK\x03\x04": "cannot be unpacked",
    f"en\t{HOSTILE}".encode(): "is not the code of a language",
    HOSTILE.encode(): "line 1 has no tab",
}


def test_a_file_that_cannot_be_read_is_refused_in_words_and_changes_nothing():
    app = part(own_file)
    for data, words in REFUSED.items():
        app = uploaded(app, ("own.tsv", data))
        assert not app.exception and "parallel" not in app.session_state
        assert any(words in code.value for code in app.code)
        for shown in [*app.caption, *app.markdown, *app.info, *app.error, *app.header]:
            assert "<img" not in shown.value


def test_the_costs_follow_parity_price_and_window():
    figures = parity_figures_showing_errors(["gpt2"])
    rows, _ = ordered_languages_and_groups(figures, MOST)
    table = cost_table(figures, rows, "gpt2", n_chars=10_000, price=2.0, window=50_000).set_index("code")
    english = parity_rows(tokviz.load("gpt2"), parallel_sentences(["en", "th"]))[1]
    tokens = 10_000 * english.n_tokens / english.n_chars
    assert table.loc["en", "tokens"] == round(tokens)
    assert table.loc["th", "cost"] / table.loc["en", "cost"] == pytest.approx(parities()["gpt2", "th"])
    assert table.loc["en", "cost"] == pytest.approx(tokens * 2 / 1e6)
    assert table.loc["en", "share of the window"] == pytest.approx(tokens / 50_000)
    words = "Under GPT-2, a text of 1 characters in English has 0 tokens"
    assert any(text.startswith(words) for text in said(odd()))


def own_sentence():
    from pages.ui.languages.sentences import show_own_sentence

    show_own_sentence(["gpt2"])


def test_ones_own_sentence_has_an_editor_for_each_language_and_a_new_one_brings_its_translation():
    app = part(own_sentence)
    assert text_of(app, "own sentence th") == LANGUAGES["th"].sentences[10]
    box(app.selectbox, "Add a language").set_value("fi").run()
    assert not app.exception and app.session_state["own_languages"] == ["en", "th", "fi"]
    assert text_of(app, "own sentence fi") == LANGUAGES["fi"].sentences[10]
    app.session_state["live"].get_or_add_document("own sentence en").set_text("something else")
    box(app.selectbox, "Add a language").set_value("de").run()
    assert text_of(app, "own sentence de") == ""
    (shown,) = [data for data in data_sent(app) if "columns" in data and "rows" in data]
    assert shown["rows"] == ["English", "Thai", "Finnish", "German"]
    app.button(key="_remove own 2 th").click().run()
    assert not app.exception and app.session_state["own_languages"] == ["en", "fi", "de"]


def test_names_of_languages_that_a_tab_gives_back_do_no_harm():
    app = odd()
    assert not app.exception
    (shown,) = [data for data in data_sent(app) if "columns" in data and "rows" in data]
    assert len(shown["rows"]) == 12 and shown["rows"][:2] == ["English", HOSTILE[:30]]
    for widget in [*app.button, *app.selectbox]:
        assert "<img" not in widget.label and "<img" not in (getattr(widget, "help", "") or "")


def in_session(*tokenizers) -> dict[str, object]:
    """Return tokenizers of any family as a session holds them, and chosen."""
    kept = {tokenizer.name: made(tokenizer) for tokenizer in tokenizers}
    return {"kept": kept, "compared": list(kept)}


def with_unknown_text() -> dict[str, object]:
    """Return a session with a tokenizer to which much text is unknown, beside gpt2."""
    state = in_session(train_wordpiece(sample("english"), vocab_size=400))
    return state | {"compared": [*state["compared"], "gpt2"]}


def test_a_tokenizer_that_hardly_joins_bytes_of_english_is_said_to_make_the_rest_look_cheap():
    thai = tokviz.train(sample("thai")[:500], vocab_size=300)
    app = part(
        figures_alone,
        languages_view="Dots",
        **in_session(thai, tokviz.train(sample("english"), vocab_size=400, name="english")),
    )
    notes = [words for words in said(app) if "look cheap" in words]
    assert notes == [f"{thai.name} cuts English nearly into bytes, so all other languages look cheap beside it."]


@pytest.mark.slow
def test_figures_bought_with_unknown_text_are_marked_and_not_named():
    app = part(figures_alone, languages_view="Dots", **with_unknown_text())
    assert not app.exception
    assert said(app)[0] == "Tamil costs 15.4× as much as English under GPT-2."
    assert any(caption.value.startswith("*Hollow*") for caption in app.caption)


@pytest.mark.slow
def test_figures_bought_with_unknown_text_are_marked_on_the_heat_map():
    app = part(figures_alone, languages_view="Heat map", **with_unknown_text())
    marked = charts(app)[0]["layer"][1]
    assert marked["mark"]["strokeDash"] and "datum.unknown >= 0.01" in marked["transform"][0]["filter"]
    assert any("is unknown, so the figure is not comparable" in caption.value for caption in app.caption)


SLOW = [("silent", "Dots"), ("silent", "Heat map"), ("silent", "Table"), ("words", "Dots"), ("words", "Table")]


@pytest.mark.parametrize(
    ("which", "look"),
    [("words", "Heat map"), *(pytest.param(*each, marks=pytest.mark.slow) for each in SLOW)],
)
def test_where_no_tokenizer_has_english_the_page_says_so(which, look):
    class Silent(ListTokenizer):
        def spans(self, text, *, allowed_special=()):
            return spans_from_byte_offsets(text.encode(), [], [], [])

    tokenizers = {"silent": Silent("silent", "words", []), "words": list_tokenizer("words", "ไทย")}
    state = {"languages_view": look, "sentence_language": "th", **in_session(tokenizers[which])}
    is_page = (which, look) in (("words", "Heat map"), ("silent", "Dots"))
    app = opened(PAGE, **state) if is_page else part(figures_alone, **state)
    assert not app.exception
    assert said(app)[0] == "No figure for Thai is comparable: too much of the text is unknown."


def test_a_pattern_that_does_not_end_leaves_its_tokenizer_out(monkeypatch):
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.1)
    hostile = tokviz.Tokenizer("hostile", "(a|aa)+$", {bytes([i]): i for i in range(256)})
    own = Parallel("own.tsv", ({"en": f"{'a' * 60}b", "th": "x"},))
    app = opened(PAGE, kept={"hostile": trained_of(hostile, (), 1)}, compared=["hostile", "gpt2"], parallel=own,
                 languages_view="Dots")  # fmt: skip
    assert not app.exception
    assert any("did not end" in code.value for code in app.code)
    assert "under GPT-2" in said(app)[0] and "hostile" not in said(app)[0]


@pytest.mark.slow
def test_presented_the_page_has_its_words_and_its_plot():
    app = opened(PAGE, presenting=True, languages_view="Dots")
    assert not app.exception
    assert said(app)[0].startswith("Tamil costs 15.4×")
    shown = order_of(charts(app)[0])
    assert len(shown) == PRESENTED_MAX[DOTS] and (shown[0], shown[-1]) == ("Tamil", "English") and "Thai" in shown
