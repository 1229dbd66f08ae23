"""Checks of code that encodes: a class made of a vocabulary and merges, as in CS336, and one that is ready."""

from collections.abc import Iterator, Sequence

from tokviz.checks.decoding import encoded_and_decoded, malformed_outcome
from tokviz.checks.outcomes import Outcome, compared
from tokviz.checks.probes import END, PROBES
from tokviz.checks.questions import LONG_SECONDS, Failed, Solution
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.pretrained import PRETRAINED, load

TWICE = END + END
MARKED = (f"low{END} lower", TWICE, f"{END}\n\n", f"a {END}\n\nb{END}  c")
OVERLAPPING = (f"low{END} lower", TWICE, f"a{TWICE}{END}b", END)
LINES = ("low lower\n", "\n", f"lowest{END}\n", "ไทย 你好 🎈\n")
N_TIMES = 250  # so many texts that no buffer of reasonable size holds them all


def check_given(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a class made with GPT-2's vocabulary, its merges and special tokens."""
    gpt2 = load("gpt2")
    vocab = {token_id: token for token, token_id in gpt2.mergeable_ranks.items()}
    merges = [(vocab[left], vocab[right]) for left, right in gpt2.merges]  # cached, unlike what merge_pair computes
    kept = solution.tell("keep", "vocab", vocab) or solution.tell("keep", "merges", merges)
    if isinstance(kept, Failed):
        yield Outcome("encode and decode", "failed", kept.words)
        return
    end = {50256: END.encode()}
    yield _outcome(solution, name, end, [], gpt2, PROBES, "encode and decode, as GPT-2 does")
    yield malformed_outcome(solution, [gpt2.mergeable_ranks[bytes([i])] for i in range(256)])
    yield _outcome(solution, name, end, [END], gpt2, MARKED, "special tokens")
    yield _outcome(solution, name, {}, [END], gpt2, MARKED, "special tokens that the vocabulary lacks")
    both = Tokenizer("gpt2", "gpt2", gpt2.mergeable_ranks, {END: 50256, TWICE: 50257})
    of_both = end | {50257: TWICE.encode()}
    what = "special tokens, of which the longer wins"
    yield _outcome(solution, name, of_both, [END, TWICE], both, OVERLAPPING, what)
    yield from _stream(solution, name, end, gpt2)


def _make(solution: Solution, name: str, more: dict[int, bytes], special: list[str]) -> Failed | None:
    return solution.make(name, *([special] if special else []), values=("vocab", "merges"), more=more)


def _outcome(
    solution: Solution,
    name: str,
    more: dict[int, bytes],
    special: list[str],
    tokenizer: Tokenizer,
    probes: Sequence[str],
    what: str,
) -> Outcome:
    found = _make(solution, name, more, special) or encoded_and_decoded(solution, probes, seconds=LONG_SECONDS)
    expected = _expected(tokenizer, probes)
    return compared(what, found, expected, probes)


def _expected(tokenizer: Tokenizer, probes: Sequence[str]) -> list[tuple[list[int], str]]:
    return [(tokenizer.encode(probe, allowed_special="all"), probe) for probe in probes]


def _stream(solution: Solution, name: str, more: dict[int, bytes], gpt2: Tokenizer) -> Iterator[Outcome]:
    """Check `encode_iterable`: the ids, and that they come before all texts are taken."""
    made = _make(solution, name, more, [END])
    if not made and solution.ask("has", "encode_iterable") is not True:
        return
    texts = LINES * N_TIMES
    found = made or solution.ask("stream", texts, seconds=LONG_SECONDS)
    ids, n_taken = found if isinstance(found, tuple) and len(found) == 2 else (found, 0)
    expected = [token_id for line in LINES for token_id in gpt2.encode(line, allowed_special="all")] * N_TIMES
    outcome = compared("encode_iterable", ids if isinstance(ids, Failed) else [ids], [expected], [LINES])
    if outcome.state == "ok" and n_taken == len(texts):
        words = f"the ids are right, but all {len(texts):,} texts were taken before the first: yield ids as they come"
        outcome = Outcome("encode_iterable", "differs", words)
    yield outcome


def check_ready(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a class that needs no training: it should encode as one of OpenAI's encodings does."""
    found = solution.make(name) or encoded_and_decoded(solution, PROBES, seconds=LONG_SECONDS)
    if isinstance(found, Failed):
        if not found.is_not_implemented:  # as in a base class
            yield Outcome("encode and decode", "failed", found.words)
        return
    expected = {encoding: _expected(load(encoding), PROBES) for encoding in PRETRAINED}
    right = {encoding: sum(map(_equal, found, each)) for encoding, each in expected.items()}
    nearest = max(right, key=right.__getitem__)
    what = f"encode and decode, as {nearest} does"
    yield compared(what, found, expected[nearest], PROBES)
    tokenizer = load(nearest)
    yield malformed_outcome(solution, [tokenizer.mergeable_ranks[bytes([i])] for i in range(256)])
    if solution.ask("accepts", "encode", "allowed_special") is True:
        probes = [f"low{token} lower{token}{token}" for token in tokenizer.special_tokens]
        marked, right_ids = encoded_and_decoded(solution, probes, allowed_special="all"), _expected(tokenizer, probes)
        yield compared("special tokens", marked, right_ids, probes)


def _equal(one: object, other: object) -> bool:
    return one == other
