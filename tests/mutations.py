"""Damaged files of every kind, by the thousand: each ends in a tokenizer or a ValueError, at little cost to the reader.

`PYTHONPATH=. python tests/mutations.py --count 20000` tries so many of each kind and prints how they ended.
"""

import argparse
import base64
import json
import pickle
import random
import resource
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import tiktoken
from foreign_files import sentencepiece_file, wordpiece_file
from gguf_files import byte_level_gguf, sentencepiece_gguf, wordpiece_gguf
from tekken_files import tekken_file
from trainings import trained_of

import tokviz
from tokviz import Tokenizer
from tokviz.core.samples import sample
from tokviz.formats.files import read_tokenizer, tokenizer_file_text
from tokviz.records.link import link_contents
from tokviz.records.packing import pack, unpack
from tokviz.records.session_tokenizer import Kept, kept_tokens

OWN_SECONDS_MAX = 1.0  # of the reading process for one file; a child's are not counted
MEMORY_MAX = 300_000  # kilobytes that the reading process may grow over all files
TEXT = "It's 12 aaaa ก็ 中文 👩‍🍳 <s>"
PIECES = (
    b"0", b"-1", b"99999999999", b"1e999", b"NaN", b"null", b"[]", b"{}", b'""', b"\n", b"\r", b" ", b"\0", b"\xff",
    b"(?:|a){300000}", b"(a|aa)+$",
    b"\\p{L}+", b"<s>", "ก".encode(), b"YQ==", b"256 256\n", b"[" * 2_000, b"a" * 200_000,
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 2**31, 2**64, 1e308, "", "a", "\ud800", "ก" * 1_000, [], [[]], {}, {"type": "?"},
    {"type": "Split", "pattern": {"Regex": "(?:|a){300000}"}, "behavior": "Isolated", "invert": False},
    {"type": "Replace", "pattern": {"Regex": "x?"}, "content": "a" * 10_000}, [{"type": "ByteLevel"}] * 50,
)  # fmt: skip


def _trained() -> tuple[Tokenizer, Kept]:
    steps = tuple(tokviz.train_steps(sample("english"), vocab_size=300))
    tokenizer = Tokenizer.from_steps(steps, split_pattern="gpt2", special_tokens=["<s>"], name="small")
    return tokenizer, trained_of(tokenizer, steps, 9)


KINDS = (
    "minbpe", "tiktoken", "tokenizer.json", "tokenizer.json of WordPiece", "SentencePiece", "GGUF",
    "GGUF of SentencePiece", "GGUF of WordPiece", "tekken.json", "nanochat", "link", "record",
)  # fmt: skip


@cache
def originals() -> dict[str, bytes]:
    """Return a small file of each kind."""
    tokenizer, trained = _trained()
    link = {"text": "low", "tokenizer": "small", "tokenizers": [trained.packed_record]}
    link["tokenizers"].append(kept_tokens("words", "words", ["low", "er"]).packed_record)
    return {
        "minbpe": tokenizer_file_text(tokenizer, ".model").encode(),
        "tiktoken": tokenizer_file_text(tokenizer, ".tiktoken").encode(),
        "tokenizer.json": tokenizer_file_text(tokenizer, ".json").encode(),
        "tokenizer.json of WordPiece": wordpiece_file(),
        "SentencePiece": sentencepiece_file(),
        "GGUF": byte_level_gguf(json.loads(tokenizer_file_text(tokenizer, ".json"))),
        "GGUF of SentencePiece": sentencepiece_gguf(sentencepiece_file(), "t5"),
        "GGUF of WordPiece": wordpiece_gguf(json.loads(wordpiece_file())),
        "tekken.json": tekken_file(tokenizer),
        "nanochat": pickle.dumps(
            tiktoken.Encoding("x", pat_str=".", mergeable_ranks=tokenizer.mergeable_ranks, special_tokens={"<s>": 400})
        ),
        "link": json.dumps(link).encode(),
        "record": json.dumps(unpack(trained.packed_record)).encode(),
    }


