"""What is wrong with a tokenizer.json that the `tokenizers` library does not take, in our words.

In: the parsed JSON. Out: nothing, or a ValueError that names the part, what stands there and what was
expected. The library speaks of lines and types of its own, which nobody who opens a file knows.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tokviz.core.patterns import shortened
from tokviz.formats.hf_byte_level import numbered_merges

MODELS = ("BPE", "WordPiece", "WordLevel", "Unigram")
Load = Callable[[Mapping[str, Any]], object]
PARTS = ("normalizer", "pre_tokenizer", "decoder")
_PLACE = re.compile(r" at line \d+ column \d+$")  # in what was handed to the library, not in the file
_TOY = {"version": "1.0", "added_tokens": [], "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}}


def check_model(spec: Mapping[str, Any], name: str) -> None:
    """Raise ValueError for a model that lacks its vocabulary or merges, or has others than its type has.

    >>> check_model({"model": {"type": "BPE", "vocab": {"a": 0}}}, "x.json")
    Traceback (most recent call last):
    ValueError: x.json: its BPE model has no merges; the file is cut short, or another program's
    """
    model = spec["model"]
    kind = str(model.get("type") or ("BPE" if "merges" in model else ""))
    if not kind:
        return  # an old file: the library tells the type from the rest
    if kind not in MODELS:
        raise ValueError(f"{name}: its model has the type {shortened(kind)}; known are {', '.join(MODELS)}")
    for key in ("vocab", "merges")[: 1 + (kind == "BPE")]:
        if key not in model:
            raise ValueError(f"{name}: its {kind} model has no {key}; the file is cut short, or another program's")
    vocab = model["vocab"]
    if kind == "Unigram":
        if not isinstance(vocab, list):
            raise ValueError(f"{name}: the vocab of a Unigram model is a list of tokens with scores, which it is not")
        return
    if not isinstance(vocab, dict):
        raise ValueError(f"{name}: the vocab of a {kind} model names an id for each token, which it does not")
    for token, token_id in vocab.items():
        if not isinstance(token_id, int) or isinstance(token_id, bool) or not 0 <= token_id < 2**32:
            raise ValueError(
                f"{name}: the id of its token {shortened(token)} is {shortened(token_id)}; expected is a whole "
                "number from 0 on"
            )
    if kind == "BPE":
        _check_merges(model, name)


def _check_merges(model: Mapping[str, Any], name: str) -> None:
    merges, vocab = model["merges"], model["vocab"]
    if not isinstance(merges, list):
        raise ValueError(f"{name}: its merges are no list of pairs of tokens")
    prefix = len(str(model.get("continuing_subword_prefix") or ""))
    for number, pair in numbered_merges(merges):
        merge = merges[number - 1]
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            raise ValueError(f"{name}: merge {number:,} is {shortened(merge)}; expected is a pair of tokens")
        for token in (*pair, pair[0] + pair[1][prefix:]):
            if token not in vocab:
                raise ValueError(
                    f"{name}: merge {number:,} is {shortened(merge)}, but {shortened(token)} is not in its vocab; "
                    "vocab and merges are of different files, or the file is damaged"
                )


def refusal(e: Exception, spec: Mapping[str, Any], name: str, load: Load) -> ValueError:
    """Return in words that the library refuses a file, and because of which part; its own words in brackets.

    >>> def load(spec):
    ...     if "decoder" in spec:
    ...         raise ValueError("unknown decoder at line 1 column 9")
    >>> said = refusal(ValueError("unknown decoder"), {"decoder": {"type": "Foo"}}, "x.json", load)
    >>> str(said).split(", which")[0]
    "x.json: the tokenizers library does not take its decoder, 'Foo'"
    """
    said = e.__cause__ or e
    words = _PLACE.sub("", (str(said).splitlines() or [type(said).__name__])[0])
    part = next((part for part in PARTS if spec.get(part) and not _loads({**_TOY, part: spec[part]}, load)), None)
    if part is None:
        return ValueError(
            f"{name}: the tokenizers library does not take this file, which is damaged or of a newer version "
            f"({shortened(words, 200)})"
        )
    value = spec[part]
    kind = value.get("type") if isinstance(value, dict) else value
    return ValueError(
        f"{name}: the tokenizers library does not take its {part}, {shortened(kind)}, which is damaged or of a "
        f"newer version ({shortened(words, 200)})"
    )


def _loads(spec: Mapping[str, Any], load: Load) -> bool:
    try:
        load(spec)
    except ValueError:
        return False
    return True
