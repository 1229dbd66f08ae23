"""What two texts have in common at their beginning, in tokens and in characters, and what a prompt cache keeps."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokviz.core.common_prefix import common_length
from tokviz.core.protocol import as_tokenizer
from tokviz.core.spans import TokenSpans, text_spans


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
    spans = (text_spans(tokenizer, text, allowed_special=allowed_special) for text in (before, after))
    return shared_prefix_of_spans(*spans, block=block)


def shared_prefix_of_spans(one: TokenSpans, other: TokenSpans, *, block: int = 1) -> SharedPrefix:
    """Return what two texts share at their beginning, given by their tokens; tokens of some families may be anywhere.

    >>> import tokviz
    >>> one, other = (tokviz.text_spans(tokviz.load("gpt2"), text) for text in ("a low", "a lower"))
    >>> shared_prefix_of_spans(one, other).n_lost
    1
    """
    n_chars = common_length(one.text, other.text)
    shortest = min(len(one), len(other))
    alike = (one.ids[:shortest] == other.ids[:shortest]) & (one.char_ends[:shortest] == other.char_ends[:shortest])
    n_tokens = shortest if alike.all() else int(alike.argmin())
    return SharedPrefix(
        n_chars=n_chars,
        n_tokens=n_tokens,
        char_end=int(one.char_ends[n_tokens - 1]) if n_tokens else 0,
        n_before=len(one),
        n_after=len(other),
        n_lost=max(int(np.searchsorted(one.char_ends, n_chars, side="right")) - n_tokens, 0),
        n_cached=n_tokens // block * block,
    )
