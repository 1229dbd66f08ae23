"""Files opened on Train are one press away in Compare's corpus, and the other way round."""

import gzip
import json

import pytest
from opening import after_training, button, opened

import tokviz
from tokviz.core.samples import sample

ENGLISH, THAI = sample("english"), sample("thai")


def labels(app):
    return [each.label for each in app.button if each.label.startswith("Use the files")]


def test_files_opened_on_train_are_used_on_compare_as_text():
    lines = "".join(json.dumps({"body": text}) + "\n" for text in ("one", "two"))
    files = {"a.txt": ENGLISH.encode(), "b.jsonl": lines.encode(), "c.txt.gz": gzip.compress(THAI.encode())}
    app = opened("pages/train.py", train_on="Files", text_key="body", training_files=dict(files), compare_view="Corpus")
    assert not labels(app)
    app.switch_page("pages/compare.py").run()
    size = sum(map(len, files.values()))
    assert labels(app) == [f"Use the files opened on Train (3 files, {size / 1e3:.0f} kB)"]
    app = button(app, labels(app)[0]).click().run()
    assert not app.exception and not app.error and not labels(app)
    texts = {"a.txt": ENGLISH, "b.jsonl.txt": "one\ntwo", "c.txt.gz.txt": THAI}
    assert app.session_state["corpus_files"] == texts
    app.switch_page("pages/train.py").run()
    assert not labels(app) and app.session_state["training_files"] == files


def test_figures_on_the_documents_of_a_file_trained_on_say_so():
    lines = "".join(json.dumps({"text": text}) + "\n" for text in ("low lower", "lowest low"))
    files = {"a.jsonl": lines.encode(), "b.txt": b"low low lower"}
    app = after_training(opened("pages/train.py", train_on="Files", vocab_size=258, training_files=files))
    app.session_state["compare_view"] = "Corpus"
    app.session_state["corpus_files"] = {"c.txt": "other"}
    app.switch_page("pages/compare.py").run()
    app = button(app, labels(app)[0]).click().run()
    app = button(app, "Count the tokens").click().run()
    assert app.session_state["corpus_run"].wait(30)
    app.run()
    (note,) = (each.value for each in app.text if each.value.startswith("On its own training text"))
    assert note.startswith("On its own training text: my tokenizer on a.jsonl.txt, my tokenizer on b.txt. ")


def test_files_opened_on_compare_are_trained_on():
    texts = {"notes.md": ENGLISH, "thai.txt": THAI, "lines.jsonl": json.dumps({"text": "low lower"})}
    app = opened("pages/train.py", train_on="Files", vocab_size=300, corpus_files=dict(texts), compare_view="Corpus")
    (label,) = labels(app)
    assert label.startswith("Use the files opened on Compare (3 files, ")
    app = button(app, label).click().run()
    assert not labels(app) and list(app.session_state["training_files"]) == ["notes.md.txt", "thai.txt", "lines.jsonl"]
    app = after_training(app)
    learned = app.session_state["trained"]["my tokenizer"].tokenizer
    assert learned == tokviz.train([ENGLISH, THAI, "low lower"], vocab_size=300, min_count=2)
    app.switch_page("pages/compare.py").run()
    assert not labels(app) and app.session_state["corpus_files"] == texts


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.txt", b"a" * 10_000_001, "a.txt has 10,000,001 bytes"),
        ("a.txt.gz", gzip.compress(b"a" * 10_000_001), "too many bytes when unpacked"),
        ("a.txt", bytes(500), "a.txt is not UTF-8"),
    ],
)
def test_a_file_that_compare_cannot_take_is_named(name, data, told):
    app = opened("pages/compare.py", "text", compare_view="Corpus", training_files={name: data})
    app = button(app, labels(app)[0]).click().run()
    assert not app.exception and not app.session_state["corpus_files"]
    assert told in app.code[-1].value


def test_the_encoding_of_a_file_from_train_is_asked_for():
    app = opened("pages/compare.py", "text", compare_view="Corpus", training_files={"a.txt": THAI.encode("cp874")})
    app = button(app, labels(app)[0]).click().run()
    assert not labels(app)
    app = button(app, "Open it as cp874").click().run()
    assert app.session_state["corpus_files"] == {"a.txt": THAI}
