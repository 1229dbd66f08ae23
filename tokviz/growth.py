"""How much longer a foreign tokenizer may make a text before or after it is cut: normalizers, pre-tokenizers, decoders.

In: the parts of a tokenizer.json, or the replacements of a SentencePiece model. Out: nothing, or a refusal.
A replacement of nine megabytes for every space is data like any other, and takes minutes on the first
text; so what a file may do to the length of a text is told from the file, before any text meets it.
"""

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

GROWTH_MAX = 100  # how many times longer a text may become; NFKC writes one Arabic ligature as 18 characters
# For each part the most it may do, and the key under which a sequence has its steps. A pre-tokenizer has no text of
# its own to put in: those in use make of a character ▁ and a character at most.
_PARTS = {
    "normalizer": (GROWTH_MAX, "normalizers"),
    "pre_tokenizer": (20, "pretokenizers"),
    "decoder": (GROWTH_MAX, "decoders"),
}
CHARSMAP_MAX = 4_000_000  # bytes; the largest in use has 240,000
AFFIX_MAX = 100  # characters put beside every piece of a word; BERT's ## are two
TOKEN_MAX = 20_000  # characters of a token
# One after the other, these make a text no longer than the longest of them does, so that all together count once, as
# NFD's worst: NFKC's 18 it takes one character for, which the file does not bring along.
_FORMS = ("NFC", "NFD", "NFKC", "NFKD", "Lowercase")
_FORMS_GROWTH = 4.0
_UNKNOWN_GROWTH = 4.0  # of steps that are not known here: as much as any that brings no text of its own
# What the other steps do, in bytes of UTF-8 where they write bytes.
_GROWTH = {
    "normalizer": {"BertNormalizer": 3.0, "ByteLevel": 2.0, "Nmt": 1.0, "Strip": 1.0, "StripAccents": 1.0},
    "pre_tokenizer": {
        "ByteLevel": 3.0,  # é is two bytes, each written as two, and a space before it as two more
        "Metaspace": 4.0,  # ▁, three bytes, before what may be one
        **dict.fromkeys(("BertPreTokenizer", "CharDelimiterSplit", "Digits", "FixedLength", "Punctuation"), 1.0),
        **dict.fromkeys(("Split", "UnicodeScripts", "Whitespace", "WhitespaceSplit"), 1.0),
    },
    "decoder": {
        **dict.fromkeys(("ByteFallback", "ByteLevel", "CTC", "Fuse", "Metaspace", "Strip"), 1.0),
        **dict.fromkeys(("BPEDecoder", "WordPiece"), 2.0),  # a space beside each token
    },
}


def check_growth(spec: Mapping[str, Any], name: str) -> None:
    """Raise ValueError for a tokenizer.json that could blow up a text, or what is decoded, until memory ends.

    A step of a type that is not known here counts as if it made a text four times longer.

    >>> level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    >>> check_growth({"model": {}, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [level] * 40}}, "x.json")
    Traceback (most recent call last):
    ValueError: x.json: its pre_tokenizer may make a text more than 20 times longer
    """
    for part, (growth_max, nested) in _PARTS.items():
        steps = list(_steps(spec.get(part), nested))
        if sum("precompiled_charsmap" in step for step in steps) > 1:
            raise ValueError(f"{name}: its {part} has several precompiled_charsmap; one is the most that is opened")
        growth = _FORMS_GROWTH if any(step.get("type") in _FORMS for step in steps) else 1.0
        for step in steps:
            growth *= _growth(step, part, name)
            if growth > growth_max:
                raise ValueError(f"{name}: its {part} may make a text more than {growth_max} times longer")
    model = spec.get("model") or {}
    for affix in ("continuing_subword_prefix", "end_of_word_suffix"):
        if len(str(model.get(affix) or "")) > AFFIX_MAX:
            raise ValueError(f"{name}: its {affix} has more than {AFFIX_MAX} characters")
    longest = max(map(len, _tokens(spec)), default=0)
    if longest > TOKEN_MAX:
        raise ValueError(f"{name}: a token of {longest:,} characters; {TOKEN_MAX:,} is the most that is opened")


def _tokens(spec: Mapping[str, Any]) -> Iterator[str]:
    vocab = spec["model"].get("vocab")
    if isinstance(vocab, list):  # of Unigram: tokens with their scores
        vocab = [pair[0] for pair in vocab if isinstance(pair, list) and pair]
    if isinstance(vocab, list | dict):  # else it is refused elsewhere
        yield from (token for token in vocab if isinstance(token, str))
    yield from (str(token.get("content")) for token in spec.get("added_tokens") or ())


def _steps(part: object, nested: str) -> Iterator[Mapping[str, Any]]:
    """Yield a part, and its steps where it is a sequence of them, however deep."""
    todo = [part]
    while todo:
        step = todo.pop()
        if isinstance(step, dict):
            yield step
            todo += step[nested] if isinstance(step.get(nested), list) else []


def _growth(step: Mapping[str, Any], part: str, name: str) -> float:
    """Return how many times longer one step may make a text; the forms of Unicode are counted elsewhere."""
    kind, pattern = step.get("type"), step.get("pattern")  # old files name no type
    if "prepend" in step:
        return 1.0 + len(str(step["prepend"]))  # before every stretch between two added tokens
    if kind == "Precompiled" or "precompiled_charsmap" in step:
        try:
            charsmap = base64.b64decode(str(step.get("precompiled_charsmap") or ""), validate=True)
        except (binascii.Error, ValueError) as e:
            raise ValueError(f"{name}: the precompiled_charsmap of its normalizer is no base 64") from e
        return charsmap_growth(charsmap, name)
    if "content" in step and isinstance(pattern, dict):
        old, new = pattern.get("String"), len(str(step["content"]))
        if pattern.get("Regex") == " {2,}":  # of most models that SentencePiece made
            old = "  "
        return max(1.0, new / len(old)) if isinstance(old, str) and old else 1.0 + new
    if part == "pre_tokenizer" and kind == "ByteLevel" and step.get("add_prefix_space") is False:
        return 2.0
    return 1.0 if kind in (*_FORMS, "Sequence") else _GROWTH[part].get(str(kind), _UNKNOWN_GROWTH)


def charsmap_growth(charsmap: bytes, name: str) -> float:
    """Return how many times longer SentencePiece's table of replacements may make a text.

    The table is the size of a trie in four bytes, the trie, and the replacements, each ended by NUL. Raises
    ValueError for one that is too large.

    >>> charsmap_growth(b"\\x02\\x00\\x00\\x00tt" + b"ab\\0abc\\0", "toy")
    3.0
    """
    if len(charsmap) > CHARSMAP_MAX:
        raise ValueError(f"{name}: its normalizer has over {CHARSMAP_MAX:,} bytes, no model's is as large")
    replacements = charsmap[4 + int.from_bytes(charsmap[:4], "little") :].split(b"\0")
    growth = 1
    # Any place in the table may be pointed at, and what is read there ends at the next NUL.
    for text in replacements:
        if len(text) > growth:  # bytes, of which a character has one at least
            growth = max(growth, len(text.decode("utf-8", "replace")))
    return float(growth)
