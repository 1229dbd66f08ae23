"""What a link holds: options, texts and tokenizers, read in a child process, since a link may come from anyone."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tokviz.formats.pretrained import ENCODINGS
from tokviz.records.opened import Opened, unpack_opened
from tokviz.records.packing import unpack
from tokviz.records.trained import Trained, renamed, unpack_trained
from tokviz.system import sandbox

RECORD_BYTES_MAX = 2_000_000  # of a tokenizer in a link, unpacked; an honest link of 64,000 characters holds less
RECORDS_MAX = 8  # of each kind; one more than a page shows
VALUES_MAX = 10_000  # of JSON besides the tokenizers; a chat has some hundred
SECONDS = 10.0


@dataclass(frozen=True)
class LinkContents:
    """What a link holds. names: the free names of its tokenizers by the names they had."""

    shown: dict[str, Any]
    options: dict[str, Any]
    trained: tuple[Trained, ...]
    opened: tuple[Opened, ...]
    names: dict[str, str]


def link_contents(packed: str) -> LinkContents:
    """Return what a link holds; ValueError if it is damaged, or takes more time or memory than any link needs."""
    return sandbox.call(_contents, packed, seconds=SECONDS, what="reading the link")


def _contents(packed: str) -> LinkContents:
    shown = unpack(packed)
    if not isinstance(shown, dict):
        raise ValueError("it does not describe a page")
    options = shown.get("options") or {}
    if not isinstance(options, dict):
        raise ValueError("its options are not named")
    names: dict[str, str] = {}
    trained: list[Trained] = []
    opened: list[Opened] = []
    for record in _records(shown.pop("trained", None)):
        given = unpack_trained(record, most=RECORD_BYTES_MAX)
        trained.append(renamed(given, {*ENCODINGS, *names.values()}))
        names[given.tokenizer.name] = trained[-1].tokenizer.name
    for record in _records(shown.pop("opened", None)):
        one = unpack_opened(record, most=RECORD_BYTES_MAX, taken={*ENCODINGS, *names.values()})
        opened.append(one)
        names[one.given_name] = one.tokenizer.name
    _check_size(shown)
    return LinkContents(shown, dict(options), tuple(trained), tuple(opened), names)


def _records(given: object) -> Iterable[str]:
    """Return the packed records of a link: one, or a list of no more than a page shows."""
    if not given:
        return []
    if isinstance(given, str):
        return [given]
    if not isinstance(given, list):
        raise ValueError("its tokenizers are not a list")
    return list(map(str, given[:RECORDS_MAX]))


def _check_size(value: object) -> None:
    """Raise ValueError for JSON of more values than a page could have written."""
    todo, n_values = [value], 0
    while todo:
        one = todo.pop()
        inner = [*one, *one.values()] if isinstance(one, dict) else one if isinstance(one, list) else []
        n_values += len(inner)
        if n_values > VALUES_MAX:
            raise ValueError(f"it holds more than {VALUES_MAX:,} values")
        todo += inner
