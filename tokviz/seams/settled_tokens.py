"""Which tokens of a text are settled whatever is appended to it, and what moves the others.

A text that grows keeps its tokens but the last few. Which ones is not guessed: `tokviz.seams.endings` knows how the
split pattern may cut the end of a text, and `tokviz.seams.changing_tokens` which tokens may then reach beyond it.
"""

import unicodedata
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise, takewhile
from typing import Any

from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.normalizer import Normalizer
from tokviz.core.pretokens import pretokens, split_at_special_tokens, well_formed_text
from tokviz.core.special_tokens import recognised_special_names
from tokviz.core.tokenizer import Tokenizer, tokenizer_with_merges
from tokviz.seams.changing_tokens import changes_by_token_end
from tokviz.seams.endings import possible_endings, settled_pretoken_start
from tokviz.system.recent import recent

_JOINING_TRIED = 40  # characters that join the last one of a text: the more, the longer


@dataclass(frozen=True)
class Seam:
    """A token that may still change: its index, and where it ends, in bytes.

    continuation: a text that changes it if it is appended; None if none was found, though nothing rules it out.
    """

    token: int
    byte_end: int
    continuation: str | None


@dataclass(frozen=True)
class Settled:
    """The settled part of a text: its first n_tokens tokens, which end at byte_end, char_end and utf16_end.

    These are places in the text as it was before it was normalized. A character counts if all its bytes are settled.
    seams: the other tokens, as far as they may change. is_proven: False for a split pattern that is not a named one;
    then no continuation that was tried changes the settled tokens, and nothing more is known.
    """

    n_tokens: int
    byte_end: int
    char_end: int
    utf16_end: int
    seams: tuple[Seam, ...]
    is_proven: bool


def settled(tokenizer: Any, text: str, *, allowed_special: str | Collection[str] = ()) -> Settled:
    """Return which tokens of a text stay as they are whatever is appended, and what changes the others.

    Lone surrogates become U+FFFD first. Special tokens are recognised as in `Tokenizer.encode`, and so is one that a
    continuation completes. Raises FamilyError for a tokenizer whose merges are not known, ValueError where the
    split pattern does not end.

    >>> import tokviz
    >>> found = settled(tokviz.load("cl100k_base"), "a trailing space ")
    >>> found.n_tokens, found.char_end, found.seams
    (3, 16, (Seam(token=3, byte_end=17, continuation=' '),))
    """
    tokenizer = tokenizer_with_merges(tokenizer, "a list of settled tokens")
    text = well_formed_text(text)
    names = recognised_special_names(tokenizer, allowed_special)
    end = _End(tokenizer, text, names)
    normalized, sources = tokenizer.normalized(text, allowed_special=allowed_special)
    n_plain = len(normalized.encode()) - len(end.normalized.encode())
    changed = {n_plain + place: more for place, more in end.changes_by_token_end().items()}
    completed = list(_special_token_starts_and_completions(text, names))
    first = _recut_start(tokenizer, text, names)
    n_bytes = len(text[:first].encode())
    ends = _token_ends(tokenizer, text[first:], allowed_special, n_bytes)
    # Not the tokens of the head alone, which may end in white space that is cut otherwise there.
    n_head = tokenizer.count(text, allowed_special=allowed_special) - len(ends)
    for _, more in completed:
        kept = set(pairwise((n_bytes, *_token_ends(tokenizer, text[first:] + more, allowed_special, n_bytes))))
        for token in pairwise((n_bytes, *ends)):
            if token not in kept:
                changed.setdefault(token[1], more)

    def typed(place: int) -> int:
        return place if sources is None else int(sources[place])

    seams = tuple(Seam(n_head + i, typed(end), changed[end]) for i, end in enumerate(ends) if end in changed)
    n_tokens = seams[0].token if seams else n_head + len(ends)
    byte_end = [n_bytes, *ends][n_tokens - n_head]
    n_whole = len(normalized.encode()[:byte_end].decode(errors="ignore").encode())
    chars = text.encode()[: typed(n_whole)].decode(errors="ignore")
    utf16_end = len(chars.encode("utf-16-le")) // 2
    return Settled(n_tokens, typed(byte_end), len(chars), utf16_end, seams, tokenizer.split_pattern in SPLIT_PATTERNS)


