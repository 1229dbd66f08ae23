"""Which tokens of a text are settled whatever is appended to it, and what moves the others.

A text that grows keeps its tokens but the last few. Which ones is not guessed: `tokviz.seams.endings` knows how the
split pattern may cut the end of a text, and `tokviz.seams.changing_tokens` which tokens may then reach beyond it.
"""

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from tokviz.core.pretokens import split_special, well_formed_text
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.special_tokens import allowed_names
from tokviz.core.tokenizer import Tokenizer
from tokviz.seams.changing_tokens import changing_tokens
from tokviz.seams.endings import is_named_pattern, open_place


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

    A character counts if all its bytes are settled. seams: the other tokens, as far as they may change.
    is_proven: False for a split pattern that is not a named one; then no continuation that was tried changes the
    settled tokens, and nothing more is known.
    """

    n_tokens: int
    byte_end: int
    char_end: int
    utf16_end: int
    seams: tuple[Seam, ...]
    is_proven: bool


def settled(tokenizer: AnyTokenizer, text: str, *, allowed_special: str | Collection[str] = ()) -> Settled:
    """Return which tokens of a text stay as they are whatever is appended, and what changes the others.

    Lone surrogates become U+FFFD first. Special tokens are recognised as in `Tokenizer.encode`, and so is one that a
    continuation completes. Raises ValueError for a tokenizer whose merges are not known, and where the split
    pattern does not end.

    >>> import tokviz
    >>> found = settled(tokviz.load("cl100k_base"), "a trailing space ")
    >>> found.n_tokens, found.char_end, found.seams
    (3, 16, (Seam(token=3, byte_end=17, continuation=' '),))
    """
    if not isinstance(tokenizer, Tokenizer):
        raise ValueError(
            f"{tokenizer.name} is {tokenizer.kind}: only for byte-level BPE is it known what can still move"
        )
    text = well_formed_text(text)
    names = _recognised_names(tokenizer, allowed_special)
    _, plain = _open_stretch(text, names, tokenizer.split_pattern)
    n_plain = len(text[:plain].encode())
    changed: dict[int, str | None] = {
        n_plain + end: more for end, more in changing_tokens(tokenizer, text[plain:]).items()
    }
    completed = list(_special_completions(text, names))
    first = _recut_start(text, names, tokenizer.split_pattern)
    head = text[:first]
    n_bytes = len(head.encode())
    ends = _token_ends(tokenizer, text[first:], allowed_special, n_bytes)
    # Not the tokens of the head alone, which may end in white space that is cut otherwise there.
    n_head = tokenizer.count(text, allowed_special=allowed_special) - len(ends)
    for _, more in completed:
        kept = set(pairwise((n_bytes, *_token_ends(tokenizer, text[first:] + more, allowed_special, n_bytes))))
        for token in pairwise((n_bytes, *ends)):
            if token not in kept:
                changed.setdefault(token[1], more)
    seams = tuple(Seam(n_head + i, end, changed[end]) for i, end in enumerate(ends) if end in changed)
    n_tokens = seams[0].token if seams else n_head + len(ends)
    byte_end = [n_bytes, *ends][n_tokens - n_head]
    chars = head + text[first:].encode()[: byte_end - n_bytes].decode(errors="ignore")
    utf16_end = len(chars.encode("utf-16-le")) // 2
    return Settled(n_tokens, byte_end, len(chars), utf16_end, seams, is_named_pattern(tokenizer.split_pattern))


def ids_changed_by(
    tokenizer: Tokenizer, text: str, more: str, *, allowed_special: str | Collection[str] = ()
) -> tuple[list[int], list[int]]:
    """Return the ids at the end of a text that change where `more` follows it, and all ids from there on then.

    Only the end of the text is encoded.

    >>> import tokviz
    >>> gpt4 = tokviz.load("cl100k_base")
    >>> ids_changed_by(gpt4, "Say ", "yes"), ids_changed_by(gpt4, "Say", ":")
    (([220], [10035]), ([], [25]))
    """
    text = well_formed_text(text)
    tail = text[_recut_start(text, _recognised_names(tokenizer, allowed_special), tokenizer.split_pattern) :]
    now, then = (tokenizer.encode(part, allowed_special=allowed_special) for part in (tail, tail + more))
    n_kept = next((i for i, (one, other) in enumerate(zip(now, then, strict=False)) if one != other), len(now))
    return now[n_kept:], then[n_kept:]


def _recognised_names(tokenizer: Tokenizer, allowed_special: str | Collection[str]) -> frozenset[str]:
    names = allowed_names(tokenizer.name, tokenizer.special_tokens, allowed_special, tokenizer.always_special)
    return frozenset(names)


def _recut_start(text: str, names: Collection[str], split_pattern: str) -> int:
    """Return a place before which nothing that follows the text changes any cut, in characters."""
    begun = next(_special_completions(text, names), None)
    return _open_stretch(text if begun is None else text[: begun[0]], names, split_pattern)[0]


def _open_stretch(text: str, names: Collection[str], split_pattern: str) -> tuple[int, int]:
    """Return where the text begins, in characters, that is cut anew, and where the plain text in it begins."""
    last, is_special = next(iter(deque(split_special(text, names), maxlen=1)), ("", True))
    begin = len(text) - len(last)
    if is_special:  # one that more text may make longer
        return begin, len(text)
    return (begin + open_place(last, split_pattern),) * 2


def _special_completions(text: str, names: Collection[str]) -> Iterator[tuple[int, str]]:
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
