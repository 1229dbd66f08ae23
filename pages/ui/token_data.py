"""What a token view knows and sends: the text as the user has it, and its tokens as differences.

In: text, token spans, and the messages of a token view in a browser. Out: replies, as small as the
edit that caused them. Nothing here draws or knows Streamlit. Offsets are UTF-16 units, since that is
how a browser counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pages.ui.live_tokens import LiveTokens
from pages.ui.token_columns import NO_COLUMNS, TokenColumns, column_change, common_ends, text_of, utf16_units
from tokviz import AnyTokenizer, Tokenizer, TokenSpans, token_spans

# Beyond this many characters the view shows the beginning of a text; tokenizing so many takes about
# half a second, and a view that lags more than that feels broken.
CHARACTERS_MAX = 1_000_000


@dataclass
class ViewState:
    """The server's side of one token view, kept for a session.

    `version` counts the changes of the text; `author` is the browser that made the last one, or None
    where it came from outside. Only a text from outside replaces what stands in the editor.
    """

    text: str = ""
    units: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint16))
    version: int = 0
    author: str | None = None
    client: str | None = None
    acknowledged: int = 0
    selected: int | None = None
    wants_facts: bool = False
    # What the browser holds: the reply, its columns and the units of its text.
    reply: int = 0
    columns: TokenColumns | None = None
    sent_units: np.ndarray | None = None
    facts: dict[str, Any] | None = None
    facts_source: tuple[Any, ...] = ()
    live: LiveTokens = field(default_factory=LiveTokens)
    ids_source: tuple[AnyTokenizer, tuple[int, ...], TokenSpans] | None = None
    # The spans the browser was sent last, and how often they changed: facts are of one such state.
    spans: TokenSpans | None = None
    made: int = 0

    def set_text(self, text: str, author: str | None = None) -> None:
        """Take a text; from outside unless the browser that wrote it is named."""
        self._set_units(utf16_units(text), text, author)

    def _set_units(self, units: np.ndarray, text: str, author: str | None) -> None:
        self.units, self.text, self.author = units, text, author
        self.version += 1

    def receive(self, message: Mapping[str, Any]) -> bool:
        """Take a message of the browser; return whether it changed the text.

        A message that was handled before, or whose edit is of a text that has been replaced since,
        changes nothing.
        """
        client, n = message["client"], message["n"]
        if client == self.client and n <= self.acknowledged:
            return False
        if message["have"] != self.reply:
            self.columns = None  # the browser does not hold the last reply, so the next one is whole
        self.client, self.acknowledged = client, n
        if "inspect" in message:
            self.selected, self.wants_facts = message["inspect"], message["inspect"] is not None
        if message["version"] != self.version:
            return False
        if restore := message.get("restore"):
            if restore["text"] != self.text:
                self.set_text(restore["text"], client)
                return True
        elif edit := message.get("edit"):
            return self._edit(edit, client)
        return False

    def _edit(self, edit: Mapping[str, Any], client: str) -> bool:
        stop = edit["start"] + edit["removed"]
        if edit["length"] - len(self.units) != len(utf16_units(edit["insert"])) - edit["removed"]:
            self.columns = None  # the two sides hold different texts: send all, the browser then repeats
            return False
        inserted = utf16_units(edit["insert"])
        units = np.concatenate([self.units[: edit["start"]], inserted, self.units[stop:]])
        self._set_units(units, text_of(units), client)
        return True

    def spans_of_ids(self, tokenizer: AnyTokenizer, ids: tuple[int, ...]) -> TokenSpans:
        """Return the token spans of ids, made anew only when tokenizer or ids have changed."""
        if self.ids_source is None or self.ids_source[0] is not tokenizer or self.ids_source[1] != ids:
            self.ids_source = (tokenizer, ids, token_spans(tokenizer, ids))
        return self.ids_source[2]

    def next_reply(self, spans: TokenSpans, *, whole: bool, raw: list[tuple[int, str]] | None = None) -> dict[str, Any]:
        """Return text and tokens for the browser: all of them, or what changed since the last reply.

        `raw` holds the bytes in hex of the tokens whose bytes the text does not tell.
        """
        if spans is not self.spans:
            self.spans, self.made = spans, self.made + 1
        whole = whole or self.columns is None or self.sent_units is None
        new = TokenColumns.of(spans)
        self._follow_selection(new)
        old, old_units = (NO_COLUMNS, self.units[:0]) if whole else (self.columns, self.sent_units)
        change, _, _ = column_change(old, new)
        front, back = common_ends([old_units], [self.units])
        insert = text_of(self.units[front : len(self.units) - back])
        if raw:
            change["raw"] = raw
        base = None if whole else self.reply
        self.reply += 1
        self.columns, self.sent_units = new, self.units
        return {
            "reply": self.reply,
            "base": base,
            "version": self.version,
            "author": self.author,
            "client": self.client,
            "ack": self.acknowledged,
            "made": self.made,
            "text": [front, len(old_units) - front - back, insert],
            "tokens": change,
        }

    def _follow_selection(self, new: TokenColumns) -> None:
        """Keep the selected token selected where an edit has moved it; drop it where it is gone."""
        if self.selected is None or self.columns is None:
            return
        front, back = common_ends(self.columns.all(), new.all())
        if self.selected >= len(self.columns.ids) - back:
            self.selected += len(new.ids) - len(self.columns.ids)
        elif self.selected >= front:
            self.selected = None


def counts(spans: TokenSpans) -> dict[str, int]:
    """Return the numbers above the view: tokens, characters, bytes, distinct tokens."""
    seen = np.zeros(int(spans.ids.max(initial=0)) + 1, bool)
    seen[spans.ids] = True
    return {
        "tokens": len(spans.ids),
        "characters": len(spans.text),
        "bytes": len(spans.data),
        "distinct": int(np.count_nonzero(seen)) if len(spans.ids) else 0,
    }


def names(tokenizer: AnyTokenizer, spans: TokenSpans) -> dict[str, Any]:
    """Return what the browser needs of a tokenizer that is not byte-level.

    placed: whether it is one. unknown: the id for text outside the vocabulary. labels: how the vocabulary
    writes the ids that their text does not tell: the unknown, the empty, those that share a character.
    """
    if isinstance(tokenizer, Tokenizer):
        return {"placed": False}
    untold = spans.byte_starts == spans.byte_ends
    if len(spans) > 1:
        overlaps = spans.byte_starts[1:] < spans.byte_ends[:-1]
        untold |= np.append(overlaps, False) | np.append(False, overlaps)
    ids = set(spans.ids[untold].tolist()) | ({tokenizer.unknown_id} & set(spans.ids.tolist()))
    labels = [(token_id, tokenizer.token_bytes(token_id).decode("utf-8", "replace")) for token_id in sorted(ids)]
    return {"placed": True, "unknown": tokenizer.unknown_id, "labels": labels}
