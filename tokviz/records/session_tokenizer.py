"""Kept: a tokenizer of a session with where it is from, and the packed record of it for a browser's tab or a link.

Every record is checked when it comes back, since a link may come from anyone.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from tokviz import AnyTokenizer, load
from tokviz.core.pretokens import well_formed_text
from tokviz.formats.files import READ_SECONDS
from tokviz.formats.gguf.header import MAGIC, general_name
from tokviz.formats.huggingface.tokenizer_config import CONFIG, parsed_config
from tokviz.formats.pretrained import PRETRAINED
from tokviz.records.origin import NAME_MAX, FromFile, FromTokens, Origin
from tokviz.records.packing import UNPACKED_MAX, pack, unpack
from tokviz.records.training import FromTraining
from tokviz.system import sandbox

# By a key that the records of no other kind have.
ORIGINS: dict[str, type[Origin]] = {"pairs": FromTraining, "file": FromFile, "tokens": FromTokens}
# Of files that are called alike in every repository, and once more by a browser that has downloaded several.
USUAL_STEM = re.compile(r"(tokenizer|tekken|spiece|sentencepiece\.bpe|vocab|merges|model|ggml-model.*)( ?\(\d+\))?")
NAME_SECONDS = 5.0  # to read what a file calls its model
OriginT = TypeVar("OriginT", bound=Origin)


@dataclass(frozen=True)
class Kept(Generic[OriginT]):
    """A tokenizer of a session, and where it is from.

    given_name: the name that it had in the record it came from, if any.
    """

    tokenizer: AnyTokenizer = field(compare=False)
    origin: OriginT
    given_name: str = field(default="", compare=False)

    @classmethod
    def of(cls, origin: OriginT, name: str) -> "Kept[OriginT]":
        """Return the tokenizer of an origin under a name; ValueError if it cannot be made."""
        return cls(origin.tokenizer(name), origin)

    @property
    def name(self) -> str:
        """The name of the tokenizer."""
        return self.tokenizer.name

    @cached_property
    def packed_record(self) -> str | None:
        """The record, packed; None if it is too large."""
        return None if self.origin.is_too_large else pack({"name": self.name, **self.origin.record()})

    def with_free_name(self, taken: Collection[str]) -> "Kept[OriginT]":
        """Return it under a name that is not taken: its own, or that with a number.

        >>> kept_tokens("a", "words", ["b"]).with_free_name(["a", "a (2)"]).name
        'a (3)'
        """
        return self.with_name(free_name(self.name, taken))

    def with_name(self, name: str) -> "Kept[OriginT]":
        """Return it under a name. If that is another one, a file is read again; ValueError if it cannot be."""
        return self if name == self.name else replace(self, tokenizer=self.origin.tokenizer(name))


def kept_from_file(
    data: bytes,
    file_name: str,
    *,
    taken: Collection[str] = (),
    split_pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
    beside: Mapping[str, bytes] = MappingProxyType({}),
) -> Kept[FromFile]:
    """Return the tokenizer in a file, under a name that is not taken; ValueError as in `read_tokenizer`.

    It is named after the file; where any model's file is called so, after the model, or by the whole name of the file.
    beside: the files that belong to it, by their names.
    """
    name = Path(file_name).stem
    if USUAL_STEM.fullmatch(name):
        name = model_name_if_any(data, file_name, beside) or Path(file_name).name
    name = free_name(clean_name(name) or "tokenizer", taken)
    return Kept.of(FromFile(data, file_name, split_pattern, special_tokens, dict(beside)), name)


def model_name_if_any(data: bytes, file_name: str, beside: Mapping[str, bytes]) -> str:
    """Return the name of the model in a GGUF file, or in the files beside a tokenizer; "" if they do not say.

    Of the name of a repository, or a path, it is the last part. What cannot be read says nothing.

    >>> model_name_if_any(b"{}", "tokenizer.json", {"config.json": b'{"_name_or_path": "ada/small-2.5"}'})
    'small-2.5'
    """
    configs = {name: beside[name] for name in ("config.json", CONFIG) if name in beside}
    gguf = data if data.startswith(MAGIC) else None
    if gguf is None and not configs:
        return ""
    try:
        return sandbox.call(_last_part_of_name, gguf, configs, seconds=NAME_SECONDS, what=f"the name in {file_name}")
    except ValueError:
        return ""


def _last_part_of_name(gguf: bytes | None, configs: Mapping[str, bytes]) -> str:
    found: list[Any] = [general_name(gguf)] if gguf else []
    for file in configs:
        config = parsed_config(configs, file)
        found += [config.get("_name_or_path"), config.get("name_or_path")]
    names = (re.split(r"[\\/]", name.strip(" \\/."))[-1] for name in found if isinstance(name, str))
    return next(filter(None, names), "")


def kept_tokens(name: str, kind: str, tokens: Collection[str] = ()) -> Kept[FromTokens]:
    """Return the tokenizer of a list of "characters" or "words", or the tokenizer of "bytes"."""
    return Kept.of(FromTokens(kind, tuple(tokens)), name)


def clean_name(name: str) -> str:
    """Return a name that anybody may have written, or as much of it as a tokenizer's may have.

    >>> clean_name(" my\\n tokenizer ")
    'my tokenizer'
    """
    return " ".join(well_formed_text(name).split())[:NAME_MAX]


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is free and not too long: this one, or as much of it as leaves room for a number.

    >>> free_name("a", []), free_name("a", ["a", "a (2)"])
    ('a', 'a (3)')
    """
    suffixes = ("" if n == 1 else f" ({n})" for n in count(1))
    names = (name[: NAME_MAX - len(suffix)] + suffix for suffix in suffixes)
    return next(each for each in names if each not in taken)


def unpack_kept(packed: str, *, most: int = UNPACKED_MAX, taken: Collection[str] = ()) -> Kept[Any]:
    """Return the tokenizer of a packed record, under a name that is not taken.

    Raises ValueError for a record that is damaged, or that unpacks to more than `most` bytes.

    >>> unpack_kept(kept_tokens("mine", "words", ["a", "b"]).packed_record).tokenizer.encode("b c")
    [2, 0]
    """
    what = "the record of a tokenizer"
    found: Kept[Any] = sandbox.call(_kept_of_packed_record, packed, most, set(taken), seconds=READ_SECONDS, what=what)
    origin = found.origin
    if isinstance(origin, FromTraining) and (start := origin.plan.start) and start.name in PRETRAINED:
        plan = replace(origin.plan, start=load(start.name))  # not a copy of it, which takes 40 MB
        return replace(found, origin=replace(origin, plan=plan))
    return found


def _kept_of_packed_record(packed: str, most: int, taken: set[str]) -> Kept[Any]:
    record = unpack(packed, most=most)
    try:
        given_name = str(record["name"])
        kinds = [kind for key, kind in ORIGINS.items() if key in record]
        if not kinds:
            raise ValueError("it is neither a training nor a file nor a list of tokens")
        origin = kinds[0].of_record(record)
        name = free_name(well_formed_text(given_name)[:NAME_MAX], taken)
        return Kept(origin.tokenizer(name), origin, given_name)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError) as e:
        raise ValueError(f"the record of a tokenizer is damaged ({e})") from e
