"""The fields of requests: what each reads from JSON, and how much at most."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel

from tokviz.api.json_reader import JsonReader
from tokviz.api.refusal import Refusal
from tokviz.core.patterns import short_repr

CHARACTERS_MAX = 1_000_000  # of all texts of a request
TEXTS_MAX = 10_000
IDS_MAX = 1_000_000
NAME_MAX = 200  # characters of a name
NAMES_MAX = 2_000
TOKENIZERS_MAX = 20
MESSAGES_MAX = 1_000
Field = Callable[[JsonReader, str], Any]
Boolean = Annotated[bool, JsonReader.read_boolean]
M = TypeVar("M", bound=BaseModel)


def parsed_request(models: type[M] | Sequence[type[M]], body: bytes) -> M:
    """Return a request from its body in JSON, by the functions of this module that its fields are annotated with.

    Of several models it is the first whose required fields are there. Raises Refusal for what is not as that describes
    it, and for any other field: it may be a misspelled one.
    """
    models = models if isinstance(models, Sequence) else [models]
    try:
        reader = JsonReader(body.decode().removeprefix("\ufeff"))
    except UnicodeDecodeError as e:
        words = f"the body is not UTF-8: {body[e.start : e.start + 1]!r} at byte {e.start:,}: send JSON in UTF-8"
        raise Refusal(400, words) from None
    known = {name: read for each in models for name, read in _field_readers(each).items()}
    values: dict[str, Any] = {}
    for each in reader.read_field_names():
        if each not in known:
            raise _unknown_field_error(each, known)
        values[each] = known[each](reader, each)
    reader.check_end()
    model = next((each for each in models if values.keys() >= {*_required_names(each)}), models[0])
    for each in _required_names(model):
        if each not in values:
            needed = " or ".join(" and ".join(_required_names(one)) for one in models)
            raise Refusal(422, f"{each}: it is missing: the request needs {needed}")
    for each in values:
        if each not in model.model_fields:
            raise _unknown_field_error(each, model.model_fields)
    return model.model_construct(**values)


def _field_readers(model: type[BaseModel]) -> dict[str, Field]:
    """Return what reads each field of a model."""
    return {name: next(filter(callable, field.metadata)) for name, field in model.model_fields.items()}


def _required_names(model: type[BaseModel]) -> list[str]:
    return [name for name, field in model.model_fields.items() if field.is_required()]


def _unknown_field_error(name: str, known: Iterable[str]) -> Refusal:
    return Refusal(422, f"{short_repr(name)} is not a field of this request: expected are {', '.join(known)}")


def read_text(reader: JsonReader, place: str) -> str:
    """Return a text."""
    return _checked_text(reader.read_string(place), place, 0)


def read_texts(reader: JsonReader, place: str) -> list[str]:
    """Return texts; one alone comes without a list."""
    if reader.peek() != "[":
        return [_checked_text(reader.read_string(place, "a text or a list of texts"), place, 0)]
    found: list[str] = []
    size = 0
    for number in reader.item_indexes(place, TEXTS_MAX):
        found.append(_checked_text(reader.read_string(f"{place}.{number}"), place, size))
        size += len(found[-1])
    return found


def read_ids(reader: JsonReader, place: str) -> list[int]:
    """Return the ids of a text."""
    return reader.read_integers(place, IDS_MAX)


def read_ids_of_texts(reader: JsonReader, place: str) -> list[list[int]]:
    """Return the ids of texts; those of one alone come without a list around them."""
    if not reader.next_list_begins_with_list():
        return [reader.read_integers(place, IDS_MAX)]
    found: list[list[int]] = []
    size = 0
    for number in reader.item_indexes(place, TEXTS_MAX):
        found.append(reader.read_integers(f"{place}.{number}", IDS_MAX, size))
        size += len(found[-1])
    return found


def read_name(reader: JsonReader, place: str) -> str:
    """Return a name."""
    found = reader.read_string(place, "a name in double quotes")
    if len(found) > NAME_MAX:
        raise Refusal(422, f"{place}: expected a name of at most {NAME_MAX} characters, not one of {len(found):,}")
    return found


def or_none(read: Field) -> Field:
    """Return what reads a field as another function does, and None for null."""
    return lambda reader, place: None if reader.skip_if_null() else read(reader, place)


def read_tokenizer_names(reader: JsonReader, place: str) -> list[str]:
    """Return the names of one or more tokenizers."""
    found = [read_name(reader, f"{place}.{number}") for number in reader.item_indexes(place, TOKENIZERS_MAX)]
    if not found:
        raise Refusal(422, f'{place}: expected the names of tokenizers, such as ["gpt2"], not an empty list')
    return found


def read_special_names_or_all(reader: JsonReader, place: str) -> str | list[str]:
    """Return the names of special tokens, each once, or "all"."""
    if reader.peek() == "[":
        found = (read_name(reader, f"{place}.{number}") for number in reader.item_indexes(place, NAMES_MAX))
        return list(dict.fromkeys(found))
    given = reader.read_string(place, 'a list of names or "all"')
    if given != "all":
        raise Refusal(422, f'{place}: expected a list of names or "all", not another text: put one name in a list')
    return given


def read_messages(reader: JsonReader, place: str) -> list[Any]:
    """Return messages, whatever is in them; all texts in them count for the limit of the texts of a request."""
    found = [reader.read_value(f"{place}.{number}") for number in reader.item_indexes(place, MESSAGES_MAX)]
    _checked_text("", place, _n_characters_in_strings(found))
    return found


def _n_characters_in_strings(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(map(_n_characters_in_strings, inner))


def _checked_text(found: str, place: str, before: int) -> str:
    """Return a text; 413 if there are too many characters, those before it included."""
    if before + len(found) > CHARACTERS_MAX:
        raise Refusal(
            413,
            f"{place} has {before + len(found):,} characters together, or more: a request may have at most "
            f"{CHARACTERS_MAX:,}, so send several",
        )
    return found
