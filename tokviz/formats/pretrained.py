"""The tokenizers that come with tokviz, OpenAI's encodings and those of the shelf, and those of installed extras.

The rank tables of the first, in assets/tiktoken, are the files that tiktoken downloads, named as in its cache (the
SHA-1 of their address) and checked against their SHA-256. Nothing is fetched. Three tables make seven encodings:
r50k_base is gpt2 under another name, p50k_base and p50k_edit add runs of spaces to it, and o200k_harmony has the ranks
of o200k_base and special tokens of its own.
"""

import re
from binascii import a2b_base64
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal, overload

import tiktoken.model

from tokviz.core.patterns import short_repr
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.elsewhere import reason_not_included
from tokviz.formats.extras import EXTRAS, INSTALLED, extra_of_model, tokenizer_from_package
from tokviz.formats.facts import OPENAI, Included
from tokviz.formats.huggingface.byte_alphabet import BYTE_OF, BYTES_IN_ORDER
from tokviz.formats.loaded import LoadedTokenizers
from tokviz.formats.shelf import NAME_MAX, SHELF, shelf_name_of_model, shelved_tokenizer
from tokviz.system.installation import ASSETS, checked_asset

if TYPE_CHECKING:
    from tokviz.formats.huggingface.tokenizer import HFTokenizer

TABLES = ASSETS / "tiktoken"
_P50K_SPACES = range(2, 26)  # the numbers of spaces that p50k_base has a token for, with ids after <|endoftext|>
INCLUDED: dict[str, Included] = {**OPENAI, **SHELF, **INSTALLED}
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


@overload
def load(name: Literal["bert"]) -> "HFTokenizer": ...  # type: ignore[overload-overlap]
@overload
def load(name: str) -> Tokenizer: ...
def load(name: str) -> AnyTokenizer:
    """Return a pretrained tokenizer by its name, one of `ENCODINGS`, or any that `encoding_of_model` knows.

    All but `bert`, which is WordPiece, are BPE. Raises ValueError for another name, with the reason, and for a file or
    package that is missing or damaged, with the remedy.

    >>> load("gpt2").encode("hello world")
    [31373, 995]
    """
    return LOADED.tokenizer(name if name in ENCODINGS or name in EXTRAS else encoding_of_model(name))


def _made_tokenizer(name: str) -> AnyTokenizer:
    """Return a tokenizer by its own name, made anew; errors as in `load`."""
    if name in EXTRAS:
        return tokenizer_from_package(name)
    if name in SHELF:
        return shelved_tokenizer(name)
    it = OPENAI[name]
    if it.ranks_of:  # and what encodes, which takes most of the memory
        return load(it.ranks_of).with_special_tokens(it.special_tokens, name=name)
    data = checked_asset(TABLES / it.file, it.sha256, f"the rank table of {name}")
    ranks = _gpt2_ranks(data) if it.split_pattern == "gpt2" else _tiktoken_ranks(data)
    if name.startswith("p50k"):
        ranks |= {b" " * n: 50257 + i for i, n in enumerate(_P50K_SPACES)}
    return Tokenizer(name, it.split_pattern, ranks, it.special_tokens)


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
        or f"tokviz knows no tokenizer or model {short_repr(model)}: try {' or '.join(_nearest_names(name))}"
    )


def tokenizer_facts(name: str) -> dict[str, Any]:
    """Return what is known of an included tokenizer without loading it, as JSON.

    >>> tokenizer_facts("o200k_harmony")["models"]
    ['gpt-oss-20b']
    """
    facts = {key: getattr(INCLUDED[name], key) for key in ("known_as", "maker", "year", "licence")}
    return {"name": name, **facts, "models": [model for model, of in MODELS.items() if of == name]}


def full_name(name: str) -> str:
    """Return what an included tokenizer is known as, and its own name if that differs or is OpenAI's; others as it is.

    >>> [full_name(name) for name in ("cl100k_base", "gpt2", "qwen3", "mine")]
    ['GPT-4 · cl100k_base', 'GPT-2 · gpt2', 'Qwen 3', 'mine']
    """
    if name not in INCLUDED:
        return name
    known_as = INCLUDED[name].known_as
    is_alike = name not in OPENAI and name.startswith(known_as[:3].casefold())
    return known_as if is_alike else f"{known_as} · {name}"


def short_name(name: str) -> str:
    """Return the name that people know an included tokenizer by, also with the markers of a chat; any other as it is.

    >>> [short_name(name) for name in ("cl100k_base", "cl100k_base + ChatML", "mine")]
    ['GPT-4', 'GPT-4 + ChatML', 'mine']
    """
    included, plus, markers = name.partition(" + ")
    return INCLUDED[included].known_as + plus + markers if included in INCLUDED else name


def _one_spelling(name: str) -> str:
    """Return a name in small letters without its maker, with hyphens for spaces and "_", and one in "gpt-4"."""
    plain = re.sub("[ _]", "-", name.strip().casefold())
    return re.sub(r"^(chat)?gpt-?(?=\d)", "gpt-", re.sub(r"^([\w.-]+/)+", "", plain))


_BY_NAME = {_one_spelling(each): name for name, it in INCLUDED.items() for each in (name, it.known_as)}
_BY_NAME |= dict.fromkeys(("gpt", "chatgpt"), "o200k_base")  # of their current models


def _nearest_names(name: str) -> list[str]:
    """Return what people call the one or two included tokenizers with the most similar names, or three usual ones.

    >>> _nearest_names("deepsek"), _nearest_names("no-such")
    (['DeepSeek V4'], ['GPT-2', 'GPT-4', 'GPT-4o'])
    """
    near = get_close_matches(name[:NAME_MAX], _BY_NAME, n=4)
    return list(dict.fromkeys(short_name(_BY_NAME[each]) for each in near))[:2] or [*map(short_name, PRETRAINED)]


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
