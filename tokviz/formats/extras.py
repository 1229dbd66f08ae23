"""Tokenizers in the packages of their makers, whose licences let nobody else include them; an extra brings a package.

A package is found where Python would import it from, and is not imported.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.shelf import Included, is_among
from tokviz.formats.tiktoken import parse_ranks


@dataclass(frozen=True)
class FromPackage(Included):
    """A tokenizer in a package. models is as in `Shelved`; extra: of tokviz; file: in the package, a file of ranks.

    special_tokens: returns these with their ids from a first one on.
    """

    models: str
    extra: str
    package: str
    file: str
    split_pattern: str
    n_ranks: int
    special_tokens: Callable[[int], dict[str, int]]

    def path(self) -> Path | None:
        """Return where the file is, None if the package is not installed or has no such file."""
        spec = find_spec(self.package)
        folders = (spec.submodule_search_locations if spec else None) or ()
        return next((path for folder in folders if (path := Path(folder) / self.file).is_file()), None)

    def advice(self) -> str:
        """Return how to get it, in a line."""
        return f"{self.known_as} comes in {self.maker}'s own package: pip install 'tokviz[{self.extra}]'"


def llama4_special_tokens(first: int) -> dict[str, int]:
    """Return the 2,048 special tokens of Llama 4.

    >>> tokens = llama4_special_tokens(200000)
    >>> len(tokens), tokens["<|eot|>"], tokens["<|patch|>"], tokens["<|reserved_special_token_903|>"]
    (2048, 200008, 200092, 202047)
    """

    def reserved(kind: str, *numbers: int) -> list[str]:
        return [f"{kind}_reserved_special_token_{i}" for i in range(*numbers)]

    names = ["begin_of_text", "end_of_text", "fim_prefix", "fim_middle", "fim_suffix", "header_start", "header_end",
             "eom", "eot", "step", *reserved("text_post_train", 6), "python_start", "python_end",
             "finetune_right_pad", *reserved("text_post_train", 8, 69), "image_start", "image_end",
             *reserved("vision", 2), "tile_x_separator", "tile_y_separator", *reserved("vision", 2, 6), "image",
             *reserved("vision", 6, 7), "patch", *reserved("vision", 7, 1_048), *reserved("reasoning", 8),
             "reasoning_thinking_start", "reasoning_thinking_end"]  # fmt: skip
    names += [f"reserved_special_token_{i}" for i in range(2_048 - len(names))]
    return {f"<|{name}|>": token_id for token_id, name in enumerate(names, first)}


def llama3_special_tokens(first: int) -> dict[str, int]:
    """Return the 256 special tokens of Llama 3, under the names that Meta gives them since Llama 3.2.

    >>> llama3_special_tokens(128000)["<|eot_id|>"]
    128009
    """
    names = ["begin_of_text", "end_of_text", "reserved_special_token_0", "reserved_special_token_1",
             "finetune_right_pad_id", "step_id", "start_header_id", "end_header_id", "eom_id", "eot_id", "python_tag",
             "image"]  # fmt: skip
    names += [f"reserved_special_token_{i}" for i in range(2, 256 - len(names) + 2)]
    return {f"<|{name}|>": token_id for token_id, name in enumerate(names, first)}


_META = "llama", "llama_models"
EXTRAS = {
    "llama3": FromPackage(
        "Llama 3",
        "Meta",
        2024,
        "Llama 3 Community License",
        r"llama-?3(?!\d|b)",
        *_META,
        "llama3/tokenizer.model",
        "llama3",
        128_000,
        llama3_special_tokens,
    ),
    "llama4": FromPackage(
        "Llama 4",
        "Meta",
        2025,
        "Llama 4 Community License",
        r"llama-?4(?!\d|b)",
        *_META,
        "llama4/tokenizer.model",
        "o200k",
        200_000,
        llama4_special_tokens,
    ),
}
INSTALLED = {name: it for name, it in EXTRAS.items() if it.path()}  # as tokviz starts


def tokenizer_from_package(name: str) -> Tokenizer:
    """Return a tokenizer of `EXTRAS`; ValueError, with the remedy, if its package is missing or has another file."""
    it = EXTRAS[name]
    path = it.path()
    if path is None:
        raise ValueError(it.advice())
    ranks = parse_ranks(path.read_bytes(), str(path))
    if len(ranks) != it.n_ranks:
        raise ValueError(f"{path} has {len(ranks):,} ranks, not the {it.n_ranks:,} of {it.known_as}: {it.advice()}")
    return Tokenizer(name, it.split_pattern, ranks, it.special_tokens(len(ranks)))


def extra_of_model(model: str) -> str | None:
    """Return the name in `EXTRAS` of a model's tokenizer, whether it is installed or not; None for other models.

    >>> [extra_of_model(model) for model in ("meta-llama/Llama-3.1-8B", "llama 4 scout", "Llama-2-7b", "llama-30b")]
    ['llama3', 'llama4', None, None]
    """
    return next((name for name, it in EXTRAS.items() if is_among(model, it.models)), None)
