"""TrainStep: one merge as it is learned.

Training yields it and `Tokenizer.from_steps` takes it. It is below both, so that the tokenizer need not know how
merges are learned.
"""

from typing import NamedTuple

WHOLE = ""  # the part of the texts that is all of them
ACROSS = "across words"  # all of them once more, cut so that words stay together


class TrainStep(NamedTuple):
    """One merge as it is learned.

    rank: 0 for the first merge that is learned. pair: (left id, right id). token_id: 256 + rank, or
    where training continues from a tokenizer, its highest id + 1 + rank. token_bytes: what the new
    token stands for. count: occurrences of the pair in the corpus when it was chosen, overlapping
    ones included (`aaa` holds (a, a) twice). n_tokens: tokens in the corpus after it. n_merges: how
    many merges were asked for. part: in which part of the corpus the pair was chosen and counted: `WHOLE`, `ACROSS`
    for superwords, or in parity-aware training a language.

    >>> print(TrainStep(0, (101, 32), 256, b"e ", 2359, 9000, 20))
    merge 1/20: (101, 32) -> 256 (b'e ') had 2359 occurrences
    """

    rank: int
    pair: tuple[int, int]
    token_id: int
    token_bytes: bytes
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody calls
    n_tokens: int
    n_merges: int
    part: str = WHOLE

    @property
    def language(self) -> str | None:
        """The language that the merge was chosen for, None outside parity-aware training."""
        return None if self.part in (WHOLE, ACROSS) else self.part

    def __str__(self) -> str:
        return (
            f"merge {self.rank + 1}/{self.n_merges}: {self.pair} -> {self.token_id} "
            f"({self.token_bytes!r}) had {self.count} occurrences"
        ) + (f" in {self.language}" if self.language is not None else "")
