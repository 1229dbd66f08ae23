"""Tokenizers in the packages of their makers, whose licences let nobody else include them; an extra brings a package.

A package is found where Python would import it from, and is not imported.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.facts import FACTS, Included
from tokviz.formats.shelf import is_among
from tokviz.formats.tiktoken import parse_ranks


@dataclass(frozen=True, kw_only=True)
class FromPackage(Included):
    """A tokenizer in a package. models is as in `Shelved`; extra: of tokviz; file: in the package, a file of ranks."""

    models: str
    extra: str
    package: str
    file: str
    split_pattern: str
    n_ranks: int
    special_tokens: dict[str, int]

    def path(self) -> Path | None:
        """Return where the file is, None if the package is not installed or has no such file."""
        spec = find_spec(self.package)
        folders = (spec.submodule_search_locations if spec else None) or ()
        return next((path for folder in folders if (path := Path(folder) / self.file).is_file()), None)

    def advice(self) -> str:
        """Return how to get it, in a line."""
        return f"{self.known_as} comes in {self.maker}'s own package: pip install 'tokviz[{self.extra}]'"


EXTRAS = {name: FromPackage(**facts) for name, facts in FACTS["extras"].items()}
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
    return Tokenizer(name, it.split_pattern, ranks, it.special_tokens)


def extra_of_model(model: str) -> str | None:
    """Return the name in `EXTRAS` of a model's tokenizer, whether it is installed or not; None for other models.

    >>> [extra_of_model(model) for model in ("meta-llama/Llama-3.1-8B", "llama 4 scout", "Llama-2-7b", "llama-30b")]
    ['llama3', 'llama4', None, None]
    """
    return next((name for name, it in EXTRAS.items() if is_among(model, it.models)), None)
