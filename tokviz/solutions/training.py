"""Checks of code that learns merges: a function as in CS336, and a class as in minbpe."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tokviz.core.patterns import pattern_name_or_regex
from tokviz.core.tokenizer import Tokenizer
from tokviz.solutions.decoding import encoded_and_decoded, malformed_bytes_decoding_outcome
from tokviz.solutions.learned import byte_merges, difference_words, first_difference_if_any, ranks_of_byte_merges
from tokviz.solutions.outcomes import Outcome, outcome_of, outcome_of_call, shortened_repr, stop_on_failure
from tokviz.solutions.probes import END, N_MERGES, PROBES, training_text
from tokviz.solutions.questions import FailedError, Solution, prefix_failures_with
from tokviz.solutions.ways import GREATER, LearningWay, Pair

CS336 = LearningWay("gpt2", tie=GREATER)


def trainer_outcomes(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a function such as `train_bpe(input_path, vocab_size, special_tokens)`, as CS336 asks for it."""
    text, vocab_size = training_text(END), 256 + 1 + N_MERGES
    with stop_on_failure("training"):
        vocab, merges = _vocab_and_merges(_training_result(solution, name, text, vocab_size))
    yield _merges_outcome(merges, CS336, text, [END])
    if vocab is not None:
        yield _vocab_outcome(vocab, merges, vocab_size)


def _training_result(solution: Solution, name: str, text: str, vocab_size: int) -> Any:
    """Return what a function returns for a text, or for a file with the text if it takes one."""
    arguments = solution.ask("argument_names", name, kind=list)
    options = {"special_tokens": [END]} if "special_tokens" in arguments else {}
    takes_file = any(word in str(arguments[:1]) for word in ("path", "file", "input"))
    with _temporary_corpus_file(text) as path:
        return solution.call_and_check_first_argument_unchanged(
            name, [path if takes_file else text], options | {"vocab_size": vocab_size}
        )[0]


@contextmanager
def _temporary_corpus_file(text: str) -> Iterator[str]:
    """Give the path of a file with a text; OSError with its name if it cannot be written."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "corpus.txt"
        try:
            file.write_text(text, encoding="utf-8", newline="")
        except OSError as e:
            raise OSError(e.errno, e.strerror, str(file)) from e
        yield str(file)


def _vocab_and_merges(result: Any) -> tuple[Mapping[Any, Any] | None, list[Pair]]:
    """Return the vocabulary, if there is one, and the merges in what a function returned; ValueError if not."""
    if isinstance(result, tuple) and len(result) == 2 and any(isinstance(each, Mapping) for each in result):
        vocab, merges = result if isinstance(result[0], Mapping) else result[::-1]
        if isinstance(merges, Mapping) and not all(isinstance(key, int) for key in vocab):
            vocab, merges = merges, vocab  # (merges, vocab), both dicts
        return vocab, byte_merges(merges)
    if not isinstance(result, list | tuple | Mapping):
        raise ValueError(f"it returned {shortened_repr(result)}; expected are a vocabulary and merges")
    return None, byte_merges(result)


def _merges_outcome(merges: Sequence[Pair], expected: LearningWay, text: str, special: Sequence[str] = ()) -> Outcome:
    difference = first_difference_if_any(merges, N_MERGES, expected, text, special)
    if difference is None:
        return Outcome("merges", "ok", f"all {N_MERGES}, ties included")
    return Outcome("merges", "differs", difference_words(difference, expected))


def _vocab_outcome(vocab: Mapping[Any, Any], merges: Sequence[Pair], vocab_size: int) -> Outcome:
    """Return whether a vocabulary has the bytes, the special token and what its own merges make, under ids in a row."""
    expected = {*(bytes([i]) for i in range(256)), END.encode(), *(left + right for left, right in merges)}
    what = "vocabulary"
    if wrong := [each for each in vocab.items() if not isinstance(each[1], bytes)]:
        return Outcome(what, "differs", f"expected are ids and bytes, and it has {shortened_repr(wrong[0])}")
    if missing := expected - {*vocab.values()}:
        more = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
        return Outcome(what, "differs", f"it lacks {min(missing)!r}{more}")
    if {*vocab} != {*range(vocab_size)}:
        return Outcome(what, "differs", f"expected are the ids 0 to {vocab_size - 1}, and it has {len(vocab)} tokens")
    return Outcome(what, "ok", f"{vocab_size} tokens, special ones included")


def trainable_encoder_outcomes(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a class with train, encode and decode, as minbpe has them."""
    text, ids = training_text(), []
    with stop_on_failure("training", may_lack=True):  # as a base class does
        solution.make_object(name)
        solution.ask("call_method_and_keep_encoder", "train", text, 256 + N_MERGES)
    learned = _merges_and_tokenizer_or_error(solution, name)  # before it is asked to encode, which may end the process

    def encode_keep_ids_and_decode() -> list[Any]:
        found = encoded_and_decoded(solution, PROBES)
        ids.extend(each for each, _ in found)
        return [each for _, each in found]

    yield outcome_of_call("round trip", encode_keep_ids_and_decode, [*PROBES], PROBES)
    with stop_on_failure("merges"):
        if isinstance(learned, ValueError):
            raise learned
    merges, tokenizer = learned
    yield _merges_outcome(merges, LearningWay(tokenizer.split_pattern), text)
    if ids:
        yield outcome_of("encode", ids, [tokenizer.encode(probe) for probe in PROBES], PROBES)
        yield malformed_bytes_decoding_outcome(solution, range(256))
        yield from _special_token_outcomes(solution, tokenizer)
        yield from _save_and_load_outcomes(solution, name, ids)


