"""Checks of code that encodes: a class made of a vocabulary and merges, as in CS336, and one that is ready."""

from collections.abc import Iterator, Sequence
from typing import Any

from tokviz.checks.outcomes import Outcome, ask, compared, first_differing
from tokviz.checks.runs import encoded_by_class, encoded_in_stream
from tokviz.checks.solution import Failed
from tokviz.checks.training import END, PROBES
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.pretrained import PRETRAINED, load

SECONDS = 120.0  # with 50,000 merges, and nothing to speed it up
TWICE = END + END
MARKED = (f"low{END} lower", f"{END}{END}", f"a{TWICE}{END}b", END)
LINES = ("low lower\n", "\n", f"lowest{END}\n", "ไทย 你好 🎈\n")


def check_given(path: str, name: str) -> Iterator[Outcome]:
    """Check a class made with GPT-2's vocabulary, its merges and special tokens."""
    gpt2 = load("gpt2")
    vocab = {token_id: token for token, token_id in gpt2.mergeable_ranks.items()} | {50256: END.encode()}
    merges = [gpt2.merge_pair(rank) for rank in range(len(gpt2.merge_tokens))]
    yield _outcome(path, name, [vocab, merges], gpt2, PROBES, "encode and decode, as GPT-2 does")
    yield _outcome(path, name, [vocab, merges, [END]], gpt2, MARKED[:2], "special tokens")
    both = Tokenizer("gpt2", "gpt2", gpt2.mergeable_ranks, {END: 50256, TWICE: 50257})
    vocab = vocab | {50257: TWICE.encode()}
    yield _outcome(path, name, [vocab, merges, [END, TWICE]], both, MARKED, "special tokens, of which the longer wins")
    ids = ask(path, encoded_in_stream, name, [vocab, merges, [END]], LINES, seconds=SECONDS)
    if ids is not None:
        expected = [token_id for line in LINES for token_id in gpt2.encode(line, allowed_special="all")]
        yield compared("encode_iterable", ids, expected, lambda: first_differing([LINES], [ids], [expected]))


def _outcome(
    path: str, name: str, arguments: Sequence[Any], tokenizer: Tokenizer, probes: Sequence[str], what: str
) -> Outcome:
    found = ask(path, encoded_by_class, name, arguments, probes, seconds=SECONDS)
    expected = _expected(tokenizer, probes)
    return compared(what, found, expected, lambda: first_differing(probes, found, expected))


def _expected(tokenizer: Tokenizer, probes: Sequence[str]) -> list[tuple[list[int], str]]:
    return [(tokenizer.encode(probe, allowed_special="all"), probe) for probe in probes]


def check_ready(path: str, name: str) -> Iterator[Outcome]:
    """Check a class that needs no training: it should encode as one of OpenAI's encodings does."""
    found = ask(path, encoded_by_class, name, [], PROBES, seconds=SECONDS)
    if found is None:
        return  # a base class
    if isinstance(found, Failed):
        yield Outcome("encode and decode", "failed", found.words)
        return
    expected = {encoding: _expected(load(encoding), PROBES) for encoding in PRETRAINED}
    right = {encoding: sum(map(_equal, found, each)) for encoding, each in expected.items()}
    nearest = max(right, key=right.__getitem__)
    what = f"encode and decode, as {nearest} does"
    yield compared(what, found, expected[nearest], lambda: first_differing(PROBES, found, expected[nearest]))


def _equal(one: object, other: object) -> bool:
    return one == other
