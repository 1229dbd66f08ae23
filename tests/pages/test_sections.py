"""The sections on vocabulary size and on a corpus: figures recomputed by the library, odd files in words."""

import threading

import pytest
import tiktoken
from opening import button, charts, opened, uploaded
from streamlit.testing.v1 import AppTest
from trainings import made

import tokviz
from pages.ui.compare.corpus import corpus_sentence
from pages.ui.compare.numbers import share_text
from pages.ui.compare.vocabulary_size import PRETOKENS_MIN, knee_text, parameters_chart, tokens_and_parameters_table
from pages.ui.train.run import train_at_once
from tokviz.core.samples import sample
from tokviz.families.teaching import list_tokenizer
from tokviz.formats.pretrained import full_name, short_name
from tokviz.jobs.corpus_run import CorpusRun, FileFigures
from tokviz.text.unknown_text import UnknownText
from tokviz.training.plan import Plan
from tokviz.vocabulary.cost import vocabulary_doublings

SCRIPT = "tests/browser/apps/sections_app.py"
NAMES, SHORT, GPT2 = ["gpt2", "o200k_base"], ["GPT-2", "GPT-4o"], "GPT-2 · gpt2"
THAI = sample("thai")


def section(name: str, *, text: str | None = None, **state: object) -> AppTest:
    return opened(SCRIPT, text, query={"section": name}, script=SCRIPT, **{"compared": NAMES, **state})


def test_bars_of_shared_parameters_say_so_in_place_of_a_legend():
    cuts = {"GPT-2": list(vocabulary_doublings(tokviz.trace(tokviz.load("gpt2"), "low").curve()))}
    for tied, title in ((True, "parameters of the embedding, which is the output layer too"), (False, "parameters")):
        bars, figures = parameters_chart(tokens_and_parameters_table(cuts, width=8, tied=tied)).to_dict()["layer"]
        drawn = bars["encoding"]
        assert figures["mark"]["type"] == "text"
        assert drawn["x"]["title"] == title and (drawn["opacity"]["legend"] is None) == tied
        assert drawn["color"]["field"] == "tokenizer"  # as of its line


def test_compare_says_nothing_of_an_empty_text():
    said = [[each.value for each in opened("pages/compare.py", text).text] for text in ("", "low")]
    assert [any("just as" in each for each in of_one) for of_one in said] == [False, True]


def test_the_costs_of_a_vocabulary_size():
    app = section("vocabulary", text=sample("english"), width=1_000, tied=False)
    assert not app.exception
    table = app.dataframe[0].value.set_index(["tokenizer", "vocabulary"])
    assert table["tokens"][GPT2, 256] == len(sample("english").encode())
    gpt2 = tokviz.load("gpt2")
    assert table["tokens"][GPT2, 1_024] == len(gpt2.truncated(768).encode(sample("english")))
    assert table["tokens"][GPT2, 50_256] == len(tiktoken.get_encoding("gpt2").encode(sample("english")))
    row = table.loc[GPT2, 1_024]
    assert (row["embedding"], row["output"], row["parameters"]) == (1_024_000, 1_024_000, 2_048_000)
    saved, short, *knees = [text.value for text in app.text]
    shares = [share_text(table["saved"][full_name(name)].iloc[-1]) for name in NAMES]
    assert saved.endswith(f" saves {shares[0]} of the tokens here under GPT-2 and {shares[1]} under GPT-4o.")
    assert short.startswith("A text this short")
    assert knees == [words_of_knee(sample("english"), name) for name in NAMES]
    curve, parameters = charts(app)
    assert curve["encoding"]["color"]["scale"]["domain"] == SHORT
    assert curve["encoding"]["x"]["scale"]["type"] == "log"
    assert parameters["layer"][0]["encoding"]["y"]["sort"] == SHORT
    app.toggle[1].set_value(False).run()
    assert "type" not in charts(app)[0]["encoding"]["x"]["scale"]


