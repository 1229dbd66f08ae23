"""How much longer a foreign tokenizer may make a text before or after it is cut: normalizers and decoders.

In: the parts of a tokenizer.json, or the replacements of a SentencePiece model. Out: nothing, or a refusal.
A replacement of nine megabytes for every space is data like any other, and takes minutes on the first
text; so what a file may do to the length of a text is told from the file, before any text meets it.
"""

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

GROWTH_MAX = 100  # how many times longer a text may become; NFKC writes one Arabic ligature as 18 characters
CHARSMAP_MAX = 4_000_000  # bytes; the largest in use has 240,000
AFFIX_MAX = 100  # characters put beside every piece of a word; BERT's ## are two
TOKEN_MAX = 20_000  # characters of a token


def check_growth(spec: Mapping[str, Any], name: str) -> None:
    """Raise ValueError for a tokenizer.json that could blow up a text, or what is decoded, until memory ends."""
    for part in ("normalizer", "decoder"):
        growth = 1.0
        for step in _steps(spec.get(part)):
            growth *= _growth(step, name)
            if growth > GROWTH_MAX:
                raise ValueError(f"{name}: its {part} may make a text more than {GROWTH_MAX} times longer")
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
    yield from (token for token in vocab or () if isinstance(token, str))
    yield from (str(token.get("content")) for token in spec.get("added_tokens") or ())


def _steps(part: object) -> Iterator[Mapping[str, Any]]:
    """Yield a normalizer or decoder, or the steps of a sequence of them."""
    todo = [part]
    while todo:
        step = todo.pop()
        if isinstance(step, dict):
            yield step
            for nested in ("normalizers", "decoders"):
                todo += step[nested] if isinstance(step.get(nested), list) else []


def _growth(step: Mapping[str, Any], name: str) -> float:
    """Return how many times longer one step may make a text."""
    kind, pattern = step.get("type"), step.get("pattern")
    if kind == "Prepend":
        return 1.0 + len(str(step.get("prepend")))  # before every stretch between two added tokens
    if kind == "Precompiled" or "precompiled_charsmap" in step:
        try:
            charsmap = base64.b64decode(str(step.get("precompiled_charsmap") or ""), validate=True)
        except (binascii.Error, ValueError) as e:
            raise ValueError(f"{name}: the precompiled_charsmap of its normalizer is no base 64") from e
        return charsmap_growth(charsmap, name)
    if kind == "Replace" and isinstance(pattern, dict):
        old, new = pattern.get("String"), len(str(step.get("content")))
        return max(1.0, new / len(old)) if isinstance(old, str) and old else 1.0 + new
    return 1.0


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
    # Any place in the table may be pointed at, and what is read there ends at the next NUL.
    return float(max(1, *(len(text.decode("utf-8", "replace")) for text in (b"", *replacements))))
