import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokviz
from tokviz.families.teaching import list_tokenizer
from tokviz.seams.shared_prefix import shared_prefix

TEXTS = st.text(st.sampled_from("ab \n'é"), max_size=20)


@given(TEXTS, TEXTS, TEXTS, st.integers(1, 5))
def test_shared_tokens_are_the_common_beginning_of_both_lists(start, before, after, block):
    gpt2 = tokviz.load("gpt2")
    shared = shared_prefix(gpt2, start + before, start + after, block=block)
    one, other = gpt2.encode(start + before), gpt2.encode(start + after)
    assert one[: shared.n_tokens] == other[: shared.n_tokens]
    assert one[: shared.n_tokens + 1] != other[: shared.n_tokens + 1] or one == other
    n = shared.n_chars
    assert (start + before)[:n] == (start + after)[:n]
    assert (start + before)[: n + 1] != (start + after)[: n + 1] or before == after
    assert shared.n_cached % block == 0 and 0 <= shared.n_tokens - shared.n_cached < block
    assert shared.n_computed == len(other) - shared.n_cached
    whole = gpt2.decode_bytes(one[: shared.n_tokens])
    assert (start + before).encode().startswith(whole) and shared.n_lost >= 0
    assert shared.char_end >= len(whole.decode(errors="ignore"))


def test_a_word_in_front_costs_everything():
    gpt2 = tokviz.load("gpt2")
    shared = shared_prefix(gpt2, "You are kind. Answer!", "And you are kind. Answer!")
    assert (shared.n_chars, shared.n_tokens, shared.n_cached, shared.n_computed) == (0, 0, 0, 7)


def test_a_space_at_the_end_loses_its_token():
    shared = shared_prefix(tokviz.load("cl100k_base"), "a b c ", "a b c yes", block=2)
    assert (shared.n_chars, shared.n_tokens, shared.n_lost, shared.n_cached) == (6, 3, 1, 2)


def test_the_same_text_and_another_family_and_what_is_refused():
    words = list_tokenizer("words", "the cat sat")
    assert shared_prefix(words, "the cat", "the sat").n_tokens == 1
    same = shared_prefix(tokviz.load("gpt2"), "a\ud83d", "a\ud83d")
    assert (same.n_tokens, same.n_before, same.n_lost, same.n_computed) == (2, 2, 0, 0)
    with pytest.raises(ValueError, match="at least 1 token, not 0"):
        shared_prefix(words, "the", "the", block=0)
