"""What a link holds: values and tokenizers, read in a child process, since a link may come from anyone."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from tokviz.formats.pretrained import ENCODINGS
from tokviz.records.packing import unpack
from tokviz.records.session_tokenizer import Kept, unpack_kept
from tokviz.system import sandbox

RECORD_BYTES_MAX = 2_000_000  # of a tokenizer in a link, unpacked; an honest link of 64,000 characters holds less
RECORDS_MAX = 8  # one more than a page shows
VALUES_MAX = 10_000  # of JSON besides the tokenizers; a chat has some hundred
SECONDS = 10.0


@dataclass(frozen=True)
class LinkContents:
    """What a link holds; a tokenizer whose name is not free has another one (see `Kept.given_name`).

    values: of options, texts and the like, by their keys. missing: the names of tokenizers that it had no room for.
    """

    values: dict[str, Any]
    missing: list[Any]
    tokenizers: tuple[Kept[Any], ...]


def link_contents(packed: str, taken: Collection[str] = ()) -> LinkContents:
    """Return what a link holds; ValueError if it is damaged, or takes more time or memory than any link needs.

    taken: names that its tokenizers may not have.
    """
    return sandbox.call(_unpacked_contents, packed, {*ENCODINGS, *taken}, seconds=SECONDS, what="reading the link")


def _unpacked_contents(packed: str, taken: set[str]) -> LinkContents:
    shown = unpack(packed)
    if not isinstance(shown, dict):
        raise ValueError("it does not describe a page")
    tokenizers: list[Kept[Any]] = []
    packed_records = shown.pop("tokenizers", [])
    if not isinstance(packed_records, list):
        raise ValueError("its tokenizers are not a list")
    for record in packed_records[:RECORDS_MAX]:
        tokenizers.append(unpack_kept(str(record), most=RECORD_BYTES_MAX, taken=taken))
        taken.add(tokenizers[-1].name)
    _check_n_values(shown)
    missing = shown.pop("missing", None)
    return LinkContents(shown, missing if isinstance(missing, list) else [], tuple(tokenizers))


def _check_n_values(value: object) -> None:
    """Raise ValueError for JSON of more values than a page could have written."""
    todo, n_values = [value], 0
    while todo:
        one = todo.pop()
        inner = [*one, *one.values()] if isinstance(one, dict) else one if isinstance(one, list) else []
        n_values += len(inner)
        if n_values > VALUES_MAX:
            raise ValueError(f"it holds more than {VALUES_MAX:,} values")
        todo += inner
