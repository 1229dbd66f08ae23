"""What an audit finds of each token of a vocabulary, as one number a token, kept for the pretrained ones."""

import base64
import json
import zlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer, tokenizer_with_merges
from tokviz.formats.pretrained import PRETRAINED, load
from tokviz.system import sandbox
from tokviz.system.installation import ASSETS
from tokviz.system.recent import Recent
from tokviz.vocabulary.audit import FINDINGS, Audit, PlainSpecial, audit
from tokviz.vocabulary.audit_report import as_csv, as_json, as_markdown
from tokviz.vocabulary.reach import IN_CONTEXT, NEVER, NOT_FOUND, UNUSED, Reach, reach

PINNED = ASSETS / "audits.json"
SECONDS = 120  # of a child process; 200,000 tokens take some four
NOT_ALONE = sum(1 << n for n, name in enumerate(FINDINGS) if name in (NEVER, f"only {IN_CONTEXT}", NOT_FOUND))
FORMATS = {"JSON": as_json, "CSV": as_csv, "Markdown": as_markdown}


@dataclass(frozen=True, eq=False)
class Findings:
    """What an audit found. bits, uint16: for each token that is not special, in the order of ids, one bit a finding.

    The lowest bit is the first of `FINDINGS`.
    """

    ids: np.ndarray
    bits: np.ndarray
    special: tuple[PlainSpecial, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many tokens have each finding."""
        return {name: int((self.bits >> n & 1).sum()) for n, name in enumerate(FINDINGS)}

    def ids_with(self, finding: str) -> np.ndarray:
        """Return the ids of the tokens that have a finding, ascending.

        >>> import tokviz
        >>> findings(tokviz.load("gpt2")).ids_with("absorbed")[:3].tolist()
        [1947, 1977, 4204]
        """
        return self.ids[self.bits >> list(FINDINGS).index(finding) & 1 == 1]

    def reach_if_not_alone(self, tokenizer: AnyTokenizer, token_id: int) -> Reach | None:
        """Return how texts produce a token that its own text does not, None for any other."""
        place = int(np.searchsorted(self.ids, token_id))
        known = place < len(self.ids) and self.ids[place] == token_id
        if not known or not self.bits[place] & NOT_ALONE or not isinstance(tokenizer, Tokenizer):
            return None
        unused = token_id in tokenizer.unused_bytes
        return UNUSED if unused else reach(tokenizer, tokenizer.token_bytes(token_id))


def findings_of_audit(found: Audit) -> Findings:
    """Return what an audit found as bits."""
    ids = np.array([token.token_id for token in found.tokens], np.int32)
    bits = np.zeros(len(ids), np.uint16)
    for n, (_, is_so) in enumerate(FINDINGS.values()):
        bits |= np.fromiter(map(is_so, found.tokens), bool, len(ids)).astype(np.uint16) << n
    return Findings(ids, bits, found.special)


def findings_if_known(tokenizer: AnyTokenizer) -> Findings | None:
    """Return what is known already of a vocabulary: pinned, or found lately. None if it has to be audited first."""
    if isinstance(tokenizer, Tokenizer) and tokenizer.name in PRETRAINED and tokenizer == load(tokenizer.name):
        return stored_findings(tokenizer.name)
    return _FOUND.known_result(tokenizer) if isinstance(tokenizer, Tokenizer) else None


def findings(tokenizer: AnyTokenizer) -> Findings:
    """Return what an audit finds, made in a child process unless it is known.

    Raises ValueError for a tokenizer whose merges are not known, and as `sandbox.call` if it takes too long.
    """
    known = findings_if_known(tokenizer)
    if known is not None:
        return known
    tokenizer = tokenizer_with_merges(tokenizer, "an audit")
    return _FOUND.kept_or_made_result(
        tokenizer, lambda: sandbox.call(_audit_findings, tokenizer, seconds=SECONDS, what="the audit")
    )


def audit_report(tokenizer: Tokenizer, kind: str) -> str:
    """Return the report of an audit in one of `FORMATS`, made in a child process."""
    return sandbox.call(_audit_report, tokenizer, kind, seconds=SECONDS, what="the audit")


@lru_cache(maxsize=len(PRETRAINED))
def stored_findings(name: str) -> Findings:
    """Return what an audit of a pretrained tokenizer finds, as it was computed once; a test computes it anew."""
    kept = json.loads(PINNED.read_text())[name]
    tokenizer = load(name)
    bits = np.frombuffer(zlib.decompress(base64.b64decode(kept["bits"])), "<u2")
    special = tuple(PlainSpecial(token_id, text, tuple(ids)) for token_id, text, ids in kept["special"])
    return Findings(np.sort(np.array([*tokenizer.ordinary_tokens], np.int32)), bits, special)


def _audit_findings(tokenizer: Tokenizer) -> Findings:
    return findings_of_audit(audit(tokenizer))


def _audit_report(tokenizer: Tokenizer, kind: str) -> str:
    return FORMATS[kind](audit(tokenizer))


_FOUND: Recent[Findings] = Recent(maxsize=4)
