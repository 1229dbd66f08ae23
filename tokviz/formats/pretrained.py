"""The tokenizers that come with tokviz, OpenAI's encodings and those of the shelf, and those of installed extras.

The rank tables of the first, in assets/tiktoken, are the files that tiktoken downloads, named as in its cache (the
SHA-1 of their address) and checked against their SHA-256. Nothing is fetched. Three tables make seven encodings:
r50k_base is gpt2 under another name, p50k_base and p50k_edit add runs of spaces to it, and o200k_harmony has the ranks
of o200k_base and special tokens of its own.
"""

import re
from binascii import a2b_base64
from dataclasses import dataclass
from typing import Any

import tiktoken.model

from tokviz.core.patterns import short_repr
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.elsewhere import reason_not_included
from tokviz.formats.extras import EXTRAS, INSTALLED, extra_of_model, tokenizer_from_package
from tokviz.formats.huggingface.byte_alphabet import BYTE_OF, BYTES_IN_ORDER
from tokviz.formats.loaded import LoadedTokenizers
from tokviz.formats.shelf import NAME_MAX, SHELF, Included, shelf_name_of_model, shelved_tokenizer
from tokviz.system.installation import ASSETS, checked_asset

TABLES = ASSETS / "tiktoken"


@dataclass(frozen=True)
class _Table:
    """A file of ranks, and how texts are split before it is used."""

    file: str
    sha256: str
    split_pattern: str