class _End:
    """The text after the last special token, and what of its tokens may change."""

    def __init__(self, tokenizer: Tokenizer, text: str, names: Collection[str]) -> None:
        self._tokenizer, self._normalizer, self._pattern = tokenizer, tokenizer.normalizer, tokenizer.split_pattern
        last, is_special = _last_stretch(text, names)
        typed = "" if is_special else last
        self._tail = typed[last_unjoined_start(typed) :]
        self.normalized = self._normalizer.normalized(typed, is_first=typed == text)
        self._tail_now = self._normalizer.without_prefix(self._tail)

    def changes_by_token_end(self) -> dict[int, str | None]:
        """Return where the tokens end that may change, in bytes, and what changes each, as the function does."""
        start = settled_pretoken_start(self.normalized, self._pattern)
        found = changes_by_token_end(self._tokenizer, self.normalized[start:], is_possible=self._is_left_unchanged)
        n_before = len(self.normalized[:start].encode())
        changed = {n_before + end: more for end, more in found.items()}
        joining = characters_changing_end(self._normalizer, self._tail)
        joined = self._changes_by_joining(joining) if joining else {}
        return joined | {end: more or joined.get(end) for end, more in changed.items()}

    def _is_left_unchanged(self, more: str) -> bool:
        """Return whether a text that follows is left as it is, and leaves what is before it."""
        is_plain = self._normalizer.is_plain
        return is_plain or self._normalizer.without_prefix(self._tail + more) == self._tail_now + more

    def _changes_by_joining(self, joining: Sequence[str]) -> dict[int, str | None]:
        """Return the same where a character may join the last one.

        That is some other character then, so that whatever another text after the rest may change can change, but not
        what is in pretokens that end before it in any case.
        """
        joining = joining[:: len(joining) // _JOINING_TRIED + 1]
        rest = self.normalized[: len(self.normalized) - len(self._tail_now)]
        start = settled_pretoken_start(rest, self._pattern)
        n_start, rest = len(rest[:start].encode()), rest[start:]
        texts = [rest + self._normalizer.without_prefix(self._tail + one) for one in ("", *joining)]
        cuts = [ending.cuts for text in texts for ending in possible_endings(text, self._pattern)]
        same = takewhile(lambda places: len({*places}) == 1, zip(*cuts, strict=False))
        n_cut = max((places[0] for places in same if places[0] <= len(rest)), default=0)
        first = min(changes_by_token_end(self._tokenizer, rest), default=len(rest.encode()) + 1)
        settled = max((end for end, _ in self._token_ends_and_ids(rest) if end < first), default=0)
        settled = max(settled, len(rest[:n_cut].encode()))
        now, *then = map(self._token_ends_and_ids, texts)
        found: dict[int, str | None] = dict.fromkeys(n_start + end for end, _ in now if end > settled)
        for one, tokens in zip(joining, then, strict=True):
            found |= {n_start + end: one for end, _ in {*now} - {*tokens} if end > settled}
        return found

    def _token_ends_and_ids(self, text: str) -> list[tuple[int, int]]:
        """Return where each token of a normalized text that starts with a pretoken ends, in bytes, and its id."""
        ids = [i for one in pretokens(text, self._pattern) for i in self._tokenizer.encode_pretoken(one)]
        return [*zip(accumulate(map(len, self._tokenizer.tokens_bytes(ids))), ids, strict=True)]


@cache
def joining_characters() -> frozenset[str]:
    """Return the characters that a Unicode form may join to those before them, or move among them.

    >>> "\\u0301" in joining_characters(), "\\u1161" in joining_characters(), "a" in joining_characters()
    (True, True, False)
    """
    every = [chr(i) for i in range(0x20000)]  # above these there are none
    pairs = (unicodedata.decomposition(character).split() for character in every)
    seconds = {chr(int(pair[1], 16)) for pair in pairs if len(pair) == 2 and pair[0][0] != "<"}
    seconds.update(map(chr, (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))))
    firsts = {character: unicodedata.normalize("NFKD", character)[0] for character in every if not character.isascii()}
    return frozenset(each for each, first in firsts.items() if unicodedata.combining(first) or first in seconds)


