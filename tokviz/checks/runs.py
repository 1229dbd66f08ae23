"""What the functions and classes of somebody's file return; runs in the child process, with the module as it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from tokviz.checks.solution import arguments_of
from tokviz.checks.ways import Pair


def constant(module: ModuleType, name: str) -> str:
    """Return a constant."""
    return str(getattr(module, name))


def called(module: ModuleType, name: str, given: Sequence[Sequence[Any]]) -> list[tuple[Any, bool]]:
    """Return what a function gives for each list of arguments, and whether it left the first one as it was."""
    results = []
    for arguments in given:
        before = list(arguments[0])
        result = getattr(module, name)(*arguments)
        plain = dict(result) if isinstance(result, Mapping) else list(result)
        results.append((plain, list(arguments[0]) == before))
    return results


def recovered(module: ModuleType, name: str, ranks: Mapping[bytes, int]) -> dict[Any, Any]:
    """Return the merges that a function recovers from ranks."""
    return dict(getattr(module, name)(dict(ranks)))


def trained_by_function(
    module: ModuleType, name: str, text: str, vocab_size: int, special_tokens: Sequence[str]
) -> tuple[dict[int, bytes] | None, list[Pair]]:
    """Return the vocabulary, None if there is none, and the merges that a function learns from a text or its file."""
    function = getattr(module, name)
    arguments = arguments_of(function)
    first = next(iter(arguments))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "corpus.txt"
        file.write_text(text, encoding="utf-8", newline="")
        takes_file = any(word in first for word in ("path", "file", "input"))
        options = {"special_tokens": list(special_tokens)} if "special_tokens" in arguments else {}
        result = function(str(file) if takes_file else text, vocab_size=vocab_size, **options)
    if isinstance(result, tuple) and len(result) == 2:
        vocab, merges = result if isinstance(result[0], Mapping) else result[::-1]
        if isinstance(vocab, Mapping) and not all(isinstance(key, int) for key in vocab):
            vocab, merges = merges, vocab  # (merges, vocab), both dicts
        return dict(vocab), byte_merges(merges)
    if not isinstance(result, Iterable):
        raise TypeError(f"it returned {result!r:.80}; expected are a vocabulary and merges")
    return None, byte_merges(result)


def _ids(result: Any) -> list[Any]:
    if not isinstance(result, Iterable):
        raise TypeError(f"encode returned {result!r:.80}; expected is a list of ids")
    return list(result)


@dataclass(frozen=True)
class Learned:
    """What a class has learned: its merges, None if it does not say; its split pattern, None if it has none."""

    merges: list[Pair] | None
    pattern: str | None
    encoded: list[list[int]]
    decoded: list[str]


def trained_by_class(
    module: ModuleType, name: str, text: str, vocab_size: int, probes: Sequence[str]
) -> Learned | None:
    """Return what a class learns from a text, and how it encodes others; None if it leaves training to a subclass."""
    tokenizer = getattr(module, name)()
    pattern = getattr(tokenizer, "pattern", None)
    try:
        tokenizer.train(text, vocab_size)
    except NotImplementedError:
        return None
    merges = getattr(tokenizer, "merges", None)
    encoded = [_ids(tokenizer.encode(probe)) for probe in probes]
    decoded = [tokenizer.decode(ids) for ids in encoded]
    return Learned(
        None if merges is None else byte_merges(merges),
        getattr(pattern, "pattern", pattern) if isinstance(pattern, str) or hasattr(pattern, "pattern") else None,
        encoded,
        decoded,
    )


def special_of_class(
    module: ModuleType, name: str, text: str, vocab_size: int, special: Mapping[str, int], probe: str
) -> tuple[list[int], list[int], str] | None:
    """Return a text's ids with special tokens allowed and without, and the former decoded; None without such tokens."""
    tokenizer = getattr(module, name)()
    if not hasattr(tokenizer, "register_special_tokens"):
        return None
    tokenizer.train(text, vocab_size)
    tokenizer.register_special_tokens(dict(special))
    allowed = _ids(tokenizer.encode(probe, allowed_special="all"))
    return allowed, _ids(tokenizer.encode(probe, allowed_special="none")), tokenizer.decode(allowed)


def encoded_by_class(
    module: ModuleType, name: str, arguments: Sequence[Any], probes: Sequence[str]
) -> list[tuple[list[int], str]] | None:
    """Return the ids of texts, and these decoded, from a class made with arguments; None if it has to be trained."""
    tokenizer = getattr(module, name)(*arguments)
    try:
        return [(ids := _ids(tokenizer.encode(probe)), tokenizer.decode(ids)) for probe in probes]
    except NotImplementedError:
        return None


def encoded_in_stream(
    module: ModuleType, name: str, arguments: Sequence[Any], texts: Sequence[str]
) -> list[int] | None:
    """Return the ids that `encode_iterable` yields for texts; None if there is no such method."""
    tokenizer = getattr(module, name)(*arguments)
    return list(tokenizer.encode_iterable(iter(texts))) if hasattr(tokenizer, "encode_iterable") else None


def byte_merges(merges: Mapping[Any, Any] | Iterable[Any]) -> list[Pair]:
    """Return merges as pairs of bytes: given so, as a dict of pairs of ids to ids, or as pairs of ids in order.

    >>> byte_merges({(97, 98): 256, (256, 99): 257})
    [(b'a', b'b'), (b'ab', b'c')]
    """
    pairs = sorted(merges, key=merges.__getitem__) if isinstance(merges, Mapping) else list(merges)
    tokens = [bytes([i]) for i in range(256)]
    result: list[Pair] = []
    for left, right in pairs:
        pair = (left, right) if isinstance(left, bytes) else (tokens[left], tokens[right])
        tokens.append(pair[0] + pair[1])
        result.append(pair)
    return result
