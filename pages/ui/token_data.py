"""What a token view knows and sends: the text as the user has it, and its tokens as differences.

In: text, token spans, and the messages of a token view in a browser. Out: replies, as small as the
edit that caused them. Nothing here draws or knows Streamlit. Offsets are UTF-16 units, since that is
how a browser counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pages.ui.editor_state import EditorState
from pages.ui.live_tokens import LiveTokens
from pages.ui.token_columns import NO_COLUMNS, TokenColumns, column_change, common_ends
from tokviz import AnyTokenizer, Tokenizer, TokenSpans, token_spans

# Beyond this many characters the view shows the beginning of a text; tokenizing so many takes about
# half a second, and a view that lags more than that feels broken.
CHARACTERS_MAX = 1_000_000


@dataclass
class ViewState(EditorState):
    """The server's side of one token view, kept for a session: an editor, its tokens, the selected one."""

    selected: int | None = None
    wants_facts: bool = False
    columns: TokenColumns = NO_COLUMNS  # of the last reply
    facts: dict[str, Any] | None = None
    facts_source: tuple[Any, ...] = ()
    live: LiveTokens = field(default_factory=LiveTokens)
    ids_source: tuple[AnyTokenizer, tuple[int, ...], TokenSpans] | None = None
    # The spans the browser was sent last, and how often they changed: facts are of one such state.
    spans: TokenSpans | None = None
    made: int = 0

    def take(self, message: Mapping[str, Any]) -> None:
        """Take which token is selected."""
        if "inspect" in message:
            self.selected, self.wants_facts = message["inspect"], message["inspect"] is not None

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
        new = TokenColumns.of(spans)
        self._follow_selection(new)
        reply, whole = self.next_text(whole=whole)
        change = column_change(NO_COLUMNS if whole else self.columns, new, spans.text)
        if raw:
            change["raw"] = raw
        self.columns = new
        return reply | {"made": self.made, "tokens": change}

    def _follow_selection(self, new: TokenColumns) -> None:
        """Keep the selected token selected where an edit has moved it; drop it where it is gone."""
        if self.selected is None or self.sent_units is None:
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
