"""ToldTokens: the tokens of a text that no editor holds, as the browser has been told of them, with the text itself."""

from typing import Any

from tokviz import AnyTokenizer, Tokenizer, TokenSpans
from tokviz.live.columns import NO_TOKENS, TokenColumns
from tokviz.live.document import units_of
from tokviz.live.edit import Change, change_of_units
from tokviz.live.views.token_view import change_of, labels, text_change, tokenizer_data


class ToldTokens:
    """The tokens that the browser has; comparing them with those of now finds what changed."""

    def __init__(self) -> None:
        self.tokens, self.units = NO_TOKENS, b""

    def reply(self, tokenizer: AnyTokenizer, spans: TokenSpans, *, whole: bool) -> dict[str, Any]:
        """Return all these tokens and their text, or what changed since the last reply."""
        tokens, units = TokenColumns.of(spans), units_of(spans.text)
        told, told_units = (NO_TOKENS, b"") if whole else (self.tokens, self.units)
        shift = (len(units) - len(told_units)) // 2
        front, back = told.common_ends(tokens, shift)
        self.tokens, self.units = tokens, units
        reply = {
            **change_of(tokens, Change(front, len(told) - back, len(tokens) - back)),
            "shift": shift,
            "end": len(units) // 2,
            "text": text_change(change_of_units(told_units, units), units),
            "counts": {
                "tokens": len(tokens),
                "characters": len(spans.text),
                "bytes": len(spans.data),
                "distinct": len(set(spans.ids.tolist())),
            },
        }
        if whole:
            reply["tokenizer"] = tokenizer_data(tokenizer)
        if not isinstance(tokenizer, Tokenizer):
            reply["labels"] = labels(tokenizer, spans)
        return reply
