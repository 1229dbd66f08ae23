"""The languages page: figures recomputed with tiktoken alone, mixes that can be repeated, odd input in words."""

import json

import pytest
import tiktoken
from opening import after_training, button, data_sent, opened
from streamlit.testing.v1 import AppTest

import tokviz
from pages.ui.languages.mix_results import MixResult
from tokviz.analysis.parity import language_costs
from tokviz.core.samples import SAMPLES, sample
from tokviz.core.spans import placed_spans
from tokviz.families.library_training import train_wordpiece
from tokviz.families.teaching import ListTokenizer, listed
from tokviz.jobs.job import TrainingJob
from tokviz.jobs.worker import TrainingTask
from tokviz.languages.table import parallel_sentences
from tokviz.records.opened import Opened
from tokviz.records.trained import Trained
from tokviz.training.mixes import mixed_documents

PAGE = "pages/languages.py"
NAMES = ["gpt2", "cl100k_base", "o200k_base"]
HOSTILE = "<img src=x onerror=alert(1)> [a](javascript:b)"
CODES = {"English": "en", "Thai": "th", "Chinese": "zh-Hans"}
LAO = json.dumps(["Lao", "good morning", "ສະບາຍດີຕອນເຊົ້າ"], ensure_ascii=False)


def charts(app: AppTest) -> list[dict]:
    return [json.loads(chart.proto.spec) for chart in app.get("vega_lite_chart")]


def figures(app: AppTest, column: str):
    """Return a column of the first table by its first two columns."""
    table = app.dataframe[0].value
    return table.set_index(list(table.columns[:2]))[column].to_dict()


def test_the_matrix_of_parity_is_what_tiktoken_alone_says():
    app = opened(PAGE)
    assert not app.exception
    shown = figures(app, "parity")
    assert len(shown) == 9
    for name in NAMES:
        encode = tiktoken.get_encoding(name).encode
        english = sum(len(encode(sentence["en"])) for sentence in parallel_sentences())
        for language, code in CODES.items():
            tokens = sum(len(encode(sentence[code])) for sentence in parallel_sentences())
            assert shown[name, language] == tokens / english
    (spec,) = charts(app)
    encoding = spec["layer"][0]["encoding"]
    assert (encoding["x"]["sort"], encoding["y"]["sort"]) == (["English", "Thai", "Chinese"], NAMES)
    assert encoding["color"]["scale"]["domain"] == [0, max(shown.values())]
    assert "Thai costs 6.0× as much as English with gpt2" in app.text[0].value


@pytest.mark.parametrize("language", ["Thai", "Chinese", "Lao"])
@pytest.mark.parametrize("name", NAMES)
def test_the_sentences_cost_what_the_table_says(name, language):
    app = opened(PAGE, sentence_tokenizer=name, sentence_language=language, pairs=[LAO, LAO])
    columns = ("tokens", "tokens in English", "bytes per token", "parity")
    tokens, in_english, bytes_per_token, parity = (figures(app, column)[name, language] for column in columns)
    assert [text.value for text in app.text if text.value.startswith(("English: ", f"{language}: "))] == [
        f"English: {in_english:,} tokens",
        f"{language}: {tokens:,} tokens · {bytes_per_token:.2f} bytes per token · {parity:.2f}× English",
    ]
    assert not any("counts" in data.get("panes", ()) for data in data_sent(app))


def in_session(*tokenizers) -> dict[str, object]:
    """Return tokenizers of any family as a session holds them, and chosen."""
    opened_tokenizers = {tokenizer.name: Opened(tokenizer, {}) for tokenizer in tokenizers}
    return {"opened": opened_tokenizers, "compared": list(opened_tokenizers)}


