"""Bodies of every shape and any length for every address of the HTTP interface.

As a script it sends the longest to a server, one after another, as the client at an address of this machine:
`python tests/hostile_bodies.py URL ADDRESS PART N_PARTS`.
"""

import http.client
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, product
from urllib.parse import urlsplit

REFUSED = {400, 404, 413, 422}
LONGEST, LONGEST_TEXT = 7_999_800, 990_000  # bytes with those around them, and characters

SMILE = "😀"


def _listed(item: str) -> Callable[[int], str]:
    return lambda n: "[" + ",".join([item] * (n // (len(item.encode()) + 1))) + "]"


def _text(characters: str) -> Callable[[int], str]:
    return lambda n: '"' + characters * (n // len(characters.encode())) + '"'


FILLS: dict[str, Callable[[int], str]] = {
    "empty texts": _listed('""'),
    "short texts": _listed('"ab"'),
    "special tokens": _listed('"<|endoftext|>"'),
    "lone surrogates": _listed('"\\ud800"'),
    "ones": _listed("1"),
    "long tokens": _listed("5809"),
    "high ids": _listed("199999"),
    "negative": _listed("-1"),
    "trues": _listed("true"),
    "fractions": _listed("1.0"),
    "numbers in quotes": _listed('"1"'),
    "no numbers": _listed("NaN"),
    "nulls": _listed("null"),
    "empty lists": _listed("[]"),
    "lists of ones": _listed("[1]"),
    "lists of empty lists": _listed("[[]]"),
    "objects": _listed('{"role":"user"}'),
    "messages": _listed('{"role":"user","content":"Hi!"}'),
    "calls": lambda n: '[{"role":"assistant","tool_calls":' + _listed('{"function":{"name":"f"}}')(n - 50) + "}]",
    "deep lists": lambda n: "[" * n,
    "deep objects": lambda n: '{"a":' * (n // 5),
    "deep and closed": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "a huge number": lambda n: "9" * n,
    "a list of a huge number": lambda n: f"[{'9' * n}]",
    "a name again and again": lambda n: "{" + ",".join(['"a":1'] * (n // 6)) + "}",
    "names": lambda n: "{" + ",".join(f'"{i:06}":1' for i in range(n // 11)) + "}",
    "letters": _text("a"),
    "words": _text("low lower "),
    "spaces": _text(" "),
    "line ends": _text("\\n"),
    "escapes": _text("\\u0e01"),
    "surrogates": _text("\\ud800"),
    "emoji": _text(SMILE),
    "rare characters": _text("𠀀𠀁"),
    "NULs": _text("\\u0000"),
    "markers": _text("<|endoftext|><|im_start|>"),
    "white space": lambda n: " " * n + '"a"',
    "no end": lambda n: '"' + "a" * n,
}
LONG_FIELDS = [
    ("/api/v1/count", '{"input":%s}'),
    ("/api/v1/decode", '{"ids":%s}'),
    ("/api/v1/chat", '{"messages":%s}'),
    ("/tokenize", '{"media_io_kwargs":%s}'),
    ("/api/v1/count", "%s"),
]
FIELDS = [
    *LONG_FIELDS,
    ("/api/v1/count", '{"input":["",""],"allowed_special":%s}'),
    ("/api/v1/encode", '{"input":%s,"allowed_special":"all"}'),
    ("/api/v1/encode", '{"input":%s,"tokenizer":"gpt2","offsets":true}'),
    ("/api/v1/compare", '{"input":%s,"tokenizers":["gpt2"]}'),
    ("/api/v1/compare", '{"input":"a","tokenizers":%s}'),
    ("/api/v1/chat", '{"messages":[{"role":"user","content":%s}]}'),
    ("/api/v1/chat", '{"messages":[],"format":%s}'),
    ("/tokenize", '{"content":%s,"with_pieces":true}'),
    ("/detokenize", '{"tokens":%s}'),
]


def bodies(
    n_bytes: int, fields: Sequence[tuple[str, str]] = FIELDS, part: int = 0, n_parts: int = 1
) -> Iterator[tuple[str, str, bytes]]:
    """Yield what each is, an address and a body of about so many bytes: every shape in every field, or each n-th."""
    for (path, body), (name, fill) in islice(product(fields, FILLS.items()), part, None, n_parts):
        yield f"{name} in {body} to {path}", path, body.replace("%s", fill(n_bytes)).encode()


def check(name: str, status: int, body: bytes) -> None:
    """Check that an answer is one, or says in a sentence why there is none."""
    found = json.loads(body)
    if status != 200:
        assert status in REFUSED, f"{name}: {status} {body[:200]!r}"
        words = found["error"]
        words = words["message"] if isinstance(words, dict) else words  # as clients of vLLM and llama.cpp read it
        assert set(found) == {"error"} and 10 < len(words) < 1_000, f"{name}: {body[:200]!r}"


def send(url: str, address: str, part: int, n_parts: int) -> None:
    """Send a part of the bodies, at the pace that the server allows, and check the answers."""
    for name, path, body in chain(
        bodies(LONGEST_TEXT, FIELDS, part, n_parts), bodies(LONGEST, LONG_FIELDS, part, n_parts)
    ):
        status = 429
        while status == 429:
            # A new one for each, since the server closes what is idle.
            connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=120, source_address=(address, 0))
            connection.request("POST", path, body)
            reply = connection.getresponse()
            status, data = reply.status, reply.read()
            connection.close()
            if status == 429:
                time.sleep(int(reply.headers["retry-after"]))
        check(name, status, data)


if __name__ == "__main__":
    os.nice(10)  # programs that ask are elsewhere, and take nothing from the server
    send(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