def test_the_head_of_a_corpus_says_who_makes_the_fewest_tokens_and_where():
    def of(tokenizer: str, file: str, n_tokens: int, n_unknown: int = 0) -> FileFigures:
        return FileFigures(file, tokenizer, n_tokens, 100, 100, None, None, UnknownText(n_unknown, 100))

    figures = [of("gpt2", "a", 10), of("o200k_base", "a", 8), of("gpt2", "b", 90), of("o200k_base", "b", 30)]
    whole = "GPT-4o makes 38 tokens of all files, 62% fewer than GPT-2. "
    whole += "The largest difference is in b: 30 instead of 90."
    assert corpus_sentence(figures) == whole
    assert corpus_sentence([*figures, of("bert", "a", 1, 50), of("bert", "b", 1, 50)]) == whole  # it loses text
    assert corpus_sentence([*figures, of("gpt2", "c", 5)]) == whole  # stopped before the other counted it
    assert corpus_sentence(figures[:2]) == "GPT-4o makes 8 tokens of a, 20% fewer than GPT-2."
    assert [corpus_sentence(each) for each in ([], figures[:1], [*figures[:1], of("bert", "a", 10)])] == ["", "", ""]


def test_a_knee_is_named_only_where_all_further_doublings_save_little():
    words = words_of_knee("the " * 2_000)
    assert "the knee is at 512. Above it, each doubling saves less than 5%" in words
    assert "2,001 tokens is the fewest the text can have" in words
    assert "no knee here" in words_of_knee(THAI * 20, "o200k_base")


def test_no_knee_is_named_on_a_text_too_short_to_have_one():
    for n_words, is_named in ((PRETOKENS_MIN - 1, False), (PRETOKENS_MIN, True)):
        words = words_of_knee("the" + " the" * (n_words - 1))
        assert ("the knee is at" in words) == is_named


def words_of_knee(text: str, name: str = "gpt2") -> str:
    traced = tokviz.trace(tokviz.load(name), text)
    return knee_text(short_name(name), list(vocabulary_doublings(traced.curve())), len(traced.pretoken_ends))


def test_figures_on_the_own_training_text_of_a_tokenizer_say_so():
    english = sample("english")
    mine = train_at_once(english, Plan(300, "gpt2", min_count=2), "mine")
    state = {"kept": {"mine": mine}, "compared": ["mine", "gpt2"]}
    own = "On its own training text: mine"
    for text, is_own in ((english, True), (english + " ", False)):
        app = section("vocabulary", text=text, **state)
        assert any(each.value.startswith(f"{own}. ") for each in app.text) == is_own
    app = opened("pages/compare.py", english, **state)
    assert any(each.value.startswith(f"{own}. ") for each in app.text)
    app = counted(uploaded(section("corpus", **state), ("a.txt", english.encode()), ("b.txt", b"other")))
    assert any(each.value.startswith(f"{own} on a.txt. ") for each in app.text)


@pytest.mark.parametrize("text", ["", " ", "\ud83d", "a" * 100_001, "<script>alert(1)</script>", "น้ำ"])
@pytest.mark.slow
def test_odd_texts_have_a_curve_or_a_hint(text):
    app = section("vocabulary", text=text)
    assert not app.exception and not app.error
    assert len(app.info) == (text == "" or len(text) > 100_000)
    assert len(charts(app)) == (2 if text else 0)


def test_tokenizers_without_a_history_or_with_a_pattern_that_does_not_end_are_left_out(monkeypatch):
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.1)

    class Opaque:
        name = "opaque"

    hostile = tokviz.Tokenizer("hostile", "(a|aa)+$", {bytes([i]): i for i in range(256)})
    kept = {"hostile": made(hostile), "opaque": made(Opaque())}
    app = section("vocabulary", text="a" * 60 + "b", kept=kept, compared=["hostile", "opaque"])
    assert not app.exception
    assert "did not end" in app.code[0].value
    assert app.text[0].value.startswith("opaque is left out")
    assert not charts(app)


def texts(app: AppTest) -> dict[str, str]:
    """Return the texts that would be counted, as far as there are any."""
    return {name: one.text for name, one in app.session_state["corpus_readings"].items() if one.text}


def counted(app: AppTest) -> AppTest:
    """Press the button, and wait for the end."""
    app = button(app, "Count the tokens").click().run()
    assert app.session_state["corpus_run"].wait(30)
    return app.run()


