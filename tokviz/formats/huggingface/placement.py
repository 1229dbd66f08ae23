"""Where the tokens of the `tokenizers` library are in a text, by the rule by which SentencePiece places its own.

The library gives each token the characters that its first and its last one come from. It leaves out characters that a
normalizer merged into others, and lays tokens that share a character, or stand for what was put before one, over it.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from typing import Self

import numpy as np
from tokenizers import PreTokenizedString, Regex
from tokenizers.normalizers import Normalizer

from tokviz.core.spans import text_and_byte_offsets


@dataclass(frozen=True)
class Alignment:
    """A normal form, in bytes, and where each of them and its end come from, in bytes of the text.

    A character that a normalizer left alone comes byte by byte; a changed one as a whole from where it begins in the
    text, so of several tokens that share it the last has it and those before are empty.
    """

    normalized: bytes
    origins: Sequence[int]

    @classmethod
    def of_normal_form(cls, text: str, characters: Iterable[tuple[str, int]]) -> Self:
        """Return that of a text; `characters` are its normal form, each with the number of the one it begins at.

        >>> Alignment.of_normal_form("ﬁé", [("f", 0), ("i", 0), ("é", 1)]).origins
        [0, 0, 3, 4, 5]
        """
        given = list(characters)
        byte_at = list(accumulate((len(character.encode()) for character in text), initial=0))
        starts = list(accumulate((start for _, start in given), max))
        origins: list[int] = []
        for (character, _), (start, stop) in zip(given, pairwise([*starts, len(text)]), strict=True):
            begin, n_bytes = byte_at[start], len(character.encode())
            same = text[start:stop] == character
            origins += range(begin, begin + n_bytes) if same else [begin] * n_bytes
        return cls("".join(character for character, _ in given).encode(), [*origins, byte_at[-1]])

    def cuts_if_spelled(self, tokens: Sequence[bytes]) -> list[int] | None:
        """Return where in the text each token but the last ends, in bytes; None for tokens of another text.

        Spaces at the beginning may differ, since one is put before a text and others may be left out.

        >>> half = Alignment.of_normal_form("½é", [("1", 0), ("⁄", 0), ("2", 0), ("é", 1)])
        >>> half.cuts_if_spelled([b" 1", "⁄2".encode(), "é".encode()])
        [0, 2]
        """
        joined = b"".join(tokens)
        if joined.lstrip(b" ") != self.normalized.lstrip(b" "):
            return None
        moved = len(self.normalized) - len(joined)
        ends = accumulate(map(len, tokens[:-1]))
        return [self.origins[max(0, end + moved)] for end in ends]


Offsets = Sequence[tuple[int, int]]
MARKS = "▁ "  # what replaces white space in a normal form
ALIGNED_MAX = 100_000  # characters of a text that are aligned one by one, in about half a second
_CONTEXT = 10  # characters before a gap that what is in it may be merged into
_EACH = Regex(r"[\s\S]")


class Gaps:
    """What becomes of the characters to which the library gives no token, under a normalizer.

    Those that the normalizer merged into the ones before them belong to the token of these. Where ▁ marks a space, so
    do those that it leaves out, and white space belongs to the token after it if that begins with ▁. Everything else,
    such as white space at both ends of a text, belongs to no token.
    """

    def __init__(self, normalizer: Normalizer | None, *, has_marks: bool) -> None:
        self.normalizer, self.has_marks = normalizer, has_marks
        self.form: Callable[[str], str] = normalizer.normalize_str if normalizer else str
        self.is_space = cache(self._is_space)
        self.belongs_before = cache(self._belongs_before)

    def _is_space(self, character: str) -> bool:
        if character.isspace():
            return True
        between = self.form(f"a{character}a").strip(MARKS).removeprefix("a").removesuffix("a")
        return bool(between) and not between.strip(MARKS).strip()

    def _belongs_before(self, before: str, gap: str) -> bool:
        """Return whether the characters of a gap are merged into those before it, or left out by the normalizer."""
        whole, alone = self.form(before + gap), self.form(gap).lstrip(MARKS)
        if alone and whole.endswith(alone):
            return False
        return self.has_marks or whole != self.form(before)

    def n_leading_characters_left_out(self, text: str) -> int:
        """Return how many characters at the beginning of a text the normalizer leaves out; 0 if that leaves nothing."""
        is_left_out = (not self.form(character) and not self.is_space(character) for character in text)
        lead = next((i for i, so in enumerate(is_left_out) if not so), 0)
        return lead if lead and self.form(text[lead:]) == self.form(text) else 0

    def normal_form_characters_and_starts(self, text: str) -> list[tuple[str, int]]:
        """Return the characters of the normal form, each with the number of the character of the text it begins at.

        A ▁ is a space.

        >>> from tokenizers.normalizers import NFKC
        >>> Gaps(NFKC(), has_marks=False).normal_form_characters_and_starts("½e\\u0301x")
        [('1', 0), ('⁄', 0), ('2', 0), ('é', 1), ('x', 3)]
        """
        lead = self.n_leading_characters_left_out(text)
        given = PreTokenizedString(text[lead:])
        if self.normalizer is not None:
            given.normalize(self.normalizer.normalize)
        given.split(lambda _, part: part.split(_EACH, "isolated"))
        return [(form.replace("▁", " "), start + lead) for form, (start, _), _ in given.get_splits("original", "char")]

    def character_places_with_gaps(
        self, text: str, tokens: Sequence[str], offsets: Offsets, added: Collection[int]
    ) -> np.ndarray:
        """Return where tokens start and end, in characters, with the gaps that belong to them; none goes back.

        added: the numbers of the added tokens; the text ends before each and begins again after it.
        """
        starts, ends = np.maximum.accumulate(np.array(offsets, np.int32).reshape(-1, 2)).T
        ends = np.maximum(starts, ends)
        begins, stops = np.append(0, ends), np.append(starts, len(text))
        for i in np.flatnonzero(begins < stops).tolist():
            begin, stop = int(begins[i]), int(stops[i])
            if i > 0 and i - 1 not in added:
                rest = self._first_place(text, begin, stop, is_space=True)
                before = text[max(starts[i - 1], begin - _CONTEXT) : begin]
                if rest > begin and self.belongs_before(before, text[begin:rest]):
                    ends[i - 1] = rest
            else:  # white space here is left out, and so may be characters after it
                rest = self._first_place(text, begin, stop, is_space=False)
                rest = stop if self.form(text[rest:stop]) else rest
            if self.has_marks and i < len(tokens) and tokens[i].startswith("▁"):
                starts[i] = rest
        return np.array([starts, ends])

    def _first_place(self, text: str, begin: int, stop: int, *, is_space: bool) -> int:
        """Return the first character from `begin` on that is a space, or is not one; `stop` if there is none."""
        return next((i for i in range(begin, stop) if self.is_space(text[i]) == is_space), stop)


def byte_places(
    text: str, tokens: Sequence[bytes], places: np.ndarray, aligned: Callable[[list[str]], list[Alignment]]
) -> tuple[list[int], list[int]]:
    """Return where tokens start and end in the bytes of a text; those that overlap share what they overlap in.

    places: where they start and end in characters, as `Gaps.character_places_with_gaps` returns it. aligned:
    gives the alignments of some stretches of the text.
    """
    data = text.encode()
    in_bytes = text_and_byte_offsets(data)[1][places]
    starts, ends = in_bytes.tolist()
    groups = _overlapping_runs(*places)
    # Most tokens spell their stretch as it is, as its own normal form.
    given = [data[starts[i] : ends[j - 1]] for i, j in groups]
    cuts = [
        Alignment(each, range(len(each) + 1)).cuts_if_spelled(tokens[i:j])
        for each, (i, j) in zip(given, groups, strict=True)
    ]
    stretches = [
        text[places[0, i] : places[1, j - 1]] if found is None else ""
        for found, (i, j) in zip(cuts, groups, strict=True)
    ]
    distinct = dict.fromkeys(filter(None, stretches))
    totals = accumulate(map(len, distinct))
    changed = [stretch for stretch, total in zip(distinct, totals, strict=True) if total <= ALIGNED_MAX]
    alignments = dict(zip(changed, aligned(changed), strict=True)) if changed else {}
    for (i, j), stretch, found in zip(groups, stretches, cuts, strict=True):
        if stretch in alignments:
            found = alignments[stretch].cuts_if_spelled(tokens[i:j])
        # Of tokens that spell nothing, such as unknown ones, each ends where the next begins.
        ends[i : j - 1] = starts[i + 1 : j] = starts[i + 1 : j] if found is None else [starts[i] + cut for cut in found]
    return starts, ends


def _overlapping_runs(starts: np.ndarray, ends: np.ndarray) -> list[tuple[int, int]]:
    """Return the first token, and the one after the last, of each run in which every token overlaps the one before."""
    overlaps = np.concatenate([[False], starts[1:] < ends[:-1], [False]]) if len(starts) else np.zeros(1, bool)
    turns = np.flatnonzero(overlaps[1:] != overlaps[:-1]).tolist()
    return [(first, last + 1) for first, last in zip(turns[::2], turns[1::2], strict=True)]
