import hashlib
import shutil

import pytest
import tiktoken.model
from each import quick

import tokviz
from tokviz import load
from tokviz.formats import pretrained
from tokviz.formats.pretrained import encoding_of_model
from tokviz.formats.tiktoken import ranks_text


@pytest.mark.parametrize("name", quick(pretrained.PRETRAINED, "gpt2", "cl100k_base"))
def test_ranks_special_tokens_and_size_are_tiktokens(name):
    reference = tiktoken.get_encoding(name)
    tokenizer = load(name)
    assert tokenizer.mergeable_ranks == reference._mergeable_ranks
    assert tokenizer.special_tokens == reference._special_tokens
    assert tokenizer.n_vocab == reference.n_vocab


def test_encodings_that_share_a_table_have_the_ranks_of_tiktokens_files():
    digests = {"p50k_base": "94b5ca7dff4d", "p50k_edit": "94b5ca7dff4d", "r50k_base": "306cd27f03c1"}
    for name, digest in digests.items():
        file = ranks_text(load(name).mergeable_ranks).encode()
        assert hashlib.sha256(file).hexdigest().startswith(digest), name  # as in tiktoken_ext.openai_public


@pytest.mark.slow
def test_the_special_tokens_of_harmony_are_tiktokens():
    special = tiktoken.get_encoding("o200k_harmony")._special_tokens
    assert load("o200k_harmony").special_tokens == {k: v for k, v in special.items() if k != "<|reserved_200018|>"}
    assert special["<|reserved_200018|>"] == special["<|endofprompt|>"]
    assert load("o200k_harmony").mergeable_ranks == load("o200k_base").mergeable_ranks


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="'gpt9': try GPT-4 or GPT-3"):
        load("gpt9")


def test_a_missing_or_damaged_table_names_the_file_and_the_remedy(tmp_path, monkeypatch):
    tables = pretrained.TABLES
    monkeypatch.setattr(pretrained, "TABLES", tmp_path)
    pretrained.LOADED.clear()
    file = "6d1cbeee0f20b3d9449abfede4726ed8212e3aee"
    with pytest.raises(ValueError, match=f"{file}, cannot be read.*git checkout"):
        load("gpt2")
    (tmp_path / file).write_bytes(b"#version: 0.2\n")
    with pytest.raises(ValueError, match=f"{file}, is damaged; .*git checkout"):
        load("gpt2")
    shutil.copy(tables / file, tmp_path / file)
    assert load("gpt2").encode("hello world") == [31373, 995]


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-4o", "o200k_base"),
        ("gpt-3.5-turbo-0125", "cl100k_base"),
        ("ft:gpt-4o:x", "o200k_base"),
        ("gpt2", "gpt2"),
        ("gpt-5", "o200k_base"),
        ("gpt-oss-20b", "o200k_harmony"),
        ("text-davinci-003", "p50k_base"),
    ],
)
def test_a_model_name_leads_to_its_encoding(model, encoding):
    assert encoding_of_model(model) == encoding == tiktoken.encoding_name_for_model(model)


def test_tiktoken_names_no_encoding_that_is_not_included():
    named = {*tiktoken.model.MODEL_TO_ENCODING.values(), *tiktoken.model.MODEL_PREFIX_TO_ENCODING.values()}
    assert named == {*pretrained.OPENAI}


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("Qwen 3", "qwen3"),
        ("GPT-5", "o200k_base"),
        ("gpt4o", "o200k_base"),
        ("gpt-4o mini", "o200k_base"),
        ("ChatGPT", "o200k_base"),
        ("ChatGPT-4o latest", "o200k_base"),
        ("GPT-4.5", "o200k_base"),
        ("O3 mini", "o200k_base"),
        ("azure/openai/GPT_4", "cl100k_base"),
        ("GPT 3.5 Turbo", "cl100k_base"),
        ("Text Embedding 3 Small", "cl100k_base"),
        ("CL100K", "cl100k_base"),
        ("ft:gpt-4o:org/x", "o200k_base"),
        ("gpt-oss:20b", "o200k_harmony"),
        ("davinci", "r50k_base"),
        ("GPT 3", "r50k_base"),
        ("deepseek-chat", "deepseek-v4"),
        *((it.known_as.upper(), name) for name, it in pretrained.INCLUDED.items()),
        *pretrained.MODELS.items(),
        *zip(pretrained.ENCODINGS, pretrained.ENCODINGS, strict=True),
    ],
)
def test_names_that_people_use_lead_to_their_tokenizer(name, encoding):
    assert encoding_of_model(name) == encoding


def test_every_way_to_load_by_the_name_of_a_model_gives_the_same():
    assert load("GPT 2") is load("gpt2") is tokviz.load_for_model("openai/gpt-2")


@pytest.mark.parametrize(
    "name", ["gpt-9000", "qwen3.json", "./qwen3", "/home/me/gpt-4", "~/qwen3", "", "gpt-5" * 20_000]
)
def test_an_unknown_model_and_a_path_are_refused_by_name(name):
    with pytest.raises(ValueError, match="tokviz knows no tokenizer or model") as refused:
        encoding_of_model(name)
    assert len(str(refused.value)) < 500


def test_they_are_listed_by_maker_the_newest_first():
    listed = [(it.maker, -it.year) for it in map(pretrained.INCLUDED.get, pretrained.ENCODINGS)]
    makers = list(dict.fromkeys(maker for maker, _ in listed))
    assert listed == sorted(listed, key=lambda each: (makers.index(each[0]), each[1])) and makers[0] == "Qwen"
    assert sorted(pretrained.ENCODINGS) == sorted(pretrained.INCLUDED)
