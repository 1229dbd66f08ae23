"""The HTTP interface: it answers as the package does, says in words what it refuses, and is off unless switched on."""

import base64
from collections.abc import Iterator

import pytest
from coroutines import run_coroutine
from odd_texts import ODD
from pydantic import TypeAdapter
from starlette.applications import Starlette
from starlette.testclient import TestClient

import tokviz
from tokviz import api
from tokviz.api import limits
from tokviz.api.messages import ChatReply, CountReply, DecodeReply, EncodeReply, Figures
from tokviz.api.routes import api_routes
from tokviz.core.pretokens import well_formed_text
from tokviz.formats.pretrained import ENCODINGS, tokenizer_facts
from tokviz.server.guard import Guard
from tokviz.server.routes import routes

CL100K = tokviz.load("cl100k_base")


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=api_routes("/base"))) as client:
        yield client


def asked(client: TestClient, name: str, status: int = 200, **body):
    reply = client.post(f"/base/api/v1/{name}", json=body)
    assert reply.status_code == status, reply.text
    return reply.json()


def test_texts_are_encoded_counted_and_decoded_as_by_the_package(client):
    texts = [*map(well_formed_text, ODD), "a" * 20_000]
    for name in ("gpt2", "cl100k_base", "gpt-4o"):
        tokenizer = tokviz.load({"gpt-4o": "o200k_base"}.get(name, name))
        ids = [tokenizer.encode(text) for text in texts]
        found = asked(client, "encode", input=texts, tokenizer=name)
        assert found["tokenizer"] == tokenizer.name
        assert [each["ids"] for each in found["results"]] == ids
        assert [each["n_tokens"] for each in found["results"]] == [*map(len, ids)]
        counted = asked(client, "count", input=texts, tokenizer=name)
        assert counted["counts"] == [*map(len, ids)] and counted["total"] == sum(map(len, ids))
        decoded = asked(client, "decode", ids=ids, tokenizer=name)
        assert [each["text"] for each in decoded["results"]] == texts
        assert [base64.b64decode(each["bytes_base64"]).decode() for each in decoded["results"]] == texts


def test_offsets_are_places_in_the_text_as_it_was_sent(client):
    texts = ["e\u0301 x  y", "", "<s>aที่ b"]
    found = asked(client, "encode", tokenizer="mistral-v3", input=texts, offsets=True, allowed_special="all")["results"]
    for text, one in zip(texts, found, strict=True):
        spans = tokviz.load("mistral-v3").spans(text, allowed_special="all")
        assert (one["ids"], one["n_tokens"]) == (spans.ids.tolist(), len(spans))
        assert one["offsets"]["byte_end"] == spans.byte_ends.tolist()
    assert found[0]["offsets"]["byte_end"][0] == 1  # without the space that is put before a text


def test_one_text_is_asked_for_without_a_list_and_tells_offsets_in_three_units(client):
    (found,) = asked(client, "encode", input="a ที่👍", offsets=True)["results"]
    spans = tokviz.text_spans(CL100K, "a ที่👍")
    assert found["ids"] == spans.ids.tolist()
    assert found["offsets"]["utf16_end"] == spans.utf16_ends.tolist()
    assert found["offsets"]["char_start"] == spans.char_starts.tolist()
    assert found["offsets"]["byte_end"][-1] == len("a ที่👍".encode())
    assert "offsets" not in asked(client, "encode", input="a")["results"][0]
    assert asked(client, "decode", ids=[])["results"] == [{"text": "", "bytes_base64": ""}]


def test_special_tokens_are_plain_text_unless_they_are_allowed(client):
    text = "a<|endoftext|>"
    plain = asked(client, "count", input=text)["total"]
    assert plain == len(CL100K.encode(text)) > 2
    for allowed in ("all", ["<|endoftext|>"]):
        assert asked(client, "count", input=text, allowed_special=allowed)["total"] == 2
    assert "is not a special token" in asked(client, "count", 400, input=text, allowed_special=["<|no|>"])["error"]


def test_a_text_is_compared_and_a_chat_told_in_its_parts(client):
    rows = asked(client, "compare", input="สวัสดี", tokenizers=["gpt2", "o200k_base"])
    assert [(row["tokenizer"], row["n_tokens"]) for row in rows] == [("gpt2", 12), ("o200k_base", 4)]
    messages = [{"role": "user", "content": "Hi!"}]
    chat = asked(client, "chat", messages=messages, reply=False)
    assert chat["text"] == "<|im_start|>user\nHi!<|im_end|>\n" and chat["n_tokens"] == len(chat["ids"]) == 7
    assert chat["messages"] == [{"role": "user", "n_tokens": 7, "n_scaffolding": 5}]
    parts = [{"role": "user", "content": [{"type": "text", "text": "Hi!"}]}]
    for given in (
        {"messages": parts},
        {"conversations": [{"from": "human", "value": "Hi!"}]},
        {"prompt": messages, "completion": []},
        {"messages": messages, "prompt": None, "system": None},
    ):
        assert asked(client, "chat", reply=False, **given) == chat
    image = [{"role": "user", "content": [{"type": "image_url"}]}]
    assert "a part of the type 'image_url'" in asked(client, "chat", 400, messages=image)["error"]


