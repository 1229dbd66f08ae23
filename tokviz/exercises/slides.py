"""The slides of a lesson: what does not fit on one, in type that the last row can read, goes on to the next."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise
from typing import Any

from tokviz.exercises.blocks import (
    Block,
    Lines,
    Table,
    Words,
    height_of_editor_in_body_lines,
    height_of_words_in_body_lines,
)
from tokviz.exercises.lesson import Exercise, Lesson, Scene
from tokviz.exercises.questions.question import Question, Selection

ROOM = 12.25  # lines of body type of 32 pixels and more, at 1280 x 720, below the heading of an exercise
WHOLE = 13.75  # lines of smaller type, of 28 pixels and more, for what is to stay together
BESIDE_NUMBER = 46  # characters of body type in a line beside a number, guessed or right
OFFER = 1.6  # lines for a row with the other texts of an exercise
OFFERED = 70  # characters of the names of the other texts that fit into a row
EXAMPLE_NAME = 28  # characters of a text as the name of its button, or more where there is room
FIRST_ROUND = 3.5  # lines of the first round of a game by hand, without the pairs to choose from
PAIRS_IN_ROW = 8


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

    says: whether it shows the words of the exercise. edits: whether it shows its text, to change. offers: whether it
    has room for the other texts below. asks: whether it shows the question, which the first slide of an answer repeats
    if there is room. tells: whether it says what is right. blocks: what it shows of the answer.
    """

    part: Part
    number: int = 0
    says: bool = False
    edits: bool = False
    offers: bool = False
    asks: bool = False
    tells: bool = False
    blocks: tuple[Block, ...] = ()

    @property
    def is_words_alone(self) -> bool:
        """Whether it shows a few words and nothing else, which can be large."""
        return bool(self.blocks) and not self.tells and all(isinstance(block, Words) for block in self.blocks)


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
    asking = Slide(Part.EXERCISE, number, says=True, edits=True, asks=True)
    if scene is None:
        yield asking
        return
    guess, _ = scene.question.guess_and_answer_heights_in_body_lines
    said = height_of_words_in_body_lines(exercise.say) + height_of_editor_in_body_lines(text)
    asked = sum(block.height_in_body_lines for block in scene.before) + _height_with_question(
        scene.question, scene.question.ask, guess
    )
    if exercise.by_hand:
        asked = FIRST_ROUND + 1.7 * math.ceil(len(set(pairwise(text))) / PAIRS_IN_ROW)
    offer = (
        OFFER
        if _row_width([other for other in exercise.examples if other != text], EXAMPLE_NAME) <= OFFERED
        else math.inf
    )
    if said + asked > WHOLE:
        yield replace(asking, asks=False, offers=said + offer <= ROOM)
        yield replace(asking, says=False, edits=not exercise.by_hand)
    else:
        yield replace(asking, offers=said + asked + offer <= ROOM)
    if not exercise.by_hand:
        yield from _answer_slides(scene, number)


def example_name_length(others: Sequence[str]) -> int:
    """Return how many characters of the other texts name their buttons: as many as fit into a row, and at least some.

    >>> example_name_length(["short", "a" * 100]), example_name_length(["a" * 100] * 5)
    (57, 28)
    """
    return max((n for n in range(EXAMPLE_NAME, OFFERED) if _row_width(others, n) <= OFFERED), default=EXAMPLE_NAME)


def _row_width(names: Sequence[str], most: int) -> int:
    """Return how many characters a row of buttons takes whose names are cut to `most`."""
    return sum(min(len(name), most) + 4 for name in names)


def _answer_slides(scene: Scene, number: int) -> Iterator[Slide]:
    """Yield the slides of an answer, without its details: each figure with its words, or before them.

    The first figure is beside what is right, and the question gives way to a high one and its words.
    """
    _, told = scene.question.guess_and_answer_heights_in_body_lines
    asked_and_told = _height_with_question(scene.question, scene.question.ask_beside_answer, told)
    slide, used = Slide(Part.ANSWER, number, asks=True, tells=True), asked_and_told
    for blocks in _blocks_that_share_a_slide(scene.reveal_without_details, told):
        height = _height_in_body_lines(blocks)
        if slide.tells and not slide.blocks:
            slide = replace(slide, asks=used + height <= WHOLE)
        elif used + height > ROOM:
            yield slide
            slide, used = Slide(Part.ANSWER, number), 0
        slide = replace(slide, blocks=(*slide.blocks, *blocks))
        used += height
    yield slide


def _height_with_question(question: Question, ask: str, height: float) -> float:
    """Return the height of a question as it is asked there, with its guess or answer.

    What is selected is below it, a number beside it.
    """
    if isinstance(question, Selection):
        return height_of_words_in_body_lines(ask) + height
    return max(height_of_words_in_body_lines(ask, width=BESIDE_NUMBER), height)


def _height_in_body_lines(blocks: Iterable[Block]) -> float:
    return sum(block.height_in_body_lines for block in blocks)


def _blocks_that_share_a_slide(blocks: Iterable[Block], told: float) -> Iterator[tuple[Block, ...]]:
    """Yield each figure with the words after it or, where they have no room there, before them.

    told: the height of what is right, which the first figure is beside.
    """
    figures: list[list[Block]] = []
    for block in blocks:
        if figures and isinstance(block, Words):
            figures[-1].append(block)
        else:
            figures.append([block])
    for figure, *words in figures:
        *parts, last = _block_pieces(figure, WHOLE - told)
        yield from ((part,) for part in parts)
        beside = 0 if parts else told
        if words and beside + _height_in_body_lines([last, *words]) > WHOLE:
            yield (last,)
            yield tuple(words)
        else:
            yield (last, *words)
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
