"""What is known of tokenizers, as assets/tokenizers/facts.toml has it: tables by the names of tokenizers."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tokviz.system.installation import ASSETS

FOLDER = ASSETS / "tokenizers"
_RANGE = re.compile(r"\{(\d+)\.\.(\d+)\}")


def special_token_ids(names: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return special tokens with their ids, from lists of consecutive ones by the first id, with ranges of numbers.

    >>> special_token_ids({"7": ["<s>", "<{0..2}>"], "20": ["</s>"]})
    {'<s>': 7, '<0>': 8, '<1>': 9, '<2>': 10, '</s>': 20}
    """
    found = {}
    for first, of_one in names.items():
        numbered = (name for each in of_one for name in _names_in_range(each))
        found |= {name: token_id for token_id, name in enumerate(numbered, int(first))}
    return found


def _names_in_range(name: str) -> list[str]:
    ends = _RANGE.search(name)
    return [_RANGE.sub(str(i), name) for i in range(int(ends[1]), int(ends[2]) + 1)] if ends else [name]


def _tables() -> dict[str, dict[str, dict[str, Any]]]:
    tables = tomllib.loads((FOLDER / "facts.toml").read_text("utf-8"))
    for facts in (facts for rows in tables.values() for facts in rows.values()):
        if "special_tokens" in facts:
            facts["special_tokens"] = special_token_ids(facts["special_tokens"])
    return tables


FACTS = _tables()


@dataclass(frozen=True, kw_only=True)
class Included:
    """What is known of a tokenizer that comes with tokviz.

    known_as: the name that people know it by. year: in which the first model with this vocabulary came out; special
    tokens may be newer. licence: of the model's tokenizer. relatives: a regular expression for the names of models with
    the same merges and other special tokens, without regard to case and with "-" for spaces and "_"; "" for none.
    begin: the special token that models are given before a text; "" for none.
    """

    known_as: str
    maker: str
    year: int
    licence: str
    relatives: str = ""
    begin: str = ""


@dataclass(frozen=True, kw_only=True)
class OfOpenAI(Included):
    """One of OpenAI's encodings. file: of its ranks, with its SHA-256.

    ranks_of: instead, another one that has its ranks and the rest of its special tokens.
    """

    file: str = ""
    sha256: str = ""
    split_pattern: str = ""
    ranks_of: str = ""
    special_tokens: dict[str, int] = field(default_factory=dict)


OPENAI = {name: OfOpenAI(**facts) for name, facts in FACTS["openai"].items()}
