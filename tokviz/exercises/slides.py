"""The slides of a lesson: what does not fit on one, in type that the last row can read, goes on to the next."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

from tokviz.exercises.blocks import (
    Block,
    Lines,
    Plain,
    Say,
    Table,
    height_of_editor_in_body_lines,
    height_of_words_in_body_lines,
)
from tokviz.exercises.lesson import Exercise, Lesson, Scene

ROOM = 12.25  # lines of body type below the heading of an exercise


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


def _exercise_slides(exercise: Exercise, text: str, number: int) -> Iterator[Slide]:
    scene = exercise.scene_if_usable(text)
    asking = Slide(Part.EXERCISE, number, says=True, asks=True)
    if scene is None:
        yield asking
        return
    question, _ = scene.question.guess_and_answer_heights_in_body_lines
    asked = (
        sum(block.height_in_body_lines for block in scene.before)
        + height_of_words_in_body_lines(scene.question.ask)
        + question
    )
    if (
        exercise.by_hand
        or height_of_words_in_body_lines(exercise.say) + height_of_editor_in_body_lines(text) + asked > ROOM
    ):
        yield replace(asking, asks=False)
        yield replace(asking, says=False)
    else:
        yield asking
    if not exercise.by_hand:
        yield from _answer_slides(scene, number)


def _answer_slides(scene: Scene, number: int) -> Iterator[Slide]:
    """Yield the slides of an answer, without its details."""
    figures = _figures_with_their_words(scene.reveal_without_details)
    asked, (_, told) = (
        height_of_words_in_body_lines(scene.question.ask),
        scene.question.guess_and_answer_heights_in_body_lines,
    )
    # The question gives way to a figure that then fits beside what is right; without any figure it is repeated.
    first = _height_in_body_lines(figures[0])
    asks = not asked + told + first > ROOM >= told + first
    slide, left = Slide(Part.ANSWER, number, asks=asks, tells=True), ROOM - told - asks * asked
    for figure in figures:
        height = _height_in_body_lines(figure)
        if height > left and (slide.blocks or slide.tells):
            yield slide
            slide, left = Slide(Part.ANSWER, number), ROOM
        slide = replace(slide, blocks=(*slide.blocks, *figure))
        left -= height
    yield slide


def _height_in_body_lines(blocks: Iterable[Block]) -> float:
    return sum(block.height_in_body_lines for block in blocks)


def _figures_with_their_words(blocks: Iterable[Block]) -> list[tuple[Block, ...]]:
    """Return each figure with the words after it, which share a slide; of one that is parted, the last part."""
    figures: list[list[Block]] = []
    for block in blocks:
        if figures and isinstance(block, Say | Plain):
            figures[-1].append(block)
        else:
            figures.append([block])
    kept: list[tuple[Block, ...]] = []
    for figure, *words in figures:
        room = ROOM - _height_in_body_lines(words)
        *parts, last = _block_pieces(figure, room)
        if last.height_in_body_lines > room:  # nothing so high has room beside these words
            *parts, last = _block_pieces(figure, ROOM)
            kept += [*((part,) for part in parts), (last,), tuple(words)]
        else:
            kept += [*((part,) for part in parts), (last, *words)]
    return [blocks for blocks in kept if blocks]


def _block_pieces(block: Block, room: float) -> list[Block]:
    """Return a block, in pieces of about the same height if it is too high for the room."""
    if block.height_in_body_lines <= room:
        return [block]
    match block:
        case Lines(lines=lines, heights_in_body_lines=heights):
            return [Lines(*part) for part in _parts_of_about_equal_height(lines, heights, room)]
        case Table(rows=rows, heights_in_body_lines=[head, *heights]):
            return [
                replace(block, rows=tuple(part)) for part in _parts_of_about_equal_height(rows, heights, room - head)
            ]
    return [block]


def _parts_of_about_equal_height(items: Sequence[Any], heights: Sequence[float], room: float) -> list[list[Any]]:
    """Return items in parts that fit into a room and are about equally high.

    >>> _parts_of_about_equal_height("abcd", [1, 1, 1, 1], 3)
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
