"""The train page: files, a stop, a reload in mid-training, and what is said of the end."""

import gc
import gzip
import json
import random
import time
import tomllib
import weakref
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from opening import (
    after_training,
    button,
    data_sent,
    labels,
    once_trained,
    opened,
    option_of,
    set_document_text,
    text_of,
    uploaded,
    without_script,
)
from trainings import task

import tokviz
from pages.ui.compare import corpus_files
from pages.ui.session_tokenizers.download import CODE
from pages.ui.session_tokenizers.file_opener import MAX_FILE_BYTES
from pages.ui.shared import opened_files
from pages.ui.shared.text import RHYME
from pages.ui.train import documents
from pages.ui.train import progress as training_progress
from pages.ui.train.progress import latest_merge_lines, progress_text
from pages.ui.train.run import training_queue
from tokviz.core.samples import sample
from tokviz.jobs.queue import KILLED
from tokviz.records.session_tokenizer import kept_tokens
from tokviz.text.combining_marks import marks_cut_off
from tokviz.text.words import quantity
from tokviz.training.held_out import split_held_out


@cache
def long_text() -> str:
    """Return a text that takes some seconds of merging."""
    words = random.Random(3)
    return " ".join("".join(words.choices("abcdefghij", k=12)) for _ in range(400_000))


def with_files(files: dict[str, bytes], **state):
    return opened("pages/train.py", train_on="Files", vocab_size=300, opened_files=dict(files), **state)


@cache
def low_lower():
    """Return the page after a training on two words, for tests that only read it."""
    app = after_training(opened("pages/train.py", "low lower", vocab_size=258))
    app.default_timeout = 0
    return app


def tokenizer(app, name="my tokenizer"):
    return app.session_state["kept"][name].tokenizer


def test_files_are_trained_on_as_documents(processes):
    lines = "".join(json.dumps({"body": text}) + "\n" for text in (sample("english"), "low lower"))
    files = {"a.jsonl": lines.encode(), "b.txt.gz": gzip.compress(sample("thai").encode())}
    app = after_training(uploaded(with_files({}, text_key="body"), *files.items()))
    assert not app.exception and not app.error and not app.warning
    texts = [sample("english"), "low lower", sample("thai")]
    assert tokenizer(app) == tokviz.train(texts, vocab_size=300, min_count=2)
    assert app.session_state["tokenizer"] == "my tokenizer"


def test_lines_that_are_left_out_are_told_by_file_and_line():
    hostile = "<img src=x onerror=alert(1)>.jsonl"
    data = b'{"text": "low low low"}\nno\n{"body": 1}\n\xff\xfe'
    app = after_training(with_files({hostile: data}))
    assert not app.exception
    assert app.warning[0].value.startswith("3 lines were left out. 1 document was counted")
    table = app.dataframe[0].value
    assert list(table["line"]) == [2, 3, 4] and set(table["file"]) == {hostile}
    assert list(table["reason"].str[:7]) == ["not JSO", "lacks t", "not UTF"]


def test_files_that_are_not_taken_are_named(monkeypatch):
    monkeypatch.setattr(opened_files, "TOTAL_BYTES_MAX", 10_000)
    files = {"a.pdf": b"x", "a.txt": b"low", "b.txt": b"a" * 9_998}
    app = uploaded(with_files({}), *files.items())
    assert list(app.session_state["opened_files"]) == ["a.txt"]
    problems = app.code[0].value
    assert "a.pdf does not end in one of" in problems and "b.txt would" in problems
    app = uploaded(app, ("a.txt", b"lower"))
    assert list(app.session_state["opened_files"]) == ["a.txt", "(2) a.txt"]
    app = button(app, "Remove all files").click().run()
    assert "no files to train on" in button(app, "Train").click().run().code[0].value


def test_files_that_unpack_to_too_much_are_refused_when_they_are_read(monkeypatch):
    monkeypatch.setattr(documents, "TOTAL_BYTES_MAX", 10_000)
    padded = gzip.compress(b"low") + b"\0" * 8 + gzip.compress(b'{"text": "' + b"low " * 3_000)
    with without_script() as state, pytest.raises(ValueError, match="too many bytes when unpacked"):
        state.update(train_on="Files", opened_files={"a.JSONL.GZ": padded})
        [*map(list, documents.training_documents_and_digests()[0])]
    app = after_training(with_files({"a.txt.gz": padded}))
    assert not app.exception
    assert "too many bytes when unpacked" in app.code[-1].value


