"""Counts the included sentences and programs under each included tokenizer, and writes assets/token_counts.json anew.

Run `python tests/bench/token_counts.py` from the top of the repository after a change of these texts, and when a
tokenizer is added; it takes some seconds.
"""

import json

from tokviz.formats.extras import EXTRAS
from tokviz.formats.pretrained import INCLUDED, load
from tokviz.languages.parity import token_counts_and_unknown_text
from tokviz.languages.stored_counts import STORED, stored_texts


def line(name: str) -> str:
    """Return the tokens and unknown characters of each text under a tokenizer, as JSON after its name."""
    counted = token_counts_and_unknown_text(load(name), stored_texts())
    kept = {"tokens": [n for n, _ in counted], "unknown": [unknown.n_unknown for _, unknown in counted]}
    return f"{json.dumps(name)}: {json.dumps(kept)}"


if __name__ == "__main__":
    STORED.write_text("{\n" + ",\n".join(line(name) for name in INCLUDED if name not in EXTRAS) + "\n}\n")
