"""Tokenizers from files that a server is started with: at every address, with what their files say of their models."""

import json
import os

import pytest
from gguf_files import byte_level_gguf
from hf_files import byte_level
from starlette.applications import Starlette
from starlette.testclient import TestClient
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, pre_tokenizers, processors, trainers

import tokviz
from tokviz.api import TOKENIZERS
from tokviz.api.routes import api_routes
from tokviz.api.tokenizers import OWN, named_files
from tokviz.system.thread_turns import LONG_WORK

SPECIAL = ("<s>", "</s>")


def with_post_processor(spec, template):
    ids = [(name, spec["model"]["vocab"][name]) for name in SPECIAL]
    made = processors.TemplateProcessing(single=template, special_tokens=ids)
    return spec | {"post_processor": json.loads(made.__getstate__())}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with byte-level BPE, WordPiece, a GGUF file, and a repository with a chat template."""
    folder = tmp_path_factory.mktemp("own")
    spec = byte_level(special=SPECIAL)
    (folder / "mine.json").write_text(json.dumps(with_post_processor(spec, "<s> $A </s>")))
    values = {"tokenizer.ggml.add_bos_token": True, "tokenizer.ggml.bos_token_id": 0, "tokenizer.ggml.eos_token_id": 1}
    (folder / "llama.gguf").write_bytes(byte_level_gguf(spec, values=values))
    (folder / "repository").mkdir()
    (folder / "repository/tokenizer.json").write_text(json.dumps(spec))
    config = {"bos_token": "<s>", "eos_token": "</s>", "add_eos_token": True, "chat_template": "{{ bos_token }}!"}
    (folder / "repository/tokenizer_config.json").write_text(json.dumps(config))
    words = LibraryTokenizer(models.WordPiece(unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    names = ["[UNK]", "[CLS]", "[SEP]"]
    trainer = trainers.WordPieceTrainer(vocab_size=60, special_tokens=names, show_progress=False)
    words.train_from_iterator(["hello world"], trainer)
    words.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    words.save(str(folder / "bert.json"))
    return folder


@pytest.fixture
def serve(folder, monkeypatch):
    def client(*words):
        named = (word.replace("FOLDER", str(folder)) for word in words)
        monkeypatch.setenv(TOKENIZERS, os.pathsep.join(named))
        return TestClient(Starlette(routes=api_routes("")))

    yield client
    OWN.clear()


def test_files_have_their_own_names_or_those_given_and_say_what_models_have_around_a_text(folder):
    files = ["mine.json", "repository", "bert.json"]
    found = named_files([f"l={folder}/llama.gguf", *(f"{folder}/{file}" for file in files)])
    assert [one.tokenizer.name for one in found.values()] == ["l", "mine", "repository", "bert"] == [*found]
    assert [(one.begin, one.end) for one in found.values()] == [((0,), ()), ((0,), (1,)), ((), (1,)), ((1,), (2,))]


@pytest.mark.parametrize("damage", [{"special_tokens": {}}, {"single": []}, {"special_tokens": {"<s>": 1}}])
def test_a_damaged_post_processor_is_refused_in_words(tmp_path, damage):
    spec = with_post_processor(byte_level(special=SPECIAL), "<s> $A </s>")
    spec["post_processor"] |= damage
    (tmp_path / "mine.json").write_text(json.dumps(spec))
    with pytest.raises(ValueError, match=r"mine.json, post_processor: the tokenizers library .* damaged"):
        named_files([str(tmp_path / "mine.json")])


def test_a_token_named_post_processor_is_none(tmp_path):
    spec = byte_level()
    vocab = spec["model"]["vocab"] | {"post_processor": len(spec["model"]["vocab"])}
    (tmp_path / "vocab.json").write_text(json.dumps(vocab))
    (tmp_path / "merges.txt").write_text("\n".join(["#version: 0.2", *map(" ".join, spec["model"]["merges"])]))
    (found,) = named_files([str(tmp_path)]).values()
    assert (found.begin, found.end) == ((), ())


def test_two_of_one_name_and_a_missing_file_are_refused(tmp_path):
    file = tmp_path / "toy.model"
    tokviz.save(tokviz.train("low lower", vocab_size=258), file)
    with pytest.raises(ValueError, match="two tokenizers have the name toy: give one of them another"):
        named_files([str(file), f"toy={file}"])
    with pytest.raises(FileNotFoundError, match="there is no file 'b=none'"):
        named_files(["a=b=none"])


def test_one_of_any_family_is_served_at_every_address_and_is_the_default(serve, folder):
    client, bert = serve("FOLDER/bert.json"), tokviz.read(folder / "bert.json")
    text = "hello world ที่"
    ids = bert.encode(text)

    def asked(name, **body):
        reply = client.post(name, json=body)
        assert reply.status_code == 200, reply.text
        return reply.json()

    assert asked("/api/v1/count", input=[text, ""]) == {"tokenizer": "bert", "counts": [len(ids), 0], "total": len(ids)}
    (found,) = asked("/api/v1/encode", input=text, offsets=True)["results"]
    assert found["ids"] == ids and found["offsets"]["char_start"] == bert.spans(text).char_starts.tolist()
    assert asked("/api/v1/decode", ids=[ids, []])["results"][0]["text"] == bert.decode(ids)
    compared = asked("/api/v1/compare", input=text, tokenizers=["bert", "gpt2"])
    assert compared[0]["unknown_share"] > 0 == compared[1]["unknown_share"]
    assert asked("/api/v1/chat", messages=[{"role": "user", "content": "hello"}])["tokenizer"] == "bert"
    named = asked("/tokenize", prompt="hello", return_token_strs=True)
    assert named["token_strs"] == ["[CLS]", "hello", "[SEP]"]
    assert asked("/detokenize", tokens=named["tokens"][1:2])["prompt"] == "hello"
    assert client.get("/v1/models").json()["data"][0]["id"] == "bert"
    error = client.post("/api/v1/decode", json={"ids": [1, 99]})
    assert error.status_code == 400 and "99" in error.json()["error"]


def test_of_several_none_is_the_default_and_each_is_listed(serve, monkeypatch):
    monkeypatch.setattr("tokviz.api.work.ENCODINGS", ["gpt2"])
    client = serve("FOLDER/mine.json", "r=FOLDER/repository")
    assert client.post("/api/v1/count", json={"input": "a"}).json()["tokenizer"] == "cl100k_base"
    listed = client.get("/api/v1/tokenizers").json()
    assert [each["name"] for each in listed] == ["mine", "r", "gpt2"]
    assert listed[0]["special_tokens"] == {"<s>": 0, "</s>": 1}
    chat = client.post("/api/v1/chat", json={"messages": [], "tokenizer": "r"}).json()
    assert chat["text"] == "<s>!"  # by its own chat template
    words = client.post("/api/v1/count", json={"input": "a", "tokenizer": "mein"}).json()["error"]
    assert "This server has mine, " in words


def test_a_request_that_may_wait_for_a_child_process_holds_up_nobody(serve, monkeypatch):
    turns, turn = [], LONG_WORK.turn
    monkeypatch.setattr(LONG_WORK, "turn", lambda name: turns.append(name) or turn(name))
    client = serve("FOLDER/mine.json")
    client.post("/tokenize", json={"prompt": "a"})
    assert not turns
    client.post("/tokenize", json={"messages": []})
    client = serve("FOLDER/bert.json")
    client.get("/health")
    client.post("/tokenize", json={"prompt": "a"})
    assert turns == ["api", "api"]