def test_what_a_gone_uploader_says_is_not_taken_again():
    app = with_files({"a.txt": b"low"})
    app.session_state["training_files:version"] = 2
    app = uploaded(app, ("b.txt", b"lower"))
    assert list(app.session_state["opened_files"]) == ["a.txt"]


def test_no_page_offers_larger_uploads_than_the_server_takes():
    with (Path(__file__).parents[2] / ".streamlit/config.toml").open("rb") as file:
        most = tomllib.load(file)["server"]["maxUploadSize"] * 1_000_000
    assert most == max(documents.FILE_BYTES_MAX, MAX_FILE_BYTES, corpus_files.FILE_BYTES_MAX)


DAMAGED = {
    "empty": b"",
    "no gzip": b"\x1f\x8b damaged",
    "cut off": gzip.compress(b"low low " * 5_000)[:-12],
    "binary": b"\x00\xff" * 99,
}


@pytest.mark.parametrize("kinds", [DAMAGED, *(pytest.param([kind], marks=pytest.mark.slow) for kind in DAMAGED)])
def test_damaged_and_empty_files_are_no_exception(kinds):
    app = with_files({f"{kind}{suffix}": DAMAGED[kind] for kind in kinds for suffix in (".txt.gz", ".jsonl")})
    app = after_training(app)
    assert not app.exception and (app.code or app.warning or app.info)


@pytest.mark.slow
def test_a_training_found_again_after_a_reload_is_stopped_and_keeps_its_merges(processes):
    app = opened("pages/train.py", long_text(), vocab_size=200_000)
    button(app, "Train").click().run()
    job_id = app.session_state["training_job"]
    job = training_queue().job(job_id)
    while not job.steps:
        assert not job.wait(0.05)
    again = opened("pages/train.py", training_job=job_id)
    assert button(again, "Train").disabled
    again = button(again, "Stop and keep what is learned").click().run()
    while not job.wait(0.05):
        pass
    again = again.run()
    assert not again.exception and job.steps
    kept = tokenizer(again, "my tokenizer (stopped)")
    assert kept == job.tokenizer("any") and again.session_state["tokenizer"] == "my tokenizer (stopped)"
    assert f"Stopped after {quantity(len(job.steps), 'merge')}." in [each.value for each in again.header]


def test_the_result_names_the_pair_of_every_merge():
    table = low_lower().dataframe[-1].value
    assert list(table["pair"]) == ["(108, 111)", "(256, 119)"] and list(table["id"]) == [256, 257]


def test_the_lines_that_load_a_model_file_are_for_the_version_that_is_chosen():
    version = "thai tokenizer v1.0"
    app = after_training(opened("pages/train.py", "low lower", vocab_size=258, pattern="gpt2", model_version=version))
    app = button(app, "Download").click().run()
    assert not app.exception
    lines = app.code[-1].value
    assert "tokenizer = ThaiTokenizer()" in lines and 'load("my tokenizer.model")' in lines
    assert "tokenizer = RegexTokenizer()" in CODE[".model"](tokenizer(app), "my tokenizer.model", "minbpe v1")


def test_a_file_that_cannot_be_has_no_lines_that_load_it():
    app = opened("pages/train.py", "low lower", vocab_size=258, pattern="your own", own_pattern=r"\w+| ")
    app = button(after_training(app), "Download").click().run()
    assert not app.exception
    assert not any(".model" in code.value for code in app.code)
    assert any("white space around it" in text.value for text in app.text) and not app.error


def test_a_training_that_is_gone_after_a_reload_is_told():
    app = opened("pages/train.py", "some text", training_job="0" * 32)
    assert not app.exception and "training is lost" in app.info[0].value
    assert app.session_state["training_job"] == ""


def long_training():
    """Return the page while it trains for long, and the job."""
    app = opened("pages/train.py", long_text(), vocab_size=200_000)
    button(app, "Train").click().run()
    job = training_queue().job(app.session_state["training_job"])
    while not job.steps:
        assert not job.wait(0.05)
    return app, job


def ended(job):
    job.stop()
    assert job.wait(60)


