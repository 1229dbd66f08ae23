"""Computes what the audits of the pretrained tokenizers find, and writes assets/audits.json anew; takes some seconds.

Run `python tests/bench/audits.py` from the top of the repository after a change of what an audit finds.
"""

import base64
import json
import zlib

from tokviz.formats.pretrained import PRETRAINED, load
from tokviz.vocabulary.audit import audit
from tokviz.vocabulary.findings import PINNED, findings_of_audit


def packed_findings(name: str) -> dict[str, object]:
    """Return what is to be kept of a pretrained tokenizer, as `stored_findings` reads it."""
    found = findings_of_audit(audit(load(name)))
    packed = base64.b64encode(zlib.compress(found.bits.astype("<u2").tobytes(), 9)).decode()
    return {"bits": packed, "special": [[one.token_id, one.text, list(one.plain_ids)] for one in found.special]}


if __name__ == "__main__":
    PINNED.write_text(json.dumps({name: packed_findings(name) for name in PRETRAINED}, indent=1) + "\n")
