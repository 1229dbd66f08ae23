"""Well-known tokenizers that are not included: why, and where their files are, to be opened here."""

import re
from dataclasses import dataclass

HUB, FILE = "huggingface.co", "tokenizer.json"


@dataclass(frozen=True)
class Elsewhere:
    """A family whose tokenizer is not included. why: a clause. repository: one on the hub that has its file."""

    why: str
    repository: str = ""


ELSEWHERE = {
    "Llama": Elsewhere("Meta asks you to sign in and agree to its licence", "meta-llama/Llama-3.1-8B"),
    "Gemma": Elsewhere("Google asks you to sign in and agree to its licence", "google/gemma-2-2b"),
    "Claude": Elsewhere("Anthropic has not published a tokenizer for its current models"),
}
_NAMES = {"Llama": "llama|codellama|vicuna|alpaca"}  # other names that people type for them


def not_included_family_in_name(name: str) -> str | None:
    """Return the family of a tokenizer that is not included, by any name with it in; None for other names.

    >>> [not_included_family_in_name(name) for name in ("meta-llama/Llama-3.2-1B", "gemma3", "gpt-4")]
    ['Llama', 'Gemma', None]
    """
    found = {
        match.start(): family
        for family in ELSEWHERE
        if (match := re.search(_NAMES.get(family, family), name, re.IGNORECASE))
    }
    return found[min(found)] if found else None


def not_included_text(family: str) -> str:
    """Return why the tokenizer of a family is not here, and how to open it.

    >>> not_included_text("Claude")
    'Claude is not included: Anthropic has not published a tokenizer for its current models.'
    """
    it = ELSEWHERE[family]
    how = f" Download {FILE} from {HUB}/{it.repository}, and open the file here." if it.repository else ""
    return f"{family} is not included: {it.why}.{how}"
