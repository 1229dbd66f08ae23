"""Records of trained tokenizers as tabs and links of 0.1.0 had them, without a plan; read for one version more."""

from typing import Any

from tokviz import load
from tokviz.core.steps import ACROSS, WHOLE


def renewed(record: dict[str, Any]) -> dict[str, Any]:
    """Return such a record as it would be now."""
    n_learned = len(record["pairs"])
    inside, pattern, *rival = record.get("superwords") or (n_learned, record["split_pattern"])
    start, n_bytes_and_merges, first_id = record.get("start") or None, 256, 256
    if isinstance(start, str):
        n_bytes_and_merges, first_id = len(load(start).mergeable_ranks), load(start).n_vocab
    elif start:
        n_bytes_and_merges = len(start["tokens"])
        first_id = 1 + max(n_bytes_and_merges + sum(start["skipped"]) - 1, *start["special_tokens"].values(), 0)
    n_asked = max(int(record["n_merges"]), n_learned)
    special = record["special_tokens"]
    if special and min(special.values()) < first_id + n_asked:  # they follow the last merge; nobody chose them
        special = sorted(special, key=special.__getitem__)
    parts = [WHOLE if each is None else each for each in record.get("languages") or [None] * n_learned]
    way: dict[str, Any] = {"name": "plain"}
    if record.get("superwords"):
        way = {"name": "superwords", "superwords_from": n_bytes_and_merges + int(inside)}
        parts[int(inside) :] = [ACROSS] * (n_learned - int(inside))
    elif any(parts):
        way = {"name": "parity", "sentences": None, "variant": {}}
    plan = {
        "vocab_size": n_bytes_and_merges + n_asked,
        "split_pattern": pattern,
        "special_tokens": special,
        "min_count": 1,
        "hold_out": bool(record.get("held_out")),
        "start": start,
        "way": way,
    }
    return record | {"plan": plan, "parts": parts, "rival": rival if rival and rival[0] is not None else None}
