"""The mix experiment: plain and parity-aware mixes that can be repeated and judged fairly, and odd input in words."""

import pytest
from opening import after_training, box, button, charts, part
from streamlit.testing.v1 import AppTest
from trainings import task

import tokviz
from pages.ui.languages.mix_price import highest_and_mean_sentences, tokens_by_language_table
from pages.ui.languages.mix_results import MixResult
from tokviz.core.samples import sample
from tokviz.corpus.mixes import mixed_documents, mixed_documents_by_language
from tokviz.jobs.job import TrainingJob
from tokviz.languages.parity import language_costs
from tokviz.languages.table import LANGUAGES, parallel_sentences

PAGE = "pages/languages.py"
TEXTS = {"en": sample("english"), "th": sample("thai"), "zh-Hans": sample("chinese")}
SHARES = {"en": 2, "th": 1, "zh-Hans": 1}
NAMES = {"en": "English", "th": "Thai", "zh-Hans": "Simplified Chinese"}
SMALL = {"mix_vocab_size": 340, "mix_bytes": 5_000}
LEADING, JUDGING = parallel_sentences()[::2], parallel_sentences()[1::2]


def mix():
    from pages.ui.languages.mix_experiment import show_mix_experiment

    show_mix_experiment()


def sliders(app: AppTest):
    return [slider for slider in app.slider if slider.label.startswith("Share of language")]


def train(app: AppTest) -> AppTest:
    return after_training(app, "Train on this mix")


def results(app: AppTest) -> list[MixResult]:
    return app.session_state["mix_results"]


def said(app: AppTest) -> str:
    return "\n".join(text.value for text in app.text)


def test_a_mix_gives_what_the_package_alone_gives_by_either_training():
    app = train(part(mix, **SMALL))
    assert not app.exception
    options = {"vocab_size": SMALL["mix_vocab_size"], "split_pattern": "o200k", "min_count": 2}
    plain = tokviz.train(mixed_documents(TEXTS, SHARES, SMALL["mix_bytes"]), **options)
    named = {NAMES[code]: some for code, some in mixed_documents_by_language(TEXTS, SHARES, SMALL["mix_bytes"]).items()}
    leads = [{NAMES[code]: sentence[code] for code in NAMES} for sentence in LEADING]
    fair = tokviz.train_parity_aware(named, leads, **options)
    for shown, tokenizer in zip(results(app), (plain, fair), strict=True):
        costs = language_costs(tokenizer, JUDGING)
        assert shown.costs == {code: costs[code]._replace(tokenizer=shown.way) for code in SHARES}
        assert shown.shares == SHARES and {cost.n_sentences for cost in shown.costs.values()} == {6}
        for size, n_tokens in list(zip(shown.sizes, shown.curves["th"], strict=True))[::20]:
            cut = tokenizer.truncated(size - 256)
            assert n_tokens == sum(len(cut.encode(sentence["th"])) for sentence in JUDGING)
        assert shown.sizes[-1] == SMALL["mix_vocab_size"] and shown.curves["th"][-1] == shown.tokens["th"]
    app.button(key="_mix_keep 1").click().run()
    assert not app.exception
    name = app.session_state["tokenizer"]
    assert name == "mix 1, parity: en 2, th 1, zh-Hans 1"
    kept = app.session_state["kept"][name]
    assert kept.tokenizer == fair and set(kept.origin.languages) == set(NAMES.values())


def test_parity_aware_the_dearest_language_pays_less_and_the_page_says_what_the_mean_pays():
    app = train(part(mix))
    plain, fair = results(app)
    worst = {each.way: max(each.tokens.values()) for each in (plain, fair)}
    assert worst["parity-aware"] < 0.95 * worst["plain BPE"]
    less = 1 - worst["parity-aware"] / worst["plain BPE"]
    assert f"With parity-aware training, the language that pays most pays {less:.1%} less, and the mean is" in said(app)
    assert f"Plain BPE: Thai pays most, {worst['plain BPE']:,} tokens" in said(app)
    table = tokens_by_language_table([plain, fair])
    assert list(table.index) == [
        "Thai",
        "English",
        "Simplified Chinese",
        "The mean",
        "The most expensive against the mean",
    ]
    assert table.loc["The mean", "plain BPE"] == f"{sum(plain.tokens.values()) / 3:,.0f}"
    (spec,) = [spec for spec in charts(app) if "strokeDash" in spec.get("encoding", {})]
    assert spec["encoding"]["color"]["scale"]["domain"] == ["plain BPE", "parity-aware"]


def test_languages_without_a_sample_learn_from_the_sentences_that_lead_and_all_36_can_join():
    app = train(part(mix, mix_languages=["en", "lo", "am"], **SMALL))
    assert not app.exception
    plain, fair = results(app)
    assert list(plain.shares) == ["en", "lo", "am"]
    apart = {each.way: max(each.tokens.values()) - min(each.tokens.values()) for each in (plain, fair)}
    assert {*fair.tokens} == {"en", "lo", "am"} and apart["parity-aware"] < apart["plain BPE"]
    assert "judge stand in its text" not in said(app)
    app = part(mix, mix_languages=[*LANGUAGES])
    assert not app.exception and len(sliders(app)) == 36 and not any(slider.disabled for slider in sliders(app))