@pytest.mark.parametrize("names", [("cl100k_base", "gpt2"), pytest.param(ENCODINGS, marks=pytest.mark.slow)])
def test_the_tokenizers_are_told_with_their_special_tokens(client, names, monkeypatch):
    monkeypatch.setattr("tokviz.api.work.ENCODINGS", names)
    found = client.get("/base/api/v1/tokenizers").json()
    assert [each["name"] for each in found] == list(names)
    assert found[0]["special_tokens"] == tokviz.load(found[0]["name"]).special_tokens
    assert found[0].items() >= tokenizer_facts(found[0]["name"]).items()


def test_a_model_is_taken_by_any_of_its_names_or_refused_with_the_reason(client):
    assert asked(client, "count", input="hello world", tokenizer="OpenAI/GPT 2") == {
        "tokenizer": "gpt2",
        "counts": [2],
        "total": 2,
    }
    assert asked(client, "count", 404, input="a", tokenizer="Claude Sonnet")["error"].startswith("Claude is not incl")


def test_what_is_refused_is_said_in_words(client, monkeypatch):
    assert "no-such" in asked(client, "count", 404, input="a", tokenizer="no-such")["error"]
    assert "1000000000" in asked(client, "decode", 400, ids=[1_000_000_000])["error"].replace(",", "")
    assert asked(client, "count", 422, input=3)["error"] == "input.0: Input should be a valid string"
    assert "characters together" in asked(client, "count", 413, input=["a" * 600_000] * 2)["error"]
    assert client.post("/base/api/v1/count", content=b"\xff{").status_code in (400, 422)
    assert asked(client, "chat", 400, messages=[{"role": "user"}])["error"]
    monkeypatch.setattr(limits, "BYTES_MAX", 1_000)
    assert "more than 1,000 bytes" in asked(client, "count", 413, input="a" * 2_000)["error"]


def test_every_refusal_is_json_with_a_sentence(client, monkeypatch, caplog):
    count = "/base/api/v1/count"

    def refused(method, path, status, **rest):
        reply = client.request(method, path, **rest)
        assert reply.status_code == status and set(reply.json()) == {"error"}, reply.text
        error = reply.json()["error"]
        return error["message"] if "/api/v1/" not in path else error

    assert refused("GET", "/base/api/v1/none", 404) == (
        "there is nothing at '/base/api/v1/none': /base/api/v1/docs describes what there is"
    )
    for path in (count, "/base/tokenize"):
        assert refused("GET", path, 405).endswith("does not answer GET: send POST")
    assert refused("POST", "/base/api/v1/tokenizers", 405).endswith("send GET")
    assert "without Content-Encoding" in refused("POST", count, 415, content=b"x", headers={"content-encoding": "gzip"})
    for path in (count, "/base/detokenize"):
        assert "more than 8,000,000 bytes" in refused("POST", path, 413, content=b" " * 8_000_001)
    assert "count as 1,200,000" in refused(
        "POST", "/base/api/v1/compare", 413, json={"input": "a" * 600_000, "tokenizers": ["gpt2"] * 2}
    )
    spaces = [CL100K.encode(" " * 80)[0]] * 200_000
    assert "more than 8,000,000 bytes" in refused("POST", "/base/detokenize", 413, json={"tokens": spaces})
    loaded = tokviz.load("cl100k_base")  # another one if that of CL100K has been forgotten
    monkeypatch.setattr(loaded, "encode_to_numpy", None)
    assert "log" in refused("POST", "/base/tokenize", 500, json={"content": "a"})
    assert "a request to /tokenize failed" in caplog.text


def test_a_body_that_is_refused_is_taken_before_the_answer():
    """Or the connection would be closed while it is sent, and the answer never read."""
    happened = []

    async def receive():
        happened.append("came")
        return {"type": "http.request", "body": b" " * 200_000, "more_body": len(happened) < 100}

    async def send(message):
        happened.append(message.get("status"))

    for path in ("/api/v1/count", "/api/v1/none", "/tokenize"):
        happened.clear()
        scope = {"type": "http", "method": "POST", "path": path, "headers": [], "query_string": b"", "client": None}
        run_coroutine(Starlette(routes=api_routes(""))({**scope, "app": None}, receive, send))
        assert happened[:100] == ["came"] * 100 and happened[100] in (404, 413)


def test_a_page_of_another_site_is_refused_in_json_where_programs_ask():
    app = Guard(Starlette(routes=api_routes("")), {"server.allowedHosts": [], "server.corsAllowedOrigins": []}.get)
    with TestClient(app, base_url="http://localhost") as client:
        for path in ("/api/v1/count", "/tokenize"):
            reply = client.post(path, json={}, headers={"origin": "https://foreign.example"})
            error = reply.json()["error"]
            words = error["message"] if path == "/tokenize" else error
            assert reply.status_code == 403 and "foreign.example" in words
        assert client.get("/bytes", headers={"origin": "https://foreign.example"}).text.startswith("this server")