def test_the_figures_of_files_are_what_tiktoken_alone_says():
    texts = {"english.txt": sample("english"), "thai.txt": THAI, "empty.txt": ""}
    app = counted(uploaded(section("corpus"), *((name, text.encode()) for name, text in texts.items())))
    assert not app.exception and not app.error
    table = app.dataframe[0].value.set_index(["file", "tokenizer"])
    for name in NAMES:
        encode = tiktoken.get_encoding(name).encode
        for file, text in texts.items():
            row = table.loc[file, full_name(name)]
            assert (row["tokens"], row["characters"]) == (len(encode(text)), len(text))
            assert row["bytes"] == len(text.encode())
            if text:
                assert row["bytes per token"] == len(text.encode()) / len(encode(text))
        every = table.loc["all files", full_name(name)]
        assert every["tokens"] == sum(len(encode(text)) for text in texts.values())
        english = table.loc["english.txt", full_name(name)]
        assert english["tokens per word"] == len(encode(sample("english"))) / len(sample("english").split())
        assert 0 < english["words in one token"] < 1
    assert table["tokens per word"].isna().to_dict()["thai.txt", GPT2]
    assert table["tokens per word"].isna().to_dict()["all files", GPT2]
    assert "unknown" not in table and not any("unknown" in caption.value.lower() for caption in app.caption)
    (spec,) = charts(app)
    assert spec["layer"][0]["encoding"]["y"]["sort"] == [*texts, "all files"]


def test_unknown_text_of_files_adds_up_and_is_shown_only_where_there_is_some():
    words = list_tokenizer("words", "one two")
    files = ("a.txt", b"one two three"), ("b.txt", b"four")
    app = section("corpus", kept={"words": made(words)}, compared=["words", "gpt2"])
    table = counted(uploaded(app, *files)).dataframe[0].value.set_index(["file", "tokenizer"])
    shares = {"a.txt": 5 / 11, "b.txt": 1, "all files": 9 / 15}
    assert table["unknown"].to_dict() == {
        (file, name): share if name == "words" else 0 for file, share in shares.items() for name in ("words", GPT2)
    }


@pytest.mark.slow
def test_figures_say_when_they_are_of_other_files_or_tokenizers_than_those_chosen():
    def is_outdated() -> bool:
        return any("Count again" in info.value for info in app.info)

    app = counted(section("corpus", opened_files={"a.txt": b"a b"}))
    assert not is_outdated()
    app.session_state["compared"] = ["cl100k_base", "gpt2"]
    app.run()
    assert is_outdated() and set(app.dataframe[0].value["tokenizer"]) == {full_name(name) for name in NAMES}
    app.session_state["compared"] = NAMES
    for files in ({"a.txt": b"another text"}, {"a.txt": b"a b", "more.txt": b"c"}, {"b.txt": b"a b"}):
        app.session_state["opened_files"] = files
        app.run()
        assert is_outdated() and not app.exception
    app.session_state["opened_files"] = {"a.txt": b"a b"}
    app.run()
    assert not is_outdated()
    app.session_state["compared"] = ["cl100k_base", "gpt2"]
    app = uploaded(app.run(), ("more.txt", b"c"))
    assert is_outdated()
    app = counted(app)
    assert not is_outdated() and set(app.dataframe[0].value["tokenizer"]) == {
        full_name("cl100k_base"),
        full_name("gpt2"),
    }


def test_files_are_kept_with_hostile_names_and_names_given_twice():
    hostile = "<img src=x onerror=alert(1)>|$x$.txt"
    app = uploaded(section("corpus"), (hostile, b"a b"), (hostile, b"c"), ("all files", b"d"))
    assert list(app.session_state["opened_files"]) == [hostile, f"(2) {hostile}", "(2) all files"]
    app = uploaded(app, ("more.txt", b"e"))
    assert len(counted(app).dataframe[0].value) == 10
    assert not app.exception
    for shown in [*app.caption, *app.markdown, *app.info]:
        assert "<img" not in shown.value
    button(app, "Remove all files").click().run()
    assert app.session_state["opened_files"] == {}
    assert button(app, "Count the tokens").disabled


