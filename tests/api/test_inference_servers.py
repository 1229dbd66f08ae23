"""The addresses of vLLM and llama.cpp: each is answered in its own schema, and refused in its own form of an error."""

import re
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount
from starlette.testclient import TestClient

import tokviz
from tokviz.api import CORS, SWITCH
from tokviz.api.routes import api_routes
from tokviz.api.tokenizers import OWN, Served
from tokviz.core.chat_settings import ChatSettings
from tokviz.formats.pretrained import ENCODINGS, INCLUDED
from tokviz.server.guard import Guard

CL100K = tokviz.load("cl100k_base")
TEXT = "Hello ที่<|endoftext|>"
HI = [{"role": "user", "content": "Hi!"}]
SURE = [*HI, {"role": "assistant", "content": "Sure,"}]
TEMPLATE = "{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content }};{% endfor %}"
TEMPLATE += "{% if add_generation_prompt %}>{% endif %}"
SETTINGS = {"server.allowedHosts": [], "server.corsAllowedOrigins": []}


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=api_routes(""))) as client:
        yield client


@pytest.fixture
def toy(monkeypatch) -> tokviz.Tokenizer:
    """A tokenizer from a file, as far as the server knows, whose models have tokens around a text."""
    toy = tokviz.train("low lower lowest", vocab_size=260, name="toy", special_tokens=["<s>", "</s>", "<é>"])
    begin, end = toy.special_tokens["<s>"], toy.special_tokens["</s>"]
    settings = ChatSettings({"default": TEMPLATE}, {"bos_token": "<s>", "eos_token": "</s>"})
    monkeypatch.setitem(OWN, "toy", Served(toy, (begin,), (end,), settings))
    return toy


def asked(client: TestClient, path: str, status: int = 200, **body):
    reply = client.post(path, json=body)
    assert reply.status_code == status, reply.text
    return reply.json()


def refused(reply, status: int) -> str:
    """Return the words of a refusal, which has the form that vLLM's and llama.cpp's have."""
    error = reply.json()["error"]
    assert reply.status_code == status == error["code"] and set(error) == {"message", "type", "param", "code"}
    return error["message"]


def test_a_prompt_is_answered_in_the_schema_of_vllm(client):
    ids = CL100K.encode(TEXT, allowed_special="all")
    answer = {"count": len(ids), "max_model_len": 1_000_000, "tokens": ids, "token_strs": None}
    assert asked(client, "/tokenize", prompt=TEXT) == asked(client, "/tokenize", model=None, prompt=TEXT) == answer
    named = asked(client, "/tokenize", model="gpt2", prompt="a low é<|endoftext|>", return_token_strs=True)
    assert named["token_strs"] == ["a", "Ġlow", "ĠÃ©", "<|endoftext|>"]
    marked = asked(client, "/tokenize", model="mistral-v3", prompt="low ที", return_token_strs=True)
    assert marked["tokens"][0] == 1 and marked["token_strs"][:2] == ["<s>", "▁low"]
    assert asked(client, "/tokenize", model="mistral-v3", prompt="𓀀", return_token_strs=True)["token_strs"][-4:] == [
        "<0xF0>", "<0x93>", "<0x80>", "<0x80>",
    ]  # fmt: skip


def test_tokens_that_models_have_around_a_text_are_there_if_asked(client, toy):
    ids = toy.encode("low")
    around = [toy.special_tokens["<s>"], *ids, toy.special_tokens["</s>"]]
    assert asked(client, "/tokenize", prompt="low")["tokens"] == around
    assert asked(client, "/tokenize", prompt="low", add_special_tokens=False)["tokens"] == ids
    assert asked(client, "/tokenize", prompt="<é>é", return_token_strs=True)["token_strs"][1:-1] == ["<é>", "Ã", "©"]
    assert asked(client, "/tokenize", content="low")["tokens"] == ids
    assert asked(client, "/tokenize", content="low", add_special=True)["tokens"] == around
    assert asked(client, "/tokenize", content="low", add_special=True, model="gpt2")["tokens"] == [9319]


