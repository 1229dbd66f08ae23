"""The tokenizers of other makers that come with tokviz: their facts, and the names by which people ask for them.

`tests/bench/shelf.py` makes the files from public packages; assets/tokenizers/NOTICE.md has sources and licences.
"""

import re
from dataclasses import dataclass

from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.packed import unpacked_tokenizer
from tokviz.system.installation import ASSETS, checked_asset

FOLDER = ASSETS / "tokenizers"
NAME_MAX = 200  # characters of the name of a model


@dataclass(frozen=True)
class Included:
    """What is known of a tokenizer that comes with tokviz.

    known_as: the name that people know it by. year: in which the first model with this vocabulary came out; special
    tokens may be newer. licence: of the model's tokenizer.
    """

    known_as: str
    maker: str
    year: int
    licence: str


@dataclass(frozen=True)
class Shelved(Included):
    """One with a file in `FOLDER`.

    models: a regular expression for the names of its models, without regard to case and with "-" for spaces and "_";
    relatives: one for those of models with the same merges and other special tokens, "" if there are none. sha256: of
    its file.
    """

    models: str
    relatives: str
    sha256: str


SHELF = {
    "qwen3.5": Shelved(
        "Qwen 3.5",
        "Qwen",
        2026,
        "Apache 2.0",
        r"qwen-?3[.-][56](?!\d)|^qwen$",
        "",
        "e4d6439b6ad781330a3c995828679b1a2c3362167cbd3e7f5e8cd1520463566f",
    ),
    "deepseek-v4": Shelved(
        "DeepSeek V4",
        "DeepSeek",
        2024,
        "MIT",
        r"deepseek-?(v4|chat|reasoner)|^deepseek$",
        r"deepseek-?(v3|r1)",
        "fda989ebdb4b7357933c08b1c993a2478da94825b0ca53955d3f1d32e20b24ce",
    ),
    "gemma4": Shelved(
        "Gemma 4",
        "Google",
        2025,
        "Apache 2.0",
        r"(?<![a-z])gemma-?4(?!\d|b)|^gemma$",
        r"(?<![a-z])gemma-?3(?!\d|b)",
        "73d2e375a38ee9191429b45b78bf7dec2a4fded8c9e8c455449bd82fefee2a52",
    ),
    "kimi-k2": Shelved(
        "Kimi K2",
        "Moonshot AI",
        2025,
        "modified MIT",
        r"kimi-?k2",
        r"kimi-?k3",
        "c7dec56d0eaf26fc628321bb03ef479eb18dd5b9235d613fa9621a402ed351c1",
    ),
    "qwen3": Shelved(
        "Qwen 3",
        "Qwen",
        2023,
        "Apache 2.0",
        r"qwen-?3(?![.-]?\d(?![\d.]*b))",
        r"qwen-?2([.-]5)?(?![.\d])|qwq",
        "429f3ef57eec3156827e54f6495291f02938f4953439ad1c46c53d6dcd68a7a9",
    ),
    "tekken": Shelved(
        "Mistral NeMo",
        "Mistral AI",
        2024,
        "Apache 2.0",
        r"mistral-?nemo|ministral|pixtral(?!-?large)|magistral|devstral|mistral-?small-?(3|250\d)|^mistral$",
        "",
        "4ccfb60636ced58b153d3d77d3d546108b62155cdd3b55e62b19ecf76c129ef9",
    ),
    "mistral-v3": Shelved(
        "Mistral 7B v0.3",
        "Mistral AI",
        2023,
        "Apache 2.0",
        r"mistral-?7b(-instruct)?-?v?0\.3|mixtral-?8x22b",
        "",
        "7e563d61284ac1da94ec2c7f217b6efa074f9232c8bdcc2c3220a6467dd225de",
    ),
}


def shelved_tokenizer(name: str) -> Tokenizer:
    """Return a tokenizer of `SHELF` by its name; ValueError, with the remedy, if its file is missing or damaged.

    >>> shelved_tokenizer("mistral-v3").encode("ภาษา")
    [29473, 31802, 29871, 31903, 29871]
    """
    data = checked_asset(FOLDER / f"{name}.xz", SHELF[name].sha256, f"the tokenizer {name}")
    return unpacked_tokenizer(data, name)


def shelf_name_of_model(model: str) -> str | None:
    """Return the name in `SHELF` of a model's tokenizer, None if it is not known to be one of these.

    >>> [shelf_name_of_model(model) for model in ("Qwen/Qwen3-8B", "qwen 3.6", "DeepSeek-R1", "mixtral-8x7b")]
    ['qwen3', 'qwen3.5', None, None]
    """
    return next((name for name, it in SHELF.items() if name == model or is_among(model, it.models)), None)


def shelf_name_of_relative(model: str) -> str | None:
    """Return the name in `SHELF` of a tokenizer with a model's merges, but other special tokens; None if there is none.

    >>> [shelf_name_of_relative(model) for model in ("Qwen/Qwen2.5-7B", "DeepSeek-R1", "DeepSeek-R1-Distill-Qwen-7B")]
    ['qwen3', 'deepseek-v4', None]
    """
    return next((name for name, it in SHELF.items() if it.relatives and is_among(model, it.relatives)), None)


def is_among(model: str, models: str) -> bool:
    """Return whether a regular expression finds a model; never one that was distilled into another maker's."""
    name = re.sub("[ _]", "-", model.strip().casefold())
    if len(name) > NAME_MAX or ("deepseek" in name and re.search(r"distill|qwen|llama|:\d", name)):
        return False
    return bool(re.search(models, name))
