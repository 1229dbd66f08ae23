"""JSON is read strictly: what is not as described is refused with its place, its value and what was expected."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.api import json_reader
from tokviz.api.fields import parsed_request
from tokviz.api.inference_servers import MessagesRequest
from tokviz.api.json_reader import JsonReader
from tokviz.api.messages import ChatRequest, CountRequest, DecodeRequest
from tokviz.api.refusal import Refusal

FLOATS = st.floats(allow_nan=False, allow_infinity=False)  # JSON has neither
SCALARS = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | FLOATS | st.text(max_size=5)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_any_value_is_read_as_by_the_library(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert JsonReader(text).read_value("it") == json.loads(text)


@given(st.lists(st.integers(-9, 300_000)), st.sampled_from(["", " ", "\n  "]), st.integers(4, 20))
def test_integers_are_read_at_whatever_length_they_are_read_together(ids, space, at_once):
    text = "[" + f"{space},{space}".join(map(str, ids)) + f"{space}]"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_reader, "AT_ONCE", at_once + 2 * len(space) + 8)
        assert JsonReader(text).read_integers("ids", 1_000) == ids


@pytest.mark.parametrize(
    ("model", "body", "status", "words"),
    [
        (
            DecodeRequest,
            '{"ids":[1,true]}',
            422,
            "ids.1: expected an id, which is a whole number such as 15339, not true",
        ),
        (DecodeRequest, '{"ids":[1.0]}', 422, "ids.0: expected an id, which is a whole number such as 15339, not 1.0"),
        (DecodeRequest, '{"ids":[[2],["1"]]}', 422, 'ids.1.0: expected an id, .* not "1"'),
        (DecodeRequest, '{"ids":[1,[2]]}', 422, "ids.1: .* not a list"),
        (DecodeRequest, '{"ids":[01]}', 422, "not 01"),
        (DecodeRequest, '{"ids":[NaN]}', 422, "not NaN"),
        (DecodeRequest, '{"ids":[1,]}', 422, "ids.1: .* not ]"),
        (DecodeRequest, '{"ids":[1 2]}', 400, "the body is not JSON: expected a comma or ] at character 10, not 2"),
        (DecodeRequest, '{"ids":[' + "9" * 5_000 + "]}", 422, "not 9999.*…"),
        (DecodeRequest, '{"ids":' + "[" * 100_000, 422, "ids.0.0: .* not a list"),
        (DecodeRequest, '{"ids":[' + "[]," * 10_001, 413, "ids has more than 10,000 items"),
        (CountRequest, "", 422, "the body: expected an object in braces, not nothing"),
        (CountRequest, "[]", 422, "the body: expected an object in braces, not a list"),
        (CountRequest, "{}", 422, "input: it is missing: the request needs input"),
        (CountRequest, '{"input":null}', 422, "input: expected a text or a list of texts, not null"),
        (CountRequest, '{"input":["a",{}]}', 422, "input.1: expected a text in double quotes, not an object"),
        (CountRequest, '{"input":"a","input":"b"}', 422, "the body: 'input' is given twice: give it once"),
        (CountRequest, '{"input":"a"} 1', 400, "expected nothing after the object at character 14, not 1"),
        (CountRequest, '{"input":"a', 400, "input: unterminated string at character 9"),
        (CountRequest, '{"input":"\n"}', 400, "input: invalid control character at character 10"),
        (CountRequest, '{"input":"a","tokenizer":"' + "x" * 201 + '"}', 422, "at most 200 characters, not one of 201"),
        (CountRequest, '{"input":"a","allowed_special":"<s>"}', 422, "put one name in a list"),
        (CountRequest, '{"input":"a","x":1}', 422, "'x' is not a field of this request: expected are tokenizer, input"),
        (ChatRequest, '{"messages":[' + "[" * 30, 422, "messages.0: more than 20 lists and objects are inside"),
        (ChatRequest, '{"messages":[NaN]}', 422, "messages.0: expected a JSON value, .* not NaN"),
        (ChatRequest, '{"messages":[],"reply":1}', 422, "reply: expected true or false, not 1"),
        (MessagesRequest, '{"media_io_kwargs":' + "[" * 30, 422, "media_io_kwargs: more than 20 lists"),
    ],
)
def test_what_is_not_as_described_is_refused_in_words(model, body, status, words):
    with pytest.raises(Refusal, match=words) as refused:
        parsed_request(model, body.encode())
    assert refused.value.status == status


def test_bodies_are_utf8():
    body = '{"input":"ที่"}'
    assert parsed_request(CountRequest, body.encode("utf-8-sig")).input == ["ที่"]
    for wrong in ("utf-16", "tis-620"):
        with pytest.raises(Refusal, match=r"the body is not UTF-8: b'.*' at byte \d+: send JSON in UTF-8"):
            parsed_request(CountRequest, body.encode(wrong))


def test_values_of_any_kind_are_limited_in_number(monkeypatch):
    monkeypatch.setattr(json_reader, "VALUES_MAX", 3)
    assert JsonReader("[1,2]").read_value("it") == [1, 2]
    with pytest.raises(Refusal, match="more than 3 JSON values"):
        JsonReader("[1,[2]]").read_value("it")
