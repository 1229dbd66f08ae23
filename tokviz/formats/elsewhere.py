"""Well-known models whose tokenizer is not included: why, what to choose instead, and where its file is."""

import re
from dataclasses import dataclass

from tokviz.core.patterns import short_repr
from tokviz.formats.extras import EXTRAS, INSTALLED, extra_of_model
from tokviz.formats.facts import FACTS
from tokviz.formats.shelf import NAME_MAX, SHELF, name_of_relative, shelf_name_of_model

HUB = "huggingface.co"


@dataclass(frozen=True)
class Elsewhere:
    """A family of models, all or some of whose tokenizers are not included.

    names: a regular expression for its names, in small letters. why: a clause, "" if there is no general reason. where:
    the page of the hub that has the files, "" if they are not public.
    """

    names: str
    why: str = ""
    where: str = ""

    @property
    def is_partly_included(self) -> bool:
        """Whether some of its tokenizers are included."""
        return any(re.search(self.names, name) for name in (*SHELF, *INSTALLED))


ELSEWHERE = {family: Elsewhere(**facts) for family, facts in FACTS["elsewhere"].items()}


def reason_not_included(model: str) -> str:
    """Return in a line why a model's tokenizer is not included, and what to do; "" if it is, or the model is not known.

    >>> reason_not_included("Claude Sonnet")
    "Claude is not included: Anthropic has not published ...; pip install 'tokviz[claude]' brings counts"
    >>> reason_not_included("microsoft/phi-4")
    "'microsoft/phi-4' has the merges of cl100k_base and other special tokens: choose cl100k_base for texts without any"
    """
    extra = extra_of_model(model)
    if shelf_name_of_model(model) or extra in INSTALLED:
        return ""
    if extra:
        return EXTRAS[extra].advice()
    if relative := name_of_relative(model):
        return (
            f"{short_repr(model)} has the merges of {relative} and other special tokens: choose {relative} for texts "
            "without any"
        )
    matches = ((re.search(it.names, model.casefold()[:NAME_MAX]), family) for family, it in ELSEWHERE.items())
    found = {match.start(): family for match, family in matches if match}
    return reason_not_included_of_family(found[min(found)]) if found else ""


def reason_not_included_of_family(family: str) -> str:
    """Return in a line why tokenizers of a family are not included, and where their files are.

    >>> reason_not_included_of_family("Qwen")
    'Qwen is only partly included; download tokenizer.json from huggingface.co/Qwen and open that'
    """
    it = ELSEWHERE[family]
    why = f": {it.why}" if it.why else ""
    how = f"; download tokenizer.json from {HUB}/{it.where} and open that" if it.where else ""
    return f"{family} is {'only partly' if it.is_partly_included else 'not'} included{why}{how}"
