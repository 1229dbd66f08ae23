"""The mix experiment: mixes that can be repeated, and odd input in words."""

import json

import pytest
from opening import after_training, button, opened
from streamlit.testing.v1 import AppTest

import tokviz
from pages.ui.languages.mix_results import MixResult
from tokviz.analysis.parity import language_costs
from tokviz.core.samples import sample
from tokviz.jobs.job import TrainingJob
from tokviz.jobs.task import TrainingTask
from tokviz.languages.table import parallel_sentences
from tokviz.training.mixes import mixed_documents

PAGE = "pages/languages.py"
CODES = {"English": "en", "Thai": "th", "Chinese": "zh-Hans"}


def uploader(app: AppTest, number: int):
    """Return where the text of a language is opened."""
    return [box for box in app.file_uploader if box.label == "A text file, UTF-8"][number]


def charts(app: AppTest) -> list[dict]:
    return [json.loads(chart.proto.spec) for chart in app.get("vega_lite_chart")]


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
    assert name == "mix 1: English 2, Thai 1" and name in app.session_state["compared"]


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


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"", "There is no text in it"), (b" \n", "There is no text in it"), (b"a" * 5_000_001, "5,000,001 bytes")],
)
def test_a_file_without_a_text_or_too_large_is_refused_in_words(data, words):
    app = opened(PAGE)
    uploader(app, 1).upload("../<b>.txt", data, "text/plain").run()
    assert not app.exception
    assert words in app.code[0].value
    assert app.session_state["mix_texts"] == {}


def test_a_file_of_another_encoding_is_opened_when_the_user_agrees():
    app = opened(PAGE)
    uploader(app, 1).upload("thai.txt", sample("thai").encode("cp874"), "text/plain").run()
    button(app, "Open it as cp874").click().run()
    assert app.session_state["mix_texts"] == {"Thai": sample("thai")}
    uploader(app, 1).upload("noise", b"\xff\xfe\xfd", "text/plain").run()
    assert not app.exception
    assert any("noise is not UTF" in text.value for text in app.text)


@pytest.mark.slow
def test_shares_that_a_tab_gives_back_and_are_none_do_no_harm():
    shares = ["x", "[1]", "3", '["Thai", "x"]', '["Thai", 99]', '["English", -4]', '["Klingon", 1e999]']
    app = opened(PAGE, shares=shares, compared=["gpt2"])
    assert not app.exception
    assert [slider.value for slider in app.slider] == [0, 10, 0]
    app.slider[0].set_value(3).run()
    assert not app.exception
    assert [slider.value for slider in app.slider] == [3, 10, 0]
    assert train(app).session_state["mix_results"]
    assert not app.exception


def test_no_share_at_all_cannot_train():
    app = opened(PAGE, shares=['["Klingon", 3]'])
    assert not app.exception
    assert button(app, "Train on this mix").disabled
    assert any("share above 0" in info.value for info in app.info)


@pytest.mark.slow
def test_an_own_text_replaces_the_sample_and_is_judged_on_sentences_it_may_hold():
    app = opened(PAGE, mix_vocab_size=300)
    text = f"{parallel_sentences()[0]['th']} " * 50
    uploader(app, 1).upload("thai.txt", text.encode("utf-16"), "text/plain").run()
    assert app.session_state["mix_texts"] == {"Thai": text}
    app = train(app)
    assert not app.exception
    assert result(app).own == ["Thai"] and result(app).label == "1. English 2 : Thai* 1 · 300"
    assert "1 of the sentences in Thai stand in its text too" in " ".join(shown.value for shown in app.text)
    button(app, "Leave out my text").click().run()
    assert app.session_state["mix_texts"] == {}
    assert not app.exception
