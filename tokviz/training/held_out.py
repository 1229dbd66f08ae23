"""How well a training did, on a tenth of the documents that was held out and beside a plainer plan."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

import numpy as np

from tokviz.core.steps import WHOLE, TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.trace import pieces_trace
from tokviz.corpus.counting import CorpusDocument
from tokviz.training.plan import Counts, Plan, smallest_vocab_size

EVERY = 10  # every tenth document or line is held out
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class HeldOut:
    """The text held out: its bytes, and how many tokens it has after each merge, the first one's first.

    n_before: how many it has before the first merge is learned; None if that is one for each byte.
    """

    n_bytes: int
    n_tokens: tuple[int, ...]
    n_before: int | None = None


@dataclass(frozen=True)
class Baseline:
    """Tokens of the text, and of that held out, after as many merges of the plan in `Way.baseline`."""

    n_tokens: int
    n_held_out: int | None


def held_out_figures(plan: Plan, steps: Sequence[TrainStep], counts: Counts) -> HeldOut:
    """Return what the text held out gives, counted after each merge in the part that the merge was chosen in."""
    n_bytes = sum(len(pretoken.encode()) * n for pretoken, n in counts[WHOLE].items())
    tokenizer = plan.tokenizer(steps)
    parts = {step.part for step in steps}
    after = {part: n_tokens_after_each_merge(tokenizer, counts[part])[plan.n_start_merges :] for part in parts}
    n_before = n_tokens_of_pretoken_counts(plan.start, counts[WHOLE]) if plan.start else None
    return HeldOut(n_bytes, tuple(after[step.part][step.rank] for step in steps), n_before)


def baseline_figures_if_different(
    plan: Plan, steps: Sequence[TrainStep], counts: Counts, held: Counts
) -> Baseline | None:
    """Return what as many merges of the plan to compare with give; None without one, and if they are the same."""
    other = plan.way.baseline_plan(plan)
    if other is None or all(step.part == WHOLE for step in steps):
        return None
    other = replace(other, vocab_size=smallest_vocab_size(plan.start) + len(steps))
    tokenizer = other.tokenizer(other.steps(counts))
    n_held_out = n_tokens_of_pretoken_counts(tokenizer, held[WHOLE]) if held.get(WHOLE) else None
    return Baseline(n_tokens_of_pretoken_counts(tokenizer, counts[WHOLE]), n_held_out)


def documents_marked_held_out(documents: Iterable[CorpusDocument]) -> Iterator[tuple[bool, CorpusDocument]]:
    """Yield each document, and whether it is held out: every tenth. Of fewer than ten, `split_held_out` parts each.

    As with a corpus, the blocks of a document must be used up before the next one.

    >>> [number for number, (is_held_out, _) in enumerate(documents_marked_held_out(["low"] * 25), 1) if is_held_out]
    [10, 20]
    >>> list(documents_marked_held_out(["low lower"]))
    [(False, 'low'), (True, ' lower')]
    """
    rest = iter(documents)
    first = [each if isinstance(each, str) else "".join(each) for each in islice(rest, EVERY)]
    if len(first) == EVERY:
        for number, document in enumerate(chain(first, rest), 1):
            yield number % EVERY == 0, document
        return
    for text in first:
        yield from zip((False, True), split_held_out(text), strict=True)


def split_held_out(text: str) -> tuple[str, str]:
    """Return a text without its held-out part, and that part: about a tenth.

    It is every tenth line, not counting blank ones, so that all parts of the text are in it. A text of fewer than ten
    such lines is cut at the last white space before its last tenth; without any, nothing is held out.

    >>> split_held_out("".join(f"{n}\\n" for n in range(1, 21)))[1]
    '10\\n20\\n'
    >>> split_held_out("to be or not to be")
    ('to be or not to', ' be')
    """
    kept: list[str] = []
    held: list[str] = []
    n_lines = 0
    for line in _LINE.findall(text):
        n_lines += not line.isspace()
        (held if n_lines % EVERY == 0 and not line.isspace() else kept).append(line)
    if held:
        return "".join(kept), "".join(held)
    cut = max(text.rfind(space, 1, len(text) * (EVERY - 1) // EVERY + 1) for space in " \n\t")
    return (text[:cut], text[cut:]) if cut > 0 else (text, "")


def n_tokens_of_pretoken_counts(tokenizer: Tokenizer, counts: Mapping[str, int]) -> int:
    """Return how many tokens a text has, given as its pretoken counts.

    >>> import tokviz
    >>> n_tokens_of_pretoken_counts(tokviz.train("low lower", vocab_size=258), {"low": 2, "er": 1})
    4
    """
    return sum(len(tokenizer.encode_pretoken(pretoken)) * n for pretoken, n in counts.items())


def n_tokens_after_each_merge(tokenizer: Tokenizer, counts: Mapping[str, int]) -> list[int]:
    """Return how many tokens a text, given as its pretoken counts, has after each merge, the first one's first.

    >>> import tokviz
    >>> n_tokens_after_each_merge(tokviz.train("low lower", vocab_size=258), {"low": 2, "er": 1})
    [6, 4]
    """
    data = [pretoken.encode() for pretoken in counts]
    sizes = np.array([len(each) for each in data], np.int64)
    weights = np.repeat(np.fromiter(counts.values(), np.int64, len(counts)), sizes)
    gaps = pieces_trace(tokenizer, ((each, False) for each in data)).gaps
    closed = gaps >= 0
    n_merges = len(tokenizer.merges)
    per_merge = np.bincount(gaps[closed], weights[:-1][closed], minlength=n_merges).astype(np.int64)
    return (int(weights.sum()) - np.cumsum(per_merge)).tolist()
