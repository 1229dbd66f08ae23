"""Lesson 2, byte pair encoding by hand: the learner chooses the pair, and any of the tied ones is right.

Pairs are counted as in the naive algorithm, overlapping ones included: `aaa` holds `aa` twice.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tokviz.lessons.lines import token_line, tokenizer_of
from tokviz.lessons.parts import Claim, Door, Exercise, Lesson, Lines, Number, Say, Scene, Training
from tokviz.lessons.training_runs import steps_of, tokenizer_of_training

CLASSICAL = "aaabdaaabac"
WAYS_MAX = 200
Pieces = tuple[str, ...]
Pair = tuple[str, str]


@dataclass(frozen=True)
class Round:
    """The text in pieces before a merge, and how often each pair of neighbours occurs, in the order of the text."""

    pieces: Pieces
    counts: dict[Pair, int]

    @property
    def best(self) -> list[Pair]:
        """The pairs that occur most often, in the order of the text; none if no pair occurs twice."""
        most = max(self.counts.values(), default=0)
        return [pair for pair, count in self.counts.items() if count == most > 1]


def merged(pieces: Pieces, pair: Pair) -> Pieces:
    """Return pieces with a pair joined wherever it occurs, from left to right.

    >>> merged(("a", "a", "a", "b"), ("a", "a"))
    ('aa', 'a', 'b')
    """
    result: list[str] = []
    i = 0
    while i < len(pieces):
        found = pieces[i : i + 2] == pair
        result.append("".join(pair) if found else pieces[i])
        i += 2 if found else 1
    return tuple(result)


def rounds(text: str, chosen: Sequence[Pair]) -> list[Round]:
    """Return the rounds of a text: the first, and one after each of the pairs that were chosen.

    A pair that was not among the best when it was chosen ends the list.

    >>> last = rounds("aaabdaaabac", [("a", "a")])[-1]
    >>> last.pieces, last.best
    (('aa', 'a', 'b', 'd', 'aa', 'a', 'b', 'a', 'c'), [('aa', 'a'), ('a', 'b')])
    """
    found = [_round(tuple(text))]
    for pair in chosen:
        if pair not in found[-1].best:
            break
        found.append(_round(merged(found[-1].pieces, pair)))
    return found


def _round(pieces: Pieces) -> Round:
    return Round(pieces, dict(Counter(pairwise(pieces))))


def ends(text: str) -> set[Pieces]:
    """Return every end that choosing freely among tied pairs can lead to, until no pair occurs twice.

    The set is empty if there are more than `WAYS_MAX` texts on the way.

    >>> ends("aaabdaaabac")
    {('aaab', 'd', 'aaab', 'a', 'c')}
    """
    unseen, seen, found = [tuple(text)], set(), set()
    while unseen:
        pieces = unseen.pop()
        if pieces in seen:
            continue
        seen.add(pieces)
        if len(seen) > WAYS_MAX:
            return set()
        best = _round(pieces).best
        if not best:
            found.add(pieces)
        unseen += [merged(pieces, pair) for pair in best]
    return found


def usual_training(text: str) -> Training:
    """Return the training that the usual code does on a text until no pair occurs twice."""
    return Training("by hand", text, 256 + len(text.encode()), "none", min_count=2)


def _end(text: str) -> Scene:
    training = usual_training(text)
    tokenizer = tokenizer_of_training(training)
    steps = steps_of(training)
    n = len(tokenizer.encode(text))
    return Scene(
        question=Number("Merging goes on until no pair occurs twice. How many tokens are left at the end?", n),
        reveal=(
            Lines(
                tuple(
                    token_line(tokenizer.truncated(k), text, label=f"after merge {k}" if k else "the bytes")
                    for k in (range(len(steps) + 1) if len(steps) <= 6 else (0, 1, 2, 3, 4, len(steps)))
                )
            ),
            Say(
                f"After {len(steps)} merges, {len(text.encode())} bytes have become {n} tokens. The usual code breaks "
                "a tie by taking the pair that comes first in the text."
            ),
        ),
        doors=(
            Door("merges", text, step=0, training=training, label="Watch it in the time machine"),
            Door("train", text, training=training, label="Train it yourself"),
            Door("playground", text, training=training),
            Door("compare", text, training=training),
        ),
    )


LESSON = Lesson(
    slug="by-hand",
    title="BPE by hand",
    intro="**Byte pair encoding** is how a vocabulary is learned: find the pair of neighbours that occurs most often "
    "in the text, join it everywhere, and start over. You can do it by hand.",
    exercises=(
        Exercise(
            "hand",
            "Choose the pair",
            "Which two neighbours occur together most often? If several pairs share first place, any of them "
            "is right.",
            (CLASSICAL, "banana bandana", "low lower lowest"),
            _end,
            by_hand=True,
        ),
        Exercise(
            "end",
            "Where it ends",
            "Now let the machine do the same.",
            (CLASSICAL, "banana bandana", "she sells sea shells by the sea shore"),
            _end,
        ),
    ),
    takeaway="The tokens of GPT-4 were learned in this way, with 100,000 merges and a far larger text, first cut into "
    "words and marks. Nobody chose them: they are what was frequent in the training text. These merges, and the rule "
    "for the first cuts, are the whole tokenizer: it cuts a new text by making the same merges in the same order.",
    claims=(
        Claim("If several pairs share first place, any of them is right",
              lambda: rounds(CLASSICAL, [("a", "a")])[-1].best == [("aa", "a"), ("a", "b")]),
        Claim("with 100,000 merges", lambda: len(tokenizer_of("cl100k_base").merge_tokens) == 100_000),
    ),
)  # fmt: skip