@pytest.mark.slow
def test_a_training_that_ends_while_another_page_is_shown_is_chosen_there_and_said_to_be(processes):
    app, job = long_training()
    app.switch_page("pages/compare.py").run()
    ended(job)
    app.run()
    assert not app.exception and "my tokenizer (stopped)" in app.session_state["kept"]
    assert app.multiselect[0].value[-1] == app.session_state["tokenizer"] == "my tokenizer (stopped)"
    assert [toast.value for toast in app.toast] == [
        f"Done: {quantity(len(job.steps), 'merge')} learned. This page uses the new tokenizer too."
    ]
    app.session_state["tokenizer"] = "gpt2"
    app.switch_page("pages/train.py").run()
    assert app.session_state["tokenizer"] == "gpt2" and not app.toast  # coming back changes no choice
    assert not app.exception
    assert [each.value for each in app.header] == [f"Stopped after {quantity(len(job.steps), 'merge')}."]


@pytest.mark.slow
def test_a_tokenizer_that_is_opened_meanwhile_under_the_same_name_stays_to_be_chosen(processes):
    app, job = long_training()
    words = kept_tokens("my tokenizer (stopped)", "words", ["a"])
    app.session_state["kept"] = {words.tokenizer.name: words}
    ended(job)
    app.run()
    assert not app.exception and app.session_state["tokenizer"] == "my tokenizer (stopped) (2)"
    assert list(app.session_state["kept"]) == ["my tokenizer (stopped)", "my tokenizer (stopped) (2)"]


@pytest.mark.slow
def test_a_training_goes_on_until_all_copies_of_its_tab_have_ended(processes):
    one, job = long_training()
    two = opened("pages/train.py", training_job=job.id)
    process, job = job._process, weakref.ref(job)
    del one
    gc.collect()
    assert job() and process.poll() is None
    del two
    gc.collect()
    assert not job() and process.wait(60) != 0


@pytest.mark.slow
def test_a_training_is_wanted_until_all_copies_of_its_tab_have_taken_it_up(processes):
    one, job = long_training()
    two = opened("pages/train.py", training_job=job.id)
    ended(job)
    job = weakref.ref(job)
    for app, is_last in ((one, False), (two, True)):
        app.run()
        assert "my tokenizer (stopped)" in app.session_state["kept"]
        gc.collect()
        assert (job() is None) == is_last


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_what_it_has_learned(processes):
    app, job = long_training()
    job._process.kill()
    assert job.wait(60)
    told_that_it_was_killed(app.run(), job)


def test_a_process_that_was_killed_is_told_in_words():
    app = opened("pages/train.py", "low lower", vocab_size=258)
    job = training_queue().submit(task(["low lower"], name="my tokenizer", vocab_size=260))
    job.mark_ended(KILLED)
    app.session_state["training_job"] = job.id
    told_that_it_was_killed(app.run(), job)


def told_that_it_was_killed(app, job) -> None:
    assert not app.exception
    assert "was killed, perhaps because memory ran out" in app.code[0].value
    assert tokenizer(app, "my tokenizer (stopped)").n_vocab == 256 + len(job.steps)


@pytest.mark.parametrize(("n_before", "told"), [(0, "You are next."), (1, "1 is ahead of you."), (2, "2 are ahead")])
def test_who_waits_is_told_how_many_wait_before(monkeypatch, n_before, told):
    queue = SimpleNamespace(n_jobs_waiting_before=lambda job: n_before)
    monkeypatch.setattr(training_progress, "training_queue", lambda: queue)
    assert told in progress_text(SimpleNamespace(stage="waiting"))


@pytest.mark.slow
def test_nothing_holds_a_training_that_was_taken_up(processes):
    app = opened("pages/train.py", long_text(), vocab_size=4_000)
    app = button(app, "Train").click().run()
    job = weakref.ref(training_queue().job(app.session_state["training_job"]))
    app = once_trained(app)
    end = time.monotonic() + 30
    while job() is not None and time.monotonic() < end:
        time.sleep(0.1)
        gc.collect()
    assert job() is None and list(app.session_state["kept"]) == ["my tokenizer"]