def test_parity_aware_training_alone():
    app = train(part(mix, mix_way="Parity-aware", mix_vocab_size=300, mix_bytes=3_000))
    assert not app.exception
    assert [result.way for result in results(app)] == ["parity-aware"]
    assert len(highest_and_mean_sentences(results(app))) == 1


def test_while_a_mix_trains_no_other_can_be_begun(monkeypatch):
    job = TrainingJob(task(["low lower"], vocab_size=300))  # in no queue: it waits until it is stopped
    monkeypatch.setattr("pages.ui.languages.mix_experiment.submit_mix_jobs", lambda settings: {"plain BPE": job})
    app = part(mix)
    late = app._tree  # the page as a browser has it that was not yet told that the button is disabled
    button(app, "Train on this mix").click().run()
    assert button(app, "Train on this mix").disabled
    assert any("Reloading the page ends this training" in caption.value for caption in app.caption)
    other = TrainingJob(job.task)
    monkeypatch.setattr("pages.ui.languages.mix_experiment.submit_mix_jobs", lambda settings: {"plain BPE": other})
    app._tree = late
    button(app, "Train on this mix").click().run()
    assert app.session_state["mix_run"][1]["plain BPE"] is job
    job.stop()
    app.run()
    assert not app.exception and app.session_state["mix_run"] is None
    assert not button(app, "Train on this mix").disabled


@pytest.mark.slow
def test_earlier_mixes_stay_and_the_same_mix_is_there_once():
    app = train(part(mix, mix_languages=["en", "th"], mix_vocab_size=300, mix_bytes=3_000))
    first, fair = results(app)
    sliders(app)[1].set_value(0).run()
    app = train(app)
    assert [(each.number, each.shares["th"]) for each in results(app)] == [(1, 1), (1, 1), (2, 0), (2, 0)]
    assert results(app)[2].costs["th"].parity > first.costs["th"].parity
    labels = [
        "2. parity-aware: English 2 · 300",
        "2. English 2 · 300",
        "1. parity-aware: English 2 : Thai 1 · 300",
        "1. English 2 : Thai 1 · 300",
    ]
    for spec in [spec for spec in charts(app) if "layer" in spec][-2:]:
        assert spec["layer"][0]["encoding"]["y"]["sort"] == labels
        assert [layer["mark"]["filled"] for layer in spec["layer"]] == [False, True]
    sliders(app)[1].set_value(1).run()
    app = train(app)
    assert [shown.number for shown in results(app)] == [2, 2, 3, 3]
    assert results(app)[2].tokens == first.tokens and results(app)[3].curves == fair.curves
    button(app, "Forget these results").click().run()
    assert not app.exception and results(app) == []


def test_a_file_without_a_text_or_too_large_is_refused_in_words():
    app, no_text = part(mix), "empty or only white space"
    for data, words in ((b"", no_text), (b" \n", no_text), (b"a" * 5_000_001, "5,000,001 bytes")):
        box(app.file_uploader, "A text file").upload("../<b>.txt", data, "text/plain").run()
        assert not app.exception
        assert words in app.code[0].value
        assert app.session_state["mix_texts"] == {}


def test_a_file_of_another_encoding_is_opened_when_the_user_agrees():
    app = part(mix, mix_languages=["th", "en"])
    box(app.file_uploader, "A text file").upload("thai.txt", sample("thai").encode("cp874"), "text/plain").run()
    button(app, "Open it as cp874").click().run()
    assert app.session_state["mix_texts"] == {"th": sample("thai")}
    box(app.file_uploader, "A text file").upload("noise", b"\xff\xfe\xfd", "text/plain").run()
    assert not app.exception
    assert any("noise is not UTF" in text.value for text in app.text)


def test_shares_that_a_tab_gives_back_and_are_none_do_no_harm():
    shares = ["x", "[1]", "3", '["Thai", "x"]', '["Thai", 99]', '["en", -4]', '["Klingon", 1e999]']
    app = part(mix, shares=shares)
    assert not app.exception
    assert [slider.value for slider in sliders(app)] == [0, 10, 1]
    sliders(app)[0].set_value(3).run()
    assert not app.exception
    assert [slider.value for slider in sliders(app)] == [3, 10, 1]


def test_no_language_and_no_share_at_all_cannot_train():
    for state in ({"mix_languages": []}, {"mix_languages": ["en"], "shares": ['["en", 0]']}):
        app = part(mix, **state)
        assert not app.exception
        assert button(app, "Train on this mix").disabled
        assert any("share above 0" in info.value for info in app.info)


def test_an_own_text_replaces_the_sample_and_is_judged_on_sentences_it_may_hold():
    app = part(mix, mix_languages=["th", "en"], mix_vocab_size=300, mix_way="Plain BPE")
    text = f"{parallel_sentences()[1]['th']} {parallel_sentences()[0]['th']} " * 50
    box(app.file_uploader, "A text file").upload("thai.txt", text.encode("utf-16"), "text/plain").run()
    assert app.session_state["mix_texts"] == {"th": text}
    app = train(app)
    assert not app.exception
    assert [result.way for result in results(app)] == ["plain BPE"]
    assert len(highest_and_mean_sentences(results(app))) == 1
    assert results(app)[0].own == ["th"] and results(app)[0].label == "1. Thai* 1 : English 2 · 300"
    assert "1 of the Thai test sentences also occurs in its training text" in said(app)
    button(app, "Remove my text").click().run()
    assert app.session_state["mix_texts"] == {}
    assert not app.exception
