"""What a view of several tokenizers knows and sends: one text, and for each tokenizer a column of tokens.

In: a text, tokenizers, and the messages of the view in a browser. Out: replies, as small as the edit that
caused them. Nothing here draws or knows Streamlit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.ui.editor_state import EditorState
from pages.ui.live_tokens import LiveTokens
from pages.ui.token_columns import NO_COLUMNS, TokenColumns, column_change
from pages.ui.token_data import counts, names
from tokviz import AnyTokenizer, TokenSpans
from tokviz.segments import placed_spans

# Six columns of so many are recoloured a quarter of a second after a key; more would feel broken.
COMPARED_CHARACTERS_MAX = 200_000


@dataclass
class Column:
    """The tokens of one tokenizer: followed through edits, and as the browser was sent them last."""

    live: LiveTokens = field(default_factory=LiveTokens)
    sent: TokenColumns = NO_COLUMNS
    spans: TokenSpans | None = None
    problem: str | None = None

    def follow(self, tokenizer: AnyTokenizer, text: str) -> None:
        """Take the text as it is now; a split pattern that does not end leaves no tokens and a problem."""
        try:
            self.spans, self.problem = self.live.of(tokenizer, text, ()), None
        except ValueError as e:
            self.spans, self.problem = placed_spans(b"", [], [], []), str(e)

    def change(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens for the browser, or what changed since it was sent some."""
        assert self.spans is not None
        new = TokenColumns.of(self.spans)
        change = column_change(NO_COLUMNS if whole else self.sent, new, self.spans.text)
        self.sent = new
        return change


@dataclass
class CompareState(EditorState):
    """The server's side of one comparison, kept for a session: an editor, and a column for each tokenizer."""

    columns: dict[str, Column] = field(default_factory=dict)
    tokenizers: list[AnyTokenizer] = field(default_factory=list)
    chosen: str | None = None  # the name of the tokenizer that the user has just made the reference

    def take(self, message: Mapping[str, Any]) -> None:
        """Take which tokenizer is to be the reference."""
        self.chosen = message.get("reference")

    def follow(self, tokenizers: Mapping[str, AnyTokenizer]) -> None:
        """Bring every column up to the text; where the tokenizers are others, the next reply is whole."""
        if list(self.columns) != list(tokenizers) or any(
            a is not b for a, b in zip(self.tokenizers, tokenizers.values(), strict=True)
        ):
            self.sent_units = None
            self.columns = {name: self.columns.get(name, Column()) for name in tokenizers}
            self.tokenizers = list(tokenizers.values())
        text = self.text[:COMPARED_CHARACTERS_MAX]
        for column, tokenizer in zip(self.columns.values(), self.tokenizers, strict=True):
            column.follow(tokenizer, text)

    def next_reply(self, *, whole: bool) -> dict[str, Any]:
        """Return text and columns for the browser: all of them, or what changed since the last reply."""
        reply, whole = self.next_text(whole=whole)
        columns = [
            {
                "name": name,
                "tokens": column.change(whole=whole),
                "counts": counts(column.spans),
                "special": sorted(tokenizer.special_tokens.values()),
                "problem": column.problem,
                **names(tokenizer, column.spans),
            }
            for (name, column), tokenizer in zip(self.columns.items(), self.tokenizers, strict=True)
        ]
        return reply | {"columns": columns}
