"""FastEngine: pieces of text into ids by gigatoken, which is optional (requirements-fast.txt).

It cuts by code of its own instead of the pattern; tests/core/test_fast_engine.py compares its ids with tiktoken's.
"""

from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import regex

PATTERNS = frozenset(("gpt2", "cl100k", "o200k"))
# Nothing else bounds its caches: 66 MB for English words that all differ, 148 MB for such Chinese ones.
RENEWED_AFTER = 2**23  # characters
# gigatoken 0.10 knows the letters of Unicode 17, tiktoken and `regex` those of Unicode 16.
_UNKNOWN = regex.compile(r"\p{Cn}")


class FastEngine:
    """What encodes for one of `PATTERNS` and a set of mergeable ranks, as long as gigatoken can."""

    def __init__(self, split_pattern: str, mergeable_ranks: dict[bytes, int]) -> None:
        ranks = sorted(mergeable_ranks.items(), key=lambda pair: pair[1])
        self._pattern, self._left = split_pattern, 0
        self._ranks = b"".join(b64encode(token) + b" %d\n" % rank for token, rank in ranks)
        self.works = True  # as far as is known

    def ids(self, part: str) -> np.ndarray | None:
        """Return the ids of a text, uint32; None where tiktoken is to encode it.

        That is a text with unassigned characters, and every text if gigatoken is not installed, refuses the ranks, or
        has failed. The text has no lone surrogates. Other threads wait meanwhile.
        """
        if not self.works or _UNKNOWN.search(part):
            return None
        try:
            if self._left <= 0:
                self._renew()
            self._left -= len(part)
            ids: np.ndarray = self._tokenizer.encode(part)
            return ids
        except BaseException as e:
            # A panic in Rust arrives as a BaseException; anything else of that kind is not ours.
            if isinstance(e, (KeyboardInterrupt, SystemExit, GeneratorExit)):
                raise
            self.works = False
        return None

    def _renew(self) -> None:
        """Make a tokenizer with empty caches. It takes ranks from a file only, and no special tokens are in it."""
        from gigatoken import Tokenizer

        with TemporaryDirectory(prefix="tokviz-") as folder:
            path = Path(folder, "ranks.tiktoken")
            path.write_bytes(self._ranks)
            self._tokenizer = Tokenizer.from_tiktoken(path, self._pattern, {})
        self._left = RENEWED_AFTER
