import hashlib
import shutil

import pytest
import tiktoken
from each import quick

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
    with pytest.raises(ValueError, match="'gpt9'; choose one of gpt2"):
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


def test_an_unknown_model_is_refused_by_name():
    with pytest.raises(ValueError, match="does not know the model 'gpt-9000'"):
        encoding_of_model("gpt-9000")
