"""Token spans that follow an edit: only what the edit can change is cut and encoded again.

In: a tokenizer and text after text of the same editor. Out: exactly the spans that encoding the whole
text gives. A named split pattern cuts from left to right and looks back at nothing. Where it cuts
depends on what it has read: the pretoken, the white space that follows, and a few characters more (a
contraction such as 'll). So the cutting starts again at a pretoken from before whatever read the edit,
and ends where it meets an old cut behind the edit: from there on both texts are the same.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import regex

from pages.ui.token_columns import common_ends
from tokviz import AnyTokenizer, Tokenizer, TokenSpans, text_spans, token_spans
from tokviz.patterns import ALTERNATIVES, compiled
from tokviz.pretokens import well_formed
from tokviz.vocabulary import ALL

# How far the named patterns read beyond the pretoken and the white space behind it: 3, and to spare.
READ_AHEAD = 8
# A shorter text is encoded whole in less time than it takes to think about it.
SHORT_TEXT = 300
_WHITE_SPACE = regex.compile(r"\s*+")


@dataclass
class LiveTokens:
    """The last text of an editor with its token spans, and where in characters its pretokens start."""

    tokenizer: AnyTokenizer | None = None
    allowed_special: str | Collection[str] = ()
    spans: TokenSpans | None = None
    starts: np.ndarray | None = None

    def of(self, tokenizer: AnyTokenizer, text: str, allowed_special: str | Collection[str]) -> TokenSpans:
        """Return the token spans of a text."""
        text = well_formed(text)
        names = tokenizer.special_tokens if allowed_special == ALL else allowed_special
        if not any(name in text for name in names):
            allowed_special = ()  # and an edit is as quick as where none is allowed
        if self.spans is None or self.tokenizer is not tokenizer or self.allowed_special != allowed_special:
            edited = None
        elif text == self.spans.text:
            return self.spans
        else:
            joined = isinstance(tokenizer, Tokenizer)
            edited = self._after_edit(tokenizer, self.spans, text) if joined else None
        if edited is None:
            self.spans = text_spans(tokenizer, text, allowed_special=allowed_special)
            self.starts = None
        else:
            self.spans, self.starts = edited
        self.tokenizer, self.allowed_special = tokenizer, allowed_special
        return self.spans

    def _after_edit(self, tokenizer: AnyTokenizer, old: TokenSpans, text: str) -> tuple[TokenSpans, np.ndarray] | None:
        """Return spans and starts of the edited text, or None where all of it has to be encoded."""
        if not isinstance(tokenizer, Tokenizer) or tokenizer.split_pattern not in ALTERNATIVES:
            return None
        if tokenizer.split_pattern == "none" or self.allowed_special or min(len(text), len(old.text)) < SHORT_TEXT:
            return None
        if self.starts is None:
            lengths = np.fromiter(map(len, tokenizer.pretokens(old.text)), np.int32)
            self.starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        front, back = common_ends([code_points(old.text)], [code_points(text)])
        first = unaffected(self.starts, old.text, front)
        new, last = self._recut(tokenizer, text, int(self.starts[first]), len(text) - back, len(old.text))
        stop = int(self.starts[last]) + len(text) - len(old.text)
        middle = token_spans(tokenizer, tokenizer.encode(text[self.starts[first] : stop]))
        # A pretoken begins with a token, so cuts in the text are cuts between tokens.
        begin, end = np.searchsorted(old.char_starts, self.starts[[first, last]])
        shifted = self.starts[last:] + (len(text) - len(old.text))
        starts = np.concatenate([self.starts[:first], np.array(new, np.int32), shifted])
        return spliced(old, int(begin), int(end), middle, text), starts.astype(np.int32)

    def _recut(
        self, tokenizer: Tokenizer, text: str, start: int, edit_end: int, old_length: int
    ) -> tuple[list[int], int]:
        """Return the new pretoken starts from `start` on, and the old start they then meet again."""
        assert self.starts is not None
        new: list[int] = []
        shift = len(text) - old_length
        for match in compiled(tokenizer.split_pattern).finditer(text, start):
            at = match.start()
            if at >= edit_end and not text[at - 1].isspace():
                last = int(np.searchsorted(self.starts, at - shift))
                # Before an old cut after white space the text cannot be encoded apart: `\\s+(?!\\S)`
                # would read its end as the end of the text.
                if last < len(self.starts) and self.starts[last] == at - shift:
                    return new, last
            new.append(at)
        return new, len(self.starts) - 1


def unaffected(starts: np.ndarray, text: str, edit: int) -> int:
    """Return the last pretoken all of whose predecessors were cut without reading text[edit:]."""
    first = int(np.searchsorted(starts, edit, side="right")) - 1
    while first > 0:
        read = _WHITE_SPACE.match(text, int(starts[first])).end() + READ_AHEAD
        if read <= edit:
            break
        first -= 1
    return first


def code_points(text: str) -> np.ndarray:
    """Return the code points of a text, uint32."""
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


def spliced(old: TokenSpans, begin: int, end: int, middle: TokenSpans, text: str) -> TokenSpans:
    """Return old spans with the tokens begin..end-1 replaced; both ends are ends of characters."""
    before, after = old.ids[:begin], old.ids[end:]

    def moved(name: str, starts: str, total: int) -> np.ndarray:
        """Return the offsets of one kind: unchanged before, from 0 in the middle, shifted behind."""
        offsets = getattr(old, name)
        ends = getattr(old, starts.replace("starts", "ends"))
        origin = int(ends[begin - 1]) if begin else 0
        shift = origin + total - (int(ends[end - 1]) if end else 0)
        return np.concatenate([offsets[:begin], getattr(middle, name) + origin, offsets[end:] + shift]).astype(np.int32)

    totals = {
        "byte": len(middle.data),
        "char": len(middle.text),
        "utf16": int(middle.utf16_ends[-1]) if len(middle) else 0,
    }
    offsets = {
        f"{unit}_{edge}": moved(f"{unit}_{edge}", f"{unit}_starts", total)
        for unit, total in totals.items()
        for edge in ("starts", "ends")
    }
    byte_begin = int(old.byte_ends[begin - 1]) if begin else 0
    byte_end = int(old.byte_ends[end - 1]) if end else 0
    first, last = np.searchsorted(old.character_starts, [byte_begin, byte_end])
    first_segment, last_segment = np.searchsorted(old.segment_starts, [begin, end])
    return TokenSpans(
        text=text,
        data=old.data[:byte_begin] + middle.data + old.data[byte_end:],
        ids=np.concatenate([before, middle.ids, after]),
        **offsets,
        partial=np.concatenate([old.partial[:begin], middle.partial, old.partial[end:]]),
        segment_starts=np.concatenate(
            [
                old.segment_starts[:first_segment],
                middle.segment_starts + begin,
                old.segment_starts[last_segment:] + (len(middle) - (end - begin)),
            ]
        ).astype(np.int32),
        character_starts=np.concatenate(
            [
                old.character_starts[:first],
                middle.character_starts[:-1] + byte_begin,
                old.character_starts[last:] + (byte_begin + len(middle.data) - byte_end),
            ]
        ).astype(np.int32),
    )
