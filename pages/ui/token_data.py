"""What a token view knows and sends: the text as the user has it, and its tokens as differences.

In: text, token spans, and the messages of a token view in a browser. Out: replies, as small as the
edit that caused them. Nothing here draws or knows Streamlit. Offsets are UTF-16 units, since that is
how a browser counts.
"""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from tokviz import TokenSpans

# Beyond this many characters the view shows the beginning of a text; tokenizing so many takes about
# half a second, and a view that lags more than that feels broken.
CHARACTERS_MAX = 1_000_000

# Ten tints a theme, at least 6 apart (CIEDE2000) for normal sight and simulated protanopia,
# deuteranopia and tritanopia, each at least 7:1 against the text colour; a test computes both.
PALETTE = {
    "light": (
        "#ffb6b7", "#efcda5", "#f3e697", "#d0f7d3", "#acf9f5",
        "#c9d9f5", "#cdc3ff", "#d6dfd4", "#dfcad7", "#e3fdc1",
    ),
    "dark": (
        "#674243", "#592502", "#554e0b", "#1a402a", "#165659",
        "#3d4d78", "#412f5e", "#343536", "#45213e", "#45522c",
    ),
}  # fmt: skip


def colour_index(token_id: int) -> int:
    """Return which colour of the palette a token id has, on every page.

    >>> [colour_index(i) for i in range(6)]
    [6, 2, 8, 4, 0, 7]
    """
    return ((token_id + 1) * 0x9E3779B1 % 2**32) * len(PALETTE["light"]) // 2**32


def palette_css() -> str:
    """Return the style rules that give every colour class its tint in both themes."""
    rules = []
    for theme, scope in (("light", ""), ("dark", ".dark ")):
        for i, colour in enumerate(PALETTE[theme]):
            rules.append(f"{scope}.c{i} {{ background-color: {colour}; }}")
    return "\n".join(rules) + "\n"


def utf16_units(text: str) -> np.ndarray:
    """Return the UTF-16 units of a text, lone surrogates included."""
    return np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)


def text_of(units: np.ndarray) -> str:
    """Return the text of UTF-16 units."""
    return units.tobytes().decode("utf-16-le", "surrogatepass")


def common_ends(old: Sequence[np.ndarray], new: Sequence[np.ndarray]) -> tuple[int, int]:
    """Return how many rows at the front and, of the rest, at the end two lists of columns share."""
    shorter = min(len(old[0]), len(new[0]))
    front = _first_difference([(a[:shorter], b[:shorter]) for a, b in zip(old, new, strict=True)], shorter)
    rest = shorter - front
    tails = [(a[len(a) - rest :][::-1], b[len(b) - rest :][::-1]) for a, b in zip(old, new, strict=True)]
    return front, _first_difference(tails, rest)


def _first_difference(pairs: list[tuple[np.ndarray, np.ndarray]], length: int) -> int:
    if not length:
        return 0
    different = pairs[0][0] != pairs[0][1]
    for a, b in pairs[1:]:
        different |= a != b
    first = int(different.argmax())
    return first if different[first] else length


@dataclass(frozen=True)
class TokenColumns:
    """Tokens as columns: id, size in bytes, UTF-16 units to the next token's start, width in UTF-16 units."""

    ids: np.ndarray
    sizes: np.ndarray
    advances: np.ndarray
    widths: np.ndarray

    @classmethod
    def of(cls, spans: TokenSpans) -> "TokenColumns":
        """Return the columns of token spans."""
        ends = np.append(spans.utf16_starts[1:], spans.utf16_ends[-1:])
        return cls(
            ids=spans.ids,
            sizes=spans.byte_ends - spans.byte_starts,
            advances=ends - spans.utf16_starts,
            widths=spans.utf16_ends - spans.utf16_starts,
        )

    def all(self) -> list[np.ndarray]:
        """Return the columns in order."""
        return [getattr(self, f.name) for f in fields(self)]


NO_COLUMNS = TokenColumns(*(np.zeros(0, np.int32) for _ in range(4)))


def packed(numbers: np.ndarray) -> list[int | str]:
    """Return numbers as [bytes per number, base64], as few bytes as the largest needs.

    >>> packed(np.array([1, 2, 255]))
    [1, 'AQL/']
    """
    largest = int(numbers.max(initial=0))
    width = 1 if largest < 2**8 else 2 if largest < 2**16 else 4
    return [width, base64.b64encode(numbers.astype(f"<u{width}").tobytes()).decode()]


def column_change(old: TokenColumns, new: TokenColumns) -> tuple[dict[str, Any], int, int]:
    """Return the change from old to new columns for the browser, and the shared front and back."""
    front, back = common_ends(old.all(), new.all())
    stop = len(new.ids) - back
    change: dict[str, Any] = {"at": front, "removed": len(old.ids) - front - back}
    for column in fields(new):
        change[column.name] = packed(getattr(new, column.name)[front:stop])
    return change, front, back


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
    settled: bool = False
    given: str | None = None
    # What the browser holds: the reply, its columns and the units of its text.
    reply: int = 0
    columns: TokenColumns | None = None
    sent_units: np.ndarray | None = None
    facts: dict[str, Any] | None = None
    facts_source: tuple[Any, ...] = ()
    spans_source: tuple[Any, ...] = ()
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
        self.settled = bool(message.get("settled"))
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

    def spans_of(self, source: tuple[Any, ...], make: Callable[[], TokenSpans]) -> TokenSpans:
        """Return the token spans made from a source, made anew only if the source has changed."""
        same = len(source) == len(self.spans_source) and all(
            a is b or a == b for a, b in zip(source, self.spans_source, strict=True)
        )
        if not same or self.spans is None:
            self.spans, self.spans_source = make(), source
            self.made += 1
        return self.spans

    def next_reply(self, spans: TokenSpans, *, whole: bool, raw: list[tuple[int, str]] | None = None) -> dict[str, Any]:
        """Return text and tokens for the browser: all of them, or what changed since the last reply.

        `raw` holds the bytes in hex of the tokens whose bytes the text does not tell.
        """
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
    n_bytes = int(spans.byte_ends[-1]) if len(spans.ids) else 0
    seen = np.zeros(int(spans.ids.max(initial=0)) + 1, bool)
    seen[spans.ids] = True
    return {
        "tokens": len(spans.ids),
        "characters": len(spans.text),
        "bytes": n_bytes,
        "distinct": int(np.count_nonzero(seen)) if len(spans.ids) else 0,
    }
