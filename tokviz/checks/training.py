"""Checks of code that learns merges: a function as in CS336, and a class as in minbpe."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tokviz.checks.decoding import encoded_and_decoded, malformed_outcome
from tokviz.checks.learned import byte_merges, first_difference, ranks_of, words_of
from tokviz.checks.outcomes import Outcome, compared, shown
from tokviz.checks.probes import END, N_MERGES, PROBES, training_text
from tokviz.checks.questions import Failed, Solution, escaped
from tokviz.checks.ways import GREATER, Pair, Way
from tokviz.core.patterns import pattern_name
from tokviz.core.tokenizer import Tokenizer
from tokviz.system.confined.process import UNREADABLE

CS336 = Way("gpt2", tie=GREATER)


def check_function(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a function such as `train_bpe(input_path, vocab_size, special_tokens)`, as CS336 asks for it."""
    text, vocab_size = training_text(END), 256 + 1 + N_MERGES
    result = _trained_by_function(solution, name, text, vocab_size)
    try:
        if isinstance(result, Failed):
            raise ValueError(result.words)
        vocab, merges = _vocab_and_merges(result)
    except ValueError as e:
        yield Outcome("training", "failed", str(e))
        return
    yield _merges_outcome(merges, CS336, text, [END])
    if vocab is not None:
        yield _vocab_outcome(vocab, merges, vocab_size)


def _trained_by_function(solution: Solution, name: str, text: str, vocab_size: int) -> Any:
    """Return what a function learns from a text, or from a file with the text if it takes one; or a Failed."""
    arguments = solution.ask("arguments", name)
    if not isinstance(arguments, list) or not arguments:
        return arguments if isinstance(arguments, Failed) else Failed(UNREADABLE)
    options = {"special_tokens": [END]} if "special_tokens" in arguments else {}
    with _corpus_file(text) as path:
        takes_file = any(word in str(arguments[0]) for word in ("path", "file", "input"))
        found = solution.call(name, [path if takes_file else text], options | {"vocab_size": vocab_size})
    return found if isinstance(found, Failed) else found[0]


@contextmanager
def _corpus_file(text: str) -> Iterator[str]:
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
        raise ValueError(f"it returned {shown(result)}; expected are a vocabulary and merges")
    return None, byte_merges(result)


def _merges_outcome(merges: Sequence[Pair], expected: Way, text: str, special: Sequence[str] = ()) -> Outcome:
    difference = first_difference(merges, N_MERGES, expected, text, special)
    if difference is None:
        return Outcome("merges", "ok", f"all {N_MERGES}, ties included")
    return Outcome("merges", "differs", words_of(difference, expected))


def _vocab_outcome(vocab: Mapping[Any, Any], merges: Sequence[Pair], vocab_size: int) -> Outcome:
    """Return whether a vocabulary has the bytes, the special token and what its own merges make, under ids in a row."""
    expected = {*(bytes([i]) for i in range(256)), END.encode(), *(left + right for left, right in merges)}
    what = "vocabulary"
    if wrong := [each for each in vocab.items() if not isinstance(each[1], bytes)]:
        return Outcome(what, "differs", f"expected are ids and bytes, and it has {shown(wrong[0])}")
    if missing := expected - {*vocab.values()}:
        more = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
        return Outcome(what, "differs", f"it lacks {min(missing)!r}{more}")
    if {*vocab} != {*range(vocab_size)}:
        return Outcome(what, "differs", f"expected are the ids 0 to {vocab_size - 1}, and it has {len(vocab)} tokens")
    return Outcome(what, "ok", f"{vocab_size} tokens, special ones included")


def check_class(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a class with train, encode and decode, as minbpe has them."""
    text = training_text()
    made = solution.make(name)
    pattern = solution.ask("attribute", "pattern") if made is None else None
    trained = solution.tell("do", "train", text, 256 + N_MERGES) if made is None else made
    if isinstance(trained, Failed):
        if not trained.is_not_implemented:  # as in a base class
            yield Outcome("training", "failed", trained.words)
        return
    merges = solution.ask("attribute", "merges")
    found = encoded_and_decoded(solution, PROBES)
    texts = found if isinstance(found, Failed) else [each for _, each in found]
    yield compared("round trip", texts, [*PROBES], PROBES)
    if merges is None:
        yield Outcome("merges", "failed", "the class has no attribute merges to look at")
        return
    try:
        learned, tokenizer = _learned(name, merges, pattern)
    except ValueError as e:
        yield Outcome("merges", "failed", escaped(str(e)))
        return
    yield _merges_outcome(learned, Way(tokenizer.split_pattern), text)
    if isinstance(found, Failed):
        return
    expected, ids = [tokenizer.encode(probe) for probe in PROBES], [each for each, _ in found]
    yield compared("encode", ids, expected, PROBES)
    yield malformed_outcome(solution, range(256))
    yield from _special(solution, tokenizer)
    yield from _saved(solution, name, ids)


def _learned(name: str, merges: Any, pattern: Any) -> tuple[list[Pair], Tokenizer]:
    """Return merges as pairs of bytes, and a tokenizer of them; ValueError if they, or the pattern, are none."""
    for each in (merges, pattern):
        if isinstance(each, Failed):
            raise ValueError(each.words)
    split_pattern = pattern_name(pattern if pattern and isinstance(pattern, str) else "none")
    learned = byte_merges(merges)
    return learned, Tokenizer(name, split_pattern, ranks_of(learned))


def _special(solution: Solution, tokenizer: Tokenizer) -> Iterator[Outcome]:
    """Check special tokens that are registered after the training."""
    if solution.ask("has", "register_special_tokens") is not True:
        return
    special, probe = {END: 100_257}, f"low{END} lower{END}{END}"
    marked = Tokenizer(tokenizer.name, tokenizer.split_pattern, tokenizer.mergeable_ranks, special)
    expected = [(marked.encode(probe, allowed_special="all"), probe), (marked.encode(probe), probe)]
    found: list[Any] | Failed = solution.tell("do", "register_special_tokens", special) or []
    for allowed in ("all", "none"):
        if not isinstance(found, Failed):
            each = encoded_and_decoded(solution, [probe], allowed_special=allowed)
            found = each if isinstance(each, Failed) else [*found, *each]
    inputs = [f"{probe} with {which} allowed" for which in ("all", "none")]
    yield compared("special tokens", found, expected, inputs)


def _saved(solution: Solution, name: str, ids: list[Any]) -> Iterator[Outcome]:
    """Check that another object of the class encodes alike once it has loaded what this one saves."""
    if solution.ask("has", "save", "load") is not True:
        return
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "saved"
        saved = solution.tell("do", "save", str(path))
        failed = saved.of(f"save to {str(path)!r}") if saved else solution.make(name)
        model = path.with_suffix(".model")
        loaded = failed or solution.tell("do", "load", str(model if model.exists() else path))
        failed = loaded.of("load") if loaded and not failed else failed
    found = failed or encoded_and_decoded(solution, PROBES)
    if not (isinstance(found, Failed) and found.is_not_implemented):
        expected = [*zip(ids, PROBES, strict=True)]
        yield compared("save and load", found, expected, PROBES)
