"""A lesson as a worksheet for paper: what to answer, with room to write, and apart from it what is right."""

from dataclasses import dataclass

from tokviz.analysis.code_points import graphemes
from tokviz.exercises.hand_merges import Pair, Round, rounds
from tokviz.exercises.lesson import Block, Exercise, Lesson, Plain, Scene, Table
from tokviz.exercises.questions import Choice, Cuts, Question
from tokviz.exercises.slides import scene_of
from tokviz.hidden_text.glyphs import visible

ROUND_COLUMNS = ("merge", "pair", "how often", "the text after it")


@dataclass(frozen=True)
class Task:
    """One exercise on paper.

    given: what is shown before the question, `ask` (markdown). blanks: what to tick or to fill in; cut: a text to cut;
    lines: the names of lines to write on. answer: what is right, and why.
    """

    title: str
    say: str
    text: str
    given: tuple[Block, ...]
    ask: str
    blanks: tuple[Block, ...]
    cut: str
    lines: tuple[str, ...]
    answer: tuple[Block, ...]


def tasks_of(lesson: Lesson, texts: list[str]) -> list[Task]:
    """Return the tasks of a lesson whose exercises have these texts; a text of no use gives way to the first example.

    >>> from tokviz.lessons import lesson_named
    >>> task, *_ = tasks_of(lesson_named("spelling"), ["strawberry", "egg", "egg"])
    >>> task.text, task.answer[0].words
    ('strawberry', 'Answer: str aw berry, 2 cuts, 3 tokens')
    """
    return [_task(exercise, text) for exercise, text in zip(lesson.exercises, texts, strict=True)]


def _task(exercise: Exercise, text: str) -> Task:
    scene = scene_of(exercise, text)
    if scene is None:
        text = exercise.examples[0]
        scene = exercise.scene(text)
    if exercise.by_hand:
        return _rounds(exercise, text)
    return Task(
        title=exercise.title,
        say=exercise.say,
        text=shown(text),
        given=scene.before,
        ask=scene.question.ask,
        blanks=_blanks(scene.question),
        cut=_to_cut(scene.question),
        lines=("Why?",) if isinstance(scene.question, Choice | Cuts) else ("Your answer:", "Why?"),
        answer=(Plain(f"Answer: {_right(scene.question)}"), *_shown_of(scene)),
    )


def _shown_of(scene: Scene) -> tuple[Block, ...]:
    return tuple(block for block in scene.reveal if not getattr(block, "detail", False))


def shown(text: str) -> str:
    """Return a text for paper: spaces that nobody would see there are drawn.

    >>> shown("two words"), shown(" one")
    ('two words', '·one')
    """
    lines = text.rstrip("\n").split("\n")
    return "\n".join(visible(line.encode()) if line != line.strip() or "  " in line else line for line in lines)


def _blanks(question: Question) -> tuple[Block, ...]:
    if isinstance(question, Choice):
        return (Plain("\n".join(f"☐ {option}" for option in question.options)),)
    if isinstance(question, Cuts):
        return (Plain("Draw a line wherever it cuts, or leave the text whole."),)
    return ()


def _to_cut(question: Question) -> str:
    """Return the text to cut, with room for a pencil."""
    return "  ".join(map(_visible, graphemes(question.text))) if isinstance(question, Cuts) else ""


def _right(question: Question) -> str:
    if isinstance(question, Choice):
        return " or ".join(option for option in question.options if option in question.answers)
    if isinstance(question, Cuts):
        cuts = sorted(question.answer)
        pieces = [question.text[a:b] for a, b in zip([0, *cuts], [*cuts, None], strict=True)]
        n = len(cuts)
        tokens = "1 token" if n == 0 else f"{n + 1} tokens"
        return f"{' '.join(map(_visible, pieces))}, {n or 'no'} {'cut' if n == 1 else 'cuts'}, {tokens}"
    return f"{question.answer:,}"


def _rounds(exercise: Exercise, text: str) -> Task:
    """Return the task of merging by hand, with a row for each merge."""
    chosen: list[Pair] = []
    while best := rounds(text, chosen)[-1].best:
        chosen.append(best[0])
    played = rounds(text, chosen)
    numbers = range(1, len(chosen) + 1)
    filled = tuple(
        (n, _best(before), before.counts[before.best[0]], "  ".join(map(_visible, after.pieces)))
        for n, before, after in zip(numbers, played, played[1:], strict=False)
    )
    return Task(
        title=exercise.title,
        say=exercise.say,
        text=shown(text),
        given=(),
        ask="Merge until no pair occurs twice.",
        blanks=(Table(ROUND_COLUMNS, tuple((n, "", "", "") for n in numbers)),),
        cut="",
        lines=("How many tokens are left?",),
        answer=(
            Table(ROUND_COLUMNS, filled, code=("pair", "the text after it")),
            Plain(f"{len(played[-1].pieces)} tokens are left. Of pairs that tie, the first was merged here."),
        ),
    )


def _best(one: Round) -> str:
    return " or ".join(" + ".join(map(_visible, pair)) for pair in one.best)


def _visible(piece: str) -> str:
    return visible(piece.encode())
