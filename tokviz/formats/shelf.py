"""The tokenizers of other makers that come with tokviz: their facts, and the names by which people ask for them.

`tests/bench/shelf.py` makes the files from packages that anyone can fetch; assets/tokenizers/NOTICE.md has sources and
licences.
"""

import hashlib
import re
from dataclasses import dataclass

from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.packed import unpacked_tokenizer
from tokviz.system.installation import ASSETS, IS_CHECKOUT

FOLDER = ASSETS / "tokenizers"


@dataclass(frozen=True)
class Shelved:
    """A tokenizer that comes with tokviz.

    known_as: its models, in a word. maker and year: of the first model that used it. licence: of the model's tokenizer.
    models: a regular expression for the names of its models, without regard to case and with "-" for spaces. sha256: of
    its file.
    """

    known_as: str
    maker: str
    year: int
    licence: str
    models: str
    sha256: str


SHELF = {
    "qwen3.5": Shelved(
        "Qwen 3.5",
        "Qwen",
        2026,
        "Apache 2.0",
        r"qwen-?3\.[56]|^qwen$",
        "82588dd7bbadfc25cffd49e59e8df7282456c5b59c713b3735fffd19a8d972bd",
    ),
    "deepseek-v4": Shelved(
        "DeepSeek",
        "DeepSeek",
        2024,
        "MIT",
        r"deepseek-?(v3|v4|r1|chat|reasoner)(?!.*distill)|^deepseek$",
        "fda989ebdb4b7357933c08b1c993a2478da94825b0ca53955d3f1d32e20b24ce",
    ),
    "qwen3": Shelved(
        "Qwen 3",
        "Qwen",
        2024,
        "Apache 2.0",
        r"qwen-?(2|2\.5|3)(?![.\d])|qwq",
        "429f3ef57eec3156827e54f6495291f02938f4953439ad1c46c53d6dcd68a7a9",
    ),
    "tekken": Shelved(
        "Mistral NeMo",
        "Mistral AI",
        2024,
        "Apache 2.0",
        r"mistral-?nemo|ministral|pixtral|magistral|devstral|mistral-?small-?(3|250\d)|^mistral$",
        "4ccfb60636ced58b153d3d77d3d546108b62155cdd3b55e62b19ecf76c129ef9",
    ),
    "mistral-v3": Shelved(
        "Mistral 7B",
        "Mistral AI",
        2024,
        "Apache 2.0",
        r"mistral-?7b(-instruct)?-?v?0\.3|mixtral-?8x22b",
        "7e563d61284ac1da94ec2c7f217b6efa074f9232c8bdcc2c3220a6467dd225de",
    ),
}


def shelved_tokenizer(name: str) -> Tokenizer:
    """Return a tokenizer of `SHELF` by its name; ValueError, with the remedy, if its file is missing or damaged.

    >>> shelved_tokenizer("mistral-v3").encode("ภาษา")
    [29473, 31802, 29871, 31903, 29871]
    """
    path = FOLDER / f"{name}.xz"
    remedy = "restore it with `git checkout -- assets/tokenizers`" if IS_CHECKOUT else "install tokviz again"
    try:
        data = path.read_bytes()
    except OSError as e:
        raise ValueError(f"the tokenizer {name}, {path}, cannot be read ({e}); {remedy}") from e
    if hashlib.sha256(data).hexdigest() != SHELF[name].sha256:
        raise ValueError(f"the tokenizer {name}, {path}, is damaged; {remedy}")
    return unpacked_tokenizer(data, name)


def shelf_name_of_model(model: str) -> str | None:
    """Return the name in `SHELF` of the tokenizer of a model, None if it is of no maker on the shelf.

    >>> [shelf_name_of_model(model) for model in ("Qwen/Qwen2.5-7B", "qwen 3.6", "DeepSeek-R1", "mixtral-8x7b")]
    ['qwen3', 'qwen3.5', 'deepseek-v4', None]
    """
    words = model.strip().replace(" ", "-")
    return next((name for name, it in SHELF.items() if re.search(it.models, words, re.IGNORECASE)), None)
