""".tiktoken files: on each line a token in base 64 and its rank, and nothing else.

The format holds neither a split pattern nor special tokens, so whoever reads a file must know both. A damaged file is
refused by line number.
"""

import base64
import binascii
import re
from collections import Counter
from collections.abc import Collection, Mapping
from functools import partial
from io import BytesIO
from itertools import pairwise

from tokviz.core.bpe import LONGEST_TOKEN_MAX, TOKEN_BYTES_MAX, TOKENS_MAX
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.patterns import short_repr
from tokviz.core.special_tokens import SPECIAL_ID_MAX
from tokviz.core.tokenizer import Tokenizer

LINE_MAX = 200_000  # bytes; the longest allowed token, in base 64, with its rank
LINE = re.compile(rb"([A-Za-z0-9+/]+={0,2}) ([0-9]{1,10})\r?")
LINES = re.compile(rb"(?:[A-Za-z0-9+/]++={0,2} [0-9]{1,10}\r?\n)++")
EMPTY_TOKEN = re.compile(rb"={1,2} [0-9]{1,10}\r?")  # which no text has; Whisper's multilingual.tiktoken ends in one


def parse_ranks(data: bytes, name: str = "file", *, special_ids: Collection[int] = ()) -> dict[bytes, int]:
    """Return the ranks in the bytes of a .tiktoken file.

    Ranks run from 0 without gaps, except around the ids of special tokens: in cl100k_base some ids between ranks are
    unused, and ranks that were learned later follow the last. Raises ValueError, with the line number, for a file
    that is damaged.

    >>> parse_ranks(b"YQ== 0\\nYWE= 1\\n")
    {b'a': 0, b'aa': 1}
    """
    ranks = _ranks_if_usual(data) or _ranks_read_line_by_line(data, name)
    _check_ranks(ranks, name, special_ids)
    return ranks


def _ranks_if_usual(data: bytes) -> dict[bytes, int] | None:
    """Return the ranks of a file in which nothing is unusual, which takes a fifth of the time; else None."""
    if data.count(b"\n") > TOKENS_MAX or not LINES.fullmatch(data):
        return None
    fields = data.split()
    try:
        tokens = list(map(partial(binascii.a2b_base64, strict_mode=True), fields[::2]))
    except binascii.Error:
        return None
    ranks = dict(zip(tokens, map(int, fields[1::2]), strict=True))
    sizes = list(map(len, ranks))
    is_usual = len(ranks) == len(tokens) and min(sizes) > 0 and max(sizes) <= LONGEST_TOKEN_MAX
    return ranks if is_usual and sum(sizes) <= TOKEN_BYTES_MAX else None


def _ranks_read_line_by_line(data: bytes, name: str) -> dict[bytes, int]:
    """Return the ranks of any file, and ValueError with the number of the line that is damaged."""
    ranks: dict[bytes, int] = {}
    n_bytes = 0
    for number, line in enumerate(BytesIO(data), 1):
        if not line.endswith(b"\n"):
            raise ValueError(f"{name}, line {number}: the line does not end; the file is cut off")
        line = line[:-1]
        if not line.strip() or EMPTY_TOKEN.fullmatch(line):
            continue  # as tiktoken does
        if len(line) > LINE_MAX:
            raise ValueError(f"{name}, line {number}: a token of more than {LONGEST_TOKEN_MAX:,} bytes")
        match = LINE.fullmatch(line)
        token = _decoded_token_or_none(match[1]) if match else None
        if match is None or not token:
            raise ValueError(f"{name}, line {number}: expected a token in base 64 and its rank, not {short_repr(line)}")
        if token in ranks:
            raise ValueError(
                f"{name}, line {number}: the token {short_repr(token)} has the rank {ranks[token]} already"
            )
        ranks[token] = int(match[2])
        n_bytes += len(token)
        if n_bytes > TOKEN_BYTES_MAX or len(token) > LONGEST_TOKEN_MAX:
            raise ValueError(
                f"{name}, line {number}: the tokens up to here have {n_bytes:,} bytes, this one {len(token):,}; at "
                f"most {TOKEN_BYTES_MAX:,} and {LONGEST_TOKEN_MAX:,} are allowed"
            )
    return ranks


def _decoded_token_or_none(encoded: bytes) -> bytes | None:
    try:
        return base64.b64decode(encoded, validate=True)
    except binascii.Error:
        return None


def _check_ranks(ranks: Mapping[bytes, int], name: str, special_ids: Collection[int]) -> None:
    """Raise ValueError for a rank that is given twice, missing or too large."""
    taken = sorted(set(ranks.values()))
    if len(taken) < len(ranks):
        twice = next(rank for rank, n in Counter(ranks.values()).items() if n > 1)
        raise ValueError(f"{name}: the rank {twice} is given to two tokens")
    if max(taken, default=0) > SPECIAL_ID_MAX:
        raise ValueError(f"{name}: the rank {max(taken)} is over {SPECIAL_ID_MAX}")
    for last, rank in pairwise([-1, *taken]) if taken and taken[-1] >= len(taken) else ():
        if rank > last + 1 and not any(last < special < rank for special in special_ids):
            raise ValueError(
                f"{name}: no token has the rank {last + 1}. Either lines are missing, or it is the id of a special "
                "token, which such a file does not hold: if so, give the special tokens with their ids"
            )


def ranks_text(ranks: Mapping[bytes, int]) -> str:
    """Return a .tiktoken file of these ranks.

    >>> ranks_text({b"aa": 1, b"a": 0})
    'YQ== 0\\nYWE= 1\\n'
    """
    ordered = sorted(ranks.items(), key=lambda item: item[1])
    return b"".join([b"%s %d\n" % (binascii.b2a_base64(token, newline=False), i) for token, i in ordered]).decode()


def refuse_normalizer_or_own_order(tokenizer: Tokenizer, what: str) -> None:
    """Raise ValueError for a tokenizer that changes texts, or whose merges are not those that its ids say."""
    if isinstance(tokenizer.mergeable_ranks, OrderedRanks) or not tokenizer.normalizer.is_plain:
        why = tokenizer.normalizer.words() or f"{tokenizer.kind} with merges in an order apart from the ids"
        raise ValueError(f"{what} cannot hold this tokenizer ({why}): save a tokenizer.json")


def check_ranks_say_all(tokenizer: Tokenizer) -> None:
    """Raise ValueError for a tokenizer of which ranks, split pattern and special tokens do not say everything.

    That is one that changes texts, or whose merges are not in the order of the ids, and one with tokens that tiktoken
    would take whole, but that never occur under it.
    """
    refuse_normalizer_or_own_order(tokenizer, "a .tiktoken file")
    if not tokenizer.takes_whole and tokenizer.unmerged:
        token = min(tokenizer.unmerged, key=tokenizer.mergeable_ranks.__getitem__)
        raise ValueError(
            f"a .tiktoken file cannot hold this tokenizer: its token {short_repr(token)} never occurs, but tiktoken "
            "would take it whole"
        )


def tiktoken_text(tokenizer: Tokenizer) -> str:
    """Return the .tiktoken file of a tokenizer, which leaves out its split pattern and special tokens.

    Raises ValueError for a tokenizer of which these and the ranks do not say everything.
    """
    check_ranks_say_all(tokenizer)
    return ranks_text(tokenizer.mergeable_ranks)
