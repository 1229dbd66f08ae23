"""The minbpe family of files: .model, read and written, and .vocab, a listing for people that is never read.

A .model file holds a version, the split pattern, the number of special tokens, those tokens with their ids, then one
pair of ids a line; the ids of merges count up from 256. The versions are `minbpe v1` of minbpe itself, and `bpe v1` and
`thai tokenizer v1.0` of classes that tutorials modelled on it. A damaged file is refused by line number.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from tokviz.core.bpe import Pair, ranks_from_merges
from tokviz.core.patterns import pattern_name_or_regex, short_repr, single_pattern
from tokviz.core.special_tokens import special_tokens_with_ids
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.format import Format, Source
from tokviz.formats.tiktoken import refuse_normalizer_or_own_order

VERSIONS = ("minbpe v1", "bpe v1", "thai tokenizer v1.0")
MAX_FILE_BYTES = 50_000_000  # ten times the largest vocabulary in use
MAX_SPECIAL_TOKENS = 100_000
_ID = r"([0-9]{1,9})"
_COUNT, _SPECIAL, _MERGE = (re.compile(rf"\s*{line}\s*") for line in (_ID, rf"(\S+)\s+{_ID}", rf"{_ID}\s+{_ID}"))


def _parsed_model(data: bytes, name: str) -> tuple[str, dict[bytes, int], dict[str, int]]:
    """Return split pattern, ranks and special tokens in a .model file; ValueError, with the line, if it is damaged."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        line = data[: e.start].count(b"\n") + 1
        raise ValueError(f"{name}, line {line}: not UTF-8, so not a file of the minbpe family") from e
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0] not in VERSIONS:
        raise ValueError(f"{name}, line 1: {short_repr(lines[0])} is not one of the versions {', '.join(VERSIONS)}")
    if lines.pop():
        raise ValueError(f"{name}, line {len(lines) + 1}: the line does not end; the file is cut off")
    if len(lines) < 3:
        raise ValueError(f"{name}, line {len(lines) + 1}: missing; the file is cut off")
    pattern = lines[1].strip()
    try:
        pattern = pattern_name_or_regex("none" if pattern == "{}" else pattern)
    except ValueError as e:
        raise ValueError(f"{name}, line 2: {e}") from e
    special = _parsed_special_tokens(lines, name)
    merges = list(_parsed_merges(lines, 3 + len(special), name))
    try:
        ranks = ranks_from_merges(merges)
    except ValueError as e:
        message, merge = e.args
        raise ValueError(f"{name}, line {4 + len(special) + merge}: {message}") from e
    for line, (token, token_id) in enumerate(special.items(), 4):
        if token_id < len(ranks):
            raise ValueError(
                f"{name}, line {line}: the id {token_id} of the special token {token!r} lies inside "
                f"the vocabulary, which ends at {len(ranks) - 1}"
            )
    return pattern, ranks, special


def _parsed_special_tokens(lines: list[str], name: str) -> dict[str, int]:
    count = _COUNT.fullmatch(lines[2])
    if not count or int(count[1]) > MAX_SPECIAL_TOKENS:
        raise ValueError(f"{name}, line 3: expected the number of special tokens, not {short_repr(lines[2])}")
    special: dict[str, int] = {}
    for line in range(4, 4 + int(count[1])):
        found = _SPECIAL.fullmatch(lines[line - 1]) if line <= len(lines) else None
        if not found:
            given = short_repr(lines[line - 1]) if line <= len(lines) else "the end of the file"
            raise ValueError(f"{name}, line {line}: expected a special token and its id, not {given}")
        token, token_id = found[1], int(found[2])
        if token in special or token_id in special.values():
            raise ValueError(f"{name}, line {line}: the special token or its id occurs twice")
        special[token] = token_id
    return special


def _parsed_merges(lines: list[str], first: int, name: str) -> Iterator[Pair]:
    for line, content in enumerate(lines[first:], first + 1):
        ids = _MERGE.fullmatch(content)
        if not ids:
            raise ValueError(f"{name}, line {line}: expected two ids, not {short_repr(content)}")
        yield int(ids[1]), int(ids[2])


