"""The slides of a lesson: what is too much for one, in type for the last row, goes on to the next.

Heights are estimates in lines of body type, on a screen of 16 : 9; every other shape has more room.
"""

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

from tokviz.exercises.lesson import Block, Exercise, Lesson, Lines, Plain, Say, Scene, Table
from tokviz.exercises.lines import Line
from tokviz.exercises.questions import Choice, Cuts, Number, Question

ROOM = 11.5  # lines below the heading of an exercise
WIDTH = 70  # characters of body type in a line
TOKEN_WIDTH = 48  # characters of a token line that has its label above it
BESIDE = 30  # characters of a token line that has room for its label beside it


class Part(Enum):
    """What a slide is: the title, a text to try, an exercise or its answer, or what follows from the lesson."""

    TITLE = auto()
    TRY = auto()
    EXERCISE = auto()
    ANSWER = auto()
    END = auto()


@dataclass(frozen=True)
class Slide:
    """One slide; `number` is that of its exercise, 0 for none.

    says: whether it shows the words of the exercise. asks: whether it shows the question, which the first slide of an
    answer repeats if there is room. tells: whether it says what is right. blocks: what it shows of the answer.
    """

    part: Part
    number: int = 0
    says: bool = False
    asks: bool = False
    tells: bool = False
    blocks: tuple[Block, ...] = ()


def slides_of(lesson: Lesson, texts: Sequence[str]) -> list[Slide]:
    """Return the slides of a lesson whose exercises have these texts."""
    slides = [Slide(Part.TITLE)]
    if lesson.live_text:
        slides.append(Slide(Part.TRY))
    for number, (exercise, text) in enumerate(zip(lesson.exercises, texts, strict=True), 1):
        slides += _exercise_slides(exercise, text, number)
    return [*slides, Slide(Part.END)]


def scene_of(exercise: Exercise, text: str) -> Scene | None:
    """Return the scene of an exercise, or None if the text is empty or not what the exercise can use."""
    try:
        return exercise.scene(text) if text.strip() else None
    except ValueError:
        return None


def labels_beside(lines: Lines) -> bool:
    """Return whether lines of tokens are short enough for their labels to stand beside them on a slide."""
    return all(_width(line.spans.text) <= BESIDE for line in lines.lines)


def _exercise_slides(exercise: Exercise, text: str, number: int) -> Iterator[Slide]:
    scene = scene_of(exercise, text)
    asking = Slide(Part.EXERCISE, number, says=True, asks=True)
    if scene is None:
        yield asking
        return
    said = _lines_of_words(exercise.say) + _height_of_text(exercise, text)
    if exercise.by_hand or said + _height_of_question(scene) > ROOM:
        yield replace(asking, asks=False)
        yield replace(asking, says=False)
    else:
        yield asking
    if not exercise.by_hand:
        yield from _answer_slides(scene, number)


def _answer_slides(scene: Scene, number: int) -> Iterator[Slide]:
    """Yield the slides of an answer, without its details."""
    pieces = [piece for block in scene.reveal if not getattr(block, "detail", False) for piece in _pieces(block)]
    asked, told = _lines_of_words(scene.question.ask), _height_of_answer(scene.question)
    # The question gives way to a figure that then fits beside what is right; without any figure it is repeated.
    asks = not asked + told + height_of(pieces[0]) > ROOM >= told + height_of(pieces[0])
    slide, left = Slide(Part.ANSWER, number, asks=asks, tells=True), ROOM - told - asks * asked
    for piece in pieces:
        height = height_of(piece)
        if height > left and (slide.blocks or slide.tells):
            yield slide
            slide, left = Slide(Part.ANSWER, number), ROOM
        slide = replace(slide, blocks=(*slide.blocks, piece))
        left -= height
    yield slide


