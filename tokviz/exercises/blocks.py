"""What an exercise shows: words, lines of pieces and tables, each with its height on a slide.

Heights are estimates in lines of body type, on a screen of 16 : 9; every other shape has more room.
"""

import math
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

from tokviz.exercises.lines import Line, token_line
from tokviz.formats.pretrained import PRETRAINED

WIDTH = 70  # characters of body type in a line
TOKEN_WIDTH = 48  # characters of a token line that has its label above it
ABREAST = 36  # characters of a line of text that has room for another beside it
BESIDE = 46  # characters of a token line and its label that have room side by side
SHRINKS = 1.6  # token lines of up to this many times the width shrink to one line
SHRINKS_WITH_IDS = 1.25  # since ids are smaller than tokens
GAP = 0.4  # below a block


@dataclass(frozen=True)
class Block(ABC):
    """Something to show. detail: whether slides and worksheets leave it out."""

    detail: bool = field(default=False, kw_only=True)

    @property
    @abstractmethod
    def heights_in_body_lines(self) -> list[float]:
        """How high its parts are on a slide."""

    @property
    def height_in_body_lines(self) -> float:
        """How high it is on a slide."""
        return sum(self.heights_in_body_lines) + GAP


@dataclass(frozen=True)
class Words(Block):
    """A block of words: our own, in markdown (`Say`), or plain text (`Plain`)."""

    words: str

    @property
    def heights_in_body_lines(self) -> list[float]:
        """How high the words are."""
        return [height_of_words_in_body_lines(self.words)]


class Say(Words):
    """Our own words, in markdown; never a piece of the text."""


class Plain(Words):
    """Words that may quote the text; shown as plain text."""


@dataclass(frozen=True, init=False)
class Lines(Block):
    """Lines of coloured pieces below one another."""

    lines: tuple[Line, ...]

    def __init__(self, *lines: Line, detail: bool = False) -> None:
        # A frozen dataclass sets its fields this way.
        object.__setattr__(self, "lines", lines)
        object.__setattr__(self, "detail", detail)

    @property
    def has_labels_beside(self) -> bool:
        """Whether all lines are short enough to have their labels beside them on a slide."""
        widest, label = (
            max((text_width_in_columns(text) for text in texts), default=0)
            for texts in ([line.spans.text for line in self.lines], [line.label for line in self.lines])
        )
        return widest + label <= BESIDE

    @property
    def are_abreast(self) -> bool:
        """Whether they are two texts of many short lines, which a slide shows side by side."""
        texts = [line.spans.text.rstrip("\n") for line in self.lines if not line.show_ids]
        widest = max((text_width_in_columns(row) for text in texts for row in text.split("\n")), default=0)
        return len(texts) == 2 and all("\n" in text for text in texts) and widest <= ABREAST

    @property
    def heights_in_body_lines(self) -> list[float]:
        """How high each line is; of two abreast, the first is as high as both."""
        heights = [_height_of_line_in_body_lines(line, beside=self.has_labels_beside) for line in self.lines]
        return [max(heights), 0.0] if self.are_abreast else heights


@dataclass(frozen=True)
class Table(Block):
    """A table: the names of its columns, and rows of plain values.

    code: the columns with code, tokens or bytes, in which every character counts. asked: what the first
    column has in the row that the question is about, which the page marks.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    code: tuple[str, ...] = ()
    asked: object = None

    @property
    def heights_in_body_lines(self) -> list[float]:
        """How high the head and each row are."""
        return [_height_of_row_in_body_lines(row) for row in (self.columns, *self.rows)]


def pretrained_lines(text: str, *, show_ids: bool = False) -> Lines:
    """Return the tokens of a text under each pretrained tokenizer.

    >>> [line.count_in_words for line in pretrained_lines("3221").lines]
    ['2 tokens', '2 tokens', '2 tokens']
    """
    return Lines(*(token_line(name, text, show_ids=show_ids) for name in PRETRAINED))


def _height_of_row_in_body_lines(row: Sequence[object]) -> float:
    cells = [text_width_in_columns(str(cell)) for cell in row]
    return 1.3 * math.ceil((sum(cells) + 3 * len(cells)) / WIDTH)


def _height_of_line_in_body_lines(line: Line, *, beside: bool) -> float:
    ends = zip(line.spans.char_starts, line.spans.char_ends, strict=True)
    texts = [line.spans.text[start:end] for start, end in ends]
    pieces: list[float] = [*map(text_width_in_columns, texts)]
    if line.show_ids:
        pieces = [max(piece, 0.8 * len(str(token))) for piece, token in zip(pieces, line.spans.ids, strict=True)]
    apart = 1.0 if line.apart or line.show_ids else 0.0
    width = TOKEN_WIDTH * (0.7 if beside else 1)
    wanted = (sum(pieces) + apart * len(pieces)) / width  # what would take up to SHRINKS rows shrinks to one
    most = SHRINKS_WITH_IDS if line.show_ids else SHRINKS
    rows = math.ceil(wanted) if wanted > most else 1
    height = 1.4
    n_lines = line.spans.text.rstrip("\n").count("\n") + 1
    if line.show_ids:  # a token with its id is a box, as high as it has line ends
        height = 1.4 * max([1, *(text.count("\n") for text in texts)]) + 0.7
    elif n_lines > 1:  # of a text of many lines, they are closer
        rows, height = max(rows, n_lines), 1.15
    return rows * height + (0.4 if beside else 1.4)


def height_of_editor_in_body_lines(text: str) -> float:
    """Return how high the editor with the text of an exercise is on a slide."""
    rows = sum(max(1, math.ceil(text_width_in_columns(line) / TOKEN_WIDTH)) for line in text.splitlines())
    return 1.4 * max(rows, 1) + 1


def height_of_words_in_body_lines(words: str, width: int = WIDTH) -> int:
    """Return how many lines words in body type take on a slide."""
    plain = words.replace("*", "").replace("`", "")
    return sum(math.ceil(max(text_width_in_columns(line), 1) / width) for line in plain.splitlines() if line)


def text_width_in_columns(text: str) -> int:
    """Return how many columns a text takes: marks take none, Chinese characters and emoji two.

    >>> text_width_in_columns("ab"), text_width_in_columns("你好"), text_width_in_columns("น้ำ")
    (2, 4, 2)
    """
    return sum(
        2 if unicodedata.east_asian_width(c) in "WF" else unicodedata.category(c) not in ("Mn", "Me") for c in text
    )