def test_the_result_names_its_merges_its_figures_and_where_to_go():
    text = "".join(f"{sample('english')}\n{n}\n" for n in range(10))
    app = after_training(opened("pages/train.py", text, vocab_size=300, train_name="*swift*", hold_out=True))
    assert not app.exception and not app.error
    assert [each.value for each in app.header] == ["Learned 44 merges."]
    rest, held = split_held_out(text)
    learned = tokviz.train(rest, vocab_size=300, min_count=2)
    assert tokenizer(app, "*swift*") == learned and learned != tokviz.train(held, vocab_size=300, min_count=2)
    texts = {"Training text": rest, "The tenth left out": held, "The English sample": sample("english")}
    for name, part in texts.items():
        n_bytes, n_tokens = len(part.encode()), len(learned.encode(part))
        assert list(app.table[0].value.loc[name][["tokens before", "after", "bytes/token"]]) == [
            f"{n_bytes:,}",
            f"{n_tokens:,}",
            f"{n_bytes / n_tokens:.2f}",
        ]
    lines = next(data["parts"][0]["lines"] for data in data_sent(app) if "parts" in data)
    assert [line["label"] for line in lines] == ["A phrase, before", "The phrase, after", "Learned first"]
    shown = lines[0]["text"]
    assert lines[1]["text"] == shown in text and lines[0]["count"] == f"{len(shown)} tokens"
    assert len(learned.encode(shown)) < len(shown)
    assert lines[1]["count"] == f"{len(learned.encode(shown))} tokens" and lines[2]["count"] == "10 merges"
    assert lines[2]["text"] == b"".join(learned.merge_tokens[:10]).decode()
    assert list(app.dataframe[-1].value["merge"]) == list(range(1, 45))
    assert "The other pages use “*swift*” too." in [each.value for each in app.text]
    assert "256 bytes + 44 merges = 300 tokens" in [each.value for each in app.caption]
    assert button(app, "Go back to GPT-4").click().run().session_state["tokenizer"] == "cl100k_base"
    assert "Go back to GPT-4" not in labels(app)
    for label, place in (
        ("Watch", "Merges"),
        ("Guess", "Merges"),
        ("Compare", "Compare"),
        ("Playground", "Playground"),
    ):
        app.session_state["tokenizer"] = "gpt2"
        there = button(app, label).click().run()
        assert not there.exception and there.session_state["tokenizer"] == "*swift*"
        assert place in [each.value for each in there.title]
        if place == "Merges":
            assert (option_of(there, "step"), option_of(there, "predicting")) == (0, label == "Guess")
            assert any(data.get("plays") for data in data_sent(there)) == (label == "Watch")
            purpose = "Watch which pair is merged next" if label == "Watch" else "Guess the next, or press Play"
            assert any(purpose in each.value for each in there.caption)
        app = there.switch_page("pages/train.py").run()


def test_without_a_part_kept_back_there_are_the_figures_of_the_training_text_and_of_the_sample():
    table = low_lower().table[0].value
    assert list(table.index) == ["Training text", "The English sample"]
    assert list(table.loc["Training text"]) == ["9", "5", "−44.4%", "1.80"]
    app = after_training(opened("pages/train.py", "a" * 60, vocab_size=258, hold_out=True))
    assert list(app.table[0].value.index) == ["Training text", "The English sample"]
    assert any(each.value.startswith("Nothing was left out as a test") for each in app.text)


def test_presented_a_place_waits_for_what_is_learned_and_the_way_to_watch_is_there():
    app = opened("pages/train.py", sample("english"), vocab_size=260, presenting=True)
    assert any(each.value == "The merges appear here while it trains." for each in app.caption)
    assert app.number_input(key="vocab_size").label == "Vocabulary size" and button(app, "English")
    app = after_training(app)
    assert [list(each["panes"]) for each in data_sent(app) if "panes" in each] == [[]]  # the text, to change it
    told = [each.value for each in app.markdown if each.value.startswith("Training text")]
    assert len(told) == 1 and " tokens before, **" in told[0] and not app.table
    labels = [each.label for each in app.main.get("button")]
    assert "Watch" in labels and not {"Compare", "Playground"} & set(labels)


def lines_of(app):
    return [
        (line["label"], line["count"])
        for data in data_sent(app)
        for part in data.get("parts", ())
        for line in part["lines"]
    ]


def test_the_phrase_before_training_is_the_one_that_shrinks():
    def phrases(app):
        lines = next(data["parts"][0]["lines"] for data in data_sent(app) if "parts" in data)
        return [line["text"] for line in lines if "phrase" in line["label"]]

    app = opened("pages/train.py", sample("english"), vocab_size=300)
    shown = phrases(app)
    assert len(shown) == 1 and phrases(after_training(app)) == 2 * shown


