"""Counts kept, gone on from, and merged equal the counts of one plain run."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz import corpus_counts as module
from tokviz.corpus import Corpus
from tokviz.corpus_counts import CorpusCounts
from tokviz.counting import batches, pretoken_counts
from tokviz.training import steps_from_counts

# Documents that share pretokens and ties.
DOCUMENTS = st.lists(st.text(st.sampled_from("abก \n<s>"), max_size=12), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("counts")


def corpus_of(folder, documents, name="c.jsonl"):
    (folder / name).write_text("".join(json.dumps({"text": text}) + "\n" for text in documents))
    return Corpus([folder / name])


@given(documents=DOCUMENTS, stop=st.integers(0, 12), size=st.integers(1, 20))
def test_counts_gone_on_from_equal_one_run(folder, documents, stop, size):
    corpus = corpus_of(folder, documents)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "batches", lambda texts: batches(texts, size))
        begun = CorpusCounts("gpt2", ["<s>"])
        for n_batches in begun.count(corpus):
            begun.save(folder / "x.counts")
            if n_batches >= stop:
                break  # killed: nothing after the last file that was saved counts
        resumed = CorpusCounts.read(folder / "x.counts") if begun.n_batches else begun
        for _ in resumed.count(corpus):
            pass
    assert resumed.complete and resumed.n_documents == len(documents)
    expected = pretoken_counts(documents, "gpt2", special_tokens=["<s>"])
    assert list(resumed.counts.items()) == list(expected.items())


@given(documents=DOCUMENTS, cut=st.integers(0, 12))
def test_merged_counts_train_like_one_corpus(documents, cut):
    parts = [CorpusCounts("gpt2", counts=pretoken_counts(some, "gpt2")) for some in (documents[:cut], documents[cut:])]
    merged = CorpusCounts.merged(parts)
    expected = pretoken_counts(documents, "gpt2")
    assert list(merged.counts.items()) == list(expected.items())
    assert list(steps_from_counts(merged.counts, vocab_size=280)) == list(steps_from_counts(expected, vocab_size=280))


def test_counts_of_another_making_are_not_added():
    with pytest.raises(ValueError, match="cannot be added"):
        CorpusCounts.merged([CorpusCounts("gpt2"), CorpusCounts("o200k")])
    with pytest.raises(ValueError, match="cannot be added"):
        CorpusCounts.merged([CorpusCounts("gpt2"), CorpusCounts("gpt2", ["<s>"])])


def test_files_that_changed_are_not_gone_on_from(tmp_path):
    counts = CorpusCounts("gpt2")
    list(counts.count(corpus_of(tmp_path, ["one"])))
    with pytest.raises(ValueError, match="have changed"):
        list(counts.count(corpus_of(tmp_path, ["one", "two"])))


def test_a_saved_file_is_read_back_and_a_damaged_one_refused(tmp_path):
    path = tmp_path / "x.counts"
    counts = CorpusCounts("[a-z]+|.", ["<s>"], {"a\tb\n": 3, "ก": 2**40, '"\u2028': 1}, n_documents=2)
    counts.save(path)
    assert CorpusCounts.read(path) == counts
    whole = path.read_bytes()
    lines = gzip.decompress(whole).splitlines(keepends=True)
    for damaged in (
        b"", b"text", whole[:-9], gzip.compress(b"".join(lines[:-1])), gzip.compress(b"{}\n"),
        gzip.compress(lines[0] + b'"a"\tmany\n'), gzip.compress(b"[]\n"), gzip.compress(b"\xff"),
    ):  # fmt: skip
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"x\.counts is (cut off|no file)"):
            CorpusCounts.read(path)
    assert list(tmp_path.iterdir()) == [path]
