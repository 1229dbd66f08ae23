"""BPE whose merges begin with characters, and that falls back to bytes: its ranks and split pattern from its tokens.

Such vocabularies write a space as ▁ (U+2581). Their files have no split pattern, but most let no merge reach across a
space that follows another character, or from line feeds to anything else, so that a text can be cut there.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice

from tokviz.core.bpe import check_tokens_within_limits
from tokviz.core.normalizer import SPACE_MARK
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.patterns import short_repr

LINE_FEEDS_MAX = 31  # the longest run that the pattern "sentencepiece" leaves together


def with_marks_as_spaces(token: str) -> str:
    """Return a token with its marks as spaces.

    >>> with_marks_as_spaces("▁the")
    ' the'
    """
    return token.replace(SPACE_MARK, " ")


def byte_fallback_ranks(
    ids: Mapping[str, int], merges: Iterable[Sequence[str]], byte_ids: Sequence[int], *, has_marks: bool = True
) -> OrderedRanks:
    """Return the ranks of tokens as a file writes them. merges: what they make, in order, equals in one sequence.

    has_marks: whether ▁ is a space. Raises ValueError for two tokens of the same text, for tokens that are larger than
    any vocabulary needs, and for a merge of characters that are not tokens.

    >>> ranks = byte_fallback_ranks({"▁": 300, "a": 301, "▁a": 302}, [["▁a"]], range(256))
    >>> ranks[b" a"], ranks[b"a"], ranks[b"b"], ranks.order
    (302, 301, 98, {b' a': 0})
    """
    check_tokens_within_limits(ids)
    mark = SPACE_MARK if has_marks else " "
    bytes_of = dict(zip(ids, [token.replace(mark, " ").encode() for token in ids], strict=True))
    found = dict(zip(bytes_of.values(), ids.values(), strict=True))
    if len(found) < len(ids):
        twice = next(token for token in ids if found[bytes_of[token]] != ids[token])
        raise ValueError(f"another of its tokens is the same text as {short_repr(twice)}")
    groups = [*merges]
    tokens = [*chain.from_iterable(groups)]
    if missing := {*"".join(tokens)} - ids.keys():
        raise ValueError(f"its merges make tokens of {short_repr(min(missing))}, which is not a token itself")
    for byte, byte_id in enumerate(byte_ids):
        found.setdefault(bytes([byte]), byte_id)
    each = map(bytes_of.__getitem__, tokens)  # where there are no equals, in a fifth of the time
    made = zip(each) if len(tokens) == len(groups) else ([*islice(each, len(group))] for group in groups)
    return OrderedRanks(found, made, starts_with_characters=True, byte_ids=byte_ids)


def uncrossed_pattern_name(tokens: Iterable[str]) -> str:
    """Return the name of the split pattern that no token, as a file writes it, reaches across the cuts of.

    >>> several = ["▁▁the", "> </"], ["of▁the"], ["\\n\\n"], [";\\n"]
    >>> [uncrossed_pattern_name(tokens) for tokens in several]
    ['sentencepiece', 'none', 'sentencepiece', 'none']
    """
    for token in tokens:
        if token.rfind(SPACE_MARK) <= 0 and token.rfind(" ") <= 0 and "\n" not in token:
            continue
        joins_words = " " in with_marks_as_spaces(token).lstrip(" ").replace("> </", "")
        joins_lines = "\n" in token and (token.strip("\n") or len(token) > LINE_FEEDS_MAX)
        if joins_words or joins_lines:
            return "none"
    return "sentencepiece"
