"""What the vocabulary browser is sent: all tokens once, and a report on the token that is open."""

import base64
import hashlib
import zlib
from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer, TokenSpans
from tokviz.core.relatives import merge_tree, tokens_made_directly_from
from tokviz.live.views.token_facts import TREE_BYTES_MAX, missing_tree_data, rank_facts, tree_data
from tokviz.system.recent import recent
from tokviz.vocabulary.audit import FINDINGS
from tokviz.vocabulary.facts import KINDS, SCRIPTS, vocabulary_facts
from tokviz.vocabulary.findings import Findings

CHARACTERS_MAX = 200_000  # of the text in which uses are counted
CHILDREN_SHOWN = 60
PLACES_SHOWN = 20
AROUND = 24  # characters of the text on each side of a use
SHOWN = 200  # characters of a longer token
# Of the findings whose names, as files and links have them, are hard to read: what a page shows.
FINDING_LABELS = {
    "same but for case": "also with other capitals",
    "same but for space": "also with other spaces",
    "same but for normal form": "also in another normal form",
}


@recent(maxsize=8)
def packed_vocabulary_columns(tokenizer: AnyTokenizer, found: Findings | None = None) -> dict[str, Any]:
    """Return the tokens of a vocabulary as columns, in the order of ids, and a fingerprint of them.

    ids: [index, id] where each run of ids without a gap begins. packed: lengths in bytes (`width` bytes each), kinds,
    scripts, the lower and the upper bytes of what an audit found (nothing if it is not known), then the bytes of all
    tokens in a row; compressed, base64.
    """
    facts = vocabulary_facts(tokenizer)
    width = next(width for width in (1, 2, 4) if int(facts.n_bytes.max()) < 256**width)
    lengths = facts.n_bytes.astype(f"<u{width}").tobytes()
    bits = b"" if found is None else _packed_finding_bits(facts.ids, found)
    blob = b"".join([lengths, facts.kinds.tobytes(), facts.scripts.tobytes(), bits, *facts.tokens])
    begins = np.flatnonzero(np.diff(facts.ids, prepend=-2) != 1)
    return {
        "fingerprint": hashlib.sha1(blob + facts.ids.tobytes()).hexdigest(),
        "count": len(facts),
        "width": width,
        "ids": [[int(i), int(facts.ids[i])] for i in begins],
        # Higher levels take three times as long and save another twentieth.
        "packed": base64.b64encode(zlib.compress(blob, 1)).decode(),
        "kind_names": list(KINDS),
        "script_names": list(SCRIPTS),
        "finding_names": [] if found is None else list(FINDINGS),
        "finding_labels": [FINDING_LABELS.get(name, name) for name in FINDINGS],
    }


def _packed_finding_bits(ids: np.ndarray, found: Findings) -> bytes:
    """Return the lower and the upper bytes of what was found of each token; nothing is of special ones."""
    bits = np.zeros(len(ids), np.uint16)
    bits[np.searchsorted(ids, found.ids)] = found.bits
    return (bits & 0xFF).astype(np.uint8).tobytes() + (bits >> 8).astype(np.uint8).tobytes()


def token_report(tokenizer: AnyTokenizer, token_id: int, spans: TokenSpans) -> dict[str, Any]:
    """Return the relatives of a token by their ids, its merge tree, and where a text uses it.

    places: [first character, the text before, the text of the token, the text after].

    >>> import tokviz
    >>> tokenizer = tokviz.train("low lower", vocab_size=258)
    >>> report = token_report(tokenizer, 256, tokviz.token_spans(tokenizer, tokenizer.encode("slot low")))
    >>> report["parents"], report["children"], report["places"]
    ([108, 111], [257], [[1, 's', 'lo', 't low']])
    """
    uses = np.flatnonzero(spans.ids == token_id)
    return {
        "id": token_id,
        **_token_relatives_data(tokenizer, token_id),
        "n_uses": len(uses),
        "places": [_use_data(spans, int(use)) for use in uses[:PLACES_SHOWN]],
    }


@recent(maxsize=64)
def _token_relatives_data(tokenizer: AnyTokenizer, token_id: int) -> dict[str, Any]:
    """Return merge rank, parents, children and merge tree; special tokens have none, nor do other families."""
    found: dict[str, Any] = {"parents": [], "children": [], "n_children": 0, "tree": None, "error": None, "rank": None}
    if not isinstance(tokenizer, Tokenizer):
        return found | {"error": f"{tokenizer.kind}: its merges are not known here"}
    ranks, token = tokenizer.mergeable_ranks, tokenizer.token_bytes(token_id)
    found |= rank_facts(tokenizer, token_id)
    rank = found["rank"]
    if ranks.get(token) != token_id:
        return found
    pair = None if rank is None else tokenizer.merge_pair(rank)
    parents = [ranks[parent] for parent in pair or ()]
    made = tokens_made_directly_from(tokenizer, token)
    if len(token) > TREE_BYTES_MAX:
        found |= missing_tree_data(len(token))
    elif parents:
        found["tree"] = tree_data(merge_tree(tokenizer, token))
    return found | {
        "parents": parents,
        "children": [ranks[child] for child in made[:CHILDREN_SHOWN]],
        "n_children": len(made),
    }


def _use_data(spans: TokenSpans, token: int) -> list[Any]:
    """Return where a token is in the text, with the text around it."""
    start, end = int(spans.char_starts[token]), int(spans.char_ends[token])
    before, after = spans.text[max(0, start - AROUND) : start], spans.text[end : end + AROUND]
    return [start, before, spans.text[start : min(end, start + SHOWN)], after]
