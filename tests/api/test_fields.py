"""Requests are taken strictly: what is not as described is refused with its place and what was expected."""

import pytest

from tokviz.api import fields
from tokviz.api.fields import parsed_request
from tokviz.api.messages import ChatRequest, CompareRequest, CountRequest, DecodeRequest
from tokviz.api.refusal import Refusal

DEEP = "[" * 30 + "]" * 30


@pytest.mark.parametrize(
    ("model", "body", "status", "words"),
    [
        (DecodeRequest, '{"ids":[1,true]}', 422, "ids.0.1: Input should be a valid integer"),
        (DecodeRequest, '{"ids":[1.0]}', 422, "ids.0.0: Input should be a valid integer"),
        (DecodeRequest, '{"ids":[[2],["1"]]}', 422, "ids.1.0: Input should be a valid integer"),
        (DecodeRequest, '{"ids":[1,[2]]}', 422, "ids.0.1: Input should be a valid integer"),
        (DecodeRequest, '{"ids":[1 2]}', 400, "the body is not JSON: .* column 11"),
        (DecodeRequest, '{"ids":[' + "9" * 5_000 + "]}", 400, "the body is not JSON"),
        (DecodeRequest, '{"ids":' + "[" * 100_000, 400, "the body is not JSON: maximum recursion"),
        (DecodeRequest, '{"ids":[' + "[]," * 10_000 + "[]]}", 413, "ids: .* at most 10000 items"),
        (CountRequest, "", 400, "the body is not JSON"),
        (CountRequest, "[]", 422, "the body is not a JSON object"),
        (CountRequest, "{}", 422, "input: it is missing: the request needs input"),
        (CountRequest, '{"input":["a",{}]}', 422, "input.1: Input should be a valid string"),
        (CountRequest, '{"input":"a","tokenizer":"' + "x" * 201 + '"}', 413, "tokenizer: .* at most 200 characters"),
        (CountRequest, '{"input":"a","allowed_special":"<s>"}', 422, "allowed_special: Input should be 'all'"),
        (CountRequest, '{"input":"a","x":1}', 422, "'x' is not a field of this request: expected are tokenizer, input"),
        (CompareRequest, '{"input":"a","tokenizers":[]}', 422, "tokenizers: List should have at least 1 item"),
        (ChatRequest, '{"messages":[NaN]}', 422, "messages.0: Input should be a valid dictionary"),
        (ChatRequest, '{"messages":[{"role":' + DEEP + "}]}", 422, "messages: more than 20 lists and objects"),
        (ChatRequest, '{"messages":[],"reply":1}', 422, "reply: Input should be a valid boolean"),
    ],
)
@pytest.mark.parametrize("quick", [fields.QUICK, 0], ids=["here", "in a child"])
def test_what_is_not_as_described_is_refused_in_words(model, body, status, words, quick, monkeypatch):
    monkeypatch.setattr(fields, "QUICK", quick)
    with pytest.raises(Refusal, match=words) as refused:
        parsed_request(model, body.encode())
    assert refused.value.status == status


def test_bodies_are_utf8():
    body = '{"input":"ที่"}'
    assert parsed_request(CountRequest, body.encode("utf-8-sig")).input == ["ที่"]
    for wrong in ("utf-16", "tis-620"):
        with pytest.raises(Refusal, match=r"the body is not UTF-8: b'.*' at byte \d+: send JSON in UTF-8"):
            parsed_request(CountRequest, body.encode(wrong))


def test_values_and_characters_of_messages_are_limited_in_all(monkeypatch):
    body = b'{"messages":[{"role":"user","content":["ab","c"]}]}'
    monkeypatch.setattr(fields, "VALUES_MAX", 5)
    monkeypatch.setattr(fields, "CHARACTERS_MAX", 7)
    assert parsed_request(ChatRequest, body).messages == [{"role": "user", "content": ["ab", "c"]}]
    for limit, n, of_what in ("VALUES_MAX", 5, "JSON values"), ("CHARACTERS_MAX", 7, "characters"):
        with monkeypatch.context() as patch, pytest.raises(Refusal, match=f"{n} {of_what} together") as refused:
            patch.setattr(fields, limit, n - 1)
            parsed_request(ChatRequest, body)
        assert refused.value.status == 413


def test_a_long_body_is_the_request_that_it_is_here(monkeypatch):
    body = b'{"input":["a","\\ud800"],"allowed_special":"all"}'
    here = parsed_request(CountRequest, body)
    monkeypatch.setattr(fields, "QUICK", 0)
    assert parsed_request(CountRequest, body) == here and here.input == ["a", "\ufffd"]
