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

ROOM = 12.25  # lines of body type of 32 pixels and more, at 1280 x 720, below the heading of an exercise
WHOLE = 15.3  # lines of smaller type, of 25 pixels and more, for what is to stay together


class Part(Enum):
    """What a slide is: title, text to try, exercise or its answer, what follows from the lesson, or where to go on."""

    TITLE = auto()
    TRY = auto()
    EXERCISE = auto()
    ANSWER = auto()
    END = auto()
    GO_ON = auto()


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
    return [*slides, Slide(Part.END), Slide(Part.GO_ON)]


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
    asked = height_of_words_in_body_lines(scene.question.ask)
    _, told = scene.question.guess_and_answer_heights_in_body_lines
    slide, used = Slide(Part.ANSWER, number, asks=True, tells=True), told + asked
    for blocks in _blocks_that_share_a_slide(scene.reveal_without_details, told):
        height = _height_in_body_lines(blocks)
        if slide.tells and not slide.blocks:
            slide = replace(slide, asks=used + height <= WHOLE)  # the question gives way to a high figure
        elif used + height > ROOM:
            yield slide
            slide, used = Slide(Part.ANSWER, number), 0
        slide = replace(slide, blocks=(*slide.blocks, *blocks))
        used += height
    yield slide


def _height_in_body_lines(blocks: Iterable[Block]) -> float:
    return sum(block.height_in_body_lines for block in blocks)


def _blocks_that_share_a_slide(blocks: Iterable[Block], told: float) -> Iterator[tuple[Block, ...]]:
    """Yield each figure with the words after it; `told` is the height of what is right, which the first one is beside.

    Where they have no room there, the first one comes alone, and then once more with its words. Of a figure that is too
    high by itself, and so parted, they go with the last part.
    """
    figures: list[list[Block]] = []
    for block in blocks:
        if figures and isinstance(block, Say | Plain):
            figures[-1].append(block)
        else:
            figures.append([block])
    for figure, *words in figures:
        said = _height_in_body_lines(words)
        *parts, last = _block_pieces(figure, WHOLE - max(told, said))
        yield from ((part,) for part in parts)
        height = last.height_in_body_lines + said
        is_first = told and not parts
        if words and (height > WHOLE or (is_first and told + height > ROOM)):
            yield (last,)
        yield tuple(words) if words and height > WHOLE else (last, *words)
        told = 0


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