def _pieces(block: Block) -> list[Block]:
    """Return a block, in pieces of about the same height if it is too high for a slide."""
    if height_of(block) <= ROOM:
        return [block]
    match block:
        case Lines(lines=lines):
            beside = labels_beside(block)
            return [Lines(*part) for part in _parts(lines, [_height_of_line(line, beside=beside) for line in lines])]
        case Table(columns=columns, rows=rows):
            room = ROOM - _height_of_row(columns)
            return [replace(block, rows=tuple(part)) for part in _parts(rows, list(map(_height_of_row, rows)), room)]
    return [block]


def _parts(items: Sequence[Any], heights: Sequence[float], room: float = ROOM) -> list[list[Any]]:
    """Return items in parts that fit into a room and are about equally high.

    >>> _parts("abcd", [1, 1, 1, 1], 3)
    [['a', 'b'], ['c', 'd']]
    """
    room -= 0.5  # around a block
    fair = sum(heights) / math.ceil(sum(heights) / room)
    parts: list[list[Any]] = [[]]
    used = 0.0
    for item, height in zip(items, heights, strict=True):
        if parts[-1] and (used + height > room or used + height / 2 > fair):
            parts.append([])
            used = 0.0
        parts[-1].append(item)
        used += height
    return parts


def height_of(block: Block) -> float:
    """Return about how many lines of body type a block takes on a slide."""
    match block:
        case Say():
            return _lines_of_words(block.markdown) + 0.4
        case Plain():
            return _lines_of_words(block.words) + 0.4
        case Table():
            return sum(_height_of_row(row) for row in (block.columns, *block.rows)) + 0.4
        case Lines():
            beside = labels_beside(block)
            return sum(_height_of_line(line, beside=beside) for line in block.lines) + 0.4


def _height_of_row(row: Sequence[object]) -> float:
    cells = [_width(str(cell)) for cell in row]
    return 1.3 * math.ceil((sum(cells) + 3 * len(cells)) / WIDTH)


def _height_of_line(line: Line, *, beside: bool) -> float:
    ends = zip(line.spans.char_starts, line.spans.char_ends, strict=True)
    pieces: list[float] = [_width(line.spans.text[start:end]) for start, end in ends]
    if line.show_ids:
        pieces = [max(piece, 0.8 * len(str(token))) for piece, token in zip(pieces, line.spans.ids, strict=True)]
    apart = 1.0 if line.apart or line.show_ids else 0.0
    width = TOKEN_WIDTH * (0.7 if beside else 1)
    rows = max(math.ceil((sum(pieces) + apart * len(pieces)) / width), line.spans.text.rstrip("\n").count("\n") + 1)
    return rows * (2.1 if line.show_ids else 1.4) + (0.4 if beside else 1.4)


def _height_of_text(exercise: Exercise, text: str) -> float:
    rows = sum(max(1, math.ceil(_width(line) / TOKEN_WIDTH)) for line in text.splitlines())
    return 1.4 * max(rows, 1) + 1


def _height_of_question(scene: Scene) -> float:
    asked = sum(map(height_of, scene.before)) + _lines_of_words(scene.question.ask)
    match scene.question:
        case Number():
            return asked + 2
        case Choice():
            return asked + _height_of_options(scene.question) + 1.8
        case Cuts():
            return asked + 5


def _height_of_answer(question: Question) -> float:
    """Return how much room it takes to say what is right."""
    match question:
        case Number():
            return 1.5
        case Choice():
            return _height_of_options(question) + 1.5
        case Cuts():
            return 4


def _height_of_options(question: Choice) -> float:
    return 1.7 * math.ceil(sum(_width(option) + 4 for option in question.options) / WIDTH)


def _lines_of_words(words: str) -> int:
    plain = words.replace("*", "").replace("`", "")
    return sum(math.ceil(max(_width(line), 1) / WIDTH) for line in plain.splitlines() if line)


def _width(text: str) -> int:
    """Return how many columns a text takes: marks take none, Chinese characters and emoji two.

    >>> _width("ab"), _width("你好"), _width("น้ำ")
    (2, 4, 2)
    """
    return sum(
        2 if unicodedata.east_asian_width(c) in "WF" else unicodedata.category(c) not in ("Mn", "Me") for c in text
    )
