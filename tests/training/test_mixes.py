import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz import train_steps
from tokviz.analysis.parity import REFERENCE
from tokviz.core.pretokens import pretokens, well_formed
from tokviz.core.samples import parallel_sentences, sample
from tokviz.training.mixes import mix_sizes, mixed_documents
from tokviz.training.naive import naive_steps

LANGUAGES = ("english", "thai", "chinese")


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
        own = well_formed(texts[name]).encode()
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
        mix_sizes(shares, 10)


def test_a_language_without_a_text_is_named():
    with pytest.raises(ValueError, match="lao has a share of the mix but no text"):
        mixed_documents({"a": "x"}, {"a": 1, "lao": 1}, 10)
    with pytest.raises(ValueError, match="at least 1 byte"):
        mixed_documents({"a": "x"}, {"a": 1}, 0)
    assert mixed_documents({"a": "x"}, {"a": 1, "lao": 0}, 2) == ["x", "x"]


def test_the_sentences_that_mixes_are_judged_by_stand_in_no_sample():
    assert REFERENCE in LANGUAGES
    for sentence in parallel_sentences():
        for name in LANGUAGES:
            assert sentence[name] not in sample(name)