@pytest.mark.parametrize("name", ["mistral-v3", *(pytest.param(name, marks=pytest.mark.slow) for name in INCLUDED)])
def test_the_token_before_a_text_is_one_of_the_special_tokens(name):
    assert INCLUDED[name].begin in {"", *tokviz.load(name).special_tokens}


@pytest.mark.parametrize("model", ["gpt2", "cl100k_base", "o200k_harmony"])
def test_ids_of_a_chat_are_decoded_with_its_markers(client, model):
    ids = asked(client, "/tokenize", model=model, messages=SURE)["tokens"]
    made = client.post("/api/v1/chat", json={"tokenizer": model, "messages": SURE}).json()
    assert ids == made["ids"]
    assert asked(client, "/detokenize", model=model, tokens=ids)["content"] == made["text"]
    reply = client.post("/api/v1/decode", json={"tokenizer": made["tokenizer"], "ids": ids}).json()
    assert reply["tokenizer"] == made["tokenizer"] and reply["results"][0]["text"] == made["text"]
    given = {"tokenizer": "gpt2 + harmony", "input": "<|start|>", "allowed_special": "all"}
    assert client.post("/api/v1/count", json=given).json()["total"] == 1
    assert "no token 300000" in refused(client.post("/detokenize", json={"model": model, "tokens": [300000]}), 400)
    for name, status in (("gpt2 + none", 400), ("none + ChatML", 404), (" + ", 400)):
        assert client.post("/api/v1/count", json={"tokenizer": name, "input": ""}).status_code == status


def test_a_chat_is_made_as_the_fields_of_vllm_say(client, toy):
    def text(**body):
        return toy.decode(asked(client, "/tokenize", **body)["tokens"])

    assert text(messages=HI) == "<s>[user]Hi!;>"
    assert text(messages=HI, add_special_tokens=True) == "<s><s>[user]Hi!;></s>"
    assert text(messages=HI, add_generation_prompt=False) == "<s>[user]Hi!;"
    assert text(messages=SURE, continue_final_message=True) == "<s>[user]Hi!;[assistant]Sure,"
    assert text(messages=HI, chat_template="{{ eos_token }}{{ messages[0].content }}") == "</s>Hi!"
    parts = [{"role": "user", "content": [{"type": "text", "text": "H"}, {"type": "text", "text": "i!"}]}]
    assert text(messages=parts, media_io_kwargs=None) == text(messages=HI)
    chatml = asked(client, "/tokenize", model="cl100k_base", messages=HI, return_token_strs=True)
    assert chatml["tokens"] == tokviz.chat(CL100K, HI).ids and chatml["token_strs"][0] == "<|im_start|>"
    opened = asked(client, "/tokenize", model="cl100k_base", messages=SURE, continue_final_message=True)["tokens"]
    whole = tokviz.chat(CL100K, SURE, reply=False).ids
    assert opened == whole[: len(opened)] and len(whole) - len(opened) == 2  # the marker and a line end
    image = [{"role": "user", "content": [{"type": "image_url"}]}]
    assert "a part of the type 'image_url'" in refused(client.post("/tokenize", json={"messages": image}), 400)
    both = {"messages": SURE, "continue_final_message": True, "add_generation_prompt": True}
    assert "exclude each other" in refused(client.post("/tokenize", json=both), 422)
    empty = {"messages": [{"role": "user", "content": ""}], "continue_final_message": True}
    assert "says nothing" in refused(client.post("/tokenize", json=empty), 422)


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/tokenize", {}, "the request needs prompt or messages or content"),
        ("/tokenize", {"prompt": "a", "content": "a"}, "'content' is not a field .* add_special_tokens"),
        ("/tokenize", {"content": "a", "add_special_tokens": True}, "'add_special_tokens' is not .* parse_special"),
        ("/tokenize", {"prompt": "a", "allow_special": []}, "'allow_special' is not a field .* add_special_tokens"),
        ("/tokenize", {"messages": HI, "tools": []}, "'tools' is not a field"),
        ("/detokenize", {}, "the request needs tokens"),
        ("/detokenize", {"tokens": [], "skip_special_tokens": True}, "'skip_special_tokens' .* model, tokens"),
    ],
)
def test_what_neither_server_takes_is_refused_with_what_is_taken(client, path, body, words):
    assert re.search(words, refused(client.post(path, json=body), 422))


