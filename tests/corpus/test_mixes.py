"""Every part of a mix gets its share of the bytes; a mix of files is that of their texts, in bounded memory."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz import train_steps
from tokviz.core.pretokens import pretokens, well_formed_text
from tokviz.core.samples import SAMPLES, sample
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.corpus_counts import CorpusCounts
from tokviz.corpus.counting import pretoken_counts
from tokviz.corpus.mixes import CorpusMix, mixed_documents, n_mix_bytes_by_language
from tokviz.languages.table import parallel_sentences
from tokviz.training.naive import naive_steps

LANGUAGES = ("english", "thai", "chinese")
TEXTS = st.text(st.sampled_from("ab ก中😀\n"), min_size=1, max_size=30)


@given(
    st.dictionaries(
        st.sampled_from("abcde"), st.tuples(st.text(st.characters(), min_size=1), st.integers(0, 9)), min_size=1
    ),
    st.integers(1, 500),
)
def test_every_language_gets_its_share_of_the_bytes_from_the_beginning_of_its_text(given_, n_bytes):
    texts = {name: text for name, (text, _) in given_.items()}
    shares = {name: share for name, (_, share) in given_.items()}
    if not any(shares.values()):
        with pytest.raises(ValueError, match="shares"):
            mixed_documents(texts, shares, n_bytes)
        return
    mix = "".join(mixed_documents(texts, shares, n_bytes))
    for name, share in shares.items():
        wanted = n_bytes * share // sum(shares.values())
        own = well_formed_text(texts[name]).encode()
        repeated = (own * (wanted // len(own) + 1))[:wanted].decode(errors="ignore")
        assert mix.startswith(repeated)
        assert wanted - 3 <= len(repeated.encode()) <= wanted
        mix = mix.removeprefix(repeated)
    assert mix == ""


def test_the_same_mix_trains_the_same_merges_as_the_naive_algorithm():
    texts = {name: sample(name) for name in LANGUAGES}
    documents = mixed_documents(texts, {"english": 2, "thai": 1, "chinese": 0}, 3_000)
    assert documents == mixed_documents(texts, {"english": 2, "thai": 1, "chinese": 0}, 3_000)
    assert [len(document.encode()) for document in documents] == [2000, 999]
    steps = train_steps(documents, vocab_size=296, split_pattern="o200k", min_count=2)
    pieces = [piece for document in documents for piece in pretokens(document, "o200k")]
    assert list(steps) == list(naive_steps(pieces, 40, min_count=2))


def test_no_merge_reaches_from_the_end_of_a_text_to_its_beginning():
    steps = train_steps(mixed_documents({"a": "xy"}, {"a": 1}, 8), vocab_size=300, split_pattern="none")
    assert [step.token_bytes for step in steps] == [b"xy"]


def test_a_text_is_repeated_where_it_is_short_and_cut_where_it_is_long():
    assert mixed_documents({"a": "abc", "b": "0123456789"}, {"a": 1, "b": 1}, 14) == ["abc", "abc", "a", "0123456"]
    assert mixed_documents({"a": "ก"}, {"a": 1}, 2) == []


@pytest.mark.parametrize("shares", [{}, {"a": 0}, {"a": -1, "b": 2}])
def test_shares_that_are_none_are_refused(shares):
    with pytest.raises(ValueError, match="shares"):
        n_mix_bytes_by_language(shares, 10)


def test_a_language_without_a_text_is_named():
    with pytest.raises(ValueError, match="lao has a share of the mix but no text"):
        mixed_documents({"a": "x"}, {"a": 1, "lao": 1}, 10)
    with pytest.raises(ValueError, match="at least 1 byte"):
        mixed_documents({"a": "x"}, {"a": 1}, 0)
    assert mixed_documents({"a": "x"}, {"a": 1, "lao": 0}, 2) == ["x", "x"]


def test_the_sentences_that_mixes_are_judged_by_stand_in_no_sample():
    for sentence in parallel_sentences():
        for text in sentence.values():
            assert not any(text in sample(name) for name in SAMPLES)


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
    with pytest.raises(ValueError, match="the documents of a mix have no text"):
        documents(CorpusMix(written(folder, empty="", low="low"), {"empty": 1, "low": 1}, 9))