def last_unjoined_start(text: str) -> int:
    """Return where the last character begins that joins nothing before it; what follows it may join it.

    >>> last_unjoined_start("ae\\u0301"), last_unjoined_start("")
    (1, 0)
    """
    start = max(len(text) - 1, 0)
    while start and text[start] in joining_characters():
        start -= 1
    return start


@recent(maxsize=256)
def characters_changing_end(normalizer: Normalizer, end: str) -> tuple[str, ...]:
    """Return the characters that change how the end of a text is normalized if they follow it.

    >>> "\\u0338" in characters_changing_end(Normalizer("NFC"), "="), characters_changing_end(Normalizer("NFC"), "!")
    (True, ())
    """
    if not normalizer.form or not end:
        return ()
    now = normalizer.without_prefix(end)
    each = sorted(joining_characters())
    return tuple(one for one in each if not normalizer.without_prefix(end + one).startswith(now))


def changed_ids_before_and_after(
    tokenizer: Tokenizer, text: str, more: str, *, allowed_special: str | Collection[str] = ()
) -> tuple[list[int], list[int]]:
    """Return the ids at the end of a text that change where `more` follows it, and all ids from there on then.

    Only the end of the text is encoded.

    >>> import tokviz
    >>> gpt4 = tokviz.load("cl100k_base")
    >>> changed_ids_before_and_after(gpt4, "Say ", "yes"), changed_ids_before_and_after(gpt4, "Say", ":")
    (([220], [10035]), ([], [25]))
    """
    text = well_formed_text(text)
    tail = text[_recut_start(tokenizer, text, recognised_special_names(tokenizer, allowed_special)) :]
    now, then = (tokenizer.encode(part, allowed_special=allowed_special) for part in (tail, tail + more))
    n_kept = next((i for i, (one, other) in enumerate(zip(now, then, strict=False)) if one != other), len(now))
    return now[n_kept:], then[n_kept:]


def _recut_start(tokenizer: Tokenizer, text: str, names: Collection[str]) -> int:
    """Return a place before which nothing that follows the text changes any cut, in characters.

    It is 0 where texts are changed before they are cut.
    """
    if not tokenizer.normalizer.is_plain:
        return 0
    begun = next(_special_token_starts_and_completions(text, names), None)
    text = text if begun is None else text[: begun[0]]
    last, is_special = _last_stretch(text, names)
    begin = len(text) - len(last)
    return begin if is_special else begin + settled_pretoken_start(last, tokenizer.split_pattern)


def _last_stretch(text: str, names: Collection[str]) -> tuple[str, bool]:
    """Return the text after the last special token, or this at the end, which more text may make longer."""
    return next(iter(deque(split_at_special_tokens(text, names), maxlen=1)), ("", True))


def _special_token_starts_and_completions(text: str, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield where a special token may have begun, in characters, and what completes it: one for each place."""
    longest = max(map(len, names), default=0)
    for place in range(max(len(text) - longest + 1, 0), len(text)):
        begun = text[place:]
        if name := next((name for name in names if name.startswith(begun) and name != begun), None):
            yield place, name[len(begun) :]


def _token_ends(tokenizer: Tokenizer, text: str, allowed_special: str | Collection[str], begin: int) -> list[int]:
    """Return where the tokens of a text that begins at a byte end, in bytes."""
    tokens = tokenizer.tokens_bytes(tokenizer.encode_to_numpy(text, allowed_special=allowed_special))
    return list(accumulate(map(len, tokens), initial=begin))[1:]
