"""Trained tokenizers as packed records, which a browser's tab keeps or a link carries.

Every record is checked when it comes back, since a link may come from anyone.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any

from tokviz import Tokenizer, TrainStep, load
from tokviz.analysis.pair_history import PairHistory
from tokviz.core import bpe
from tokviz.core.pretokens import well_formed
from tokviz.formats.pretrained import PRETRAINED
from tokviz.records.packing import UNPACKED_MAX, pack, unpack
from tokviz.records.start import start_of_record, start_record
from tokviz.records.superwords import Superwords, superwords_of_record
from tokviz.system import sandbox
from tokviz.training.held_out import HeldOut
from tokviz.training.superwords import with_superwords
from tokviz.training.training import check_sizes, first_id, smallest_size

VOCAB_SIZE_MAX = 100_000
MERGES_MAX = VOCAB_SIZE_MAX - 256
TOKEN_BYTES_MAX = 1_000_000  # of all tokens together; checking them takes up to two seconds
RECORD_SECONDS = 10.0
SPECIAL_TOKENS_MAX = 1_000
NAME_MAX = 40  # characters
DIGEST_BYTES = 8
DIGESTS_MAX = 100
CORPUS_BYTES_MAX = 500_000  # of distinct pretokens; counting their pairs takes about 50 ms
CORPUS_PRETOKEN_BYTES_MAX = 50_000  # the history of a longer one takes half a second or more


ALL = ""  # the part of a text that a plain training learns from
ACROSS = "across words"  # the part that superwords are learned from


@dataclass(frozen=True)
class Trained:
    """A tokenizer trained in this session, with its steps.

    n_bytes: how many bytes of text were counted, without special tokens. counts: the pretoken counts that merges were
    chosen by, in the order of first occurrence: under ALL, and under ACROSS for superwords, or by language where these
    take turns. They are not part of the packed record: a tokenizer that comes back from a browser or a link has none,
    nor the `sentences` by which the languages were compared. held_out: what a part of the text gives that was held out,
    if one was. digests: of the texts it was trained on, held-out parts included (see `text_digest`). start: the
    tokenizer that training continued from, if any; n_before: how many tokens the text has under that. superwords: the
    stage of merges across words, if there is one.
    """

    tokenizer: Tokenizer
    steps: tuple[TrainStep, ...]
    n_bytes: int
    counts: Mapping[str, Mapping[str, int]] | None = field(default=None, compare=False, repr=False)
    held_out: HeldOut | None = None
    digests: tuple[str, ...] = ()
    start: Tokenizer | None = None
    n_before: int | None = None
    superwords: Superwords | None = None
    sentences: Sequence[Mapping[str, str]] = field(default=(), compare=False, repr=False)

    @property
    def bytes_per_token(self) -> float | None:
        """Bytes per token on its own training text; None without merges."""
        return self.n_bytes / self.steps[-1].n_tokens if self.steps else None

    @property
    def held_out_bytes_per_token(self) -> float | None:
        """Bytes per token on the text held out; None if none was."""
        held = self.held_out
        return held.n_bytes / held.n_tokens[-1] if held and held.n_tokens and held.n_tokens[-1] else None

    def knows(self, text: str | bytes) -> bool:
        """Return whether this text, or the file with these bytes, was given to train on."""
        return bool(self.digests) and text_digest(text) in self.digests

    @cached_property
    def languages(self) -> list[str]:
        """The languages that merges were chosen for, in the order of their first merge."""
        return list(dict.fromkeys(step.language for step in self.steps if step.language is not None))

    def part(self, n: int) -> str:
        """Return the part of the text that merge `n` of this training was chosen in, a key of `counts`."""
        if self.superwords is not None and n >= self.superwords.after:
            return ACROSS
        language = self.steps[min(n, len(self.steps) - 1)].language if self.steps else None
        return ALL if language is None else language

    def corpus(self, part: str) -> PairHistory | None:
        """Return the pairs of a part of the text at any step; None if its counts are unknown or too many."""
        counts = (self.counts or {}).get(part)
        if counts is None:
            return None
        if part not in self._corpora:
            sizes = [len(pretoken.encode()) for pretoken in counts]
            is_small = sum(sizes) <= CORPUS_BYTES_MAX and max(sizes, default=0) <= CORPUS_PRETOKEN_BYTES_MAX
            self._corpora[part] = PairHistory.of_counts(counts, self.tokenizer) if is_small else None
        return self._corpora[part]

    @cached_property
    def _corpora(self) -> dict[str, PairHistory | None]:
        return {}

    @cached_property
    def packed(self) -> str:
        """The record of this tokenizer, packed."""
        return pack(
            {
                "name": self.tokenizer.name,
                "split_pattern": self.tokenizer.split_pattern,
                "special_tokens": _without(self.tokenizer.special_tokens, self.start),
                "pairs": [step.pair for step in self.steps],
                "counts": [step.count for step in self.steps],
                "n_tokens": [step.n_tokens for step in self.steps],
                "n_merges": self.steps[0].n_merges if self.steps else 0,
                "n_bytes": self.n_bytes,
                "held_out": self.held_out and [self.held_out.n_bytes, self.held_out.n_tokens, self.held_out.n_before],
                "digests": self.digests,
            }
            | ({"languages": languages} if any(languages := [step.language for step in self.steps]) else {})
            | ({"superwords": list(astuple(self.superwords))} if self.superwords else {})
            | ({} if self.start is None else {"start": start_record(self.start), "n_before": self.n_before})
        )


def text_digest(text: str | bytes) -> str:
    """Return a short digest by which a text is known again; bytes are those of UTF-8.

    >>> text_digest("สวัสดี") == text_digest("สวัสดี".encode()) != text_digest("สวัสดี ")
    True
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).hexdigest()


