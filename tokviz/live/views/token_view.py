"""The token view: the tokens of a document, and the details of a token that the browser asks about.

Replies are as small as the edit that caused them; see docs/design.md.
"""

import threading
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer, TokenSpans
from tokviz.live.columns import TokenColumns
from tokviz.live.document import Document, text_of
from tokviz.live.edit import Change
from tokviz.live.follower import Follower
from tokviz.live.memory import FOLLOWED_MAX
from tokviz.live.recut import well_formed_text
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.token_facts import token_facts, written_facts
from tokviz.system.turns import LONG_WORK, locked

# Characters. Counting the tokens of so many under two more tokenizers takes some 0.1 s.
COUNTED_MAX = 50_000


class TokenView:
    """One document under one tokenizer. Hold `lock` around `reply` and `answer`.

    counted: pairs of a name and a tokenizer whose number of tokens is told beside the tokens; for one that is not
    that of the document, as long as the text has at most COUNTED_MAX characters.
    """

    kind = "tokens"

    def __init__(
        self,
        document: Document,
        tokenizer: AnyTokenizer,
        *,
        allowed_special: str | Collection[str] = (),
        units_max: int = FOLLOWED_MAX,
        counted: tuple[tuple[str, AnyTokenizer], ...] = (),
    ) -> None:
        self.lock = threading.Lock()
        self.document = document
        self.follower = TokenFollower(document, tokenizer, allowed_special=allowed_special, units_max=units_max)
        self.counted = {name: TokenFollower(document, each, units_max=2 * COUNTED_MAX) for name, each in counted}
        self.made = 0

    @property
    def is_behind(self) -> bool:
        """Whether there may be news for the browser."""
        return self.follower.is_behind or self.follower.has_news or any(each.waits for each in self.counted.values())

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most some 5 ms."""
        return self.follower.is_quick(whole=whole)

    def spans(self) -> TokenSpans:
        """Return the tokens of the text as it is now, as far as it is followed; none if it cannot be tokenized.

        For scripts: it takes the lock, and the browser is still told of any changes.
        """
        with LONG_WORK.turn(id(self)), locked(self.lock):
            self.follower.follow()
            return self.follower.spans()

    @property
    def problem(self) -> str | None:
        """Why the text could not be tokenized when it was last followed, None if it could."""
        return self.follower.problem

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens of the text as it is now, or what changed since the last reply."""
        follower = self.follower
        follower.follow()
        self.made += 1
        return {
            "of": [follower.version, follower.sequence],
            "made": self.made,
            **tokens_reply(follower, whole=whole),
            "notice": follower.problem or too_long(follower, "the tokens and numbers cover"),
            **self._counts(),
        }

    def _counts(self) -> dict[str, Any]:
        """Return the number of tokens under each other tokenizer, and in words why there is none under some."""
        is_long = max(len(self.follower.units) // 4, self.follower.n_characters) > COUNTED_MAX
        counts, too_long_for, problems = [], [], []
        for name, follower in self.counted.items():
            if follower.tokenizer is self.follower.tokenizer and not self.follower.special:
                follower = self.follower  # which has these tokens already
            elif not is_long:
                follower.follow()
            if follower.is_cut_short or (is_long and follower is not self.follower):
                too_long_for.append(name)
            elif follower.problem:
                problems.append(f"{name}: {follower.problem}.")
            else:
                counts.append([name, len(follower.tokens)])
        if too_long_for:
            problems.append(f"{', '.join(too_long_for)}: only for texts of up to {COUNTED_MAX:,} characters.")
        return {"counted": counts, "uncounted": " ".join(problems) or None}

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the inspector shows of a token; only the latest number if other tokens have been made since.

        Raises KeyError, TypeError or ValueError for anything but a question.
        """
        index, made = int(question["token"]), int(question["made"])
        follower = self.follower
        if made != self.made or follower.has_news or not 0 <= index < len(follower.tokens):
            return {"made": self.made}
        try:
            facts = self._facts(index)
        except ValueError as e:
            facts = {"error": str(e)}
        return {"made": made, "index": index, "id": int(follower.tokens.ids[index]), **facts}

    def _facts(self, index: int) -> dict[str, Any]:
        follower = self.follower
        if not isinstance(follower.tokenizer, Tokenizer):
            return written_facts(follower.tokenizer, int(follower.tokens.ids[index]))
        return token_facts(follower.tokenizer, follower.tokens, follower.cuts, follower.units, index)


def tokens_reply(follower: TokenFollower, *, whole: bool) -> dict[str, Any]:
    """Return all tokens of a follower, or those that changed since the last reply, and their numbers."""
    tokens, tokenizer = follower.tokens, follower.tokenizer
    change, shift = follower.news(), follower.text_news().shift
    if whole:
        change = Change(0, 0, len(tokens))
    reply = {
        **change_of(tokens, change),
        "shift": shift,
        "end": follower.covered,
        "counts": {
            "tokens": len(tokens),
            "characters": follower.n_characters,
            "bytes": follower.n_bytes,
            "distinct": len(follower.occurrences),
        },
    }
    if whole:
        reply["tokenizer"] = tokenizer_data(tokenizer)
    if not isinstance(tokenizer, Tokenizer):
        reply["labels"] = labels(tokenizer, follower.spans())
    return reply


def change_of(tokens: TokenColumns, change: Change) -> dict[str, Any]:
    """Return a change as it goes into a message; `tokens` are the new ones."""
    new = tokens.cut(change.start, change.new_stop).packed()
    return {"at": change.start, "removed": change.old_stop - change.start, **new}


def text_change(change: Change, units: bytes) -> list[Any]:
    """Return a change of a text as it goes into a message; `units` are those of the new one."""
    start, old_stop, new_stop = change
    return [start, old_stop - start, text_of(units[2 * start : 2 * new_stop])]


def tokenizer_data(tokenizer: AnyTokenizer) -> dict[str, Any]:
    """Return what a browser needs to know about a tokenizer."""
    return {
        "name": tokenizer.name,
        "special": sorted(tokenizer.special_tokens.values()),
        "placed": not isinstance(tokenizer, Tokenizer),
        "unknown": tokenizer.unknown_id,
    }


def labels(tokenizer: AnyTokenizer, spans: TokenSpans) -> list[tuple[int, str]]:
    """Return how the vocabulary writes tokens whose text does not say what they are.

    They are the unknown one, the empty ones, and those that share a character.
    """
    untold = spans.byte_starts == spans.byte_ends
    if len(spans) > 1:
        overlaps = spans.byte_starts[1:] < spans.byte_ends[:-1]
        untold |= np.append(overlaps, False) | np.append(False, overlaps)
    ids = set(spans.ids[untold].tolist()) | ({tokenizer.unknown_id} & set(spans.ids.tolist()))
    return [(token_id, tokenizer.token_bytes(token_id).decode("utf-8", "replace")) for token_id in sorted(ids)]


def too_long(follower: Follower, what: str) -> str | None:
    """Return the notice for a text of which only a part is followed, None if all is."""
    if not follower.is_cut_short:
        return None
    n_shown = len(well_formed_text(follower.units, 0, follower.covered))
    n_all = len(well_formed_text(follower.units, 0, len(follower.units) // 2))
    return f"The text has {n_all:,} characters; {what} the first {n_shown:,}."
