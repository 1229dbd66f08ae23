"""How many tokens the included sentences and programs have under each included tokenizer: assets/token_counts.json.

So that a page that shows them all need not load every tokenizer; `tests/bench/token_counts.py` writes the file.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from tokviz.core.protocol import AnyTokenizer
from tokviz.languages.parity import KnownCounts, token_counts_and_unknown_text
from tokviz.languages.programs import parallel_programs
from tokviz.languages.table import parallel_sentences
from tokviz.system.installation import ASSETS
from tokviz.text.unknown_text import UnknownText

STORED = ASSETS / "token_counts.json"


@lru_cache(maxsize=1)
def stored_counts(path: Path = STORED) -> dict[str, KnownCounts]:
    """Return the counts under each included tokenizer by its name; a test computes them anew.

    >>> stored_counts()["gpt2"].of_texts["Drinking enough water every day is good for your health."]
    (12, UnknownText(n_unknown=0, n_chars=47))
    """
    texts, found = _texts(), {}
    for name, kept in json.loads(path.read_text()).items():
        unknown = (UnknownText(n, len("".join(text.split()))) for n, text in zip(kept["unknown"], texts, strict=True))
        found[name] = KnownCounts(name, dict(zip(texts, zip(kept["tokens"], unknown, strict=True), strict=True)))
    return found


def stored_counts_json(tokenizers: Mapping[str, AnyTokenizer]) -> str:
    """Return what is to be kept of tokenizers, by their names, as JSON: tokens and unknown characters of each text."""
    kept = {}
    for name, tokenizer in tokenizers.items():
        counted = token_counts_and_unknown_text(tokenizer, _texts())
        kept[name] = {"tokens": [n for n, _ in counted], "unknown": [unknown.n_unknown for _, unknown in counted]}
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(one)}" for name, one in kept.items()) + "\n}\n"


def _texts() -> list[str]:
    """Return the texts in the order of their counts."""
    return [text for each in (*parallel_sentences(), *parallel_programs()) for text in each.values()]
