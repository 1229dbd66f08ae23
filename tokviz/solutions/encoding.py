"""Checks of code that encodes: a class made of a vocabulary and merges, as in CS336, and one that is ready."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.pretrained import PRETRAINED, load
from tokviz.solutions.decoding import encoded_and_decoded, malformed_bytes_decoding_outcome
from tokviz.solutions.outcomes import Outcome, name_with_most_matches, outcome_of, outcome_of_call, stop_on_failure
from tokviz.solutions.probes import END, PROBES
from tokviz.solutions.questions import LONG_SECONDS, Solution

TWICE = END + END
MARKED = (f"low{END} lower", TWICE, f"{END}\n\n", f"a {END}\n\nb{END}  c")
OVERLAPPING = (f"low{END} lower", TWICE, f"a{TWICE}{END}b", END)
LINES = ("low lower\n", "\n", f"lowest{END}\n", "ไทย 你好 🎈\n")
N_TIMES = 250  # no buffer of reasonable size holds that many texts


def vocabulary_encoder_outcomes(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a class made with GPT-2's vocabulary, its merges and special tokens."""
    gpt2 = load("gpt2")
    vocab = {token_id: token for token, token_id in gpt2.mergeable_ranks.items()}
    merges = [(vocab[left], vocab[right]) for left, right in gpt2.merges]  # cached, unlike what merge_pair computes
    with stop_on_failure("encode and decode"):
        solution.ask("keep_value", "vocab", vocab)
        solution.ask("keep_value", "merges", merges)
    end, both = {50256: END.encode()}, {50256: END.encode(), 50257: TWICE.encode()}
    with_both = Tokenizer("gpt2", "gpt2", gpt2.mergeable_ranks, {END: 50256, TWICE: 50257})
    # What the vocabulary has beside GPT-2's tokens, which special tokens are given, and what is encoded.
    for what, more, special, tokenizer, probes in (
        ("encode and decode, as GPT-2 does", end, [], gpt2, PROBES),
        ("special tokens", end, [END], gpt2, MARKED),
        ("special tokens that the vocabulary lacks", {}, [END], gpt2, MARKED),
        ("special tokens, of which the longer wins", both, [END, TWICE], with_both, OVERLAPPING),
    ):
        made = partial(_round_trips_of_new_object, solution, name, more, special, probes)
        yield outcome_of_call(what, made, _expected_round_trips(tokenizer, probes), probes)
        if not special:
            yield malformed_bytes_decoding_outcome(solution, gpt2.single_byte_ids)
    yield from _stream_outcomes(solution, name, end, gpt2)


def _round_trips_of_new_object(
    solution: Solution, name: str, more: Mapping[int, bytes], special: Sequence[str], probes: Sequence[str]
) -> list[tuple[list[Any], Any]]:
    """Return what a new object encodes and decodes."""
    solution.make_object(name, *([special] if special else []), values=("vocab", "merges"), more=more)
    return encoded_and_decoded(solution, probes, seconds=LONG_SECONDS)


def _expected_round_trips(tokenizer: Tokenizer, probes: Sequence[str]) -> list[tuple[list[int], str]]:
    return [(tokenizer.encode(probe, allowed_special="all"), probe) for probe in probes]


def _stream_outcomes(solution: Solution, name: str, more: Mapping[int, bytes], gpt2: Tokenizer) -> Iterator[Outcome]:
    """Check `encode_iterable`: the ids, and that they come before all texts are taken."""
    what, texts = "encode_iterable", LINES * N_TIMES
    with stop_on_failure(what):
        solution.make_object(name, [END], values=("vocab", "merges"), more=more)
        if not solution.answers_true("has_attributes", what):
            return
        found = solution.ask("stream_ids_and_n_taken", texts, seconds=LONG_SECONDS)
    ids, n_taken = found if isinstance(found, tuple) and len(found) == 2 else (found, 0)
    expected = [token_id for line in LINES for token_id in gpt2.encode(line, allowed_special="all")] * N_TIMES
    outcome = outcome_of(what, [ids], [expected], [LINES])
    if outcome.state == "ok" and n_taken == len(texts):
        words = f"the ids are right, but all {len(texts):,} texts were taken before the first: yield ids as they come"
        outcome = Outcome(what, "differs", words)
    yield outcome


def ready_encoder_outcomes(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a class that needs no training: it should encode as one of OpenAI's encodings does."""
    with stop_on_failure("encode and decode", may_lack=True):  # as a base class does
        solution.make_object(name)
        found = encoded_and_decoded(solution, PROBES, seconds=LONG_SECONDS)
    expected = {encoding: _expected_round_trips(load(encoding), PROBES) for encoding in PRETRAINED}
    tokenizer = load(name_with_most_matches(found, expected))
    yield outcome_of(f"encode and decode, as {tokenizer.name} does", found, expected[tokenizer.name], PROBES)
    yield malformed_bytes_decoding_outcome(solution, [i for i in tokenizer.single_byte_ids if i >= 0])
    if solution.answers_true("accepts_argument", "encode", "allowed_special"):
        probes = [f"low{token} lower{token}{token}" for token in tokenizer.special_tokens]
        marked = partial(encoded_and_decoded, solution, probes, allowed_special="all")
        yield outcome_of_call("special tokens", marked, _expected_round_trips(tokenizer, probes), probes)
