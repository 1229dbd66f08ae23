"""Dask counts what one process counts, in the same order, and so trains the same merges."""

from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.core.samples import SAMPLES, sample
from tokviz.corpus.corpus_counts import dask_counts
from tokviz.corpus.counting import pretoken_counts

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("dask") is None or find_spec("distributed") is None,
        reason="dask is not installed: pip install -r requirements-dev.txt",
    ),
]


def assert_same(counts, documents, pattern, special=()):
    expected = pretoken_counts(documents, pattern, special_tokens=special)
    assert list(counts.counts.items()) == list(expected.items()) and counts.n_documents == len(documents)


@given(
    st.lists(st.text(st.sampled_from("abก \n<s>"), max_size=9), min_size=1, max_size=9),
    st.integers(1, 9),
    st.integers(2, 4),
)
def test_partitions_equal_one_run(documents, n_partitions, split_every):
    import dask  # here, for it takes long
    from dask import bag

    parts = bag.from_sequence(documents, npartitions=n_partitions)
    with dask.config.set(scheduler="synchronous"):
        counts = dask_counts(parts, "gpt2", special_tokens=["<s>"], split_every=split_every)
    assert_same(counts, documents, "gpt2", ["<s>"])


def test_a_local_cluster_equals_one_run():
    import distributed
    from dask import bag

    documents = [text for name in SAMPLES for text in sample(name).split("\n")]
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster):
        counts = dask_counts(bag.from_sequence(documents, npartitions=7), "o200k")
    assert_same(counts, documents, "o200k")
