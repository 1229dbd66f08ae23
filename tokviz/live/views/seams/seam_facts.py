"""What the inspector says of a token's seams: what can still change it, and how else its bytes can be cut."""

from collections.abc import Collection
from typing import Any

from tokviz import Segmentations, Tokenizer, settled
from tokviz.live.recut import well_formed_text
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.seams.seams_view import NAMED, named
from tokviz.seams.endings import is_proven
from tokviz.seams.settled import appended
from tokviz.system.recent import recent

UNITS_MAX = 50_000  # UTF-16 units of a text whose end is looked at; it takes some 10 ms
BYTES_MAX = 1_000  # of a token that is cut in every way


class SeamFacts:
    """The facts about the tokens of one follower; what is settled is found once for a text."""

    def __init__(self, allowed_special: str | Collection[str]) -> None:
        self.allowed = allowed_special
        self._units: bytes | None = None
        self._open: dict[int, dict[str, Any]] = {}  # what is said of each token that may change

    def of(self, tokenizer: Tokenizer, follower: TokenFollower, token: int) -> dict[str, Any]:
        """Return `open`, a continuation that changes the token and what that makes, and `ways`, to cut its bytes.

        Each only where there is something to say: a token may be settled, or can be cut in one way alone. Nothing is
        said of what is open where that is not proved, or the text is long.
        """
        if follower.units is not self._units:
            self._units, self._open = follower.units, self._found(tokenizer, follower)
        facts: dict[str, Any] = {"open": self._open[token]} if token in self._open else {}
        data = tokenizer.token_bytes(int(follower.tokens.ids[token]))
        if data in tokenizer.mergeable_ranks and 1 < len(data) <= BYTES_MAX and (n_ways := ways(tokenizer, data)) > 1:
            facts["ways"] = str(n_ways)
        return facts

    def _found(self, tokenizer: Tokenizer, follower: TokenFollower) -> dict[int, dict[str, Any]]:
        if follower.is_cut_short or follower.covered > UNITS_MAX or not is_proven(tokenizer.split_pattern):
            return {}
        text = well_formed_text(follower.units, 0, follower.covered)
        found: dict[int, dict[str, Any]] = {}
        then: dict[str, list[tuple[str, int]]] = {}
        for seam in settled(tokenizer, text, allowed_special=self.allowed).seams:
            more = seam.continuation
            if more is not None and more not in then:
                ids = appended(tokenizer, text, more, allowed_special=self.allowed)[1]
                then[more] = named(tokenizer, ids[:NAMED])
            found[seam.token] = {"continuation": more, "then": [] if more is None else then[more]}
        return found


@recent(maxsize=1_000)
def ways(tokenizer: Tokenizer, data: bytes) -> int:
    """Return in how many ways bytes can be cut into tokens.

    >>> import tokviz
    >>> ways(tokviz.load("gpt2"), b"lower")
    15
    """
    return Segmentations(tokenizer, data).count
