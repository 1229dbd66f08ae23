"""Sentences about ids beside those that encoding their text gives."""

from tokviz.core.tokenizer import Tokenizer
from tokviz.seams.canonical import (
    BYTES,
    MERGE,
    NORMALIZED,
    NOT_UTF8,
    PRETOKENS,
    SPECIAL,
    Canonical,
    Difference,
)
from tokviz.text.glyphs import visible_token
from tokviz.text.words import quantity

LISTED = 12  # ids of a difference that are written out
TEXT_BYTES = 80  # of their text


def canonicity_in_words(found: Canonical) -> str:
    """Return in a sentence or two whether ids are canonical.

    >>> import tokviz
    >>> canonicity_in_words(tokviz.canonical(tokviz.load("gpt2"), [64]))
    'Canonical: this is the id that the tokenizer gives its text.'
    """
    if not found.ids:
        return ""
    if found.is_canonical:
        if len(found.ids) == 1:
            return "Canonical: this is the id that the tokenizer gives its text."
        return f"Canonical: these {len(found.ids):,} ids are those that the tokenizer gives their text."
    places = quantity(len(found.differences), "place")
    return (
        f"Not canonical: {quantity(len(found.ids), 'id')}, where the tokenizer gives their text "
        f"{len(found.canonical):,}. They differ in {places}."
    )


def difference_sentence(tokenizer: Tokenizer, found: Canonical, difference: Difference) -> str:
    """Return in words what ids decode to, what that encodes as, and why.

    >>> import tokviz
    >>> cl100k = tokviz.load("cl100k_base")
    >>> found = tokviz.canonical(cl100k, [198, 198])
    >>> difference_sentence(cl100k, found, found.differences[0])
    '[198, 198] spells ↵↵. The tokenizer writes that as [271]: it merges ↵ with ↵.'
    """
    ids = found.ids[difference.start : difference.end]
    again = _ids_text(found.canonical[difference.canonical_start : difference.canonical_end])
    if difference.reason == NOT_UTF8:
        return (
            f"{_ids_text(ids)} has bytes that are not valid UTF-8. They become � (U+FFFD), which the tokenizer writes "
            f"as {again}."
        )
    text = visible_token(b"".join(tokenizer.tokens_bytes(ids))[:TEXT_BYTES])
    return f"{_ids_text(ids)} spells {text}. The tokenizer writes that as {again}: {_reason_text(difference)}."


def _reason_text(difference: Difference) -> str:
    if difference.reason == SPECIAL:
        return "in a text, the name of a special token is plain text unless special tokens are switched on"
    if difference.reason == MERGE and difference.merged:
        left, right = map(visible_token, difference.merged)
        return f"it merges {left} with {right}"
    if difference.reason == PRETOKENS:
        return "the split pattern cuts inside one of these tokens, and no merge crosses a cut"
    if difference.reason == BYTES:
        return "it does not spell out in bytes a character that is itself a token"
    if difference.reason == NORMALIZED:
        return "the text is changed before it is split"
    return "no merges lead to one of these tokens"


def _ids_text(ids: list[int]) -> str:
    return f"[{', '.join(map(str, ids[:LISTED]))}{', …' if len(ids) > LISTED else ''}]"
