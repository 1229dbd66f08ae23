"""gpt2, cl100k_base and o200k_base, from the rank tables in assets/tiktoken, with the ids that tiktoken gives.

The files are those that tiktoken downloads, named as in its cache (the SHA-1 of their address) and checked against
their SHA-256. Nothing is fetched.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import tiktoken.model

from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.byte_alphabet import BYTE_OF, BYTES_IN_ORDER
from tokviz.formats.tiktoken import parse_ranks

TABLES = Path(__file__).parents[2] / "assets" / "tiktoken"


@dataclass(frozen=True)
class _Table:
    file: str
    sha256: str
    split_pattern: str
    special_tokens: dict[str, int]


_TABLES = {
    "gpt2": _Table(
        "6d1cbeee0f20b3d9449abfede4726ed8212e3aee",
        "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
        "gpt2",
        {"<|endoftext|>": 50256},
    ),
    "cl100k_base": _Table(
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        "cl100k",
        {
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
    ),
    "o200k_base": _Table(
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        "o200k",
        {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    ),
}
PRETRAINED = tuple(_TABLES)

# Names of models, from tiktoken's own table, whose encodings are included.
MODELS = {model: name for model, name in tiktoken.model.MODEL_TO_ENCODING.items() if name in _TABLES}


@lru_cache(maxsize=len(_TABLES))
def load(name: str) -> Tokenizer:
    """Return a pretrained tokenizer: "gpt2", "cl100k_base" or "o200k_base".

    Raises ValueError for another name, and for a table that is missing or damaged, with the file
    and the remedy.

    >>> load("gpt2").encode("hello world")
    [31373, 995]
    """
    if name not in _TABLES:
        raise ValueError(f"there is no pretrained tokenizer {name!r}; choose one of {', '.join(PRETRAINED)}")
    table = _TABLES[name]
    data = _table_bytes(table, name)
    ranks = _gpt2_ranks(data) if name == "gpt2" else parse_ranks(data, name)
    return Tokenizer(name, table.split_pattern, ranks, table.special_tokens)


def encoding_of_model(model: str) -> str:
    """Return the name of the encoding of a model, by tiktoken's own table of names and prefixes.

    Raises ValueError for a model that tiktoken does not know, or whose encoding is not included.

    >>> encoding_of_model("gpt-4o-2024-08-06"), encoding_of_model("gpt-4")
    ('o200k_base', 'cl100k_base')
    """
    try:
        name = tiktoken.model.encoding_name_for_model(model)
    except KeyError:
        raise ValueError(f"tiktoken does not know the model {model!r}; it knows {', '.join(MODELS)}, …") from None
    if name not in _TABLES:
        raise ValueError(f"{model!r} uses the encoding {name}, which is not among {', '.join(PRETRAINED)}")
    return name


def _table_bytes(table: _Table, name: str) -> bytes:
    """Return the content of a rank table after checking it."""
    path = TABLES / table.file
    remedy = f"restore it with `git checkout -- {path.parent.parent.name}/{path.parent.name}`"
    try:
        data = path.read_bytes()
    except OSError as e:
        raise ValueError(f"the rank table of {name}, {path}, cannot be read ({e}); {remedy}") from e
    if hashlib.sha256(data).hexdigest() != table.sha256:
        raise ValueError(f"the rank table of {name}, {path}, is damaged; {remedy}")
    return data


def _gpt2_ranks(data: bytes) -> dict[bytes, int]:
    """Return the ranks in GPT-2's vocab.bpe, which writes tokens in the alphabet of bytes."""
    ranks = {bytes([i]): rank for rank, i in enumerate(BYTES_IN_ORDER)}
    for line in data.decode().splitlines()[1:]:  # the first line is the version
        ranks[bytes(BYTE_OF[c] for c in line if c != " ")] = len(ranks)
    return ranks
