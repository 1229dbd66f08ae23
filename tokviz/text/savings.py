"""Where one tokenizer needs fewer tokens for a text than another, by what the text is there: counted, not guessed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import TokenSpans
from tokviz.core.tokenizer import Tokenizer
from tokviz.text.character_kinds import LETTERS, kinds_of_characters, n_texts_with_letters
from tokviz.text.glyphs import visible_token
from tokviz.text.words import joined_with_and, quantity

Stretch = tuple[int, int, slice, slice]  # where it begins and ends, in bytes, and its tokens under either tokenizer
SPECIAL, UNKNOWN = "special tokens", "text outside a vocabulary"
INDENTATION, WHITE_SPACE, LINE_ENDS = "indentation", "white space", "line ends"
SPACES_MAX = 128  # every tokenizer included that has a token of several spaces has one of at most this many
EXAMPLE_CHARACTERS = 20  # the longest stretch that a sentence quotes


@dataclass(frozen=True)
class Saving:
    """The tokens that one tokenizer saves against another in stretches of one kind.

    kind: what characters they have, or where they are. n_tokens: how many it saves, negative if it needs more.
    examples: the stretches that add to that, the most telling first, with how many tokens either makes of each.
    """

    kind: str
    n_tokens: int
    examples: list[tuple[str, int, int]]


def differing_stretches(both: Sequence[TokenSpans], features: Sequence[Sequence[object]]) -> Iterator[Stretch]:
    """Yield the stretches of a text whose tokens differ, each as short as boundaries of both allow.

    features: what is compared of each token of the one tokenizer and of the other, such as their ids.

    >>> import tokviz
    >>> from tokviz.core.spans import text_spans
    >>> spans = [text_spans(tokviz.load(name), "in 2024") for name in ("gpt2", "cl100k_base")]
    >>> [each[:2] for each in differing_stretches(spans, [each.byte_ends.tolist() for each in spans])]
    [(2, 7)]
    """
    if features[0] == features[1]:
        return
    ends = _common_ends(both)
    left, right = ([0, *np.searchsorted(each.byte_ends, ends, side="right").tolist()] for each in both)
    for at, (start, end) in enumerate(pairwise([0, *ends.tolist()])):
        ours, theirs = slice(left[at], left[at + 1]), slice(right[at], right[at + 1])
        if features[0][ours] != features[1][theirs]:
            yield start, end, ours, theirs


def _common_ends(both: Sequence[TokenSpans]) -> np.ndarray:
    """Return where tokens of both end, in bytes of the text, and where the text does."""
    is_end = np.zeros((len(both), len(both[0].data) + 1), bool)
    is_end[:, -1] = True
    for of_one, each in zip(is_end, both, strict=True):
        of_one[each.byte_ends] = True
    return np.flatnonzero(is_end.all(axis=0))


def savings(both: Sequence[AnyTokenizer], spans: Sequence[TokenSpans]) -> list[Saving]:
    """Return what the second of two tokenizers saves in a text against the first, the largest figure first.

    The text is cut wherever both have a boundary, and the tokens of each stretch are counted, so all `n_tokens` add up
    to the difference. spans: the tokens of the text under either.

    >>> import tokviz
    >>> from tokviz.core.spans import text_spans
    >>> both = [tokviz.load(name) for name in ("gpt2", "cl100k_base")]
    >>> found = savings(both, [text_spans(each, "if x:\\n    return 2024") for each in both])
    >>> [(each.kind, each.n_tokens) for each in found]
    [('indentation', 2), ('digits', -2), ('punctuation at line ends', 1)]
    """
    by_kind: dict[str, Counter[tuple[str, int, int]]] = {}
    for (text, before, kind, n_first, n_second), times in _unequal_stretches(both, spans).items():
        saved = by_kind.setdefault(kind or _kind(text, before), Counter())
        saved[text, n_first, n_second] += times * (n_first - n_second)
    found = []
    for kind, saved in by_kind.items():
        if n_tokens := saved.total():
            sign = 1 if n_tokens > 0 else -1
            ordered = sorted((each for each in saved if saved[each] * sign > 0), key=lambda each: -abs(saved[each]))
            found.append(Saving(kind, n_tokens, ordered))
    return sorted(found, key=lambda each: (-abs(each.n_tokens), -each.n_tokens, each.kind))


def _unequal_stretches(
    both: Sequence[AnyTokenizer], spans: Sequence[TokenSpans]
) -> Counter[tuple[str, str, str, int, int]]:
    """Return how often each stretch occurs of which the two make different numbers of tokens.

    A stretch is its text, with the whole of characters that are cut, the character before it, the kind that follows
    from its tokens or "", and the two numbers.
    """
    first, ends = spans[0], _common_ends(spans)
    numbers, kinds = [], np.zeros(len(ends), np.int64)
    for tokenizer, each in zip(both, spans, strict=True):
        stops = np.searchsorted(each.byte_ends, ends, side="right")
        numbers.append(np.diff(stops, prepend=0))
        unknown = [] if tokenizer.unknown_id is None else [tokenizer.unknown_id]
        for bit, ids in ((1, {*tokenizer.special_tokens.values()}.difference(unknown)), (2, unknown)):
            held = np.append(0, np.cumsum(np.isin(each.ids, [*ids])))[stops]
            kinds |= bit * (np.diff(held, prepend=0) > 0)
    unequal = np.flatnonzero(numbers[0] != numbers[1])
    # Places of another type than the array's would have it copied.
    after_starts, before = (each[unequal].astype(np.int32) for each in (np.append(0, ends[:-1]) + 1, ends))
    places = (first.character_starts.searchsorted(after_starts) - 1, first.character_starts.searchsorted(before))
    columns = (*places, *(each[unequal] for each in (kinds, *numbers)))
    names = ("", SPECIAL, UNKNOWN, SPECIAL)
    return Counter(
        (first.text[start:stop], first.text[max(start - 1, 0) : start], names[kind], *both_numbers)
        for start, stop, kind, *both_numbers in zip(*(each.tolist() for each in columns), strict=True)
    )


def _kind(text: str, before: str) -> str:
    r"""Return in words what a stretch consists of; of white space, where it is.

    >>> _kind("   ", ""), _kind("\n", "x"), _kind("  ", "x"), _kind(" USA", "x"), _kind("(2", " "), _kind("?\n", "")
    ('indentation', 'line ends', 'white space', 'capitals', 'digits with punctuation', 'punctuation at line ends')
    """
    spaces = WHITE_SPACE if re.search(r"[^\S\r\n]", text) else LINE_ENDS
    if text.isspace():
        if spaces == LINE_ENDS:
            return spaces
        is_indented = text[-1] not in "\r\n" and (not before or any(end in before + text for end in "\r\n"))
        return INDENTATION if is_indented else WHITE_SPACE
    kinds = [kind.removesuffix(" and signs").replace(WHITE_SPACE, spaces) for kind in kinds_of_characters(text)]
    if text.isupper() and sum(map(str.isalpha, text)) > 1:
        kinds = [*dict.fromkeys("capitals" if kind.endswith(" letters") else kind for kind in kinds)]
    # What joins emoji has no kind of its own, but is part of them.
    first, *rest = kinds or (["emoji"] if "emoji" in kinds_of_characters(before) else ["other characters"])
    if LINE_ENDS in (first, *rest) and len(rest) == 1:
        return f"{rest[0] if first == LINE_ENDS else first} at {LINE_ENDS}"
    return f"{first} with {joined_with_and(rest)}" if rest else first


def saving_sentence(names: Sequence[str], both: Sequence[AnyTokenizer], spans: Sequence[TokenSpans]) -> str:
    r"""Return in words what the second of two tokenizers saves against the first, where, and why.

    names: of the two, as a reader knows them; the rest is as in `savings`. Of an empty text there is nothing to say.

    >>> import tokviz
    >>> from tokviz.core.spans import text_spans
    >>> both = [tokviz.load(name) for name in ("gpt2", "cl100k_base")]
    >>> saving_sentence(["GPT-2", "GPT-4"], both, [text_spans(each, "x\n        return x") for each in both])
    'GPT-4 needs 6 fewer tokens than GPT-2 here, all in indentation: it keeps a run of spaces in one token.'
    """
    if not spans[0].text:
        return ""
    found, saved = savings(both, spans), len(spans[0]) - len(spans[1])
    if not found:
        is_alike = np.array_equal(spans[0].byte_ends, spans[1].byte_ends)
        return f"{names[1]} cuts this text {'just as' if is_alike else 'into as many tokens as'} {names[0]} does."
    if not saved:
        where = f"in {found[1].kind}" if len(found) == 2 else "elsewhere"
        n, kind = found[0].n_tokens, found[0].kind
        parts = f"{_difference_text(n)} in {kind}, but {_difference_text(-n)} {where}"
        return f"{names[1]} needs as many tokens as {names[0]} here: {parts}."
    main = next(each for each in found if each.n_tokens * saved > 0)
    words = f"{names[1]} needs {_difference_text(saved)} token{'s' * (abs(saved) > 1)} than {names[0]} here"
    why = _reason(names[0], both, main, is_fewer=saved > 0) or _example(main)
    return f"{words}, {_kinds_text(found, saved, why)}."


def _kinds_text(found: Sequence[Saving], saved: int, why: str = "") -> str:
    """Return which kinds of characters make most of a difference, how much of it each, and why the first does.

    A second kind is named if the two are no more than all of it.

    >>> said = lambda *numbers: _kinds_text([Saving(*each, []) for each in zip("ABC", numbers)], sum(numbers), "so")
    >>> said(1), said(6), said(6, -2)
    ('in A: so', 'all in A: so', 'mostly in A: so')
    >>> said(6, 4), said(5, 4, -2)
    ('6 of them in A (so) and 4 in B', '5 of them in A: so')
    """
    main, *rest = [each for each in found if each.n_tokens * saved > 0]
    n_main, is_one = abs(main.n_tokens), abs(saved) == 1
    if len(found) == 1:
        share = "" if is_one else "all "
    elif n_main >= abs(saved):  # more than the whole where the rest goes the other way
        share = "" if is_one else "mostly "
    elif rest and n_main + abs(rest[0].n_tokens) <= abs(saved):
        because = f" ({why})" if why else ""
        return f"{n_main:,} of them in {main.kind}{because} and {abs(rest[0].n_tokens):,} in {rest[0].kind}"
    else:
        share = f"{n_main:,} of them "
    return f"{share}in {main.kind}{f': {why}' if why else ''}"


def savings_sentence(names: Sequence[str], tokenizers: Sequence[AnyTokenizer], spans: Sequence[TokenSpans]) -> str:
    r"""Return in words what each of several tokenizers saves against the first, and where the largest saving is.

    names: of the tokenizers, as a reader knows them; the rest is as in `savings`.

    >>> import tokviz
    >>> from tokviz.core.spans import text_spans
    >>> all_ = [tokviz.load(name) for name in ("gpt2", "cl100k_base", "o200k_base")]
    >>> said = savings_sentence(["A", "B", "C"], all_, [text_spans(each, "ว่า") for each in all_])
    >>> print(said.replace(": ", ":\n").replace(". ", ".\n"))
    C needs 5 fewer tokens than A here, all in Thai letters:
    it has 1,559 tokens with Thai letters; A has none.
    B needs 4 fewer.
    """
    saved = [len(spans[0]) - len(each) for each in spans]
    # The one that saves most, if any does.
    most = max(range(1, len(spans)), key=lambda i: (max(saved[i], 0), abs(saved[i])))
    sentence = saving_sentence([names[0], names[most]], [tokenizers[0], tokenizers[most]], [spans[0], spans[most]])
    others = [f"{names[i]} needs {_difference_text(saved[i])}." for i in range(1, len(spans)) if i != most]
    return " ".join([sentence, *others])


def _difference_text(saved: int) -> str:
    """Return "2 fewer", "2 more" or "as many"."""
    return f"{abs(saved):,} {'fewer' if saved > 0 else 'more'}" if saved else "as many"


def _quoted(text: str) -> str:
    """Return a stretch as a sentence quotes it.

    >>> _quoted("\u0e35"), _quoted("\u0e33"), _quoted('"The')
    ('“◌ี”', '“◌ำ”', '‘"The’')
    """
    shown = visible_token(text.encode())
    return f"‘{shown}’" if set(text) & set('"“”') else f"“{shown}”"


def _reason(first: str, both: Sequence[AnyTokenizer], saving: Saving, *, is_fewer: bool) -> str:
    """Return what in their vocabularies has the second of two tokenizers need fewer tokens, or more; "" if unknown.

    first: the name of the first.
    """
    tokenizers = [each for each in both if isinstance(each, Tokenizer)]
    if len(tokenizers) < 2:
        return ""
    if saving.kind in LETTERS and saving.kind != "Latin letters":  # of which each vocabulary has very many
        theirs, own = (n_tokens_with_letters(each, saving.kind) for each in tokenizers)
        few, many = (theirs, own) if is_fewer else (own, theirs)
        if many < 2 * max(few, 1):
            return ""
        own_tokens = quantity(own, "token") if own else "no tokens"
        return f"it has {own_tokens} with {saving.kind}; {first} has {f'{theirs:,}' if theirs else 'none'}"
    if saving.kind not in (INDENTATION, WHITE_SPACE):
        return ""
    spaces = [b" " * n for n in range(2, SPACES_MAX + 1)]
    has_runs = [any(run in each.mergeable_ranks for run in spaces) for each in tokenizers]
    if has_runs != [not is_fewer, is_fewer]:
        return ""
    return "it keeps a run of spaces in one token" if is_fewer else "it has no token for several spaces"


_N_TOKENS: WeakKeyDictionary[Tokenizer, dict[str, int]] = WeakKeyDictionary()  # by the kind of letters


def n_tokens_with_letters(tokenizer: Tokenizer, kind: str) -> int:
    """Return how many tokens hold a whole letter of a kind in `LETTERS` other than Latin.

    The first use takes about 40 ms for 200,000 tokens.

    >>> import tokviz
    >>> [n_tokens_with_letters(tokviz.load(name), "Thai letters") for name in ("gpt2", "cl100k_base")]
    [0, 58]
    """
    known = _N_TOKENS.setdefault(tokenizer, {})
    if kind not in known:
        tokens = (each for each in tokenizer.mergeable_ranks if not each.isascii())  # most are, and have none
        known[kind] = n_texts_with_letters((each.decode(errors="ignore") for each in tokens), kind)
    return known[kind]


def _example(saving: Saving) -> str:
    """Return in words the stretch that makes most of a difference, "" for none that can be quoted."""
    visible = (each for each in saving.examples if kinds_of_characters(each[0]))  # not what only joins emoji
    text, n_first, n_second = next(visible, saving.examples[0])
    if saving.kind in (SPECIAL, UNKNOWN) or len(text) > EXAMPLE_CHARACTERS:
        return ""
    return f"{_quoted(text)} is {quantity(n_second, 'token')} instead of {n_first:,}"
