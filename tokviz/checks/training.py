"""Checks of code that learns merges: a function as in CS336, and a class as in minbpe."""

from collections.abc import Iterator, Sequence
from typing import Any

from tokviz.checks.learned import first_difference, words_of
from tokviz.checks.outcomes import Outcome, ask, compared, first_differing
from tokviz.checks.runs import special_of_class, trained_by_class, trained_by_function
from tokviz.checks.solution import Failed
from tokviz.checks.ways import GREATER, Pair, Way
from tokviz.core.bpe import ranks_from_merges
from tokviz.core.patterns import pattern_name
from tokviz.core.samples import sample
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.equivalence import ODD

END = "<|endoftext|>"
N_MERGES = 60
CS336 = Way("gpt2", tie=GREATER)


def training_text(separator: str = "\n") -> str:
    """Return what is trained on: lines of samples, each followed by a separator; many pairs occur equally often.

    At the end the separator stands inside words, so that it shows whether merges reach across it.
    """
    lines = (line for name in ("english", "python", "thai", "arithmetic") for line in sample(name)[:600].splitlines())
    return "".join(line + separator for line in lines if line.strip()) + f"lo{separator}west " * 12


PROBES = (*ODD, training_text())


def check_function(path: str, name: str) -> Iterator[Outcome]:
    """Check a function such as `train_bpe(input_path, vocab_size, special_tokens)`, as CS336 asks for it."""
    text, vocab_size = training_text(END), 256 + 1 + N_MERGES
    result = ask(path, trained_by_function, name, text, vocab_size, [END])
    if isinstance(result, Failed):
        yield Outcome("training", "failed", result.words)
        return
    vocab, merges = result
    yield _merges_outcome(merges, CS336, text, [END])
    if vocab is not None:
        yield _vocab_outcome(vocab, merges, vocab_size)


def _merges_outcome(merges: Sequence[Pair], expected: Way, text: str, special: Sequence[str] = ()) -> Outcome:
    difference = first_difference(merges, N_MERGES, expected, text, special)
    if difference is None:
        return Outcome("merges", "ok", f"all {N_MERGES}, ties included")
    return Outcome("merges", "differs", words_of(difference, expected))


def _vocab_outcome(vocab: dict[Any, Any], merges: Sequence[Pair], vocab_size: int) -> Outcome:
    """Return whether a vocabulary has the bytes, the special token and what its own merges make, under ids in a row."""
    expected = {*(bytes([i]) for i in range(256)), END.encode(), *(left + right for left, right in merges)}
    what = "vocabulary"
    if missing := expected - {*vocab.values()}:
        more = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
        return Outcome(what, "differs", f"it lacks {min(missing)!r}{more}")
    if {*vocab} != {*range(vocab_size)}:
        return Outcome(what, "differs", f"expected are the ids 0 to {vocab_size - 1}, and it has {len(vocab)} tokens")
    return Outcome(what, "ok", f"{vocab_size} tokens, special ones included")


def check_class(path: str, name: str) -> Iterator[Outcome]:
    """Check a class with train, encode and decode, as minbpe has them."""
    text = training_text()
    learned = ask(path, trained_by_class, name, text, 256 + N_MERGES, PROBES)
    if learned is None:
        return  # a base class
    if isinstance(learned, Failed):
        yield Outcome("training", "failed", learned.words)
        return
    texts = learned.decoded
    yield compared("round trip", texts, [*PROBES], lambda: first_differing(PROBES, texts, PROBES))
    if learned.merges is None:
        yield Outcome("merges", "failed", "the class has no attribute merges to look at")
        return
    try:
        pattern = pattern_name(learned.pattern or "none")
        tokenizer = Tokenizer(name, pattern, ranks_of(learned.merges))
    except ValueError as e:
        yield Outcome("merges", "failed", str(e))
        return
    yield _merges_outcome(learned.merges, Way(pattern), text)
    expected = [tokenizer.encode(probe) for probe in PROBES]
    ids = learned.encoded
    yield compared("encode", ids, expected, lambda: first_differing(PROBES, ids, expected))
    yield from _special(path, name, tokenizer)


def ranks_of(merges: Sequence[Pair]) -> dict[bytes, int]:
    """Return the mergeable ranks of merges given as bytes; ValueError if one joins what no merge before it makes."""
    ids = {bytes([i]): i for i in range(256)}
    pairs = []
    for number, (left, right) in enumerate(merges, 1):
        for token in (left, right):
            if token not in ids:
                raise ValueError(
                    f"merge {number} joins {token!r}, which is neither a byte nor made by a merge before it"
                )
        pairs.append((ids[left], ids[right]))
        ids[left + right] = 255 + number
    return ranks_from_merges(pairs)


def _special(path: str, name: str, tokenizer: Tokenizer) -> Iterator[Outcome]:
    """Check special tokens that are registered after the training."""
    special, probe = {END: 100_257}, f"low{END} lower{END}{END}"
    result = ask(path, special_of_class, name, training_text(), 256 + N_MERGES, special, probe)
    if result is None:
        return
    if isinstance(result, Failed):
        yield Outcome("special tokens", "failed", result.words)
        return
    marked = Tokenizer(name, tokenizer.split_pattern, tokenizer.mergeable_ranks, special)
    allowed = marked.encode(probe, allowed_special="all")
    expected = [allowed, marked.encode(probe), probe]
    found = [*result]
    inputs = [f"{probe} with all allowed", f"{probe} with none allowed", allowed]
    yield compared("special tokens", found, expected, lambda: first_differing(inputs, found, expected))
