"""The files opened on Train and those opened on Compare are one pile, which each page reads in its own way."""

import gzip
import json
from functools import partial

import pytest
from opening import after_training, box, button, opened
from opening import uploaded as uploaded_to

import tokviz
from tokviz.core.samples import sample

uploaded = partial(uploaded_to, label="Up to 50 text files")
ENGLISH, THAI = sample("english"), sample("thai")


def corpus_page(files: dict[str, bytes], **state):
    return opened("pages/compare.py", "text", compare_view="Corpus", opened_files=dict(files), **state)


def texts(app):
    """Return the texts that Compare would count."""
    return {name: one.text for name, one in app.session_state["corpus_readings"].items() if one.text}


def test_files_opened_on_train_are_counted_on_compare_as_text():
    lines = "".join(json.dumps({"body": text}) + "\n" for text in ("one", "two"))
    files = {"a.txt": ENGLISH.encode(), "b.jsonl": lines.encode(), "c.txt.gz": gzip.compress(THAI.encode())}
    app = opened("pages/train.py", train_on="Files", text_key="body", compare_view="Corpus")
    uploaded(app, *files.items())
    app.switch_page("pages/compare.py").run()
    assert not app.exception and not app.error
    assert texts(app) == {"a.txt": ENGLISH, "b.jsonl": "one\ntwo", "c.txt.gz": THAI}
    app.switch_page("pages/train.py").run()
    assert app.session_state["opened_files"] == files


def test_files_removed_on_one_page_are_gone_on_the_other_and_nothing_holds_their_texts():
    app = corpus_page({"a.txt": b"low", "b.txt": THAI.encode("cp874")}, train_on="Files")
    app.switch_page("pages/train.py").run()
    button(app, "Remove all files").click().run()
    assert app.session_state["opened_files"] == {} and "corpus_readings" not in app.session_state
    app.switch_page("pages/compare.py").run()
    assert not app.exception and not texts(app) and button(app, "Count the tokens").disabled


def test_figures_on_the_documents_of_a_file_trained_on_say_so():
    lines = "".join(json.dumps({"text": text}) + "\n" for text in ("low lower", "lowest low"))
    files = {"a.jsonl": lines.encode(), "b.txt": b"low low lower"}
    app = after_training(opened("pages/train.py", train_on="Files", vocab_size=258, opened_files=files))
    app.session_state["compare_view"] = "Corpus"
    app.switch_page("pages/compare.py").run()
    app = uploaded(app, ("c.txt", b"other"))
    app = button(app, "Count the tokens").click().run()
    assert app.session_state["corpus_run"].wait(30)
    app.run()
    (note,) = (each.value for each in app.text if each.value.startswith("On its own training text"))
    assert note.startswith("On its own training text: my tokenizer on a.jsonl, my tokenizer on b.txt. ")


def test_files_opened_on_compare_are_trained_on():
    files = (
        ("notes.md", ENGLISH.encode()),
        ("thai.txt", THAI.encode("utf-16")),
        ("lines.jsonl", b'{"text": "low lower"}'),
    )
    app = uploaded(corpus_page({}, train_on="Files", vocab_size=300), *files)
    assert texts(app) == {"notes.md": ENGLISH, "thai.txt": THAI, "lines.jsonl": "low lower"}
    app = after_training(app.switch_page("pages/train.py").run())
    assert not app.exception and not app.warning
    learned = app.session_state["kept"]["my tokenizer"].tokenizer
    assert learned == tokviz.train([ENGLISH, THAI, "low lower"], vocab_size=300, min_count=2)


def test_two_files_whose_names_differ_only_on_compare_are_both_trained_on():
    app = after_training(opened("pages/train.py", train_on="Files", vocab_size=258,
                                opened_files={"a": b"low", "a.txt": b"low lower"}))  # fmt: skip
    assert app.session_state["training_counted"].n_documents == 2


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.txt", b"a" * 10_000_001, "a.txt has 10,000,001 bytes"),
        ("a.txt.gz", gzip.compress(b"a" * 10_000_001), "too many bytes when unpacked"),
        ("a.txt", bytes(500), "a.txt is not UTF-8"),
        ("a.jsonl", b'{"body": "low"}', "there is no text in it; left out: a.jsonl, line 1: lacks"),
    ],
)
def test_a_file_that_compare_cannot_count_is_named_and_stays_for_train(name, data, told):
    app = corpus_page({name: data})
    assert not app.exception and not texts(app) and button(app, "Count the tokens").disabled
    assert [each.value for each in app.error] == ["Some files are not counted"] and told in app.code[-1].value
    assert app.session_state["opened_files"] == {name: data}


def test_the_key_of_the_texts_can_be_given_on_compare():
    app = uploaded(corpus_page({}), ("a.jsonl", b'{"body": "low"}'))
    assert not texts(app)
    app = box(app.text_input, "Key").set_value("body").run()
    assert texts(app) == {"a.jsonl": "low"} and not app.error


def test_the_encoding_of_a_file_from_train_is_asked_for_and_train_then_reads_it():
    app = corpus_page({"a.txt": THAI.encode("cp874")})
    assert not texts(app)
    app = button(app, "Open it as cp874").click().run()
    assert texts(app) == {"a.txt": THAI} and app.session_state["opened_files"] == {"a.txt": THAI.encode()}