def renamed(trained: Trained, taken: Collection[str]) -> Trained:
    """Return a trained tokenizer under a name that is not taken: its own, or that with a number.

    >>> tokenizer = Tokenizer("a", "none", {bytes([i]): i for i in range(256)})
    >>> renamed(Trained(tokenizer, (), 0), ["a", "a (2)"]).tokenizer.name
    'a (3)'
    """
    old = trained.tokenizer
    name = free_name(old.name, taken)
    tokenizer = Tokenizer(name, old.split_pattern, old.mergeable_ranks, old.special_tokens, old.always_special)
    return replace(trained, tokenizer=tokenizer)


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is free and not too long: this one, or as much of it as leaves room for a number.

    >>> free_name("a", []), free_name("a", ["a", "a (2)"])
    ('a', 'a (3)')
    """
    suffixes = ("" if n == 1 else f" ({n})" for n in count(1))
    names = (name[: NAME_MAX - len(suffix)] + suffix for suffix in suffixes)
    return next(each for each in names if each not in taken)


def unpack_trained(packed: str, *, most: int = UNPACKED_MAX) -> Trained:
    """Return the trained tokenizer of a packed record; ValueError for one that is damaged, or unpacks to more bytes.

    >>> import tokviz
    >>> steps = tuple(tokviz.train_steps("low lower", vocab_size=258))
    >>> trained = Trained(Tokenizer.from_steps(steps, split_pattern="gpt2", name="low"), steps, 9)
    >>> unpack_trained(trained.packed) == trained
    True
    """
    what = "the record of a tokenizer"
    trained: Trained = sandbox.call(_unpacked_trained, packed, most, seconds=RECORD_SECONDS, what=what)
    if trained.start and trained.start.name in PRETRAINED:
        trained = replace(trained, start=load(trained.start.name))  # not a copy of it, which takes 40 MB
    return trained


def _unpacked_trained(packed: str, most: int) -> Trained:
    record = unpack(packed, most=most)
    try:
        if len(record["pairs"]) > MERGES_MAX or len(record["special_tokens"]) > SPECIAL_TOKENS_MAX:
            raise ValueError("it has too many merges or special tokens")
        pairs = [(int(left), int(right)) for left, right in record["pairs"]]
        counts, n_tokens = ([int(n) for n in record[field]] for field in ("counts", "n_tokens"))
        if not len(pairs) == len(counts) == len(n_tokens) or min(n_tokens, default=1) < 1:
            raise ValueError("the numbers of pairs and counts differ, or no tokens are left")
        pattern = str(record["split_pattern"])
        superwords = superwords_of_record(record.get("superwords"), len(pairs))
        first_pattern = superwords.split_pattern if superwords else pattern
        start = start_of_record(record["start"], first_pattern) if record.get("start") else None
        first = first_id(start)
        check_sizes(smallest_size(start) + len(pairs), 1, start)
        old = start.mergeable_ranks if start else None
        ranks = bpe.ranks_from_merges(pairs, bytes_max=TOKEN_BYTES_MAX, start=old, first=first)
        made = list(ranks)[smallest_size(start) :]
        languages = [_language(each) for each in record.get("languages") or [None] * len(pairs)]
        steps = tuple(
            TrainStep(rank, pair, first + rank, token, n_pairs, n, int(record["n_merges"]), language)
            for rank, (pair, token, n_pairs, n, language) in enumerate(
                zip(pairs, made, counts, n_tokens, languages, strict=True)
            )
        )
        name = well_formed(str(record["name"]))[:NAME_MAX]
        made_of = {"split_pattern": pattern, "special_tokens": record["special_tokens"]}
        begun = with_superwords(start) if start and superwords else start
        tokenizer = Tokenizer.from_steps(steps, name=name, **made_of, start=begun)
        held_out = _unpacked_held_out(record.get("held_out"), len(steps))
        digests = tuple(str(digest)[: 2 * DIGEST_BYTES] for digest in (record.get("digests") or ())[:DIGESTS_MAX])
        n_before = None if start is None else _checked(int(record["n_before"]), n_tokens)
        return Trained(
            tokenizer,
            steps,
            int(record["n_bytes"]),
            held_out=held_out,
            digests=digests,
            start=start,
            n_before=n_before,
            superwords=superwords,
        )
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError) as e:
        raise ValueError(f"the record of a tokenizer is damaged ({e})") from e


def _language(name: Any) -> str | None:
    return None if name is None else well_formed(str(name))[:NAME_MAX]


def _without(special_tokens: Mapping[str, int], start: Tokenizer | None) -> dict[str, int]:
    """Return the special tokens that the tokenizer training began with does not have."""
    known = start.special_tokens if start else ()
    return {token: token_id for token, token_id in special_tokens.items() if token not in known}


def _unpacked_held_out(held_out: Any, n_merges: int) -> HeldOut | None:
    if not held_out:
        return None
    n_bytes, n_tokens = int(held_out[0]), tuple(int(n) for n in held_out[1])
    if n_bytes < 1 or len(n_tokens) != n_merges or min(n_tokens, default=1) < 1:
        raise ValueError("the figures of the text held out do not fit the merges")
    n_before = held_out[2] if len(held_out) > 2 else None
    return HeldOut(n_bytes, n_tokens, None if n_before is None else _checked(int(n_before), n_tokens))


def _checked(n_before: int, n_tokens: Sequence[int]) -> int:
    """Return how many tokens a text has before the first merge; ValueError if a merge makes them more."""
    if n_before < max(n_tokens, default=0):
        raise ValueError(f"a text has {n_before} tokens before the first merge, and more later")
    return n_before
