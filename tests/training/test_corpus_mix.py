"""A mix of files is the mix of their texts, counted in bounded memory."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.core.samples import sample
from tokviz.training.corpus import Corpus
from tokviz.training.corpus_counts import CorpusCounts
from tokviz.training.counting import pretoken_counts
from tokviz.training.mixes import CorpusMix, mixed_documents

TEXTS = st.text(st.sampled_from("ab ก中😀\n"), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mix")


def written(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, newline="")
    return {name: Corpus([folder / f"{name}.txt"]) for name in texts}


def documents(mix):
    return ["".join(document) for document in mix]


@given(TEXTS, TEXTS, st.integers(0, 5), st.integers(1, 5), st.integers(1, 300))
def test_a_mix_of_files_is_the_mix_of_their_texts(folder, first, second, share, other, n_bytes):
    shares = {"first": share, "second": other}
    mix = CorpusMix(written(folder, first=first, second=second), shares, n_bytes)
    expected = mixed_documents({"first": first, "second": second}, shares, n_bytes)
    for _ in range(2):
        assert [document for document in documents(mix) if document] == expected
        assert mix.n_read == len("".join(expected).encode()) <= mix.n_bytes == n_bytes


def test_without_a_size_the_mix_is_the_largest_that_repeats_no_text(folder):
    corpora = written(folder, english=sample("english"), thai=sample("thai"))
    mix = CorpusMix(corpora, {"english": 2, "thai": 1})
    lengths = {name: len(sample(name).encode()) for name in corpora}
    assert mix.sizes == {"english": mix.n_bytes * 2 // 3, "thai": mix.n_bytes // 3}
    assert all(size <= lengths[name] for name, size in mix.sizes.items())
    larger = CorpusMix(corpora, {"english": 2, "thai": 1}, mix.n_bytes + 3)
    assert any(size > lengths[name] for name, size in larger.sizes.items())


def test_a_mix_is_counted_and_gone_on_from_like_a_corpus(folder):
    (folder / "lines.jsonl").write_text('{"text": "low"}\nno JSON\n{"text": "lower"}\n')
    corpora = {"lines": Corpus([folder / "lines.jsonl"]), **written(folder, thai="กก")}
    mix = CorpusMix(corpora, {"lines": 2, "thai": 1}, 30)
    counts = CorpusCounts("gpt2")
    for _ in counts.count(mix):
        pass
    assert (counts.n_documents, counts.n_bad_lines) == (8, 1)  # low lower low lower low l, กก ก
    assert counts.counts == pretoken_counts(documents(mix), "gpt2") and counts.complete
    assert json.loads(json.dumps(mix.fingerprint())) == mix.fingerprint()
    assert CorpusMix(corpora, {"lines": 1, "thai": 1}, 30).fingerprint() != mix.fingerprint()


def test_a_corpus_without_text_is_named(folder):
    with pytest.raises(ValueError, match="empty has a share of the mix but no text"):
        CorpusMix(written(folder, empty="", low="low"), {"empty": 1, "low": 1})
    with pytest.raises(ValueError, match="no text to fill"):
        documents(CorpusMix(written(folder, empty="", low="low"), {"empty": 1, "low": 1}, 9))
