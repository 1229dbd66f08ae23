"""Whether two tokenizers differ, as one and its conversion should not: the first text, and kinds of difference."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from tokviz.core.protocol import AnyTokenizer, as_tokenizer, checked_texts
from tokviz.core.samples import SAMPLES, sample
from tokviz.core.spans import TokenSpans, text_spans
from tokviz.formats.equivalence import ODD
from tokviz.languages.table import LANGUAGES
from tokviz.text.character_kinds import kinds_of_characters
from tokviz.text.savings import Stretch, differing_stretches
from tokviz.vocabulary.report import overlap

CONTEXT_BYTES = 64  # on either side of a stretch that is made smaller, if the tokens differ there as in the whole text
PIECE_CHARACTERS = 8  # the longest pieces that are tried, all that begin in so many characters of the context:
PIECES_BEGIN = 256


@dataclass(frozen=True)
class FirstDifference:
    """The first of several texts in which two tokenizers differ, made as small as it gets.

    number: which text it is, from 0. text: what remains of it: the tokens differ, and would not if any one of its
    characters were left out. left_ids, right_ids: the tokens of what remains.
    """

    number: int
    text: str
    left_ids: tuple[int, ...]
    right_ids: tuple[int, ...]


class Comparison:
    """Two tokenizers, and what differs in the texts that are added; special tokens in texts count as such.

    by_ids: whether ids of tokens are compared, or else only where tokens end; by default ids if both have the same
    tokens, special ones aside. kinds: for each kind of difference a row, how many texts and stretches have it.
    """

    def __init__(self, left: AnyTokenizer, right: AnyTokenizer, by_ids: bool | None = None) -> None:
        if by_ids is None:
            shared = overlap(left, right)
            by_ids = not (len(shared.only_left) or len(shared.only_right))
        self.both, self.by_ids = (left, right), by_ids
        self._special_ids = [{*each.special_tokens.values()} - {each.unknown_id} for each in self.both]
        self.n_texts = self.n_differing = 0
        self.first: FirstDifference | None = None
        self.kinds: dict[str, dict[str, Any]] = {}

    def _spans(self, text: str) -> list[TokenSpans]:
        return [text_spans(each, text, allowed_special="all") for each in self.both]

    def _stretches(self, spans: Sequence[TokenSpans]) -> Iterator[Stretch]:
        return differing_stretches(spans, [(each.ids if self.by_ids else each.byte_ends).tolist() for each in spans])

    def differs(self, text: str) -> bool:
        """Return whether the tokens of a text differ."""
        return any(self._stretches(self._spans(text)))

    def add(self, text: str) -> None:
        """Compare a text, and count what differs in it."""
        spans, kinds = self._spans(text), set()
        for start, end, left, right in self._stretches(spans):
            self.first = self.first or self._first_difference(spans[0], start, end)
            # Places of another type than the array's would have it copied for each stretch.
            places = spans[0].character_starts.searchsorted(np.array([start + 1, end], np.int32))
            part = spans[0].text[places[0] - 1 : places[1]]  # with the whole of characters that are cut
            kind = self._kind(part, [spans[0].ids[left].tolist(), spans[1].ids[right].tolist()])
            row = self.kinds.setdefault(kind, {"kind": kind, "n_texts": 0, "n_stretches": 0, "first": part})
            row["n_stretches"] += 1
            row["n_texts"] += kind not in kinds
            kinds.add(kind)
        self.n_texts += 1
        self.n_differing += bool(kinds)

    def _first_difference(self, spans: TokenSpans, start: int, end: int) -> FirstDifference:
        near = spans.data[max(0, start - CONTEXT_BYTES) : end + CONTEXT_BYTES].decode(errors="ignore")
        starts = range(len(near[:PIECES_BEGIN]))
        pieces = (near[i : i + size] for size in range(1, PIECE_CHARACTERS + 1) for i in starts)
        texts = [near if self.differs(near) else spans.text, *islice(filter(self.differs, pieces), 1)]
        text = min((smallest_text(each, self.differs) for each in texts), key=len)
        return FirstDifference(self.n_texts, text, *(tuple(each.ids.tolist()) for each in self._spans(text)))

    def _kind(self, text: str, ids: Sequence[list[int]]) -> str:
        """Return what kind of difference a stretch has: the first reason that holds, or else its characters."""
        each = list(zip(self.both, ids, strict=True))
        if any(special.intersection(some) for special, some in zip(self._special_ids, ids, strict=True)):
            return "special tokens"
        if any(tokenizer.unknown_id in some for tokenizer, some in each):
            return "text outside a vocabulary"
        left, right = ([*map(tokenizer.token_bytes, some)] for tokenizer, some in each)
        if left == right:
            return "the same tokens under other ids"
        # Libraries decode white space freely.
        if len({"".join(tokenizer.decode(some).split()) for tokenizer, some in each}) > 1:
            return "text changed by a normalizer"
        return ", ".join(kinds_of_characters(text)) or "other characters"


def first_difference(
    left: Any, right: Any, texts: Iterable[str] | None = None, *, by_ids: bool | None = None
) -> FirstDifference | None:
    """Return the first text for which two tokenizers differ, made as small as it gets; None if they agree on all.

    texts: by default the samples, sentences in 36 languages, and texts made to find differences. by_ids: whether ids
    of tokens are compared, or else only where tokens end; by default ids if both have the same tokens, special ones
    aside. Special tokens in texts count as such. Raises FamilyError for what is not a tokenizer, ValueError as
    `encode_batch` does.

    >>> import tokviz
    >>> gpt2, cl100k = tokviz.load("gpt2"), tokviz.load("cl100k_base")
    >>> first_difference(gpt2, cl100k, ["In the year", "of 2024"])
    FirstDifference(number=1, text=' 2', left_ids=(362,), right_ids=(220, 17))
    """
    left, right = (as_tokenizer(each, "a comparison") for each in (left, right))
    comparison = Comparison(left, right, by_ids)
    for text in (text for _, text in named_probe_texts(left, right)) if texts is None else checked_texts(texts):
        comparison.add(text)
        if comparison.first:
            return comparison.first
    return None


def named_probe_texts(left: AnyTokenizer, right: AnyTokenizer) -> Iterator[tuple[str, str]]:
    """Yield the texts to compare two tokenizers with, by name: samples, sentences, odd ones, special tokens."""
    yield from ((f"sample {name}", sample(name)) for name in SAMPLES)
    yield from ((f"sentences in {each.name}", "\n".join(each.sentences)) for each in LANGUAGES.values())
    yield from ((f"odd text {number}", text) for number, text in enumerate(ODD, 1))
    yield "special tokens", "".join(f"a{token} b" for token in sorted({*left.special_tokens, *right.special_tokens}))


def smallest_text(text: str, differs: Callable[[str], bool]) -> str:
    """Return what remains of a text that differs when as much as possible is left out and it still does.

    No single character of the result can be left out. Chunks are tried before characters, as in delta debugging
    (Zeller and Hildebrandt, 2002).

    >>> smallest_text("one 1, two 22", lambda text: "2" in text and "n" in text)
    'n2'
    """
    size, before = len(text) // 2, ""
    while size or text != before:
        before, start = text, 0
        while start < len(text):
            shorter = text[:start] + text[start + max(size, 1) :]
            start, text = (start, shorter) if differs(shorter) else (start + max(size, 1), text)
        size //= 2
    return text
