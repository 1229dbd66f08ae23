"""Training: a text goes in, merges come out one by one, and make a Tokenizer in the end; `Plan` does the work."""

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping

from tokviz.core.steps import WHOLE, TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.corpus.counting import CorpusDocument
from tokviz.training.plan import Plan, pattern_or_default


def train(
    text: str | Iterable[CorpusDocument],
    *,
    vocab_size: int,
    split_pattern: str | None = None,
    special_tokens: Collection[str] | Mapping[str, int] = (),
    min_count: int = 1,
    workers: int | None = None,
    name: str = "trained",
    start: Tokenizer | None = None,
) -> Tokenizer:
    """Return a Tokenizer trained on a text, or on documents that no merge reaches across.

    The arguments are those of `train_steps`. If too few pairs occur `min_count` times,
    training stops early and a UserWarning says how far it came.

    >>> train("aaabdaaabac", vocab_size=259, split_pattern="none").encode("aaabdaaabac")
    [258, 100, 258, 97, 99]

    With `start`, training continues from that tokenizer:

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> more = train("ภาษาไทย ภาษาไทย", vocab_size=len(gpt2.mergeable_ranks) + 13, start=gpt2)
    >>> len(gpt2.encode("ภาษาไทย")), len(more.encode("ภาษาไทย")), more.encode("low<s>") == gpt2.encode("low<s>")
    (14, 1, True)
    """
    plan = Plan(vocab_size, pattern_or_default(split_pattern, start), special_tokens, min_count, start)
    return plan.train(text, workers=workers, name=name)


def train_steps(
    text: str | Iterable[CorpusDocument],
    *,
    vocab_size: int,
    split_pattern: str | None = None,
    special_tokens: Collection[str] | Mapping[str, int] = (),
    min_count: int = 1,
    workers: int | None = None,
    start: Tokenizer | None = None,
) -> Iterator[TrainStep]:
    """Yield each merge as it is learned; the arguments are checked, and pretokens counted, at the call.

    text: a str, or documents, each a str or an iterable of the blocks that make it; a `Corpus` of files
    is one of these. vocab_size counts bytes and merges, not the special tokens. split_pattern: by default that of
    `start`, else cl100k. special_tokens, names or a dict of names to ids, are cut out of the text: no merge goes into
    or across them. min_count: how often a pair must occur to be merged. workers: how many processes count the
    pretokens, this one included; None means one a core where counting takes longer than those take to start. Of equally
    frequent pairs, the first in the text is merged. Ends early when no pair is left.

    start: a tokenizer to continue from. The text is encoded with its merges first, and new ones are learned on top;
    vocab_size then counts its bytes and merges too. New ids follow its highest one, and its special tokens, which are
    cut out of the text too, keep theirs. No text gets more tokens than under `start`: the new ranks are above all
    others, so its merges are made first, one for one as before, and the new ones only join what they leave. Nor is an
    id of `start` ever learned twice: two tokens side by side never spell one of its tokens, since its own merges would
    have made that of the same bytes.

    Raises ValueError for arguments out of range, for another split pattern than that of `start`, and for a `start`
    with a token that its merges do not make.

    >>> [step.token_bytes for step in train_steps("low lower", vocab_size=258)]
    [b'lo', b'low']
    """
    plan = Plan(vocab_size, pattern_or_default(split_pattern, start), special_tokens, min_count, start)
    return plan.steps(plan.pretoken_counts_by_part(text, workers=workers))


def steps_from_counts(
    counts: Mapping[str, int], *, vocab_size: int, min_count: int = 1, start: Tokenizer | None = None
) -> Generator[TrainStep]:
    """Yield each merge learned from pretoken counts given in the order of first occurrence.

    The counts are of pretokens under the split pattern of `start`, if there is one. Raises ValueError as
    `check_training_can_continue`.

    >>> next(steps_from_counts({"low": 2, "lower": 1}, vocab_size=300)).count
    3
    """
    return Plan(vocab_size, pattern_or_default(None, start), min_count=min_count, start=start).steps({WHOLE: counts})
