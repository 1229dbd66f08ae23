"""Which tokens of a document are settled, whatever follows, and what changes the others."""

from typing import Any

from tokviz import Settled, Tokenizer, settled
from tokviz.core.relatives import tokens_extending
from tokviz.live.document import Document, State
from tokviz.live.look import PLAIN, Look
from tokviz.live.recut import decoded_units
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.seams.seams_view import NAMED, SHOWN, SeamsView, data_of_token_stretch, tokens_data
from tokviz.seams.settled_tokens import changed_ids_before_and_after
from tokviz.system.sandbox import is_busy_error
from tokviz.text.words import quantity

UNITS_MAX = 200_000  # UTF-16 units; of a longer text the end would come late
EXAMPLES_MAX = 6
WORD = "yes"  # that follows a trailing space


class SettledView(SeamsView):
    """The settled and the open tokens of one document."""

    section = "settled"

    def __init__(self, document: Document, tokenizer: Tokenizer, *, look: Look = PLAIN) -> None:
        super().__init__(document, tokenizer, look=look)
        self.follower = TokenFollower(document, tokenizer, allowed_special=look.allowed_special, units_max=UNITS_MAX)
        next(tokens_extending(tokenizer, b" "), None)  # sorts the vocabulary, which the first key need not wait for

    def read_documents(self) -> tuple[State]:
        """Take the text as it is now."""
        return (self.follower.catch_up(),)

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return the end of the text in tokens, which of them may change, and examples of what changes them."""
        follower = self.follower
        text = decoded_units(follower.units, 0, follower.covered)
        n_tokens, found, problem = len(follower.tokens), None, follower.problem
        self.waits = follower.waits
        try:
            found = settled(self.tokenizer, text, allowed_special=self.look.allowed_special)
        except ValueError as e:
            problem, self.waits = str(e), is_busy_error(e)
        shown: dict[str, Any] = {
            "stretch": self.stretch_with_marks(data_of_token_stretch(follower, max(n_tokens - SHOWN, 0), n_tokens)),
            "settled": found.n_tokens if found else 0,
            "open": [seam.token for seam in found.seams] if found else [],
            "examples": [],
            "words": "",
            "proof": "",
            "space": None,
            "notice": problem or follower.notice_if_cut_short("this page is about"),
        }
        if found is None or not n_tokens:
            return shown
        examples, more = self._examples_and_n_more(text, found)
        space = self._trailing_space_data(text, found)
        if space and examples[-1]["tokens"] == [found.seams[-1].token]:
            examples[-1] |= {"continuation": WORD, "now": space["now"], "then": space["then"]}
        return shown | {
            "examples": examples,
            "more": more,
            "words": summary_of_settled_tokens(found, n_tokens, follower.n_characters),
            "proof": proof_in_words(found),
            "space": space,
        }

    def _examples_and_n_more(self, text: str, found: Settled) -> tuple[list[dict[str, Any]], int]:
        """Return what continuations make of the tokens that they change, and how many more there are."""
        by_continuation: dict[str | None, list[int]] = {}
        for seam in found.seams:
            by_continuation.setdefault(seam.continuation, []).append(seam.token)
        examples = [
            {"continuation": more, "tokens": tokens, **({} if more is None else self._changed_ids_data(text, more))}
            for more, tokens in list(by_continuation.items())[:EXAMPLES_MAX]
        ]
        return examples, len(by_continuation) - len(examples)

    def _changed_ids_data(self, text: str, more: str) -> dict[str, Any]:
        now, then = changed_ids_before_and_after(self.tokenizer, text, more, allowed_special=self.look.allowed_special)
        return {
            "now": tokens_data(self.tokenizer, now[:NAMED]),
            "then": tokens_data(self.tokenizer, then[:NAMED]),
            "is_long": max(len(now), len(then)) > NAMED,
        }

    def _trailing_space_data(self, text: str, found: Settled) -> dict[str, Any] | None:
        """Return what a word makes of a space at the end, None unless the space becomes the beginning of its token."""
        if not text.endswith(" ") or not found.seams or found.seams[-1].byte_end != len(text.encode()):
            return None
        change = self._changed_ids_data(text, WORD)
        words = [token for token in change["then"] if len(token[0]) > 2 and token[0].startswith("20 ")]
        if not words:
            return None
        return {
            **change,
            "whole": words[-1],
            "alone": tokens_data(self.tokenizer, self.tokenizer.encode(WORD)),
        }


def summary_of_settled_tokens(found: Settled, n_tokens: int, n_characters: int) -> str:
    """Return in one sentence or two what is settled.

    >>> from tokviz import Seam
    >>> summary_of_settled_tokens(Settled(1, 3, 3, 3, (Seam(1, 7, "ch"),), True), 2, 7)
    'Whatever follows, the first token stays, up to character 3 of 7. The last token can still change.'
    """
    n_open = n_tokens - found.n_tokens
    if not n_open:
        stay = _what_stays("the one token" if n_tokens == 1 else f"all {n_tokens:,} tokens", found)
        return f"{stay}. Stop in the middle of a word, or end with a space, and the last token can still change."
    if not found.n_tokens:
        return "What follows can change even the first token."
    first = "the first token" if found.n_tokens == 1 else f"the first {found.n_tokens:,} of {n_tokens:,} tokens"
    rest = "The last token" if n_open == 1 else f"The last {n_open:,} tokens"
    if len(found.seams) < n_open:
        rest = f"Of the last {n_open:,} tokens, {len(found.seams):,}"
    place = f"up to character {found.char_end:,} of {n_characters:,}"
    return f"{_what_stays(first, found)}, {place}. {rest} can still change."


def _what_stays(tokens: str, found: Settled) -> str:
    if not found.is_proven:
        return f"Nothing that was tried changes {tokens}"
    return f"Whatever follows, {tokens} {'stays' if found.n_tokens == 1 else 'stay'}"


def proof_in_words(found: Settled) -> str:
    """Return in words how much is known."""
    if not found.is_proven:
        return "Nothing is proved for a split pattern of your own: no continuation that was tried changed these tokens."
    unknown = sum(seam.continuation is None for seam in found.seams)
    if unknown:
        return (
            f"What stays follows from the tokenizer’s rules. For {quantity(unknown, 'token')} no continuation was "
            "found, though one may exist."
        )
    tried = ", and every example was run" if found.seams else ""
    return f"This follows from the tokenizer’s rules{tried}."
