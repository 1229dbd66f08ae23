"""How many tokens the included sentences and programs have under each included tokenizer: assets/token_counts.json.

So that a page that shows them all need not load every tokenizer; `tests/bench/token_counts.py` writes the file.
"""

import json
from functools import lru_cache

from tokviz.languages.parity import KnownCounts
from tokviz.languages.programs import parallel_programs
from tokviz.languages.table import parallel_sentences
from tokviz.system.installation import ASSETS
from tokviz.text.unknown_text import UnknownText

STORED = ASSETS / "token_counts.json"


@lru_cache(maxsize=1)
def stored_counts() -> dict[str, KnownCounts]:
    """Return the counts under each included tokenizer by its name; a test computes them anew.

    >>> stored_counts()["gpt2"].of_texts["Drinking enough water every day is good for your health."]
    (12, UnknownText(n_unknown=0, n_chars=47))
    """
    texts, found = stored_texts(), {}
    for name, kept in json.loads(STORED.read_text()).items():
        unknown = (UnknownText(n, len("".join(text.split()))) for n, text in zip(kept["unknown"], texts, strict=True))
        found[name] = KnownCounts(name, dict(zip(texts, zip(kept["tokens"], unknown, strict=True), strict=True)))
    return found


def stored_texts() -> list[str]:
    """Return the texts in the order of their counts."""
    return [text for each in (*parallel_sentences(), *parallel_programs()) for text in each.values()]