def mutated(kind: str, seed: int) -> bytes:
    """Return a damaged copy of the file of a kind; the same seed gives the same damage."""
    rng = random.Random(f"{kind} {seed}")
    data = originals()[kind]
    if data[:1] == b"{" and rng.random() < 0.7:
        return _with_other_value(data, rng)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at, length = rng.randrange(len(data) + 1), rng.choice((0, 1, 1, 2, 10, 100, 1_000))
        new = rng.choice(
            (
                b"",
                rng.randbytes(rng.choice((1, 2, 9))),
                rng.choice(PIECES),
                data[at : at + length] * rng.choice((2, 50)),
            )
        )
        data = data[:at] + new + data[at + length :]
    return data[: rng.randrange(len(data) + 1)] if rng.random() < 0.1 else data


def _with_other_value(data: bytes, rng: random.Random) -> bytes:
    """Return JSON with one of its values, wherever it stands, replaced, left out or repeated."""
    whole = value = json.loads(data)
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            break
        key = rng.choice(keys)
        if isinstance(value[key], dict | list) and value[key] and rng.random() < 0.8:
            value = value[key]
            continue
        how = rng.random()
        if how < 0.2:
            del value[key]
        elif how < 0.3 and isinstance(value, list):
            value += value[:1_000] * rng.choice((1, 20))
        else:
            value[key] = rng.choice((*VALUES, whole.get(rng.choice(list(whole)))))
        break
    try:
        return json.dumps(whole).encode()
    except ValueError:  # what holds itself
        return data[:-1]


def _packed(data: bytes) -> str:
    """Return JSON packed as `pack` does, but whatever it is."""
    return base64.urlsafe_b64encode(zlib.compress(data)).decode().rstrip("=")


def outcome(kind: str, data: bytes) -> str:
    """Return how reading a file of a kind ends, and using what was read: in words, without the file's own."""
    try:
        if kind in ("link", "record"):
            packed = _packed(data) if kind == "link" else pack({"tokenizers": [_packed(data)]})
            contents = link_contents(packed)
            tokenizers = [one.tokenizer for one in contents.tokenizers]
        else:
            rules = {"split_pattern": "gpt2"} if kind == "tiktoken" else {}
            try:
                tokenizers = [read_tokenizer(data, "file", **rules)]
            except ValueError:
                if not rules:
                    raise
                tokenizers = [read_tokenizer(data, "file")]
        for tokenizer in tokenizers:
            tokenizer.decode(tokenizer.encode(TEXT, allowed_special="all"))
    except (ValueError, KeyError) as e:
        if isinstance(e, KeyError) and "has no token" not in str(e):
            raise
        why = getattr(e, "why", None)
        return f"refused: {why}" if why else "refused"
    return type(tokenizers[0]).__name__ if tokenizers else "nothing in it"


def tried(kind: str, seeds: range, tell: Callable[[str], None] = print) -> Counter[str]:
    """Return how many files ended how; those that broke a bound are told by their seed."""
    ends: Counter[str] = Counter()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for seed in seeds:
        data, begun = mutated(kind, seed), time.process_time()
        try:
            end = outcome(kind, data)
        except Exception:
            end = "BROKEN"
            tell(f"{kind}, seed {seed}:\n{traceback.format_exc(limit=-3)}")
        if time.process_time() - begun > OWN_SECONDS_MAX:
            tell(f"{kind}, seed {seed}: {time.process_time() - begun:.2f} s of this process")
            end += ", TOO SLOW"
        ends[end] += 1
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory > MEMORY_MAX:
        ends["TOO LARGE"] += 1
    return ends


def main() -> None:
    """Try many damaged files of each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("kinds", nargs="*", default=list(originals()))
    arguments = parser.parse_args()
    for kind in arguments.kinds:
        begun = time.monotonic()
        ends = tried(kind, range(arguments.first, arguments.first + arguments.count))
        told = ", ".join(f"{n:,} {end}" for end, n in ends.most_common())
        print(f"{kind}: {told} ({time.monotonic() - begun:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
