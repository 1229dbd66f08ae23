"""The files that a byte-level BPE tokenizer can be written to, one kind for each suffix."""

from collections.abc import Callable
from pathlib import Path

from tokviz.core.tokenizer import Tokenizer
from tokviz.formats import minbpe
from tokviz.formats.hf_export import tokenizer_json
from tokviz.formats.tiktoken import ranks_text
from tokviz.system.atomic_file import replacing


def file_text(tokenizer: Tokenizer, suffix: str, *, version: str | None = None) -> str:
    """Return what a file with this suffix holds.

    .model is for minbpe and classes modelled on it, .json for the `tokenizers` library, .tiktoken for tiktoken, and
    .vocab a listing for people. `version` is the first line of a .model file, by default "minbpe v1". Raises
    ValueError for another suffix or version, and for a tokenizer that the format cannot hold.

    >>> from tokviz.core.bpe import ranks_from_merges
    >>> file_text(Tokenizer("toy", "none", ranks_from_merges([(97, 97)])), ".model")
    'minbpe v1\\n\\n0\\n97 97\\n'
    """
    if version is not None and suffix != ".model":
        raise ValueError(f"a {suffix} file has no version {version!r}: only a .model file has one")
    if suffix == ".model":
        minbpe.check_ids(tokenizer.mergeable_ranks)  # before the merges are recovered, which takes a second for 100,000
        if tokenizer.always_special:
            raise ValueError(f"a .model file cannot say that {min(tokenizer.always_special)!r} always matches")
    texts: dict[str, Callable[[], str]] = {
        ".model": lambda: minbpe.model_text(_model(tokenizer), version=version or minbpe.VERSIONS[0]),
        ".vocab": lambda: minbpe.vocab_text(_model(tokenizer)),
        ".tiktoken": lambda: ranks_text(tokenizer.mergeable_ranks),
        ".json": lambda: tokenizer_json(tokenizer),
    }
    if suffix not in texts:
        raise ValueError(f"{suffix!r} is not one of {', '.join(texts)}")
    return texts[suffix]()


def save(tokenizer: Tokenizer, path: Path, *, version: str | None = None) -> None:
    """Write a file in the format of its suffix, whole or not at all."""
    text = file_text(tokenizer, path.suffix, version=version)
    with replacing(path) as file:
        file.write(text.encode())


def _model(tokenizer: Tokenizer) -> minbpe.Model:
    return minbpe.Model(
        tokenizer.split_pattern, tokenizer.mergeable_ranks, tuple(tokenizer.merges), tokenizer.special_tokens
    )
