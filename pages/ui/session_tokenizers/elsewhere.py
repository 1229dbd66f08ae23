"""Well-known tokenizers that are not included: why, and where their files are, to be opened here."""

import re
from dataclasses import dataclass

from tokviz.formats.extras import INSTALLED, extra_of_model
from tokviz.formats.shelf import shelf_name_of_model, shelf_name_of_relative

HUB, FILE = "huggingface.co", "tokenizer.json"


@dataclass(frozen=True)
class Elsewhere:
    """A family with tokenizers that are not included. why: a clause. repository: one on the hub that has its file."""

    why: str
    repository: str = ""


ELSEWHERE = {
    "Llama": Elsewhere(
        "Meta asks you to agree to its licence; pip install 'tokviz[llama]' brings Llama 3 and 4 in Meta's own package",
        "meta-llama/Llama-3.1-8B",
    ),
    "Claude": Elsewhere("Anthropic has not published a tokenizer for its current models"),
}
_SOME = "its other models have other tokenizers"
# Families some of whose tokenizers are included.
PARTLY = {
    "Qwen": Elsewhere(_SOME, "Qwen/Qwen2.5-7B"),
    "Mistral": Elsewhere(_SOME, "mistralai/Mistral-7B-v0.1"),
    "DeepSeek": Elsewhere(_SOME, "deepseek-ai/DeepSeek-V2"),
    "Gemma": Elsewhere("Google asks you to sign in and agree to its licence", "google/gemma-2-2b"),
}
if INSTALLED:
    PARTLY["Llama"] = ELSEWHERE.pop("Llama")
# Other names that people type for them.
_NAMES = {
    "Llama": "llama|codellama|vicuna|alpaca",
    "Mistral": "mistral|mixtral|codestral|ministral|pixtral|devstral|magistral",
    "Qwen": "qwen|qwq",
}


def not_included_family_in_name(name: str) -> str | None:
    """Return the family of a tokenizer that is not included, by any name with it in; None for other names.

    >>> [not_included_family_in_name(name) for name in ("meta-llama/Llama-3.2-1B", "mixtral 8x7b", "gpt-4")]
    ['Llama', 'Mistral', None]
    """
    if shelf_name_of_model(name) or shelf_name_of_relative(name) or extra_of_model(name) in INSTALLED:
        return None
    found = {
        match.start(): family
        for family in (*ELSEWHERE, *PARTLY)
        if (match := re.search(_NAMES.get(family, family), name, re.IGNORECASE))
    }
    return found[min(found)] if found else None


def not_included_text(family: str) -> str:
    """Return why the tokenizer of a family is not here, and how to open it.

    >>> not_included_text("Claude")
    'Claude is not included: Anthropic has not published a tokenizer for its current models.'
    """
    it = ELSEWHERE.get(family) or PARTLY[family]
    how = f" Download {FILE} from {HUB}/{it.repository}, and open the file here." if it.repository else ""
    what = family if family in ELSEWHERE else f"Not all of {family}"
    return f"{what} is not included: {it.why}.{how}"
