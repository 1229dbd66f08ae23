"""Tokenizer: one class for all byte-level BPE, pretrained or trained here.

In: a name, a split pattern, mergeable ranks, special tokens. It adds encoding and decoding to what
the modules before it know. Pretokens are cut by our own function; `tiktoken.Encoding` turns single
pretokens into ids and never sees a user's pattern, since its regex engine drops unmatched text,
knows no timeout and panics on a million spaces.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
import tiktoken

from tokviz import bpe, files
from tokviz.patterns import pattern_name, shortened
from tokviz.pretokens import pretokens, split_special, well_formed

if TYPE_CHECKING:
    from tokviz.training import TrainStep

ALL = "all"
SpecialTokens = Collection[str] | Mapping[str, int]


class Tokenizer:
    """A byte-level BPE tokenizer.

    Two tokenizers are equal when split pattern, ranks and special tokens are; the name is a label.

    >>> tokenizer = Tokenizer("toy", "none", bpe.ranks_from_merges([(97, 97)]), {"<end>": 300})
    >>> tokenizer.encode("aab<end>"), tokenizer.encode("aab<end>", allowed_special="all")
    ([256, 98, 60, 101, 110, 100, 62], [256, 98, 300])
    """

    def __init__(
        self,
        name: str,
        split_pattern: str,
        mergeable_ranks: Mapping[bytes, int],
        special_tokens: Mapping[str, int] | None = None,
    ) -> None:
        """Check and keep what makes a tokenizer.

        Raises ValueError for a pattern that does not compile, ranks that lack a byte or use an id
        twice, and special tokens that are empty or whose ids collide.
        """
        self.name = name
        self.split_pattern = pattern_name(split_pattern)
        self.mergeable_ranks = dict(mergeable_ranks)
        self.special_tokens = dict(special_tokens or {})
        missing = [i for i in range(256) if bytes([i]) not in self.mergeable_ranks]
        if missing:
            raise ValueError(
                f"the vocabulary lacks the byte {missing[0]} (and {len(missing) - 1} more): "
                "byte-level BPE needs all 256"
            )
        if len(self._token_bytes) < len(self.mergeable_ranks) + len(self.special_tokens):
            self._refuse_ids()

    def _refuse_ids(self) -> None:
        """Raise ValueError that names the first id given twice."""
        seen: dict[int, object] = {}
        for token, token_id in [*self.mergeable_ranks.items(), *self.special_tokens.items()]:
            if token_id in seen:
                raise ValueError(
                    f"id {token_id} is given to {seen[token_id]!r} and to {token!r}: each token "
                    "needs an id of its own, special tokens one outside the vocabulary"
                )
            seen[token_id] = token

    @classmethod
    def from_steps(
        cls,
        steps: "Iterable[TrainStep]",
        *,
        split_pattern: str,
        special_tokens: SpecialTokens = (),
        name: str = "trained",
    ) -> Self:
        """Return the tokenizer made of the merges learned so far.

        Special tokens given by name alone get the ids after the last merge.

        >>> from tokviz.training import train_steps
        >>> steps = list(train_steps("low lower", vocab_size=300))[:2]
        >>> tokenizer = Tokenizer.from_steps(steps, split_pattern="cl100k", special_tokens=["<s>"])
        >>> tokenizer.encode("lowest"), tokenizer.special_tokens
        ([257, 101, 115, 116], {'<s>': 258})
        """
        ranks = {bytes([i]): i for i in range(256)}
        for step in steps:
            ranks[step.token_bytes] = step.token_id
        return cls(name, split_pattern, ranks, special_ids(special_tokens, first=len(ranks)))

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        split_pattern: str | None = None,
        special_tokens: SpecialTokens | None = None,
    ) -> Self:
        """Return the tokenizer in a file of the minbpe family; its name is the file's stem.

        The format is known by content. `split_pattern` and `special_tokens` replace what the file
        says. Raises ValueError, with the line number, for a file that is damaged.
        """
        path = Path(path)
        model = files.read_model(path)
        pattern = model.split_pattern if split_pattern is None else split_pattern
        special = model.special_tokens if special_tokens is None else special_tokens
        ranks = model.mergeable_ranks
        return cls(path.stem, pattern, ranks, special_ids(special, first=len(ranks)))

    def save(self, path: str | Path) -> None:
        """Write the tokenizer to a file, in the format of its suffix, at once or not at all.

        .model is read by minbpe and by `Tokenizer.read`; .vocab is a listing for people. Raises
        ValueError for another suffix and for what the format cannot express.
        """
        path = Path(path)
        if path.suffix == ".model":
            files.write_atomically(path, self.model_text())
        elif path.suffix == ".vocab":
            files.write_atomically(path, self.vocab_text())
        else:
            raise ValueError(f"{path.name!r} ends neither in .model nor in .vocab")

    def model_text(self) -> str:
        """Return what a .model file of this tokenizer holds; ValueError where it cannot."""
        return files.model_text(self._as_model())

    def vocab_text(self) -> str:
        """Return what a .vocab file of this tokenizer holds: every token and the two it is made of."""
        return files.vocab_text(self._as_model())

    def _as_model(self) -> files.Model:
        return files.Model(self.split_pattern, self.mergeable_ranks, tuple(self.merges), self.special_tokens)

    @property
    def n_vocab(self) -> int:
        """The highest id plus one, special tokens included, as in tiktoken."""
        return max(self._token_bytes) + 1

    @cached_property
    def merge_tokens(self) -> list[bytes]:
        """The token that each merge makes, in rank order; `merge_ids` are their ids."""
        made = [token for token in self.mergeable_ranks if len(token) > 1]
        return sorted(made, key=self.mergeable_ranks.__getitem__)

    @cached_property
    def merge_ids(self) -> np.ndarray:
        """The id that each merge makes, int32, ascending: merge_ids[k] is made by merge k."""
        return np.array([self.mergeable_ranks[token] for token in self.merge_tokens], np.int32)

    @cached_property
    def merges(self) -> list[bpe.Pair]:
        """The merges as pairs of (left id, right id) in rank order, recovered from the ranks.

        The first use takes about a second for 100,000 merges. Raises ValueError for ranks that are
        no byte pair encoding.
        """
        return bpe.merges_from_ranks(self.mergeable_ranks, self.merge_tokens)

    def merge_pair(self, rank: int) -> tuple[bytes, bytes]:
        """Return the two tokens that the merge of this rank joins, without recovering the others."""
        token = self.merge_tokens[rank]
        pair = bpe.parents(token, self.mergeable_ranks)
        if pair is None:
            raise ValueError(f"merge {rank} does not join two tokens of lower rank to {token!r}")
        return pair

    def merge_rank(self, token_id: int) -> int | None:
        """Return the rank of the merge that makes a token, None for a byte or a special token."""
        rank = int(np.searchsorted(self.merge_ids, token_id))
        found = rank < len(self.merge_ids) and self.merge_ids[rank] == token_id
        return rank if found else None

    def truncated(self, n_merges: int) -> "Tokenizer":
        """Return this tokenizer with its first `n_merges` merges only; special tokens keep their ids.

        >>> Tokenizer("toy", "none", bpe.ranks_from_merges([(97, 97)])).truncated(0).encode("aa")
        [97, 97]
        """
        if not 0 <= n_merges <= len(self.merge_tokens):
            raise ValueError(f"{self.name} has {len(self.merge_tokens)} merges; it cannot be cut to {n_merges!r}")
        dropped = set(self.merge_tokens[n_merges:])
        ranks = {token: i for token, i in self.mergeable_ranks.items() if token not in dropped}
        return Tokenizer(self.name, self.split_pattern, ranks, self.special_tokens)

    def pretokens(self, text: str) -> list[str]:
        """Return the pretokens of a text; joined, they are the text (lone surrogates are U+FFFD)."""
        return pretokens(well_formed(text), self.split_pattern)

    def parts(self, text: str, *, allowed_special: str | Collection[str] = ()) -> Iterator[tuple[str, bool]]:
        """Yield the pretokens and the allowed special tokens of a text, each with whether it is one.

        Special tokens that are not allowed are plain text. Raises ValueError for a name in
        `allowed_special` that is no special token of this tokenizer.
        """
        for part, is_special in split_special(well_formed(text), self._allowed(allowed_special)):
            if is_special:
                yield part, True
            else:
                for pretoken in pretokens(part, self.split_pattern):
                    yield pretoken, False

    def _allowed(self, allowed_special: str | Collection[str]) -> Collection[str]:
        if allowed_special == ALL:
            return self.special_tokens
        names = [allowed_special] if isinstance(allowed_special, str) else list(allowed_special)
        for name in names:
            if name not in self.special_tokens:
                known = ", ".join(map(shortened, self.special_tokens)) or "none"
                raise ValueError(
                    f"{shortened(name)} is no special token of {self.name}, which has {known}; "
                    'allow "all", or a set of these'
                )
        return names

    def encode(self, text: str, *, allowed_special: str | Collection[str] = ()) -> list[int]:
        """Return the token ids of a text.

        allowed_special: "all", or a set of special tokens to recognise; others are plain text.
        Lone surrogates become U+FFFD. Raises ValueError where the split pattern does not end.

        >>> import tokviz
        >>> tokviz.load("cl100k_base").encode("3221+2334=5555")
        [15805, 16, 10, 12994, 19, 28, 14148, 20]
        """
        ids: list[int] = []
        known: dict[str, list[int]] = {}
        for part, is_special in self.parts(text, allowed_special=allowed_special):
            if is_special:
                ids.append(self.special_tokens[part])
                continue
            pretoken_ids = known.get(part)
            if pretoken_ids is None:
                pretoken_ids = known[part] = self._encode_pretoken(part.encode())
            ids += pretoken_ids
        return ids

    def _encode_pretoken(self, piece: bytes) -> list[int]:
        try:
            return self._engine(piece)
        except BaseException as e:
            # A panic in Rust arrives as a BaseException; anything else of that kind is not ours.
            if isinstance(e, (KeyboardInterrupt, SystemExit, GeneratorExit)):
                raise
            raise ValueError(f"the pretoken {shortened(piece)} of {len(piece):,} bytes cannot be encoded: {e}") from e

    @cached_property
    def _engine(self) -> Callable[[bytes], list[int]]:
        encoding = tiktoken.Encoding(self.name, pat_str=".", mergeable_ranks=self.mergeable_ranks, special_tokens={})
        return encoding._encode_single_piece

    @cached_property
    def _token_bytes(self) -> dict[int, bytes]:
        table = {token_id: token for token, token_id in self.mergeable_ranks.items()}
        return table | {i: special.encode() for special, i in self.special_tokens.items()}

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token.

        Raises KeyError for an id that is not in the vocabulary, ValueError for what is no integer.
        """
        return self.tokens_bytes([token_id])[0]

    def tokens_bytes(self, ids: Iterable[int]) -> list[bytes]:
        """Return the bytes of each token; errors as in `token_bytes`."""
        table = self._token_bytes
        ids = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
        try:
            if bool in set(map(type, ids)):
                raise TypeError
            return [table[index(i)] for i in ids]
        except (KeyError, TypeError):
            raise self._bad_id(ids) from None

    def _bad_id(self, ids: list[object]) -> Exception:
        """Return the error that names the first id that is unknown or no integer."""
        for place, token_id in enumerate(ids):
            if isinstance(token_id, bool) or not hasattr(token_id, "__index__"):
                return ValueError(f"{shortened(token_id)} (number {place}) is no integer token id")
            if index(token_id) not in self._token_bytes:
                return KeyError(
                    f"{self.name} has no token {token_id} (number {place}); ids run from 0 to {self.n_vocab - 1}"
                )
        raise AssertionError("all ids are known")

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the bytes of the tokens joined; errors as in `token_bytes`."""
        return b"".join(self.tokens_bytes(ids))

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the tokens; bytes that are no valid UTF-8 become U+FFFD."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def _value(self) -> tuple[str, dict[bytes, int], dict[str, int]]:
        return self.split_pattern, self.mergeable_ranks, self.special_tokens

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tokenizer) and self._value() == other._value()

    def __hash__(self) -> int:
        return hash((self.split_pattern, len(self.mergeable_ranks), *self.special_tokens.items()))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        # The engine cannot be pickled; it is made anew from the ranks.
        return type(self), (self.name, *self._value())

    def __repr__(self) -> str:
        return (
            f"Tokenizer({self.name!r}, split_pattern={shortened(self.split_pattern, 40)}, "
            f"{len(self.mergeable_ranks)} tokens, {len(self.special_tokens)} special)"
        )


def special_ids(special_tokens: SpecialTokens, *, first: int) -> dict[str, int]:
    """Return special tokens with their ids; those given by name alone get ids from `first` on.

    Raises ValueError for empty or repeated names, ids that are no integers, that collide or that
    lie inside the vocabulary.

    >>> special_ids(["<s>", "</s>"], first=300)
    {'<s>': 300, '</s>': 301}
    """
    if isinstance(special_tokens, str):
        raise ValueError(f"special tokens are a collection of str, not the str {special_tokens!r}")
    given = special_tokens if isinstance(special_tokens, Mapping) else None
    names = list(special_tokens)
    ids = list(range(first, first + len(names))) if given is None else list(given.values())
    for name, token_id in zip(names, ids, strict=True):
        if not isinstance(name, str) or not name:
            raise ValueError(f"a special token is a text that is not empty, not {name!r}")
        if isinstance(token_id, bool) or not isinstance(token_id, int):
            raise ValueError(f"the id of the special token {name!r} is {token_id!r}, no integer")
        if token_id < first:
            raise ValueError(
                f"the id {token_id} of the special token {name!r} lies inside the vocabulary, which ends at {first - 1}"
            )
    for what, values in (("special token", names), ("special token id", ids)):
        twice = next((value for i, value in enumerate(values) if value in values[:i]), None)
        if twice is not None:
            raise ValueError(f"the {what} {twice!r} is given twice")
    return dict(zip(names, ids, strict=True))
