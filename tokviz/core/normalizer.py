"""Normalizer: what happens to a text before it is split, and where each byte of the result comes from."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import regex

SPACE_MARK = "▁"  # U+2581, which stands for a space in SentencePiece's vocabularies
_CLUSTERS = regex.compile(r"\X")  # normalization never crosses the boundary of a grapheme cluster
_LAST_ASCII = regex.compile(r"(?r)[\x00-\x7f]")  # which joins nothing before it


@dataclass(frozen=True)
class Normalizer:
    """The changes to a text, in the order of the fields.

    form: "NFC", "NFD", "NFKC", "NFKD", or "" for none. lowercase: each character by itself. marks_are_spaces: whether
    ▁ (U+2581) is a space. prefix: where a space is put in front: "" for nowhere, before the "first" stretch of a text,
    before "each" stretch between special tokens, or before each "text" between those that do not always match; those
    that do are part of it, as in SentencePiece. prefix_if_missing: whether that is only done where there is none.

    >>> Normalizer("NFC", prefix="each").normalized("e\\u0301")
    ' é'
    """

    form: str = ""
    lowercase: bool = False
    marks_are_spaces: bool = False
    prefix: str = ""
    prefix_if_missing: bool = False

    @cached_property
    def is_plain(self) -> bool:
        """Whether no text is ever changed."""
        return self == PLAIN

    def stretches(
        self, found: Iterable[tuple[str, bool]], always_special: Collection[str], *, is_first: bool = True
    ) -> Iterator[tuple[str, bool, bool]]:
        """Yield stretches of a text and its special tokens, each with whether it is one, and whether it is the first.

        Where a text begins with a token that always matches, an empty stretch may come before it, for its space.
        is_first: whether these begin the text.

        >>> [*Normalizer(prefix="text").stretches([("<t>", True), ("a", False)], ["<t>"])]
        [('', False, True), ('<t>', True, True), ('a', False, False)]
        """
        for stretch, is_special in found:
            is_part = stretch in always_special or not is_special
            if is_first and is_special and is_part and self.prefix == "text":
                yield "", False, True
            yield stretch, is_special, is_first
            is_first = self.prefix == "text" and not is_part

    def normalized(self, text: str, *, is_first: bool = True) -> str:
        """Return a stretch of a text, without lone surrogates, as it is split; is_first: whether it begins the text."""
        changed = self.without_prefix(text)
        return f" {changed}" if self._gets_prefix(changed, is_first=is_first) else changed

    def changes(self, text: str) -> bool:
        """Return whether more happens to a text, without lone surrogates, than a space in front; quick if not.

        >>> Normalizer("NFC", prefix="each").changes("é"), Normalizer("NFC").changes("e\\u0301")
        (False, True)
        """
        return self.without_prefix(text) != text

    def without_prefix(self, text: str) -> str:
        """Return a stretch, or a part of one, as `normalized` does, without the space in front."""
        if self.form and not text.isascii() and not unicodedata.is_normalized(self.form, text):  # type: ignore[arg-type]
            text = unicodedata.normalize(self.form, text)  # type: ignore[arg-type]
        if self.lowercase:
            # Python's own lower case of Σ depends on the letters around it, that of the tokenizers library does not.
            text = text.replace("Σ", "σ").lower()
        return text.replace(SPACE_MARK, " ") if self.marks_are_spaces else text

    def _gets_prefix(self, changed: str, *, is_first: bool) -> bool:
        wanted = self.prefix == "each" or (bool(self.prefix) and is_first)
        is_missing = not (self.prefix_if_missing and changed[:1] == " ")
        return wanted and is_missing and (bool(changed) or self.prefix == "text")

    def sources(self, text: str, *, is_first: bool = True) -> np.ndarray:
        """Return for each byte of `normalized(text)`, and for its end, the byte of `text` that it comes from, int32.

        The space put in front comes from nothing. Inside what several characters became together, only the first byte
        has a source of its own; the others are in the last of these characters.

        >>> Normalizer("NFC", prefix="each").sources("ae\\u0301").tolist()
        [0, 0, 1, 3, 4]
        """
        changed = self.without_prefix(text)
        found = _source_byte_offsets(text, changed, self.without_prefix)
        return np.concatenate([[0], found]).astype(np.int32) if self._gets_prefix(changed, is_first=is_first) else found

    def changes_parts_alike(self, text: str) -> bool:
        """Return whether parts of a text, cut before white space, are known to be changed as they are in the whole.

        >>> Normalizer("NFC").changes_parts_alike("é è"), Normalizer(prefix="each").changes_parts_alike("é è")
        (True, False)
        """
        is_mark_changed = self.marks_are_spaces and SPACE_MARK in text
        return self.form in ("", "NFC", "NFD") and not self.prefix and not is_mark_changed

    def words(self) -> str:
        """Return what is done to a text, in words, "" if nothing is.

        >>> Normalizer("NFC", lowercase=True).words()
        'Unicode form NFC, lower case'
        """
        prefix = {"each": "a space in front and after special tokens"}.get(self.prefix, "a space in front")
        done = [
            self.form and f"Unicode form {self.form}",
            self.lowercase and "lower case",
            self.marks_are_spaces and f"{SPACE_MARK} as a space",
            self.prefix and prefix + self.prefix_if_missing * ", if there is none",
        ]
        return ", ".join(word for word in done if word)


PLAIN = Normalizer()


class NormalizedParts:
    """Takes a document part by part, and gives it back normalized, as far as what follows cannot change it.

    >>> parts = NormalizedParts(Normalizer("NFC", prefix="each"))
    >>> [parts.add_and_return_certain_text(one) for one in ("ae", " e")]
    [' a', 'e ']
    >>> parts.add_and_return_certain_text("\\u0301b", closed=True)
    'éb'
    """

    def __init__(self, normalizer: Normalizer) -> None:
        self._normalizer = normalizer
        self._pending: list[str] = []
        self._is_first, self._has_begun = True, False

    def add_and_return_certain_text(self, part: str, *, closed: bool = False) -> str:
        """Take a part, the last one before a special token or the end if `closed`; return what is certain by now."""
        if self._normalizer.is_plain:
            return part
        end = len(part)
        if self._normalizer.form and not closed:
            last = _LAST_ASCII.search(part)
            end = last.start() if last else 0
            if not last:
                self._pending.append(part)
                return ""
        text = "".join([*self._pending, part[:end]])
        self._pending = [part[end:]]
        if self._has_begun:
            changed = self._normalizer.without_prefix(text)
        else:
            changed = self._normalizer.normalized(text, is_first=self._is_first)
        self._is_first, self._has_begun = self._is_first and not closed, not closed and (self._has_begun or bool(text))
        return changed


def _source_byte_offsets(text: str, changed: str, of: Callable[[str], str]) -> np.ndarray:
    """Return for each byte of a changed text, and for its end, the byte of the text that it comes from."""
    if changed == text:
        return np.arange(len(text.encode()) + 1, dtype=np.int32)
    clusters: list[str] = _CLUSTERS.findall(text)
    results = [of(cluster) for cluster in clusters]
    if "".join(results) != changed:
        clusters, results = [text], [changed]
    found: list[int] = []
    at = 0
    for cluster, result in zip(clusters, results, strict=True):
        size = len(cluster.encode())
        if len(cluster) == len(result):
            for old, new in zip(cluster, result, strict=True):
                found += _sources_of_character_bytes(at, len(old.encode()), len(new.encode()))
                at += len(old.encode())
        else:
            # Other boundaries are inside the last character, or at its end if it has one byte.
            last = len(cluster[-1].encode())
            n_new = len(result.encode())
            found += [at, *[at + size - max(last - 1, 0)] * (n_new - 1)][:n_new]
            at += size
    return np.array([*found, at], np.int32)


def _sources_of_character_bytes(at: int, old: int, new: int) -> list[int]:
    """Return the sources of the bytes of a character that was another, of `old` bytes from `at` on."""
    return [*range(at, at + new)] if old == new else [at, *[at + min(1, old - 1)] * (new - 1)]
