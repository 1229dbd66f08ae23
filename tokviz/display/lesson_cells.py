"""Exercises of the lessons in a notebook: a question as an output, and what is right once somebody has guessed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from tokviz.display.html_text import html_text
from tokviz.display.pieces import TokenizedText, tokenized_text_of_spans
from tokviz.exercises import Block, Choice, Line, Lines, Plain, Say, Scene, Table, rounds_until_wrong_pair
from tokviz.exercises.hand_merges import Pair
from tokviz.lessons import lesson_named

_CODE = re.compile(r"`([^`]+)`")
_STRONG = re.compile(r"\*\*(.+?)\*\*")
_EMPHASIS = re.compile(r"\*(.+?)\*")
_P = '<p style="margin:.6em 0">'  # inline, since some notebooks take margins away
_CELL = 'style="padding:.1em .8em;text-align:start;white-space:pre-wrap"'


@dataclass(frozen=True)
class NotebookQuestion:
    """A question about a text, which a notebook shows; call it with a guess."""

    scene: Scene

    def __call__(self, guess: object) -> "NotebookVerdict":
        """Return whether a guess is right, and why; ValueError for one of another form, which names the right one."""
        return NotebookVerdict(self.scene, self.scene.question.parsed_guess(guess))

    def _repr_html_(self) -> str:
        question = self.scene.question
        return "".join(
            [*map(_block_html, self.scene.before), f"{_P}{_inline_html(question.ask)}</p>", question.notebook_html]
        )

    def __repr__(self) -> str:
        return self.scene.question.ask


@dataclass(frozen=True)
class NotebookVerdict:
    """The verdict on a guess, and what the answer shows."""

    scene: Scene
    guess: Any

    @property
    def is_right(self) -> bool:
        """Whether the guess is right."""
        return self.scene.question.is_right(self.guess)

    def _repr_html_(self) -> str:
        verdict = f"{_P}<b>{escape(repr(self))}</b></p>"
        return verdict + "".join(map(_block_html, self.scene.reveal))

    def __repr__(self) -> str:
        return self.scene.question.verdict(self.guess)


def asked(lesson: str, exercise: str, text: str, merges: Sequence[Pair] = ()) -> NotebookQuestion:
    """Return the question of an exercise about a text; KeyError for another name, ValueError for a text it cannot use.

    merges: the pairs that were merged before, where it is the learner who chooses them.

    >>> question = asked("spelling", "strawberry", "strawberry")
    >>> question
    Where does **GPT-4** cut?
    >>> question("straw|berry")
    No: you found 1 of 2 cuts.
    """
    known = {each.key: each for each in lesson_named(lesson).exercises}
    if exercise not in known:
        raise KeyError(f"lesson {lesson!r} has no exercise {exercise!r}; choose one of {', '.join(known)}")
    if known[exercise].by_hand:
        return NotebookQuestion(_next_merge_scene(text, merges))
    scene = known[exercise].scene_if_usable(text)
    if scene is None:
        raise ValueError(
            f"this exercise has nothing to ask about the text {text!r}: try {known[exercise].examples[0]!r}"
        )
    return NotebookQuestion(scene)


def _next_merge_scene(text: str, merges: Sequence[Pair]) -> Scene:
    """Return the question which pair is merged next; ValueError if a pair was not among the best, or none is left."""
    done = rounds_until_wrong_pair(text, [(left, right) for left, right in merges])
    if len(done) <= len(merges):
        raise ValueError(f"{merges[len(done) - 1]!r} is not a pair that occurred most often: take it out of merges")
    now, n = done[-1], len(done[-1].pieces)
    if not now.top_repeated_pairs:
        raise ValueError(f"there is nothing to ask: no pair of {text!r} occurs twice, and {n} tokens are left")
    names = {pair: f"{pair[0]!r} + {pair[1]!r}" for pair in now.counts}
    best = frozenset(names[pair] for pair in now.top_repeated_pairs)
    rows = sorted(((names[pair], count) for pair, count in now.counts.items()), key=lambda row: -row[1])
    return Scene(
        Plain(f"{n} tokens: {' '.join(map(repr, now.pieces))}"),
        Choice("Which pair is merged next?", tuple(names.values()), best),
        Table(("pair", "count"), tuple(rows)),
        Say("For the next merge, add the pair to `merges`, and run both cells again."),
    )


def _block_html(block: Block) -> str:
    """Return what is shown in an exercise as HTML; nothing of the text is taken for markup."""
    match block:
        case Say(words):
            return f"{_P}{_inline_html(words)}</p>"
        case Plain(words):
            return f'<p style="margin:.6em 0;white-space:pre-wrap">{escape(words)}</p>'
        case Lines():
            ids = [" ".join(map(str, line.spans.ids)) for line in block.lines if line.show_ids]
            below = "".join(f"{_P}<code>{each}</code></p>" for each in ids)
            return html_text([_tokenized_line(line) for line in block.lines], captions=True, with_style=True) + below
        case Table():
            head = "".join(f"<th {_CELL}>{escape(name)}</th>" for name in block.columns)
            rows = "".join(f"<tr>{''.join(map(_cell_html, row))}</tr>" for row in block.rows)
            return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    raise TypeError(f"expected a block of an exercise, not {type(block).__name__}")


def _cell_html(value: object) -> str:
    shown = f"{value:,}" if isinstance(value, int) else str(value)
    return f"<td {_CELL}>{escape(shown)}</td>"


def _tokenized_line(line: Line) -> TokenizedText:
    """Return a line of an exercise as a text in pieces, with what they are called."""
    special = line.tokenizer.special_tokens if line.tokenizer else {}
    return tokenized_text_of_spans(line.spans, line.label, special=special, unit=line.unit)


def _inline_html(markdown: str) -> str:
    """Return our own words, in the little Markdown that lessons use, as HTML.

    >>> _inline_html("**two** `<b>`")
    '<b>two</b> <code>&lt;b&gt;</code>'
    """
    text = _CODE.sub(r"<code>\1</code>", escape(markdown, quote=False))
    return _EMPHASIS.sub(r"<i>\1</i>", _STRONG.sub(r"<b>\1</b>", text)).replace("\n\n", "</p><p>")