def test_every_refusal_has_the_form_that_their_clients_read(client):
    for path in ("/tokenize", "/detokenize"):
        assert "not UTF-8" in refused(client.post(path, content=b"\xff"), 400)
        assert "not JSON" in refused(client.post(path, content=b'{"model":"gpt2"'), 400)
        assert "send POST" in refused(client.get(path), 405)
    for path in ("/health", "/v1/models", "/tokenizer_info"):
        assert "send GET" in refused(client.post(path, json={}), 405)
    assert "no model" in refused(client.post("/v1/completions", json={"prompt": "a"}), 404)
    words = refused(client.post("/tokenize", json={"prompt": "a", "model": "mistrl-v3"}), 404)
    assert "'mistrl-v3'. This server has mistral-v3, " in words and "o200k_base" in words
    for path in ("/v1", "/api/v1"):  # as Streamlit answers all that no route here does
        app = Starlette(routes=[*api_routes("/base"), Mount("/base", PlainTextResponse("a page"))])
        reply = TestClient(app).get(f"/base{path}")
        assert reply.status_code == 404 and f"nothing at '/base{path}/'" in reply.text
    assert client.get("/api/v1/health").json()["error"].startswith("there is nothing at '/api/v1/health'")


def test_a_server_says_that_it_is_well_what_it_has_and_what_its_default_is(client, toy):
    assert client.get("/health").json() == {"status": "ok"} and client.head("/health").status_code == 200
    found = client.get("/v1/models").json()
    assert [each["id"] for each in found["data"]] == ["toy", *ENCODINGS]
    info = client.get("/tokenizer_info").json()
    assert (info["bos_token"], info["eos_token"], info["chat_template"]) == ("<s>", "</s>", TEMPLATE)


def test_pages_of_allowed_origins_may_ask_the_interface_and_nothing_else(monkeypatch):
    def asks(app, method, path, origin, **headers):
        client = TestClient(app, base_url="http://localhost")
        return client.request(method, path, headers={"origin": origin, **headers})

    def app_allowing(origins):
        monkeypatch.setenv(CORS, origins)
        return Guard(Starlette(routes=api_routes("")), SETTINGS.get)

    ours, theirs, allow = "https://course.example", "https://foreign.example", "access-control-allow-origin"
    monkeypatch.setenv(SWITCH, "1")
    app = app_allowing("https://Course.example http://localhost:3000")
    for path in ("/tokenize", "/api/v1/count", "/v1/none"):
        wanted = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
        before = asks(app, "OPTIONS", path, ours, **wanted)
        assert before.status_code == 200 and before.headers["access-control-allow-headers"] == "content-type"
        assert before.headers[allow] == asks(app, "POST", path, ours).headers[allow] == ours  # also where it is refused
        assert asks(app, "POST", path, theirs).status_code == 403
    assert asks(app, "GET", "/bytes", ours).status_code == 403
    app = app_allowing("*")
    assert asks(app, "GET", "/health", theirs).headers[allow] == "*"
    assert asks(app, "GET", "/bytes", theirs).status_code == 403
    monkeypatch.delenv(SWITCH)
    assert asks(app, "GET", "/health", theirs).status_code == 403
    monkeypatch.setenv(SWITCH, "1")
    monkeypatch.delenv(CORS)
    assert asks(app, "GET", "/health", theirs).status_code == 403
