"""The ids view: the tokens and the text of a pasted list of ids.

Its replies are those of the token view plus the text, since no editor holds that. All ids are read again after an edit,
and comparing finds what changed.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer, TokenSpans, token_spans
from tokviz.core.ids import ids_and_other_entries
from tokviz.core.special_tokens import ALL_SPECIAL
from tokviz.formats.pretrained import short_name
from tokviz.live.document import Document, State, text_of
from tokviz.live.look import PLAIN, Look
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.inspected_view import InspectedView
from tokviz.live.views.token_facts import rank_facts, token_facts

IDS_MAX = 200_000
NAMED = 10  # how many entries that are not ids, or unknown ids, are named
QUICK_UNITS = 2_000


class IdsView(InspectedView):
    """The ids in one document under one tokenizer."""

    def __init__(self, document: Document, tokenizer: AnyTokenizer, *, look: Look = PLAIN) -> None:
        super().__init__(tokenizer, document, look=look)

    def is_reply_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most about 5 ms."""
        return self.documents[0].state.length <= QUICK_UNITS

    def spans(self) -> TokenSpans:
        """Return the tokens of the ids as they are now, for scripts; takes the lock."""
        with self.locked_up_to_date():
            return self._spans

    def read_changed(self, states: tuple[State, ...]) -> None:
        """Read the ids."""
        limit = f"the first {IDS_MAX:,} are shown"
        ids, self._notice = known_ids_and_notice(self.tokenizer, states[0], IDS_MAX, limit)
        self._spans = token_spans(self.tokenizer, ids)
        self._own: TokenFollower | None = None

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens of the ids, or what changed since the last reply."""
        return {
            **self.sent.take_spans_reply(self.tokenizer, self._spans, whole=whole),
            "raw": hex_of_replacement_character_tokens(self.tokenizer, self._spans)
            if "\ufffd" in self._spans.text
            else [],
            "notice": self._notice,
            **self.updated_hidden_text_data(self.sent.units, whole=whole),
        }

    def facts_of_token(self, tokenizer: Tokenizer, index: int) -> dict[str, Any]:
        """Return what the inspector adds: only the rank if the text would be encoded to other ids, or is very long."""
        own = self._own or self._reencoding_follower()
        if own.problem:
            raise ValueError(own.problem)  # and tried again for the next question
        self._own = own
        if not np.array_equal(own.tokens.ids, self._spans.ids):
            return rank_facts(tokenizer, int(self._spans.ids[index]))
        return token_facts(tokenizer, own.tokens, own.cuts, own.units, index)

    def _reencoding_follower(self) -> TokenFollower:
        """Return the tokens that the text of the ids, or the beginning of a very long one, is encoded to."""
        own = TokenFollower(Document(self._spans.text), self.tokenizer, allowed_special=ALL_SPECIAL)
        own.catch_up()
        return own


def hex_of_replacement_character_tokens(tokenizer: AnyTokenizer, spans: TokenSpans) -> list[tuple[int, str]]:
    """Return the bytes in hex of the tokens with bytes that are not valid UTF-8."""
    touched = (
        i
        for i, (start, end) in enumerate(zip(spans.char_starts, spans.char_ends, strict=True))
        if "\ufffd" in spans.text[start:end]
    )
    return [(i, tokenizer.token_bytes(int(spans.ids[i])).hex(" ")) for i in touched]


def known_ids_and_notice(tokenizer: AnyTokenizer, pasted: State, most: int, limit: str) -> tuple[list[int], str | None]:
    """Return the ids in a pasted list, at most so many, and in words what part of it they are not, None if all are.

    limit: what is said if there are more.
    """
    ids, junk = ids_and_other_entries(text_of(pasted.units))
    known, words = [token_id for token_id in ids if token_id in tokenizer], []
    if junk:
        words.append(f"Not token ids, left out: {_shortened_comma_list(junk)}.")
    if len(known) < len(ids):
        unknown = [token_id for token_id in ids if token_id not in tokenizer]
        gaps = ", with gaps" if min(unknown) < tokenizer.n_vocab else ""
        words.append(
            f"Unknown to {short_name(tokenizer.name)}, left out: {_shortened_comma_list(unknown)}. Its ids run from 0 "
            f"to {tokenizer.n_vocab - 1}{gaps}."
        )
    if len(known) > most:
        words.append(f"There are {len(known):,} ids; {limit}.")
    return known[:most], " ".join(words) or None


def _shortened_comma_list(entries: Sequence[object]) -> str:
    more = len(entries) - NAMED
    names = ", ".join(str(entry)[:40] for entry in entries[:NAMED])
    return names + (f" and {more:,} more" if more > 0 else "")
