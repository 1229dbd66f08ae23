"""Counts kept, gone on from, and merged equal the counts of one plain run."""

import gzip
import json
import os
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.corpus import corpus_counts as module
from tokviz.corpus.corpus import BadLine, Corpus
from tokviz.corpus.corpus_counts import CorpusCounts
from tokviz.corpus.counting import pretoken_counts, text_batches
from tokviz.training.training import steps_from_counts

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
        patch.setattr(module, "text_batches", lambda texts: text_batches(texts, size))
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
def test_merged_counts_equal_those_of_one_corpus(documents, cut):
    parts = [CorpusCounts("gpt2", counts=pretoken_counts(some, "gpt2")) for some in (documents[:cut], documents[cut:])]
    merged = CorpusCounts.merged(parts)
    expected = pretoken_counts(documents, "gpt2")
    assert list(merged.counts.items()) == list(expected.items())


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
        with pytest.raises(ValueError, match=r"x\.counts is (cut off|not a file)"):
            CorpusCounts.read(path)
    assert list(tmp_path.iterdir()) == [path]


def mutated(data: bytes, random: Random) -> bytes:
    """Return bytes with up to three damages: cut, changed, taken out, doubled, or something odd put in."""
    odd = [b"[" * 3_000, b"9" * 5_000, b'"\\ud800"', b"null", b"-1", b"{}", b'""', b"\t", b"\n", b"true", b"1e999"]
    for _ in range(random.randint(1, 3)):
        i = random.randrange(len(data) + 1)
        j = min(len(data), i + random.choice([1, 1, 2, 8, 40]))
        piece = random.choice([b"", data[i:j] * 2, random.randbytes(j - i), random.choice(odd)])
        data = random.choice([data[:i], data[:i] + piece + data[j:], data[:i] + piece + data[j:]])
    return data


def swapped(data: bytes, random: Random) -> bytes:
    """Return the lines of a file of counts with a value of its head, or of a pretoken, swapped for something odd."""
    head, *rows = data.splitlines(keepends=True)
    odd = [None, [], [[]], {}, "", "x", -1, 2**70, 1.5, True, [["a", 1, "b"]], [1], ["<s>"], "(a", {"a": 1}, [None]]
    facts = json.loads(head)
    facts[random.choice(list(facts))] = random.choice(odd)
    if random.random() < 0.5:
        rows[random.randrange(len(rows))] = f"{json.dumps(random.choice(odd))}\t{random.choice(odd)}\n".encode()
    return (json.dumps(facts) + "\n").encode() + b"".join(rows)


def test_damaged_files_of_counts_are_refused_in_words(folder):
    """TOKVIZ_MUTATIONS says how many are tried; 20,000 take two minutes."""
    whole = CorpusCounts("gpt2", ["<s>"], bad_lines=[BadLine("a.txt", 1, "not UTF-8")])
    for _ in whole.count(corpus_of(folder, [" to be", "or ก", "not to be"] * 3, "damaged.jsonl")):
        pass
    whole.counts |= {f" word{i}": i + 1 for i in range(30)}
    whole.save(folder / "whole.counts")
    packed = (folder / "whole.counts").read_bytes()
    random, path = Random(7), folder / "damaged.counts"
    for _ in range(int(os.environ.get("TOKVIZ_MUTATIONS", "400"))):
        way = random.randrange(3)
        if way == 0:
            path.write_bytes(mutated(packed, random))
        else:
            change = mutated if way == 1 else swapped
            path.write_bytes(gzip.compress(change(gzip.decompress(packed), random), 1))
        try:
            counts = CorpusCounts.read(path)
        except ValueError as e:
            assert str(path) in str(e) and len(str(e)) < 1_000
            continue
        merged = CorpusCounts.merged([counts, counts])
        merged.save(path)
        assert len(list(steps_from_counts(merged.counts, vocab_size=260))) <= 4
