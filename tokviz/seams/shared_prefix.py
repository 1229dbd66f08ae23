"""What two texts have in common at their beginning, in tokens and in characters, and what a prompt cache keeps."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokviz.core.common_prefix import common_length
from tokviz.core.protocol import as_tokenizer
from tokviz.core.spans import text_spans


@dataclass(frozen=True)
class SharedPrefix:
    """How much the text before a change and the text after it share at their beginning.

    n_chars: characters they share. n_tokens: tokens they share, which end at char_end in the text. n_before, n_after:
    all tokens of each. n_lost: tokens before the change whose text both share, but which are others afterwards.
    n_cached: the shared tokens in whole blocks, which a prompt cache still has; n_computed: the other tokens after it.
    """

    n_chars: int
    n_tokens: int
    char_end: int
    n_before: int
    n_after: int
    n_lost: int
    n_cached: int

    @property
    def n_computed(self) -> int:
        """The tokens after the change that are computed anew."""
        return self.n_after - self.n_cached


def shared_prefix(
    tokenizer: Any, before: str, after: str, *, block: int = 1, allowed_special: str | Collection[str] = ()
) -> SharedPrefix:
    """Return what two texts share at their beginning under a tokenizer of any family.

    block: how many tokens a cache keeps or drops together (16 in vLLM; OpenAI's counts in steps of 128). Raises
    ValueError for a block below 1, and as `encode` does.

    >>> import tokviz
    >>> shared = shared_prefix(tokviz.load("gpt2"), "Say one word: ", "Say one word: yes")
    >>> shared.n_chars, shared.n_tokens, shared.char_end, shared.n_lost, shared.n_computed
    (14, 4, 13, 1, 1)
    """
    if block < 1:
        raise ValueError(f"a block must have at least 1 token, not {block}")
    tokenizer = as_tokenizer(tokenizer, "a shared prefix")
    one, other = (text_spans(tokenizer, text, allowed_special=allowed_special) for text in (before, after))
    n_chars = common_length(one.text, other.text)
    n_tokens, n_lost = n_shared_and_lost_tokens((one.ids, one.char_ends), (other.ids, other.char_ends), n_chars)
    return SharedPrefix(
        n_chars=n_chars,
        n_tokens=n_tokens,
        char_end=int(one.char_ends[n_tokens - 1]) if n_tokens else 0,
        n_before=len(one),
        n_after=len(other),
        n_lost=n_lost,
        n_cached=n_tokens // block * block,
    )


def n_shared_and_lost_tokens(
    before: tuple[np.ndarray, np.ndarray], after: tuple[np.ndarray, np.ndarray], place: int
) -> tuple[int, int]:
    """Return how many tokens two texts share at their beginning, and how many more of the first end by a place.

    Tokens are given by their ids and where each ends: tokens of other families may be anywhere.

    >>> n_shared_and_lost_tokens((np.array([1, 2, 3]), np.array([1, 2, 4])), (np.array([1, 9]), np.array([1, 4])), 3)
    (1, 1)
    """
    (ids, ends), (new_ids, new_ends) = before, after
    shortest = min(len(ids), len(new_ids))
    alike = (ids[:shortest] == new_ids[:shortest]) & (ends[:shortest] == new_ends[:shortest])
    n_tokens = shortest if alike.all() else int(alike.argmin())
    return n_tokens, max(int(np.searchsorted(ends, place, side="right")) - n_tokens, 0)
