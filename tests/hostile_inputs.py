"""Inputs that once took the server away from everybody: patterns, small files, and links that hold either."""

from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.records.packing import pack

PATTERNS = (
    "(?:|a){300000}",  # overflows the stack of its engine while it compiles
    "(?:(?:|a){1000}){300}",
    "a{10000000}",  # asks for gigabytes and half a minute
    "a{3000000}",
    "a" * 4000,  # searched for quadratically, with no look at the clock
    "(a|aa)+$",
    "(?:a*)*b",
    "(a(?R)?b)|(?R)",
)


def doublings(n: int) -> bytes:
    """Return a .model whose last token has 2 ** n bytes."""
    return b"minbpe v1\n\n0\n97 97\n" + b"".join(b"%d %d\n" % (256 + i, 256 + i) for i in range(n - 1))


def chain(n: int) -> bytes:
    """Return a .model of n merges, each of which makes a token one byte longer than the last."""
    return b"minbpe v1\n\n0\n97 98\n" + b"".join(b"%d 98\n" % (256 + i) for i in range(n - 1))


def _opened(data: bytes, name: str) -> str:
    return pack({"name": name, "file": data.decode("latin-1"), "file_name": f"{name}.model"})


FILES = {  # of each a function that makes it: they are large
    "doublings.model": lambda: doublings(22),
    "chain.model": lambda: chain(4_400),
    "pattern.model": lambda: b"minbpe v1\n(?:|a){300000}\n0\n97 97\n",
    "long.tiktoken": lambda: b"YQ== 0\n" + b"YWFh" * 10_000_000 + b" 1\n",
    "lines.tiktoken": lambda: b"YQ== 0\n" * 6_000_000,
    "lists.json": lambda: b'{"model": {}, "a": [' + b"[]," * 16_000_000 + b"[]]}",
    "pattern.json": lambda: (
        b'{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}, "added_tokens": [], "pre_tokenizer":'
        b'{"type": "Sequence", "pretokenizers": [{"type": "Split", "behavior": "Isolated", "invert": false,'
        b'"pattern": {"Regex": "(?:(?:|a){1000}){300}"}},'
        b'{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": false}]}}'
    ),
}


def link(**contents: object) -> str:
    return f"s={pack({'text': 'a' * 20_000 + 'c', **contents})}"


def cutting(pattern: str) -> dict[str, str]:
    return {"look": "Split patterns", "cut_pattern": "your own", "own_pattern": pattern}


_SPECIAL = _opened(f"minbpe v1\n{SPLIT_PATTERNS['gpt2']}\n1\n{'a' * 4000}b 300\n".encode(), "special")
# What each says of the page, and the query of its address.
LINKS = {
    **{f"the pattern {pattern[:24]}": ("bytes", link(options=cutting(pattern))) for pattern in PATTERNS},
    "twenty doublings": ("", link(tokenizers=[_opened(doublings(22), f"d{i}") for i in range(20)])),
    "seven chains": ("", link(tokenizers=[_opened(chain(1_300), f"c{i}") for i in range(7)])),
    "a long special token": ("", link(options={"tokenizer": "special", "allow_special": True}, tokenizers=[_SPECIAL])),
}
