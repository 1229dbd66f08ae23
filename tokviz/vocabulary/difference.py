"""Whether two tokenizers differ, as one and its conversion should not: the first text, and kinds of difference."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

import regex

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import TokenSpans, text_spans
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.equivalence import ODD
from tokviz.languages.table import LANGUAGES
from tokviz.vocabulary.facts import OTHER_SCRIPT, SCRIPTS
from tokviz.vocabulary.replacement import NamedText, sample_texts
from tokviz.vocabulary.report import overlap
from tokviz.vocabulary.stretches import Stretch, differing_stretches

CONTEXT_BYTES = 64  # before and after a stretch that differs only where it is, before the whole text is tried
_CHARACTERS = {
    "white space": regex.compile(r"^\s+$|\s\s|[^\S ]"),  # one space belongs to the word after it
    "digits": regex.compile(r"\p{N}"),
    "punctuation and signs": regex.compile(r"[\p{P}\p{S}]"),
}
_LETTER = regex.compile(r"[\p{L}\p{M}]")
_OF_SCRIPT = "|".join(rf"(?P<{name}>\p{{Script={name}}})" for name in SCRIPTS[1:-1])
_SCRIPT = regex.compile(rf"(?={_LETTER.pattern})(?:{_OF_SCRIPT})")


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


@dataclass
class DifferenceKind:
    """What characters are in stretches that differ, or another reason: how many texts and stretches have it."""

    kind: str
    first: str
    n_texts: int = 0
    n_stretches: int = 0


class Comparison:
    """Two tokenizers, and what they do with texts.

    by_ids: whether ids of tokens are compared, or else only where tokens end; None means ids if both have the same
    tokens, special ones aside. Special tokens in texts count as such.
    """

    def __init__(self, left: AnyTokenizer, right: AnyTokenizer, by_ids: bool | None = None) -> None:
        self.both = left, right
        if by_ids is None:
            shared = overlap(left, right)
            by_ids = not (len(shared.only_left) or len(shared.only_right))
        self.by_ids = by_ids
        self.n_texts = self.n_differing = 0
        self.first: FirstDifference | None = None
        self.first_name = ""
        self.kinds: dict[str, DifferenceKind] = {}
        self._special_ids = [{*each.special_tokens.values()} - {each.unknown_id} for each in self.both]

    def _spans_and_stretches(self, text: str) -> tuple[list[TokenSpans], Iterator[Stretch]]:
        spans = [text_spans(each, text, allowed_special="all") for each in self.both]
        features = [(each.ids if self.by_ids else each.byte_ends).tolist() for each in spans]
        return spans, differing_stretches(spans, features)

    def differs(self, text: str) -> bool:
        """Return whether the tokens of a text differ."""
        return any(self._spans_and_stretches(text)[1])

    def add(self, name: str, text: str) -> None:
        """Compare a text, and count what differs in it."""
        spans, found = self._spans_and_stretches(text)
        kinds = set()
        for stretch in found:
            if self.first is None:
                self.first, self.first_name = self._first_difference(spans[0], stretch), name
            ids = spans[0].ids[stretch.left].tolist(), spans[1].ids[stretch.right].tolist()
            places = spans[0].character_starts.searchsorted([stretch.byte_start + 1, stretch.byte_end])
            part = spans[0].text[places[0] - 1 : places[1]]  # with the whole of characters that are cut
            kind = self._kind(part, ids)
            row = self.kinds.setdefault(kind, DifferenceKind(kind, part))
            row.n_stretches += 1
            row.n_texts += kind not in kinds
            kinds.add(kind)
        self.n_texts += 1
        self.n_differing += bool(kinds)

    def _first_difference(self, spans: TokenSpans, stretch: Stretch) -> FirstDifference:
        start, end = max(0, stretch.byte_start - CONTEXT_BYTES), stretch.byte_end + CONTEXT_BYTES
        around = spans.data[start:end].decode(errors="ignore")
        text = smallest_text(around if self.differs(around) else spans.text, self.differs)
        left, right = (tuple(text_spans(each, text, allowed_special="all").ids.tolist()) for each in self.both)
        return FirstDifference(self.n_texts, text, left, right)

    def _kind(self, text: str, ids: Sequence[Sequence[int]]) -> str:
        """Return what kind of difference a stretch has: the first reason that holds, or else its characters."""
        each = list(zip(self.both, ids, self._special_ids, strict=True))
        if any(special.intersection(some) for _, some, special in each):
            return "special tokens"
        if any(tokenizer.unknown_id in some for tokenizer, some, _ in each):
            return "text outside a vocabulary"
        left, right = (list(map(tokenizer.token_bytes, some)) for tokenizer, some, _ in each)
        if left == right:
            return "the same tokens under other ids"
        left, right = (tokenizer.decode(some) for tokenizer, some, _ in each)
        if not all(isinstance(tokenizer, Tokenizer) for tokenizer in self.both):
            left, right = ("".join(decoded.split()) for decoded in (left, right))  # libraries decode spaces freely
        if left != right:
            return "text changed by a normalizer"
        kinds = [kind for kind, pattern in _CHARACTERS.items() if pattern.search(text)]
        if _LETTER.search(text):
            script = _SCRIPT.search(text)
            kinds.append(f"letters ({script.lastgroup if script else OTHER_SCRIPT})")
        return ", ".join(kinds) or "other characters"


def first_difference(
    left: AnyTokenizer, right: AnyTokenizer, texts: Iterable[str] | None = None, *, by_ids: bool | None = None
) -> FirstDifference | None:
    """Return the first text for which two tokenizers differ, made as small as it gets; None if they agree on all.

    texts: by default the samples, sentences in 36 languages, and texts made to find differences. by_ids: whether ids
    of tokens are compared, or else only where tokens end; None means ids if both have the same tokens, special ones
    aside. Special tokens in texts count as such. Raises ValueError as `encode` does.

    >>> import tokviz
    >>> gpt2, cl100k = tokviz.load("gpt2"), tokviz.load("cl100k_base")
    >>> first_difference(gpt2, cl100k, ["In the year", "of 2024"])
    FirstDifference(number=1, text='2024', left_ids=(1238, 1731), right_ids=(2366, 19))
    """
    comparison = Comparison(left, right, by_ids)
    for name, text in named_probe_texts(left, right) if texts is None else zip(repeat(""), texts, strict=False):
        comparison.add(name, text)
        if comparison.first:
            return comparison.first
    return None


def named_probe_texts(left: AnyTokenizer, right: AnyTokenizer) -> Iterator[NamedText]:
    """Yield the texts that tokenizers are compared with by default: samples, sentences, odd ones, special tokens."""
    yield from sample_texts()
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
    size = max(1, len(text) // 2)
    while True:
        before, start = text, 0
        while start < len(text):
            shorter = text[:start] + text[start + size :]
            if differs(shorter):
                text = shorter
            else:
                start += size
        if size == 1 and text == before:
            return text
        size = max(1, size // 2)
