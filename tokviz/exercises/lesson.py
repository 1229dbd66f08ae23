"""What a lesson is made of: exercises, each with a question and what is shown after it.

A lesson is data. Its exercises are functions from a text to a `Scene`, so that every figure follows the
text. Words that quote the text are `Plain`, never markdown. Nothing here draws.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tokviz.exercises.blocks import Block
from tokviz.exercises.lines import Line
from tokviz.exercises.questions.question import Question


@dataclass(frozen=True)
class Training:
    """How a tokenizer of a lesson is trained, so that other pages can show the same one.

    superwords_from: the size of the vocabulary from which merges reach across words, None for never.
    """

    name: str
    text: str
    vocab_size: int
    split_pattern: str
    min_count: int = 2
    superwords_from: int | None = None


# What a link opens: a page by its title, or one half of the page about bytes and split patterns.
Target = Literal[
    "Playground", "Merges", "Compare", "Train", "Languages", "Bytes", "Split patterns", "Vocabulary", "Seams",
    "Chat turns",
]  # fmt: skip


@dataclass(frozen=True)
class Link:
    """A button that opens another page with what is shown here.

    `training` runs first, and its tokenizer is then the chosen one; on the train page it fills in the form instead. The
    trainings `beside` it are compared with it. `messages` are a chat, each with its role and text, perhaps with channel
    and recipient, in a `chat_format`, by default the tokenizer's; `section` is that of the page of chat turns.
    `pattern` is the split pattern to look at; `search` fills in the search of the vocabulary, as pairs of a field and
    its value; `predicting` hides the next merge.
    """

    target: Target
    text: str
    tokenizer: str = "cl100k_base"
    step: int | None = None
    allow_special: bool = False
    compared: tuple[str, ...] = ()
    training: Training | None = None
    beside: tuple[Training, ...] = ()
    messages: tuple[tuple[str, ...], ...] = ()
    chat_format: str = ""
    section: str = "Turns"
    pattern: str = ""
    search: tuple[tuple[str, str], ...] = ()
    predicting: bool = False
    label: str = ""


@dataclass(frozen=True, init=False)
class Scene:
    """One exercise on one text: the question, what the answer shows, and where to explore it further.

    It is made of blocks and a question, in the order in which they are shown: what comes `before` the question is shown
    with it, and the rest, `reveal`, with the answer.
    """

    before: tuple[Block, ...]
    question: Question
    reveal: tuple[Block, ...]
    links: tuple[Link, ...]

    def __init__(self, *parts: Block | Question, links: tuple[Link, ...] = ()) -> None:
        at, question = next((n, part) for n, part in enumerate(parts) if isinstance(part, Question))
        before, reveal = (tuple(part for part in some if isinstance(part, Block)) for some in (parts[:at], parts[at:]))
        # A frozen dataclass sets its fields this way.
        for name, value in (("before", before), ("question", question), ("reveal", reveal), ("links", links)):
            object.__setattr__(self, name, value)

    @property
    def reveal_without_details(self) -> tuple[Block, ...]:
        """What the answer shows on slides and worksheets."""
        return tuple(block for block in self.reveal if not block.detail)


@dataclass(frozen=True)
class Exercise:
    """One exercise: the words before the question, the texts it offers, and its scene for any text.

    key: its name within the lesson. examples: the first is the text to begin with. by_hand: whether the learner merges
    pair after pair before the scene's links open.
    """

    key: str
    title: str
    say: str
    examples: tuple[str, ...]
    scene: Callable[[str], Scene]
    by_hand: bool = False

    @property
    def multiline(self) -> bool:
        """Whether its text can have several lines."""
        return any("\n" in example for example in self.examples)

    def scene_if_usable(self, text: str) -> Scene | None:
        """Return the scene for a text, or None if it is empty or the exercise cannot use it."""
        try:
            return self.scene(text) if text.strip() else None
        except ValueError:
            return None


@dataclass(frozen=True)
class Lesson:
    """One lesson: its name in addresses, its title, an introduction, and exercises.

    `cover` is a telling word in its tokens, or a few, for the list of all lessons.
    `aim` completes "By the end, you can …". `takeaway` says in at most 30 words what follows for a language model,
    beside what `picture` returns, and `more` says the rest, which slides leave out. `claims` has, for words of the
    lesson, a function that computes whether they are true; every figure in fixed words needs one.
    `terms` are the words of the glossary that the introduction needs. `live_text`, if there is one, is shown with its
    tokens before the first question, to be changed.
    """

    slug: str
    title: str
    intro: str
    exercises: tuple[Exercise, ...]
    takeaway: str
    cover: Callable[[], Line] | None = None
    aim: str = ""
    more: str = ""
    picture: Callable[[], Block] | None = None
    claims: Mapping[str, Callable[[], bool]] = field(default_factory=dict, hash=False)
    terms: tuple[str, ...] = ()
    live_text: str = ""

    @property
    def aim_sentence(self) -> str:
        """What one can do after it."""
        return f"By the end, you can {self.aim}." if self.aim else ""

    @property
    def opening(self) -> str:
        """The introduction, and what one can do after the lesson, as paragraphs."""
        return f"{self.intro}\n\n{self.aim_sentence}"

    @property
    def minutes(self) -> int:
        """About how long it takes: two minutes an exercise, and the time to read its words at 200 a minute."""
        words = " ".join([self.intro, *(exercise.say for exercise in self.exercises), self.takeaway, self.more]).split()
        return round(2 * len(self.exercises) + len(words) / 200)


def usual_links(
    text: str, *first: Link, tokenizer: str = "cl100k_base", compared: Sequence[str] = ()
) -> tuple[Link, ...]:
    """Return `first`, and the links to the playground, the time machine and the comparison if it lacks them.

    >>> [link.target for link in usual_links("x", Link("Merges", "x", step=0))]
    ['Merges', 'Playground', 'Compare']
    """
    targets = {link.target for link in first}
    usual = (
        Link("Playground", text, tokenizer),
        Link("Merges", text, tokenizer),
        Link("Compare", text, tokenizer, compared=tuple(compared)),
    )
    return (*first, *(link for link in usual if link.target not in targets))