def function_encoder_outcomes(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check functions that encode and decode with merges that are in the file, as in a notebook after the lecture."""
    with stop_on_failure(name):
        solution.ask("take_file_as_object")
        if isinstance(learned := _merges_and_tokenizer_or_error(solution, name), ValueError):
            raise learned
        found = encoded_and_decoded(solution, PROBES)
    expected = [(learned[1].encode(probe), probe) for probe in PROBES]
    yield outcome_of("encode and decode, as its merges do", found, expected, PROBES)
    yield malformed_bytes_decoding_outcome(solution, range(256))


def _merges_and_tokenizer_or_error(solution: Solution, name: str) -> tuple[list[Pair], Tokenizer] | ValueError:
    """Return the merges of the object as pairs of bytes, and a tokenizer of them; or why there are none."""
    try:
        merges = solution.ask("attribute_or_pattern", "merges")
        pattern = solution.ask("attribute_or_pattern", "pattern")
        if merges is None:
            raise FailedError("the class has no attribute merges to look at")
        learned = byte_merges(merges)
        split_pattern = pattern_name_or_regex(pattern if pattern and isinstance(pattern, str) else "none")
        return learned, Tokenizer(name, split_pattern, ranks_of_byte_merges(learned))
    except ValueError as e:
        return e


def _special_token_outcomes(solution: Solution, tokenizer: Tokenizer) -> Iterator[Outcome]:
    """Check special tokens that are registered after the training."""
    if not solution.answers_true("has_attributes", "register_special_tokens"):
        return
    what, special, probe = "special tokens", {END: 100_257}, f"low{END} lower{END}{END}"
    marked = Tokenizer(tokenizer.name, tokenizer.split_pattern, tokenizer.mergeable_ranks, special)
    expected = [(marked.encode(probe, allowed_special="all"), probe), (marked.encode(probe), probe)]

    def register_encode_and_decode() -> list[tuple[list[Any], Any]]:
        solution.ask("call_method_and_keep_encoder", "register_special_tokens", special)
        each = (encoded_and_decoded(solution, [probe], allowed_special=allowed) for allowed in ("all", "none"))
        return [*chain.from_iterable(each)]

    yield outcome_of_call(
        what, register_encode_and_decode, expected, [f"{probe} with {which} allowed" for which in ("all", "none")]
    )


def _save_and_load_outcomes(solution: Solution, name: str, ids: list[Any]) -> Iterator[Outcome]:
    """Check that another object of the class encodes alike once it has loaded what this one saves."""
    if not solution.answers_true("has_attributes", "save", "load"):
        return
    what = "save and load"
    with stop_on_failure(what, may_lack=True):
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "saved"
            with prefix_failures_with(f"save to {str(path)!r}"):
                solution.ask("call_method_and_keep_encoder", "save", str(path))
            solution.make_object(name)
            model = path.with_suffix(".model")
            with prefix_failures_with("load"):
                solution.ask("call_method_and_keep_encoder", "load", str(model if model.exists() else path))
        found = encoded_and_decoded(solution, PROBES)
    yield outcome_of(what, found, [*zip(ids, PROBES, strict=True)], PROBES)
