"""Which tokens of a vocabulary texts can produce: alone, only inside a longer text, or never.

A token's own text may encode to others: the split pattern cuts it (` 亚洲AV` in o200k_base, until a small letter
follows), or it holds a part of a character. Then texts around it are tried, and one that has the token is the proof
that it occurs. That it never occurs has a proof too, or is not said:

- no UTF-8 holds its bytes, as those of the bytes C0, C1 and F5 to FF;
- the normalizer changes every text that holds it, or a special token that is always recognised is in it;
- the split pattern cuts every text that holds it (known for the named patterns);
- merges do not lead to it, and it is no whole pretoken;
- a merge always takes its first or last byte: it begins inside a character, and no token that could stand before it
  keeps apart from it, or so at its end.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product

import regex

from tokviz.core import bpe
from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.pretokens import pretokens, special_token_splitter
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.unicode_classes import compiled_with_classes_of_tiktoken
from tokviz.seams.characters import (
    can_occur_in_utf8,
    leading_continuations,
    some_characters_ending_with,
    some_characters_holding,
    some_texts_beginning_with,
)
from tokviz.seams.endings import CONTINUATIONS, pretoken_ends
from tokviz.system import sandbox
from tokviz.system.recent import recent
from tokviz.text.glyphs import text_or_none

ALONE, IN_CONTEXT, NEVER, NOT_FOUND = "alone", "in context", "never", "not found"
SPACED = "a space is put before it"  # how the reason begins for tokens inside words, where texts get a space in front

# What a pretoken of each named pattern may hold, or a little more: proof enough where a token is not of this form.
_INSIDE = {
    ("sentencepiece",): r"\n{0,31}| *(?:[^ \n>]|>(?: (?=</|<?\Z))?)*",
    ("gpt2", "starcoder"): r" ?\p{L}*| ?\p{N}*| ?[^\s\p{L}\p{N}]*|\s*|'(?:[sdmt]|ll?|ve?|re?)",
    ("cl100k", "llama3", "qwen2"): r"[^\r\n\p{L}\p{N}]?\p{L}*|\p{N}{0,3}| ?[^\s\p{L}\p{N}]*[\r\n]*|\s*",
    ("qwen35", "deepseek-v3"): r"[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]*|\p{N}{0,3}| ?[^\s\p{L}\p{N}]*[\r\n]*|\s*",
    ("o200k", "tekken", "kimi-k2"): (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'(?:[sdmt]|ll?|ve?|re?)?)?"
        r"|\p{N}{0,3}| ?[^\s\p{L}\p{N}]*[\r\n/]*|\s*"
    ),
}
_BEFORE = ("", "a", "!", " ", "A", "1", "(", "'", "\n", ".", "ก", "\u0301", "€", "😀", "}")
_BEHIND = ("", *CONTINUATIONS, "m", "re", "ve", "t", "d", "S", "M", "ſ", "ɐ", "é", "x")
_TRIED = 160  # characters that complete a token, on one side, or on both in all
_OF_KINDS = 14  # enough to have two of each kind


@dataclass(frozen=True)
class Reach:
    """How texts produce a token: reach is "alone", "in context", "never", or "not found".

    context: a text with the token; its own text if that produces it, None if there is none. why: for "in context" and
    "never" the reason in words.
    """

    reach: str
    context: str | None = None
    why: str = ""


UNUSED = Reach(NEVER, why="its character is a token itself")  # the id of such a byte


@recent(maxsize=256)
def reach(tokenizer: Tokenizer, token: bytes) -> Reach:
    """Return how texts produce a token that is not special.

    "not found" says that no text was found, and no proof either. Raises KeyError for bytes that are not a token.

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> reach(gpt2, b" the"), reach(gpt2, b"\\xc0").why
    (Reach(reach='alone', context=' the', why=''), 'no UTF-8 holds these bytes')
    >>> reach(tokviz.load("o200k_base"), " 亚洲AV".encode()).context
    ' 亚洲AVa'
    """
    if token not in tokenizer.mergeable_ranks:
        raise KeyError(f"{tokenizer.name} has no token {token!r}")
    return _reach(tokenizer, token, special_token_splitter(tokenizer.always_special))


Splitter = Callable[[str], Iterable[tuple[str, bool]]]


def _reach(tokenizer: Tokenizer, token: bytes, split_always: Splitter) -> Reach:
    """Return the same; split_always cuts the special tokens out of a text that are recognised in every text."""
    whole = token.decode(errors="ignore")
    if can_occur_in_utf8(token) and _is_always_changed(tokenizer, whole):
        return Reach(NEVER, why=f"no text holds it once it is normalized ({tokenizer.normalizer.words()})")
    if special := _always_special_token_in(tokenizer, whole, split_always):
        return Reach(NEVER, why=f"the special token {special!r} is in it, which is recognised in every text")
    text = text_or_none(token)
    if text is None:
        return _reach_of_character_part(tokenizer, token)
    typed = _typed(tokenizer, text)
    if typed is not None and tokenizer.encode(typed) == [tokenizer.mergeable_ranks[token]]:
        return Reach(ALONE, typed)
    if not tokenizer.takes_whole and bpe.tokens(token, tokenizer.mergeable_ranks) != [token]:
        return Reach(NEVER, why="merges do not lead to it, and this tokenizer takes nothing whole")
    return _reach_of_token_not_alone(tokenizer, token, text)


def reach_by_token_id(tokenizer: Tokenizer) -> dict[int, Reach]:
    """Return how texts produce each token that is not special, by id."""
    tokens = sorted(tokenizer.ordinary_tokens.items())
    texts = [text for _, token in tokens if (text := text_or_none(token)) is not None]
    whole = {
        text for text, n in zip(texts, _n_pretokens_of_each(texts, tokenizer.split_pattern), strict=True) if n == 1
    }
    unmerged = frozenset() if tokenizer.takes_whole else tokenizer.unmerged
    split_always = special_token_splitter(tokenizer.always_special)

    def reach_quickly_if_whole(token: bytes) -> Reach:
        # A token that is a whole pretoken is taken whole, or merges lead to it.
        text = text_or_none(token)
        typed = _typed(tokenizer, text) if text in whole and text is not None and token not in unmerged else None
        if typed is None or any(is_special for _, is_special in split_always(typed)):
            return _reach(tokenizer, token, split_always)
        return Reach(ALONE, typed)

    return {i: UNUSED if i in tokenizer.unused_bytes else reach_quickly_if_whole(token) for i, token in tokens}


def _typed(tokenizer: Tokenizer, text: str) -> str | None:
    """Return what becomes this text where it is normalized; None if neither it nor its end does."""
    return next((typed for typed in (text, text[1:]) if tokenizer.normalizer.normalized(typed) == text), None)


def _is_always_changed(tokenizer: Tokenizer, text: str) -> bool:
    """Return whether the normalizer gives no text that holds this one: what it gives, and each part of that, it leaves.

    Not so where lower case follows a Unicode form: ẗ has no capital, so that T with two dots becomes t with two dots.
    """
    normalizer = tokenizer.normalizer
    form = "" if normalizer.lowercase else normalizer.form
    return replace(normalizer, form=form).without_prefix(text) != text


def _always_special_token_in(tokenizer: Tokenizer, text: str, split_always: Splitter) -> str | None:
    """Return a special token that is recognised wherever this text comes from, None if there is none."""
    normalizer = tokenizer.normalizer
    if normalizer.form or normalizer.lowercase:  # which may make its text of another
        return None
    found = (stretch for stretch, is_special in split_always(text) if is_special)
    return next((name for name in found if not (normalizer.marks_are_spaces and " " in name)), None)


def _n_pretokens_of_each(texts: list[str], split_pattern: str) -> list[int]:
    if split_pattern in SPLIT_PATTERNS:
        return [len(pretoken_ends(text, split_pattern)) for text in texts]
    seconds = 10 + len(texts) / 5_000
    return sandbox.call(_n_pretokens_in_child, texts, split_pattern, seconds=seconds, what="the split pattern")


def _n_pretokens_in_child(texts: list[str], split_pattern: str) -> list[int]:
    return [len(pretokens(text, split_pattern)) for text in texts]


@cache
def _inside_pattern_if_named(split_pattern: str) -> regex.Pattern[str] | None:
    """Return what every pretoken of a named pattern matches as a whole."""
    found = next((pattern for names, pattern in _INSIDE.items() if split_pattern in names), None)
    return None if found is None else compiled_with_classes_of_tiktoken(found)


def _reach_of_token_not_alone(tokenizer: Tokenizer, token: bytes, text: str) -> Reach:
    """Return the reach of a token whose own text the split pattern cuts."""
    inside = _inside_pattern_if_named(tokenizer.split_pattern)
    if inside and not inside.fullmatch(text):
        return Reach(NEVER, why="the split pattern cuts every text that holds it")
    is_cut = len(pretokens(text, tokenizer.split_pattern)) > 1
    why = "the split pattern cuts it" if is_cut else SPACED
    # After a line end no space is put in front, and most patterns cut there.
    befores = _BEFORE if is_cut else ("\n", *_BEFORE)
    for before, behind in product(befores, _BEHIND):
        if _encodes_to(tokenizer, before + text + behind, token):
            return Reach(IN_CONTEXT, before + text + behind, f"{why} unless more text surrounds it")
    return Reach(NOT_FOUND, why=f"{why}, and no text was found that keeps it whole")


def _reach_of_character_part(tokenizer: Tokenizer, token: bytes) -> Reach:
    """Return the reach of a token that is not valid UTF-8 alone."""
    if not can_occur_in_utf8(token):
        return Reach(NEVER, why="no UTF-8 holds these bytes")
    if bpe.tokens(token, tokenizer.mergeable_ranks) != [token]:
        return Reach(NEVER, why="merges do not lead to it")
    for text in _texts_completing_characters(token):
        if _encodes_to(tokenizer, text, token):
            return Reach(IN_CONTEXT, text, "it holds a part of a character")
    return _reach_by_neighbours(tokenizer, token)


def _texts_completing_characters(token: bytes, n_tried: int = _TRIED) -> Iterator[str]:
    """Yield texts that complete the characters of which a token holds a part."""
    size = leading_continuations(token)
    if size == len(token):
        yield from islice(some_characters_holding(token), n_tried)
        return
    before = some_characters_ending_with(token[:size])[:n_tried] if size else ("",)
    behind = list(islice(some_texts_beginning_with(token[size:]), n_tried))
    # Of the pairs of two long lists those near the beginning of both come first.
    pairs = sorted(product(range(len(before)), range(len(behind))), key=sum)
    yield from (before[i] + behind[j] for i, j in pairs[: max(n_tried, _OF_KINDS**2)])


def _encodes_to(tokenizer: Tokenizer, text: str, token: bytes) -> bool:
    """Return whether a text has the token."""
    return tokenizer.mergeable_ranks[token] in tokenizer.encode(text)


def _reach_by_neighbours(tokenizer: Tokenizer, token: bytes) -> Reach:
    """Return the reach of a token that begins or ends inside a character, from its possible neighbours."""
    size = leading_continuations(token)
    if size and next(_texts_with_neighbour(tokenizer, token, before=True), None) is None:
        return Reach(NEVER, why="a merge or the split pattern always parts it from the bytes before it")
    if text_or_none(token[size:]) is None:
        text = None
        for text in islice(_texts_with_neighbour(tokenizer, token, before=False), 10 * _TRIED):
            if _encodes_to(tokenizer, text, token):
                return Reach(IN_CONTEXT, text, "it holds a part of a character")
        if text is None:
            return Reach(NEVER, why="a merge or the split pattern always parts it from the bytes after it")
    return Reach(NOT_FOUND, why="it holds a part of a character, and no text was found that has it")


def _texts_with_neighbour(tokenizer: Tokenizer, token: bytes, *, before: bool) -> Iterator[str]:
    """Yield texts of the token and one that can precede or follow it, with what completes their characters."""
    ranks, inside = tokenizer.mergeable_ranks, _inside_pattern_if_named(tokenizer.split_pattern)
    for other in ranks:
        if (other[-1] >= 0x80) if before else (other[0] & 0xC0 == 0x80):
            pair = (other, token) if before else (token, other)
            if bpe.tokens(b"".join(pair), ranks) == [*pair] and can_occur_in_utf8(b"".join(pair)):
                for text in _texts_completing_characters(b"".join(pair), _OF_KINDS):
                    if inside is None or inside.fullmatch(text):
                        yield text