def model_text(tokenizer: Tokenizer, *, version: str = VERSIONS[0]) -> str:
    """Return a .model file that `read_minbpe` and the class of its version read back as this tokenizer.

    Raises ValueError for a version that is not in VERSIONS, and for what the format cannot express: byte ids other
    than 0..255, ids with gaps, a pattern with a line end or with white space around it, a special token with white
    space, or one that always matches.
    """
    refuse_normalizer_or_own_order(tokenizer, "a .model file")
    if tokenizer.always_special:
        raise ValueError(f"a .model file cannot say that {min(tokenizer.always_special)!r} always matches")
    if version not in VERSIONS:
        raise ValueError(
            f"the version of a .model file must be one of {', '.join(VERSIONS)}, not {short_repr(version)}"
        )
    try:
        pattern = single_pattern(tokenizer.split_pattern)
    except ValueError as e:
        raise ValueError(f"a .model file holds one line for the split pattern: {e}") from None
    if pattern != pattern.strip() or "\n" in pattern or "\r" in pattern or pattern == "{}":
        raise ValueError(
            f"a .model file cannot hold the split pattern {short_repr(pattern)}: it must be one line "
            "without white space around it, and {} means none"
        )
    for token in tokenizer.special_tokens:
        if token.split() != [token]:
            raise ValueError(f"a .model file cannot hold the special token {token!r}: it has white space")
    check_minbpe_ids(tokenizer.mergeable_ranks)  # before the merges are recovered, which takes longer
    merges = tokenizer.merges
    if len(tokenizer.mergeable_ranks) != 256 + len(merges):
        raise ValueError("a .model file cannot hold this tokenizer: it has tokens that no merge makes")
    if any(max(pair) >= 256 + rank for rank, pair in enumerate(merges)):
        raise ValueError("a .model file cannot hold this tokenizer: it has tokens made of tokens of a higher id")
    # The longest first, since minbpe takes the first of two that match.
    special = sorted(tokenizer.special_tokens.items(), key=lambda entry: len(entry[0]), reverse=True)
    lines = [version, pattern, f"{len(special)}"]
    lines += [f"{token} {token_id}" for token, token_id in special]
    lines += [f"{left} {right}" for left, right in merges]
    return "".join(f"{line}\n" for line in lines)


def read_minbpe(source: Source) -> Tokenizer:
    """Return the tokenizer in a .model file; what is given replaces what it says."""
    pattern, ranks, special = _parsed_model(source.data, source.file_name)
    pattern = pattern if source.split_pattern is None else source.split_pattern
    if source.special_tokens is not None:
        special = special_tokens_with_ids(source.special_tokens, first=len(ranks))
    return Tokenizer(source.name, pattern, ranks, special)


def check_minbpe_ids(mergeable_ranks: Mapping[bytes, int]) -> None:
    """Raise ValueError for byte ids other than 0..255, and for ids with gaps, which the format cannot express.

    >>> check_minbpe_ids({bytes([i]): i for i in range(256)} | {b"aa": 300})
    Traceback (most recent call last):
    ValueError: a .model file cannot hold this tokenizer: its ids have gaps
    """
    if any(mergeable_ranks.get(bytes([i])) != i for i in range(256)):
        raise ValueError("a .model file cannot hold this tokenizer: its byte ids are not 0 to 255 in order")
    if set(mergeable_ranks.values()) != set(range(len(mergeable_ranks))):
        raise ValueError("a .model file cannot hold this tokenizer: its ids have gaps")


def vocab_text(tokenizer: Tokenizer) -> str:
    """Return the listing for people: `[left][right] -> [token] id`, one token a line.

    Characters of Unicode's category C, control characters among them, are escaped, as minbpe does; bytes that are part
    of a character appear as U+FFFD.
    """
    ranks = tokenizer.mergeable_ranks
    token_of = {token_id: token for token, token_id in ranks.items()}
    shown = {token_id: f"[{_readable_token(token)}]" for token_id, token in token_of.items()}
    pairs = ((token_of[left] + token_of[right], shown[left] + shown[right]) for left, right in tokenizer.merges)
    made_of = {ranks[token]: f"{pair} -> " for token, pair in pairs}
    lines = [f"{made_of.get(token_id, '')}{shown[token_id]} {token_id}\n" for token_id in sorted(shown)]
    lines += [f"[{_readable_token(t.encode())}] {i}\n" for t, i in tokenizer.special_tokens.items()]
    return "".join(lines)


def _readable_token(token: bytes) -> str:
    """Return a token as readable text.

    >>> _readable_token("a\\n".encode()), _readable_token(b"\\xe0\\xb8")
    ('a\\\\u000a', '\ufffd')
    """
    text = token.decode("utf-8", "replace")
    return "".join(f"\\u{ord(c):04x}" if unicodedata.category(c)[0] == "C" else c for c in text)


MINBPE = Format(
    "minbpe",
    re.compile(rb"(?:minbpe|bpe|thai tokenizer) v[0-9.]+\s*\n").match,
    read_minbpe,
    model_text,
    suffix=".model",
    purpose="The format of minbpe and of the classes that tutorials modelled on it",
    takes=("split_pattern", "special_tokens", "version"),
    words=f"a .model of the minbpe family ({', '.join(VERSIONS)})",
    place=1,
)
LISTING = Format(
    ".vocab",
    write=vocab_text,
    suffix=".vocab",
    purpose="A listing for people: every token, and the two it is made of",
)