_GPT2 = _Table(
    "6d1cbeee0f20b3d9449abfede4726ed8212e3aee",
    "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
    "gpt2",
)
_CL100K = _Table(
    "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "cl100k",
)
_O200K = _Table(
    "fb374d419588a4632f3f557e76b4b70aebbca790",
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "o200k",
)
_P50K_SPACES = range(2, 26)  # the numbers of spaces that p50k_base has a token for, with ids after <|endoftext|>
_HARMONY = {
    "<|startoftext|>": 199998,
    "<|endoftext|>": 199999,
    "<|return|>": 200002,
    "<|constrain|>": 200003,
    "<|channel|>": 200005,
    "<|start|>": 200006,
    "<|end|>": 200007,
    "<|message|>": 200008,
    "<|call|>": 200012,
}
_END = {"<|endoftext|>": 50256}
# Each encoding's table and special tokens, as tiktoken_ext.openai_public has them in tiktoken 0.14.
_ENCODINGS: dict[str, tuple[_Table, dict[str, int]]] = {
    "gpt2": (_GPT2, _END),
    "cl100k_base": (
        _CL100K,
        {
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
    ),
    "o200k_base": (_O200K, {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}),
    "o200k_harmony": (
        _O200K,
        # tiktoken names 200018 <|reserved_200018|> as well.
        {f"<|reserved_{i}|>": i for i in range(200000, 201088) if i not in {*_HARMONY.values(), 200018}}
        | _HARMONY
        | {"<|endofprompt|>": 200018},
    ),
    "p50k_base": (_GPT2, _END),
    "p50k_edit": (_GPT2, _END | {"<|fim_prefix|>": 50281, "<|fim_middle|>": 50282, "<|fim_suffix|>": 50283}),
    "r50k_base": (_GPT2, _END),
}
# Those with the ranks of another, whose special tokens they have too.
_SAME_RANKS = {"o200k_harmony": "o200k_base", "p50k_edit": "p50k_base", "r50k_base": "gpt2"}
OF_OPENAI = tuple(_ENCODINGS)
INCLUDED: dict[str, Included] = {
    "gpt2": Included("GPT-2", "OpenAI", 2019, "MIT"),
    "cl100k_base": Included("GPT-4", "OpenAI", 2022, "MIT"),
    "o200k_base": Included("GPT-4o", "OpenAI", 2024, "MIT"),
    "o200k_harmony": Included("gpt-oss", "OpenAI", 2024, "MIT"),
    **SHELF,
    **INSTALLED,
    "p50k_base": Included("Codex", "OpenAI", 2021, "MIT"),
    "p50k_edit": Included("Codex edit", "OpenAI", 2021, "MIT"),
    "r50k_base": Included("GPT-3", "OpenAI", 2019, "MIT"),
}
_MAKERS = [it.maker for it in sorted(INCLUDED.values(), key=lambda it: -it.year)]
# As they are listed everywhere: by maker, the newest first, and so are the makers.
ENCODINGS = tuple(sorted(INCLUDED, key=lambda name: (_MAKERS.index(INCLUDED[name].maker), -INCLUDED[name].year)))
PRETRAINED = ("gpt2", "cl100k_base", "o200k_base")  # those shown side by side until others are chosen

_OF_THE_SHELF = ("Qwen3.6", "Qwen3-8B", "deepseek-chat", "Ministral-8B", "Pixtral-12B", "Devstral", "Mixtral-8x22B")
# Names of models to choose from, most from tiktoken's own table; `encoding_of_model` knows more.
MODELS = {
    model: name
    for model, name in {**tiktoken.model.MODEL_TO_ENCODING, "gpt-oss-20b": "o200k_harmony"}.items()
    if name in (*PRETRAINED, "o200k_harmony")
} | {model: name for model in _OF_THE_SHELF if (name := shelf_name_of_model(model))}
_PATH = re.compile(r"^[./~]|\.[a-z]+$", re.IGNORECASE)  # the name of a file, not that of a model


def load(name: str) -> Tokenizer:
    """Return a pretrained tokenizer by its name, one of `ENCODINGS`, or any that `encoding_of_model` knows.

    Raises ValueError for another name, with the reason, and for a file or package that is missing or damaged, with the
    remedy.

    >>> load("gpt2").encode("hello world")
    [31373, 995]
    """
    return LOADED.tokenizer(name if name in ENCODINGS or name in EXTRAS else encoding_of_model(name))


def _made_tokenizer(name: str) -> Tokenizer:
    """Return a tokenizer by its own name, made anew; errors as in `load`."""
    if name in EXTRAS:
        return tokenizer_from_package(name)
    if name in SHELF:
        return shelved_tokenizer(name)
    table, special_tokens = _ENCODINGS[name]
    if name in _SAME_RANKS:  # and what encodes, which takes most of the memory
        return load(_SAME_RANKS[name]).with_special_tokens(special_tokens, name=name)
    data = checked_asset(TABLES / table.file, table.sha256, f"the rank table of {name}")
    ranks = _gpt2_ranks(data) if table is _GPT2 else _tiktoken_ranks(data)
    if name.startswith("p50k"):
        ranks |= {b" " * n: 50257 + i for i, n in enumerate(_P50K_SPACES)}
    return Tokenizer(name, table.split_pattern, ranks, special_tokens)


LOADED = LoadedTokenizers(_made_tokenizer)


def load_for_model(model: str) -> Tokenizer:
    """Return the pretrained tokenizer that a model uses; ValueError with the reason if none is known to be its own.

    >>> load_for_model("gpt-5-mini").name
    'o200k_base'
    """
    return load(encoding_of_model(model))


def is_pretrained(tokenizer: AnyTokenizer) -> bool:
    """Return whether `load` gives this tokenizer under its name; a file may have the name of another.

    >>> is_pretrained(load("gpt2")), is_pretrained(Tokenizer("gpt2", "none", load("gpt2").mergeable_ranks))
    (True, False)
    """
    return tokenizer.name in ENCODINGS and tokenizer == load(tokenizer.name)


def encoding_of_model(model: str) -> str:
    """Return the name in `ENCODINGS` of a model's tokenizer, or of one that people know by this name.

    Capitals, spaces, hyphens and the maker before a slash make no difference. OpenAI's models are those of tiktoken's
    own table of names and prefixes. Raises ValueError, with the reason, for a model that is unknown, or whose tokenizer
    is not included.

    >>> [encoding_of_model(name) for name in ("openai/gpt-4o-2024-08-06", "GPT-4", "Qwen3-8B", "cl100k")]
    ['o200k_base', 'cl100k_base', 'qwen3', 'cl100k_base']
    """
    if not isinstance(model, str):
        raise ValueError(f"expected the name of a tokenizer or model, not {short_repr(model)}")
    name = _one_spelling(model)
    if len(model) <= NAME_MAX and not _PATH.search(model):
        for each in (name, f"{name}-base"):
            if each in _BY_NAME:
                return _BY_NAME[each]
        if found := shelf_name_of_model(model) or _openai_encoding(name):
            return found
        if (extra := extra_of_model(model)) and extra in INSTALLED:
            return extra
    raise ValueError(
        reason_not_included(model)
        or f"tokviz knows no tokenizer or model {short_repr(model)}: choose one of {', '.join(ENCODINGS)}, or a model "
        "that uses one"
    )


def tokenizer_facts(name: str) -> dict[str, Any]:
    """Return what is known of an included tokenizer without loading it, as JSON.

    >>> tokenizer_facts("o200k_harmony")["models"]
    ['gpt-oss-20b']
    """
    facts = {key: getattr(INCLUDED[name], key) for key in ("known_as", "maker", "year", "licence")}
    return {"name": name, **facts, "models": [model for model, of in MODELS.items() if of == name]}


def _one_spelling(name: str) -> str:
    """Return a name in small letters without its maker, with hyphens for spaces and "_", and one in "gpt-4"."""
    plain = re.sub("[ _]", "-", name.strip().casefold())
    return re.sub(r"^(chat)?gpt-?(?=\d)", "gpt-", re.sub(r"^([\w.-]+/)+", "", plain))


_BY_NAME = {_one_spelling(each): name for name, it in INCLUDED.items() for each in (name, it.known_as)}
_BY_NAME |= dict.fromkeys(("gpt", "chatgpt"), "o200k_base")  # of their current models


def _openai_encoding(name: str) -> str | None:
    """Return the encoding of one of OpenAI's models, None for others; some names are known as prefixes alone."""
    if re.fullmatch("gpt-2-(medium|large|xl)", name):
        return "gpt2"
    for each in (name, f"{name}-", name.replace(":", "-")):
        try:
            return tiktoken.model.encoding_name_for_model(each)
        except KeyError:
            continue
    return None


def _gpt2_ranks(data: bytes) -> dict[bytes, int]:
    """Return the ranks in GPT-2's vocab.bpe, which writes tokens in the alphabet of bytes."""
    ranks = {bytes([i]): rank for rank, i in enumerate(BYTES_IN_ORDER)}
    for line in data.decode().splitlines()[1:]:  # the first line is the version
        ranks[bytes(BYTE_OF[c] for c in line if c != " ")] = len(ranks)
    return ranks


def _tiktoken_ranks(data: bytes) -> dict[bytes, int]:
    """Return the ranks in a .tiktoken file whose checksum is right, so that its lines need no check."""
    words = data.split()
    return dict(zip(map(a2b_base64, words[::2]), map(int, words[1::2]), strict=True))