@pytest.mark.parametrize("measure", ["parity", "tokens per character"])
def test_figures_bought_with_unknown_text_are_marked(measure):
    state = in_session(train_wordpiece(sample("english"), vocab_size=400))
    state["compared"].append("gpt2")
    app = opened(PAGE, measure=measure, **state)
    assert not app.exception
    unknown = figures(app, "unknown text")
    thai, english = ("Thai", "English") if measure == "parity" else ("thai", "english")
    assert unknown["wordpiece", thai] == 1 and unknown["wordpiece", english] < 0.2
    assert all(share == 0 for (name, _), share in unknown.items() if name == "gpt2")
    (spec,) = charts(app)
    marked, scale = spec["layer"][1], spec["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert marked["mark"]["strokeDash"] and "datum.unknown >= 0.01" in marked["transform"][0]["filter"]
    shown = figures(app, measure)
    assert scale[1] == max(value for key, value in shown.items() if unknown[key] < 0.01)
    assert any("is unknown, so the figure does not compare" in caption.value for caption in app.caption)


def test_where_no_tokenizer_has_english_the_page_says_so():
    class Silent(ListTokenizer):
        def spans(self, text, *, allowed_special=()):
            return placed_spans(text.encode(), [], [], [])

    for tokenizer in (Silent("silent", "words", []), listed("words", "ไทย")):
        app = opened(PAGE, **in_session(tokenizer))
        assert not app.exception
        assert "in every row 1% or more of the text, in the language or in English, is unknown" in app.text[0].value


def test_nothing_is_said_of_unknown_text_where_there_is_none():
    app = opened(PAGE)
    assert "unknown text" not in app.dataframe[0].value
    assert not any("unknown" in caption.value.lower() for caption in app.caption)
    assert len(charts(app)[0]["layer"]) == 3


@pytest.mark.parametrize("measure", ["tokens per character", "tokens per byte"])
def test_the_matrix_of_samples_is_what_tiktoken_alone_says(measure):
    app = opened(PAGE, measure=measure, compared=["gpt2", "o200k_base"])
    shown = figures(app, measure)
    for name in ("gpt2", "o200k_base"):
        for text in SAMPLES:
            size = len(sample(text)) if measure == "tokens per character" else len(sample(text).encode())
            assert shown[name, text] == len(tiktoken.get_encoding(name).encode(sample(text))) / size
    assert len(shown) == 2 * len(SAMPLES)


def test_own_pairs_add_languages_and_sentences():
    thai = json.dumps(["thai ", "two", "สอง"], ensure_ascii=False)
    incomplete = json.dumps(["Lao", "", "ສອງ"], ensure_ascii=False)
    app = opened(PAGE, pairs=[LAO, thai, incomplete], compared=["gpt2"])
    encode = tiktoken.get_encoding("gpt2").encode
    assert figures(app, "parity")["gpt2", "Lao"] == len(encode("ສະບາຍດີຕອນເຊົ້າ")) / len(encode("good morning"))
    assert figures(app, "sentences") == {("gpt2", "English"): 14, ("gpt2", "Thai"): 13, ("gpt2", "Chinese"): 12,
                                         ("gpt2", "Lao"): 1}  # fmt: skip
    assert "A row counts" in " ".join(caption.value for caption in app.caption)
    assert app.session_state["pairs"] == [LAO, thai, incomplete]


@pytest.mark.slow
def test_what_a_tab_gives_back_and_is_none_does_no_harm():
    pairs = ["", "[]", "{", '["a", 1, 2]', '["English", "a", "b"]', '["x", "\\ud83d", "y"]',
             '["' + "n" * 10**5 + '","a","b"]']  # fmt: skip
    shares = ["x", "[1]", "3", '["Thai", "x"]', '["Thai", 99]', '["English", -4]', '["Klingon", 1e999]']
    app = opened(PAGE, pairs=pairs, shares=shares, compared=["gpt2"])
    assert not app.exception
    assert [slider.value for slider in app.slider] == [0, 10, 0, 0, 0]
    assert {language for _, language in figures(app, "parity")} == {"English", "Thai", "Chinese", "x", "n" * 30}
    assert len(charts(app)) == 1
    app.slider[0].set_value(3).run()
    assert not app.exception
    assert [slider.value for slider in app.slider] == [3, 10, 0, 0, 0]
    assert train(app).session_state["mix_results"]
    assert not app.exception


def test_hostile_names_of_languages_are_shown_as_text():
    app = opened(PAGE, pairs=[json.dumps([HOSTILE[:30], "a", HOSTILE])], compared=["gpt2"])
    assert not app.exception
    assert HOSTILE[:30] in [text.value for text in app.text]
    for shown in [*app.caption, *app.markdown, *app.info, *app.error, *app.subheader]:
        assert "<img" not in shown.value
    for widget in [*app.slider, *app.button, *app.text_area, *app.file_uploader]:
        assert "<img" not in widget.label


def train(app: AppTest) -> AppTest:
    return after_training(app, "Train on this mix")


def result(app: AppTest) -> MixResult:
    return app.session_state["mix_results"][-1]


def test_a_mix_gives_what_the_package_alone_gives():
    app = train(opened(PAGE, mix_vocab_size=512, mix_bytes=6_000))
    assert not app.exception
    documents = mixed_documents({"e": sample("english"), "t": sample("thai")}, {"e": 2, "t": 1}, 6_000)
    tokenizer = tokviz.train(documents, vocab_size=512, split_pattern="o200k", min_count=2)
    costs = language_costs(tokenizer, parallel_sentences())
    shown = result(app)
    assert shown.parity == {name: costs[code].parity for name, code in CODES.items()}
    assert shown.bytes_per_token == {name: costs[code].bytes_per_token for name, code in CODES.items()}
    assert shown.n_vocab == 512 and shown.shares == {"English": 2, "Thai": 1, "Chinese": 0}
    button(app, "Keep this tokenizer").click().run()
    assert not app.exception
    name = app.session_state["tokenizer"]
    assert app.session_state["trained"][name].tokenizer == tokenizer
    assert name == "mix 1: English 2, Thai 1" and figures(app, "parity")[name, "Thai"] == shown.parity["Thai"]


def test_while_a_mix_trains_no_other_can_be_begun(monkeypatch):
    task = TrainingTask(["low lower"], name="mix", vocab_size=300, min_count=1, split_pattern="gpt2")
    job = TrainingJob(task)  # in no queue: it waits until it is stopped
    monkeypatch.setattr("pages.ui.languages.mix_experiment.mix_job", lambda settings: job)
    app = opened(PAGE)
    late = app._tree  # the page as a browser has it that was not yet told that the button is disabled
    button(app, "Train on this mix").click().run()
    assert button(app, "Train on this mix").disabled
    assert any("A reload of the page ends this training" in caption.value for caption in app.caption)
    other = TrainingJob(task)
    monkeypatch.setattr("pages.ui.languages.mix_experiment.mix_job", lambda settings: other)
    app._tree = late
    button(app, "Train on this mix").click().run()
    assert app.session_state["mix_run"][1] is job
    job.stop()
    app.run()
    assert not app.exception and app.session_state["mix_run"] is None
    assert not button(app, "Train on this mix").disabled


@pytest.mark.slow
def test_earlier_mixes_stay_and_the_same_mix_is_there_once():
    app = train(opened(PAGE, mix_vocab_size=300, mix_bytes=3_000))
    first = result(app)
    app.slider[1].set_value(0).run()
    app = train(app)
    second = result(app)
    assert second.shares["Thai"] == 0 and second.parity["Thai"] > first.parity["Thai"]
    parity, compression = charts(app)[1:]
    labels = [f"{second.number}. English 2 · 300", f"{first.number}. English 2 : Thai 1 · 300"]
    for spec in (parity, compression):
        assert spec["layer"][0]["encoding"]["y"]["sort"] == labels
        assert [layer["mark"]["filled"] for layer in spec["layer"]] == [False, True]
    app.slider[1].set_value(1).run()
    app = train(app)
    again = result(app)
    assert again.parity == first.parity and again.bytes_per_token == first.bytes_per_token
    assert [shown.number for shown in app.session_state["mix_results"]] == [2, 3]
    button(app, "Forget these results").click().run()
    assert len(charts(app)) == 1


def test_a_share_without_a_text_counts_as_none_and_no_share_at_all_cannot_train():
    app = opened(PAGE, pairs=[LAO], shares=['["Lao", 5]', '["Klingon", 3]'])
    assert not app.exception
    assert app.slider[3].disabled and app.slider[3].value == 0
    assert button(app, "Train on this mix").disabled
    assert "share above 0" in app.info[0].value


@pytest.mark.slow
def test_an_own_text_replaces_the_sample_and_is_judged_on_sentences_it_may_hold():
    app = opened(PAGE, pairs=[LAO], mix_vocab_size=300)
    text = "ສະບາຍດີຕອນເຊົ້າ " * 50
    app.file_uploader[3].upload("lao.txt", text.encode("utf-16"), "text/plain").run()
    assert app.session_state["mix_texts"] == {"Lao": text}
    app.slider[3].set_value(4).run()
    app = train(app)
    assert not app.exception
    assert result(app).own == ["Lao"] and result(app).label == "1. English 2 : Thai 1 : Lao* 4 · 300"
    assert "1 of the sentences in Lao stand in its text too" in " ".join(shown.value for shown in app.text)
    button(app, "Leave out my text").click().run()
    assert app.session_state["mix_texts"] == {}
    assert not app.exception


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"", "There is no text in it"), (b" \n", "There is no text in it"), (b"a" * 5_000_001, "5,000,001 bytes")],
)
def test_a_file_without_a_text_or_too_large_is_refused_in_words(data, words):
    app = opened(PAGE)
    app.file_uploader[1].upload("../<b>.txt", data, "text/plain").run()
    assert not app.exception
    assert words in app.code[0].value
    assert app.session_state["mix_texts"] == {}


def test_a_file_of_another_encoding_is_opened_when_the_user_agrees():
    app = opened(PAGE)
    app.file_uploader[1].upload("thai.txt", sample("thai").encode("cp874"), "text/plain").run()
    button(app, "Open it as cp874").click().run()
    assert app.session_state["mix_texts"] == {"Thai": sample("thai")}
    app.file_uploader[1].upload("noise", b"\xff\xfe\xfd", "text/plain").run()
    assert not app.exception
    assert any("noise is not UTF" in text.value for text in app.text)


def test_a_pattern_that_does_not_end_leaves_its_tokenizer_out(monkeypatch):
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.1)
    hostile = tokviz.Tokenizer("hostile", "(a|aa)+$", {bytes([i]): i for i in range(256)})
    app = opened(PAGE, trained={"hostile": Trained(hostile, (), 1)}, compared=["hostile", "gpt2"],
                 pairs=[json.dumps(["Lao", "a" * 60 + "b", "x"])])  # fmt: skip
    assert not app.exception
    assert "did not end" in app.code[0].value
    assert {name for name, _ in figures(app, "parity")} == {"gpt2"}