def test_the_samples_are_counted_as_an_example_until_a_file_is_opened():
    app = section("corpus")
    assert app.session_state["sample_run"].wait(30)
    app = app.run()
    assert not app.exception and any("an example" in each.value for each in app.caption)
    table = app.dataframe[0].value.set_index(["file", "tokenizer"])
    assert table.loc[("thai.txt", full_name("gpt2")), "tokens"] == len(
        tiktoken.get_encoding("gpt2").encode(sample("thai"))
    )
    app = uploaded(app, ("a.txt", b"a"))
    assert not app.dataframe and not app.exception


def test_files_that_are_too_large_or_no_text_are_named(monkeypatch):
    monkeypatch.setattr("pages.ui.compare.corpus_files.FILE_BYTES_MAX", 3_000_000)
    app = uploaded(section("corpus"), ("big.txt", b"a" * 3_000_001), ("thai.txt", THAI.encode("cp874")))
    assert not app.exception
    assert "big.txt has 3,000,001 bytes" in app.code[-1].value
    assert texts(app) == {}
    button(app, "Open it as cp874").click().run()
    assert texts(app) == {"thai.txt": THAI}


def test_what_is_no_text_is_refused_and_unmarked_utf_16_is_asked_about():
    app = uploaded(section("corpus"), ("a.bin", bytes(range(256)) * 9), ("zeroes", bytes(500)))
    assert "a.bin is not UTF-8" in app.code[-1].value and "zeroes is not UTF-8" in app.code[-1].value
    assert not app.session_state["opened_files"]
    app = uploaded(section("corpus"), ("thai.txt", THAI.encode("utf-16-le")), ("en.txt", "one two".encode("utf-16-be")))
    assert texts(app) == {}
    button(app, "Open it as utf-16-le").click().run()
    assert texts(app) == {"thai.txt": THAI}
    button(app, "Remove all files").click().run()
    assert not [button.label for button in app.button if button.label.startswith("Open it")]


def test_a_count_can_be_stopped_and_a_tokenizer_that_fails_does_not_stop_it():
    class Slow:
        name = "slow"

        def encode(self, text, *, allowed_special=()):
            raise AssertionError("not reached")

    class Refusing:
        name = "refusing"
        kind = "a kind"
        token_bytes = None

        def spans(self, text, *, allowed_special=()):
            assert begun.wait(30)
            run.stop()
            raise ValueError(f"no token for {text!r}")

    ready = tokviz.load("gpt2")
    begun = threading.Event()  # the run is at work before it has a name here
    run = CorpusRun([("a", "one")], [ready, Refusing(), Slow()])
    begun.set()
    assert run.wait(30) and run.is_stopped
    assert [(one.tokenizer, one.n_tokens) for one in run.figures] == [("gpt2", 1)]
    assert run.problems == ["a under refusing: no token for 'one'"]
    assert 0 < run.progress < 1


def test_a_second_press_of_the_same_button_opens_no_other_file():
    given = [f"{THAI} {n}" for n in range(3)]
    app = uploaded(section("corpus"), *((f"{n}.txt", text.encode("cp874")) for n, text in enumerate(given)))
    for n in (1, 2):  # of those after it, and of the last one
        pressed = [button for button in app.button if button.label == "Open it as cp874"][-1 if n == 2 else 0]
        pressed.click().run()
        pressed.click().run()
        assert not app.exception and not app.error
        files = texts(app)
        assert len(files) == n and all(files[f"{name[0]}.txt"] == given[int(name[0])] for name in files)


def test_files_whose_encoding_is_asked_for_have_the_limits_of_all(monkeypatch):
    monkeypatch.setattr("pages.ui.shared.opened_files.FILES_MAX", 2)
    thai = THAI.encode("cp874")
    app = uploaded(section("corpus"), ("a.txt", thai), ("b.txt", b"two"), ("c.txt", thai), ("d.txt", b"four"))
    assert "c.txt was not added" in app.code[-1].value and "d.txt was not added" in app.code[-1].value
    app = button(app, "Open it as cp874").click().run()
    assert texts(app) == {"b.txt": "two", "a.txt": THAI}
    app = button(app, "Remove all files").click().run()
    monkeypatch.setattr("pages.ui.compare.corpus_files.TOTAL_CHARACTERS_MAX", len(THAI) + 1)
    app = uploaded(app, ("a.txt", thai), ("b.txt", thai))
    assert "b.txt would bring the files to more than" in app.code[-1].value