def test_before_the_training_the_text_is_shown_under_what_it_begins_with_and_an_empty_one_is_not_called_short():
    app = opened("pages/train.py", "สวย low", train_start="gpt2")
    assert lines_of(app) == [("A phrase, before", "7 tokens")]
    presented = opened("pages/train.py", sample("english"), presenting=True)
    ((_, size),) = lines_of(presented)
    assert 16 < int(size.split()[0]) <= 32
    set_document_text(app, "")
    app = app.run()
    assert "There is no text yet to learn from." in [each.value for each in app.caption] and not lines_of(app)


def notes_on_marks(app):
    return [each.value for each in app.caption if "split pattern cuts" in each.value]


def test_a_pattern_that_cuts_marks_off_is_named_and_another_is_one_click_away():
    app = opened("pages/train.py", sample("thai"))
    words = "GPT-4's split pattern cuts Thai vowel and tone marks from their letters; GPT-4o's keeps them together."
    assert notes_on_marks(app) == [words]
    app = button(app, "Use GPT-4o's").click().run()
    assert app.session_state["pattern"] == "o200k" and not notes_on_marks(app)
    assert after_training(app).session_state["kept"]["my tokenizer"].tokenizer.split_pattern == "o200k"
    assert not notes_on_marks(opened("pages/train.py", sample("english")))
    assert not notes_on_marks(opened("pages/train.py", sample("thai"), pattern="your own", own_pattern="(a|aa)+$"))


def test_marks_are_found_in_the_beginning_of_files_of_any_kind():
    kinds = {
        "a.txt": (f"{'x' * 199_999}ที่".encode(), False),  # the beginning holds no more than a part of a letter
        "a.txt.gz": (gzip.compress(sample("thai").encode()), True),
        "a.jsonl": (json.dumps({"text": "ที่"}).encode(), True),
    }
    for name, (data, has_marks) in kinds.items():
        with without_script() as state:
            state.update(train_on="Files", opened_files={name: data})
            found = marks_cut_off(documents.beginning_of_training_text(10**6), "cl100k")
        assert (found is not None) == has_marks
    app = with_files({"a.jsonl": kinds["a.jsonl"][0]})
    assert not app.exception
    assert [each.split(" Thai")[0] for each in notes_on_marks(app)] == ["GPT-4's split pattern cuts"]


def test_an_example_gives_way_to_the_rhyme_on_arrival_and_ones_own_text_does_not():
    app = button(opened("app.py"), "English").click().run().switch_page("pages/train.py").run()
    assert text_of(app) == RHYME and any(data.get("shows_own") for data in data_sent(app))
    app = button(app, "Thai").click().run()
    assert text_of(app) == sample("thai")  # chosen here
    app = after_training(app).switch_page("app.py").run().switch_page("pages/train.py").run()
    assert text_of(app) == sample("thai")  # what the result on view was learned from
    own = opened("app.py", "mine").switch_page("pages/train.py").run()
    assert text_of(own) == "mine"


def test_the_last_merges_go_by_the_latest_first():
    steps = list(tokviz.train_steps("the thin thing 12 thinner things", vocab_size=270))
    lines = latest_merge_lines(steps)
    assert len(lines) == 8 and lines[0].startswith(f"{len(steps)}  ")
    assert latest_merge_lines(steps[:1]) == ["1  t + h → th  (5 times)"]
    assert latest_merge_lines([]) == []


def test_a_text_too_short_to_learn_from_is_told_and_a_sample_is_one_click_away():
    app = after_training(opened("pages/train.py", "How many r's are in strawberry?"))
    assert not app.exception and not app.table
    assert [each.value for each in app.info] == ["Every token is a single byte. Train on a longer text."]
    app = after_training(app, "Train on the English sample")
    assert tokenizer(app) == tokviz.train(sample("english"), vocab_size=512, min_count=2)
    assert app.table and not app.info and "Train on the English sample" not in labels(app)
    assert "Train on the English sample" not in labels(opened("pages/train.py", "a " * 250))


def test_why_no_training_began_is_told_once_beside_the_settings():
    app = button(opened("pages/train.py", ""), "Train").click().run()
    *_, column = [each for each in app.columns if each.error]
    assert [each.value for each in app.error] == ["The training did not begin"]
    assert column.code[0].value == "There is no text to train on: paste one, or pick an example."
    assert not app.run().error
