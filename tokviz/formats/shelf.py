"""The tokenizers of other makers that come with tokviz, and the names by which people ask for them.

`tests/bench/shelf.py` makes the files from public packages; assets/tokenizers/NOTICE.md has sources and licences.
"""

import re
from dataclasses import dataclass
from typing import Any

from tokviz.core.protocol import AnyTokenizer
from tokviz.formats.facts import FACTS, FOLDER, OPENAI, Included
from tokviz.formats.packed import packed_rules, tokenizer_in_pack
from tokviz.system.installation import checked_asset

NAME_MAX = 200  # characters of the name of a model


@dataclass(frozen=True, kw_only=True)
class Shelved(Included):
    """One with a file in `FOLDER`.

    models: a regular expression for the names of its models, as `relatives` is. sha256: of its file.
    """

    models: str
    sha256: str


SHELF = {name: Shelved(**facts) for name, facts in FACTS["shelf"].items()}


def shelved_tokenizer(name: str) -> AnyTokenizer:
    """Return a tokenizer of `SHELF` by its name; ValueError, with the remedy, if its file is missing or damaged.

    >>> shelved_tokenizer("mistral-v3").encode("ภาษา")
    [29473, 31802, 29871, 31903, 29871]
    """
    return tokenizer_in_pack(_shelved_file(name), name)


def _shelved_file(name: str) -> bytes:
    return checked_asset(FOLDER / f"{name}.xz", SHELF[name].sha256, f"the tokenizer {name}")


def shelved_facts(name: str) -> dict[str, Any]:
    """Return `n_vocab`, `split_pattern` and `special_tokens` of a tokenizer of `SHELF`, without unpacking its tokens.

    >>> facts = shelved_facts("gpt-neox")
    >>> facts["n_vocab"], facts["split_pattern"], len(facts["special_tokens"])
    (50277, 'gpt2', 25)
    """
    rules = packed_rules(_shelved_file(name))
    if "model" in rules:  # a tokenizer.json
        special = {token["content"]: token["id"] for token in rules["added_tokens"]}
        return {"n_vocab": len(rules["model"]["vocab"]), "split_pattern": None, "special_tokens": special}
    n_vocab = max(*(first + n for first, n in rules["ids"]), *(i + 1 for i in rules["special_tokens"].values()))
    return {"n_vocab": n_vocab} | {each: rules[each] for each in ("split_pattern", "special_tokens")}


def shelf_name_of_model(model: str) -> str | None:
    """Return the name in `SHELF` of a model's tokenizer, None if it is not known to be one of these.

    >>> [shelf_name_of_model(model) for model in ("Qwen/Qwen3-8B", "qwen 3.6", "DeepSeek-R1", "mixtral-8x7b")]
    ['qwen3', 'qwen3.5', None, None]
    """
    return next((name for name, it in SHELF.items() if name == model or is_among(model, it.models)), None)


def name_of_relative(model: str) -> str | None:
    """Return the name of an included tokenizer with a model's merges, but other special tokens; None without one.

    >>> [name_of_relative(model) for model in ("Qwen/Qwen2.5-7B", "phi-4", "DeepSeek-R1-Distill-Qwen-7B")]
    ['qwen3', 'cl100k_base', None]
    """
    known = {**SHELF, **OPENAI}
    return next((name for name, it in known.items() if it.relatives and is_among(model, it.relatives)), None)


def is_among(model: str, models: str) -> bool:
    """Return whether a regular expression finds a model; never one that was distilled into another maker's."""
    name = re.sub("[ _]", "-", model.strip().casefold())
    if len(name) > NAME_MAX or ("deepseek" in name and re.search(r"distill|qwen|llama|:\d", name)):
        return False
    return bool(re.search(models, name))
