"""Counts the included sentences and programs under each included tokenizer, and writes assets/token_counts.json anew.

Run `python tests/bench/token_counts.py` from the top of the repository after a change of these texts, and when a
tokenizer is added; it takes some seconds.
"""

from tokviz.formats.extras import EXTRAS
from tokviz.formats.pretrained import INCLUDED, load
from tokviz.languages.stored_counts import STORED, stored_counts_json

if __name__ == "__main__":
    STORED.write_text(stored_counts_json({name: load(name) for name in INCLUDED if name not in EXTRAS}))
