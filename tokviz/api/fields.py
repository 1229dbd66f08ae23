"""The fields of requests: what each takes, and how much at most."""

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

import numpy as np
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError
from pydantic_core import PydanticCustomError

from tokviz.api.refusal import Refusal
from tokviz.core.patterns import short_repr
from tokviz.core.pretokens import well_formed_text
from tokviz.system import sandbox

CHARACTERS_MAX = 1_000_000  # of all texts of a request
TEXTS_MAX = 10_000
IDS_MAX = 1_000_000
NAME_MAX = 200  # characters of a name
NAMES_MAX = 2_000
TOKENIZERS_MAX = 20
MESSAGES_MAX = 1_000
VALUES_MAX, DEPTH_MAX = 50_000, 20  # of JSON in all messages, and of lists and objects inside each other
QUICK = 100_000  # bytes of a body that is parsed in a few milliseconds, whatever it holds
SECONDS = 5.0  # of processor time, for a longer one

M = TypeVar("M", bound=BaseModel)


def parsed_request(models: type[M] | Sequence[type[M]], body: bytes) -> M:
    """Return a request from its body in JSON; of several models it is the first whose required fields are there.

    A long body is parsed in a child process, since one of empty lists takes seconds and gigabytes. Raises Refusal for
    what is not as the model describes it, and for any other field: it may be a misspelled one.
    """
    models = models if isinstance(models, Sequence) else [models]
    if len(body) <= QUICK:
        return _validated_request(models, body)
    try:
        return sandbox.call(_validated_request, models, body, seconds=SECONDS, what="the body")
    except sandbox.SandboxError as e:
        raise Refusal(503 if sandbox.is_busy_error(e) else 413, f"{e}: send less at a time") from e


def _validated_request(models: Sequence[type[M]], body: bytes) -> M:
    given = _json_object(body)
    model = next((each for each in models if given.keys() >= {*_required_names(each)}), models[0])
    try:
        return model.model_validate(given)
    except ValidationError as e:
        error = e.errors(include_url=False, include_context=False)[0]
    kind, (name, *_) = error["type"], error["loc"]
    if kind == "missing":
        needed = " or ".join(" and ".join(_required_names(each)) for each in models)
        raise Refusal(422, f"{name}: it is missing: the request needs {needed}")
    if kind == "extra_forbidden":
        known = ", ".join(model.model_fields)
        raise Refusal(422, f"{short_repr(name)} is not a field of this request: expected are {known}")
    # Of a union, the kind that was tried is among the names and numbers.
    place = ".".join(str(part) for part in error["loc"] if isinstance(part, int) or part.isidentifier())
    raise Refusal(413 if kind.endswith("too_long") else 422, f"{place}: {error['msg']}")


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        given = json.loads(body.decode("utf-8-sig"))
    except UnicodeDecodeError as e:
        words = f"the body is not UTF-8: {body[e.start : e.start + 1]!r} at byte {e.start:,}: send JSON in UTF-8"
        raise Refusal(400, words) from None
    except (ValueError, RecursionError) as e:
        raise Refusal(400, f"the body is not JSON: {e}") from None
    if not isinstance(given, dict):
        raise Refusal(422, "the body is not a JSON object: put it in braces")
    return given


def _required_names(model: type[BaseModel]) -> list[str]:
    return [name for name, field in model.model_fields.items() if field.is_required()]


def _check_total(n: int, most: int, of_what: str) -> None:
    if n > most:
        words = f"{n:,} {of_what} together: a request may have at most {most:,}, so send several"
        raise PydanticCustomError("too_long", words)  # type: ignore[arg-type]


def _limited(lists: Sequence[Any], most: int, of_what: str) -> Sequence[Any]:
    _check_total(sum(map(len, lists)), most, of_what)
    return lists


def _checked_messages(found: list[Any]) -> list[Any]:
    """Return messages, whatever is in them; all texts in them count for the limit of the texts of a request."""
    n_values = n_characters = depth = 0
    level = found
    while level:
        if depth > DEPTH_MAX:
            words = f"more than {DEPTH_MAX} lists and objects are inside each other: send fewer"
            raise PydanticCustomError("too_deep", words)  # type: ignore[arg-type]
        n_values += len(level)
        n_characters += sum(len(each) for each in level if isinstance(each, str))
        inner = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list)]
        level = [value for each in inner for value in each]
        depth += 1
    _check_total(n_values, VALUES_MAX, "JSON values")
    _check_total(n_characters, CHARACTERS_MAX, "characters")
    return found


def _as_array(ids: list[int]) -> np.ndarray:
    """Return ids as an array, which comes from a child process at once; a million integers would be made one by one."""
    try:
        return np.array(ids, np.int64)
    except OverflowError:
        raise PydanticCustomError("too_large", "an id is larger than any that tokens have") from None


def _as_list(is_one: Callable[[Any], bool]) -> Callable[[Any], Any]:
    return lambda given: [given] if is_one(given) else given


Text = Annotated[
    str,
    BeforeValidator(lambda given: well_formed_text(given) if isinstance(given, str) else given),
    Field(max_length=CHARACTERS_MAX),
]
Texts = Annotated[
    list[Text],
    Field(max_length=TEXTS_MAX, fail_fast=True),
    BeforeValidator(_as_list(lambda given: not isinstance(given, list)), json_schema_input_type=Text | list[Text]),
    AfterValidator(lambda found: _limited(found, CHARACTERS_MAX, "characters")),
]
Ids = Annotated[list[int], Field(max_length=IDS_MAX, fail_fast=True), AfterValidator(_as_array)]
IdsOfTexts = Annotated[
    list[Ids],
    Field(max_length=TEXTS_MAX, fail_fast=True),
    BeforeValidator(
        _as_list(lambda given: not (isinstance(given, list) and given and isinstance(given[0], list))),
        json_schema_input_type=list[int] | list[list[int]],
    ),
    AfterValidator(lambda found: _limited(found, IDS_MAX, "ids")),
]
Name = Annotated[str, Field(max_length=NAME_MAX)]
Names = Annotated[list[Name], Field(min_length=1, max_length=TOKENIZERS_MAX, fail_fast=True)]
AllowedSpecial = Literal["all"] | Annotated[list[Name], Field(max_length=NAMES_MAX, fail_fast=True)]
Messages = Annotated[
    list[dict[str, Any]], Field(max_length=MESSAGES_MAX, fail_fast=True), AfterValidator(_checked_messages)
]
Ignored = Annotated[Any, AfterValidator(lambda _: None)]  # not even sent on from a child process
