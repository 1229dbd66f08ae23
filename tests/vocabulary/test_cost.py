from itertools import pairwise

import numpy as np
import pytest
from each import quick

from tokviz import load, trace
from tokviz.core.samples import sample
from tokviz.vocabulary.cost import n_embedding_and_output_parameters, vocabulary_doublings


@pytest.mark.parametrize("name", quick(["gpt2", "o200k_base"], "gpt2"))
def test_a_cut_has_the_tokens_of_the_tokenizer_with_so_many_merges(name):
    tokenizer, text = load(name), sample("mixed")
    cuts = list(vocabulary_doublings(trace(tokenizer, text).curve()))
    assert [cut.n_vocab for cut in cuts[:-1]] == [256 * 2**i for i in range(len(cuts) - 1)]
    assert cuts[-1].n_vocab == len(tokenizer.mergeable_ranks)
    assert cuts[0].n_tokens == len(text.encode()) and cuts[-1].n_tokens == len(tokenizer.encode(text))
    for cut in (cuts[3], cuts[7]):
        assert cut.n_tokens == len(tokenizer.truncated(cut.n_vocab - 256).encode(text))
    for before, cut in pairwise(cuts[:-1]):
        assert cut.saved == 1 - cut.n_tokens / before.n_tokens
    half = len(tokenizer.truncated(cuts[-1].n_vocab // 2 - 256).encode(text))
    assert cuts[-1].saved == 1 - cuts[-1].n_tokens / half


def test_curves_too_short_to_double_and_empty_texts():
    assert [(cut.n_vocab, cut.saved) for cut in vocabulary_doublings(np.array([7]))] == [(256, None)]
    assert [(cut.n_vocab, cut.n_tokens, cut.saved) for cut in vocabulary_doublings(np.array([10, 5]))] == [
        (256, 10, None),
        (257, 5, 0.5),
    ]
    assert [cut.saved for cut in vocabulary_doublings(np.zeros(257, int))] == [None, None]


def test_parameters():
    assert n_embedding_and_output_parameters(50_257, 768, tied=True) == (38_597_376, 0)
    assert n_embedding_and_output_parameters(128_256, 4_096, tied=False) == (525_336_576, 525_336_576)  # Llama 3 8B
    with pytest.raises(ValueError, match="at least 1, not 0"):
        n_embedding_and_output_parameters(0, 768, tied=True)