def test_a_body_is_json_whatever_its_type_is_said_to_be(client):
    for headers in ({}, {"content-type": "application/x-www-form-urlencoded"}):
        reply = client.post("/base/api/v1/count", content=b'{"input":"a"}', headers=headers)
        assert reply.json()["total"] == 1


def test_lone_surrogates_are_the_replacement_character(client):
    body = b'{"messages":[{"role":"a\\ud800","content":"b\\udc00"}]}'
    found = client.post("/base/api/v1/chat", content=body).json()
    assert "a\ufffd" in found["text"] and "b\ufffd" in found["text"] and found["messages"][0]["role"] == "a\ufffd"


def test_what_is_held_for_a_client_and_for_all_is_limited(client, monkeypatch):
    body = {"input": "a" * 20_000}
    monkeypatch.setattr(limits, "HELD_BY_ONE_MAX", 10_000)
    assert "wait for their answers" in asked(client, "count", 429, **body)["error"]
    monkeypatch.setattr(limits, "HELD_BY_ONE_MAX", 100_000)
    monkeypatch.setattr(limits, "HELD_MAX", 10_000)
    assert "busy" in asked(client, "count", 503, **body)["error"]
    monkeypatch.setattr(limits, "HELD_MAX", 30_000)
    for _ in range(3):  # what was held is given back
        asked(client, "count", **body)


@pytest.mark.parametrize(
    ("name", "body", "reply"),
    [
        ("count", {"input": ["a", ""]}, CountReply),
        ("encode", {"input": "ที่"}, EncodeReply),
        ("encode", {"input": ["ที่", ""], "offsets": True}, EncodeReply),
        ("decode", {"ids": [[1], []]}, DecodeReply),
        ("compare", {"input": "ที่", "tokenizers": ["gpt2"]}, list[Figures]),
        ("chat", {"messages": [{"role": "user", "content": "Hi!"}]}, ChatReply),
    ],
)
def test_answers_are_as_described(client, name, body, reply):
    TypeAdapter(reply).validate_python(asked(client, name, **body), strict=True, extra="forbid")


def test_a_client_that_asks_too_often_is_told_when_to_come_back(client, monkeypatch):
    monkeypatch.setattr(limits, "REQUESTS_AT_ONCE", 0)
    reply = client.post("/base/api/v1/count", json={"input": "a"})
    assert reply.status_code == 429 and int(reply.headers["retry-after"]) >= 1 and "too many" in reply.json()["error"]


def test_all_addresses_of_the_interface_count_together(client, monkeypatch):
    monkeypatch.setattr(limits, "REQUESTS_PER_SECOND", 0.001)
    monkeypatch.setattr(limits, "REQUESTS_AT_ONCE", 2)
    bodies = {"api/v1/count": {"input": "a"}, "tokenize": {"content": "a"}, "detokenize": {"tokens": []}}
    assert [client.post(f"/base/{name}", json=body).status_code for name, body in bodies.items()] == [200, 200, 429]


def test_programs_for_llama_cpp_get_tokens_pieces_and_text(client):
    text = "Hello ที่<|endoftext|>"
    ids = CL100K.encode(text, allowed_special="all")
    assert client.post("/base/tokenize", json={"content": text}).json() == {"tokens": ids}
    plain = client.post("/base/tokenize", json={"content": text, "parse_special": False}).json()
    assert plain["tokens"] == CL100K.encode(text)
    pieces = client.post("/base/tokenize", json={"content": text, "with_pieces": True}).json()["tokens"]
    assert [piece["id"] for piece in pieces] == ids
    as_bytes = (p.encode() if isinstance(p, str) else bytes(p) for p in (piece["piece"] for piece in pieces))
    assert b"".join(as_bytes).decode() == text
    assert client.post("/base/detokenize", json={"tokens": ids}).json() == {"content": text, "prompt": text}
    gpt2 = client.post("/base/tokenize", json={"content": text, "model": "gpt2"}).json()["tokens"]
    assert gpt2 == tokviz.load("gpt2").encode(text, allowed_special="all")
    for body in ("[]", "{", '{"content": 1}'):
        assert client.post("/base/tokenize", content=body).json()["error"]
    assert client.post("/base/detokenize", json={"tokens": [True]}).json()["error"]


def test_the_interface_describes_itself_without_any_other_host(client):
    description = client.get("/base/api/v1/openapi.json").json()
    assert {"/count", "/encode", "/decode", "/compare", "/chat", "/tokenizers"} == {*description["paths"]}
    page = client.get("/base/api/v1/docs").text
    assert "redoc" in page and "https://" not in page
    assert "<script>" not in page  # which the server's own headers forbid
    script = page.partition('<script src="')[2].partition('"')[0]
    assert client.get(script).status_code == 200


def test_it_is_off_unless_it_is_switched_on(monkeypatch):
    monkeypatch.delenv(api.SWITCH, raising=False)
    assert not [route for route in routes("") if "api" in route.path or "tokenize" in route.path]
    monkeypatch.setenv(api.SWITCH, "1")
    assert {"/x/api/v1", "/x/tokenize"} <= {route.path for route in routes("x")}
