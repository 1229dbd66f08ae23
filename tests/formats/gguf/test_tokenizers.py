"""Tokenizers in GGUF files: ids are those of the library that each vocabulary was made with, on 500 texts."""

import json
from itertools import product

import pytest
import sentencepiece
import tokenizers
from each import quick
from foreign_files import sentencepiece_model
from gguf import GGUFEndian, TokenType
from gguf_files import byte_level_gguf, gguf_file, sentencepiece_gguf, wordpiece_gguf
from hf_files import LLAMA3, QWEN2, TEXTS, byte_level, library_of, splitting
from many_texts import many_texts
from sentencepiece import sentencepiece_model_pb2
from sentencepiece_json import sentencepiece_json
from tokenizers import AddedToken, Regex, models, normalizers, pre_tokenizers, trainers

from tokviz import Tokenizer, trace, trim
from tokviz.core.pair_history import PairHistory
from tokviz.core.pretokens import well_formed_text
from tokviz.core.vocabulary import NEVER_IN_UTF8
from tokviz.formats.files import needs_split_pattern, read, read_tokenizer
from tokviz.formats.huggingface.byte_alphabet import CHARACTER_OF
from tokviz.formats.llama_cpp_patterns import PATTERNS
from tokviz.formats.sentencepiece import SentencePieceTokenizer

AS_IT_IS = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
BOS = "<|begin_of_text|>"


def cut_by(*patterns: str) -> pre_tokenizers.PreTokenizer:
    splits = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in patterns]
    return pre_tokenizers.Sequence([*splits, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


BYTE_LEVEL = {
    "gpt-2": lambda: byte_level(),
    "llama-bpe": lambda: byte_level(splitting(LLAMA3), special=(BOS,), ignore_merges=True),
    "qwen2": lambda: byte_level(splitting(QWEN2), special=(), later=("<|endoftext|>", "<|im_start|>")),
}
LITTLE, BIG = GGUFEndian.LITTLE, GGUFEndian.BIG


@pytest.mark.parametrize(
    ("pre", "endian"),
    [
        ("llama-bpe", LITTLE),
        ("qwen2", BIG),
        *(pytest.param("gpt-2", endian, marks=pytest.mark.slow) for endian in (LITTLE, BIG)),
        pytest.param("llama-bpe", BIG, marks=pytest.mark.slow),
        pytest.param("qwen2", LITTLE, marks=pytest.mark.slow),
    ],
)
def test_byte_level_bpe_becomes_a_tokenizer_with_the_ids_of_its_library(pre, endian):
    spec = BYTE_LEVEL[pre]()
    tokenizer = read_tokenizer(byte_level_gguf(spec, pre, endian=endian), "small.gguf")
    assert isinstance(tokenizer, Tokenizer) and tokenizer.name == "small"
    plain, allowing = library_of(spec, plain_special=True), library_of(spec)
    for text in many_texts():
        assert tokenizer.encode(text) == plain.encode(text).ids
    for special in tokenizer.special_tokens:
        text = f"a{special} the{special}"
        assert tokenizer.encode(text, allowed_special="all") == allowing.encode(text).ids
    assert tokenizer.special_tokens == {token["content"]: token["id"] for token in spec["added_tokens"]}
    assert trace(tokenizer, "the others").tokens_at(len(tokenizer.merges))[-1] == 10


@pytest.mark.parametrize(
    ("pre", "is_joined"),
    quick(
        [("default", True), ("tekken", True), ("starcoder", True), ("deepseek-v3", True), ("deepseek-llm", False),
         ("falcon", True), ("gpt-4o", True), ("minicpm5", True), ("kimi-k2", True), ("deepseek-coder", True)],
        "deepseek-llm", "kimi-k2",
    ),
)  # fmt: skip
def test_every_way_to_cut_gives_the_ids_of_its_library(pre, is_joined):
    spec = byte_level(cut_by(*PATTERNS[pre]))
    tokenizer = read_tokenizer(byte_level_gguf(spec, pre), "small.gguf")
    library = library_of(spec, plain_special=True)
    for text in many_texts():
        assert tokenizer.encode(text) == library.encode(text).ids
    assert isinstance(tokenizer, Tokenizer) == is_joined
    assert is_joined or "read differently" in tokenizer.reason


def test_a_pretoken_that_is_a_token_ignores_merges_where_llama3s_do():
    """One merge is left out, so that its token is reached as a whole pretoken alone, though others lead to it."""
    spec = byte_level(splitting(LLAMA3), ignore_merges=True)
    spec["model"]["merges"] = [pair for pair in spec["model"]["merges"] if "".join(pair) != "Ġthe"]
    library = library_of(spec, plain_special=True)
    assert library.encode(" the").ids == [spec["model"]["vocab"]["Ġthe"]]
    tokenizer = read_tokenizer(byte_level_gguf(spec, "llama-bpe"), "small.gguf")
    assert "it has no merge of b' t' and b'he', which make a token" in tokenizer.reason
    assert [tokenizer.encode(text) for text in many_texts()] == [library.encode(text).ids for text in many_texts()]


def test_a_split_pattern_that_is_not_known_is_asked_for():
    spec = byte_level(splitting(LLAMA3))
    data = byte_level_gguf(spec, "next-year")
    with pytest.raises(ValueError, match=r"x\.gguf: its pre-tokenizer 'next-year' is not known here; give split_patte"):
        read_tokenizer(data, "x.gguf")
    tokenizer = read_tokenizer(data, "x.gguf", split_pattern="llama3")
    assert tokenizer.split_pattern == "llama3"
    library = library_of(spec, plain_special=True)
    assert [tokenizer.encode(text) for text in TEXTS] == [library.encode(text).ids for text in TEXTS]
    assert needs_split_pattern(data, "x.gguf") and not needs_split_pattern(byte_level_gguf(spec, "qwen2"), "x.gguf")
    with pytest.raises(ValueError, match="this is GGUF, whose special tokens are its own"):
        read_tokenizer(data, "x.gguf", special_tokens=["<s>"])


@pytest.mark.parametrize("pattern", quick(["gpt2", "none", "[a-z]+|[^a-z]"], "[a-z]+|[^a-z]"))
def test_any_split_pattern_is_taken_for_one_that_is_not_known(pattern):
    data = byte_level_gguf(byte_level(splitting(LLAMA3)), "next-year")
    assert read_tokenizer(data, "x.gguf", split_pattern=pattern).split_pattern == pattern


@pytest.mark.parametrize("split_pattern", [None, "gpt2"])
def test_bpe_that_is_not_byte_level_is_refused_whatever_pattern_is_given(split_pattern):
    data = byte_level_gguf(byte_level(), "sarvam-moe")
    with pytest.raises(
        ValueError, match=r"^x\.gguf: its BPE, cut as 'sarvam-moe', is not byte-level and not read; open"
    ):
        read_tokenizer(data, "x.gguf", split_pattern=split_pattern)
    assert not needs_split_pattern(data, "x.gguf")


def test_bytes_that_utf8_never_has_need_no_token():
    spec = byte_level(special=())
    ids = {token: i for token, i in spec["model"]["vocab"].items() if token not in map(CHARACTER_OF.get, NEVER_IN_UTF8)}
    spec["model"]["vocab"] = {token: i for i, token in enumerate(ids)}
    library = library_of(spec, plain_special=True)
    tokenizer = read_tokenizer(byte_level_gguf(spec), "small.gguf")
    assert isinstance(tokenizer, Tokenizer) and tokenizer.single_byte_ids.count(-1) == 13
    for text in [*many_texts(), "\ud800", "\U0010ffff\x00"]:
        ids = library.encode(well_formed_text(text)).ids
        assert tokenizer.encode(text) == trace(tokenizer, text).ids_at(len(tokenizer.merges)) == ids
    assert trim(tokenizer, "").tokenizer.n_vocab == 243
    pairs = PairHistory.of_trace(trace(tokenizer, "aaa")).top_pair_table(0, n_rows=1)
    assert [(row.pair, row.count) for row in pairs.rows] == [((tokenizer.single_byte_ids[97],) * 2, 2)]


def test_gemmas_own_kind_is_bpe_with_byte_fallback_and_its_merges():
    spec = sentencepiece_json(sentencepiece_model(**AS_IT_IS), [normalizers.Replace(" ", "▁")])
    spec["model"]["unk_token"] = "<unk>"
    tokens = sorted(spec["model"]["vocab"], key=spec["model"]["vocab"].__getitem__)
    types = [TokenType.CONTROL if token in ("<s>", "</s>") else TokenType.NORMAL for token in tokens]
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in spec["model"]["merges"]]
    values = {"tokenizer.ggml.unknown_token_id": spec["model"]["vocab"]["<unk>"]}
    tokenizer = read_tokenizer(gguf_file("gemma4", tokens, types, merges=merges, values=values), "small.gguf")
    assert isinstance(tokenizer, Tokenizer) and tokenizer.special_tokens == {"<s>": 1, "</s>": 2}
    library = library_of(spec, plain_special=True)
    for text in many_texts():
        assert tokenizer.encode(text) == library.encode(text).ids


def test_what_fills_up_a_table_may_be_marked_as_unknown():
    data = sentencepiece_model(**AS_IT_IS)
    proto = sentencepiece_model_pb2.ModelProto.FromString(data)
    for i in range(3):
        proto.pieces.add(piece=f"[PAD{i}]", type=2)
    proto.pieces[0].type = 3
    given = sentencepiece_gguf(proto.SerializeToString(), "llama", values={"tokenizer.ggml.unknown_token_id": 0})
    tokenizer = read_tokenizer(given, "small.gguf")
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert isinstance(tokenizer, Tokenizer)
    assert tokenizer.encode("☃ [PAD1] the") == library.encode("☃ [PAD1] the")


def test_user_defined_tokens_always_match_and_unused_ones_are_left_out():
    spec = byte_level(special=(), later=("<|endoftext|>",))
    library = tokenizers.Tokenizer.from_str(json.dumps(spec))
    library.add_tokens([AddedToken("<tool>", normalized=False)])
    spec = json.loads(library.to_str())
    library = library_of(spec, plain_special=True)
    tokenizer = read_tokenizer(byte_level_gguf(spec), "small.gguf")
    assert isinstance(tokenizer, Tokenizer) and tokenizer.always_special == {"<tool>"}
    assert tokenizer.encode("a<tool>b<|endoftext|>") == library.encode("a<tool>b<|endoftext|>").ids
    assert {*tokenizer.special_tokens} == {"<|endoftext|>", "<tool>"}
    assert trace(tokenizer, "the <tool> theory").ids_at(len(tokenizer.merges)) == tokenizer.encode("the <tool> theory")
    assert tokenizer.n_vocab == library.get_vocab_size()


@pytest.mark.parametrize(
    ("kind", "model", "options"),
    [
        pytest.param("bpe", "llama", {"normalization_rule_name": "identity", "remove_extra_whitespaces": False},
                     marks=pytest.mark.slow),
        ("bpe", "llama", {"normalization_rule_name": "identity", "remove_extra_whitespaces": False,
                          "add_dummy_prefix": False, "user_defined_symbols": ["▁▁", "<tool>"]}),
        ("unigram", "t5", {"byte_fallback": False, "vocab_size": 300, "character_coverage": 0.98}),
        pytest.param("unigram", "t5", {"remove_extra_whitespaces": False}, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_sentencepiece_has_the_ids_of_its_library(kind, model, options):
    data = sentencepiece_model(kind, **options)
    tokenizer = read_tokenizer(sentencepiece_gguf(data, model), "small.gguf")
    assert isinstance(tokenizer, Tokenizer if kind == "bpe" else SentencePieceTokenizer)
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    for text in many_texts():
        assert tokenizer.encode(text) == library.encode(text)
    assert tokenizer.special_tokens.items() >= {"<s>": 1, "</s>": 2}.items()
    assert tokenizer.kind == ("BPE with byte fallback" if kind == "bpe" else "SentencePiece Unigram")
    assert tokenizer.unknown_id == (None if kind == "bpe" else 0)


def wordpiece(*, lowercase: bool) -> dict:
    library = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    library.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    trainer = trainers.WordPieceTrainer(vocab_size=500, special_tokens=special, show_progress=False)
    library.train_from_iterator(TEXTS, trainer)
    return json.loads(library.to_str())


@pytest.mark.parametrize(
    ("lowercase", "says_so"), quick(product((True, False), repeat=2), (True, False), (False, True))
)
def test_wordpiece_has_the_ids_of_its_library(lowercase, says_so):
    spec = wordpiece(lowercase=lowercase)
    values = {"tokenizer.ggml.normalizer.lowercase": lowercase} if says_so else {}
    tokenizer = read_tokenizer(wordpiece_gguf(spec, values=values), "small.gguf")
    assert tokenizer.kind == "WordPiece" and tokenizer.unknown_id == 1
    library = library_of(spec, plain_special=True)
    for text in many_texts():
        assert tokenizer.encode(text) == library.encode(text).ids
    assert tokenizer.encode("a[SEP]", allowed_special="all")[-1] == 3


def test_user_defined_tokens_of_wordpiece_match_as_they_are_written_in_texts():
    tokens = ["[UNK]", "▁low", "er", "▁<tool>"]
    types = [TokenType.UNKNOWN, TokenType.NORMAL, TokenType.NORMAL, TokenType.USER_DEFINED]
    values = {"tokenizer.ggml.unknown_token_id": 0}
    tokenizer = read_tokenizer(gguf_file("bert", tokens, types, values=values), "small.gguf")
    assert tokenizer.encode("lower<tool>low") == [1, 2, 3, 1]
    assert tokenizer.n_vocab == 4


def test_a_file_of_2023_without_types_has_its_special_tokens_by_their_roles():
    data = byte_level_gguf(byte_level(), padding=0, values={"tokenizer.ggml.eos_token_id": 0})
    without_types = data.replace(b"tokenizer.ggml.token_type", b"tokenizer.ggml.other_type")
    tokenizer = read_tokenizer(without_types, "x.gguf")
    assert tokenizer == read_tokenizer(data, "x.gguf") and tokenizer.special_tokens == {"<|endoftext|>": 0}


@pytest.mark.parametrize("types", ["normal", "none"])
def test_byte_tokens_of_bpe_are_looked_up_by_their_text(types):
    data = sentencepiece_model(normalization_rule_name="identity", remove_extra_whitespaces=False)
    proto = sentencepiece_model_pb2.ModelProto.FromString(data)
    tokens, scores = [piece.piece for piece in proto.pieces], [piece.score for piece in proto.pieces]
    typed = [TokenType.NORMAL if piece.type == TokenType.BYTE else TokenType(piece.type) for piece in proto.pieces]
    roles = {"unknown": 0, "bos": 1, "eos": 2}
    values = {f"tokenizer.ggml.{role}_token_id": token_id for role, token_id in roles.items()}
    made = gguf_file("llama", tokens, typed, scores=scores, values=values)
    if types == "none":
        made = made.replace(b"tokenizer.ggml.token_type", b"tokenizer.ggml.other_type")
    tokenizer = read_tokenizer(made, "small.gguf")
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    for text in (*TEXTS, "☃ é\x00"):
        assert tokenizer.encode(text) == library.encode(text)
    assert isinstance(tokenizer, Tokenizer) and tokenizer.decode(tokenizer.encode("☃")) == " ☃"
    some = ["<0x41>" if token == "<0x42>" else token for token in tokens]  # one of the bytes is missing
    with pytest.raises(ValueError, match="already defined"):
        read_tokenizer(gguf_file("llama", some, typed, scores=scores, values=values), "small.gguf")
    some = ["other" if token == "<0x42>" else token for token in tokens]
    fewer = read_tokenizer(gguf_file("llama", some, typed, scores=scores, values=values), "small.gguf")
    assert fewer.unknown_id in fewer.encode("☃")


def test_of_a_model_only_the_header_is_read(tmp_path):
    spec = byte_level()
    data = byte_level_gguf(spec, tensors=1_000)
    with open(tmp_path / "model.gguf", "wb") as file:
        file.write(data)
        file.truncate(60_000_000_000)  # a hole, which takes no room on the disk
    tokenizer = read(tmp_path / "model.gguf")
    assert read(tmp_path / "model.gguf", name="mine").name == "mine"
    assert tokenizer == read_tokenizer(data, "model.gguf") and tokenizer.name == "model"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (gguf_file("rwkv", ["a"], [1]), "its vocabulary is of the kind 'rwkv'; read are gpt2"),
        (gguf_file("gpt2", ["a", "a"], [1, 1], merges=["a a"]), "its token 'a' has the ids 0 and 1"),
        (gguf_file("gpt2", ["a", "b"], [1]), "damaged: it has 2 tokens, but 1 types"),
        (gguf_file("llama", ["a", "b"], [1, 1], scores=[0.5]), "damaged: it has 2 tokens, but 1 scores"),
        (gguf_file("llama", ["a", "b"], [1, 1], scores=[0.5, 1.0]), "SentencePiece does not take it"),
        (gguf_file("gpt2", ["a"], [1], merges=["a b"]), "the tokenizers library does not take this file"),
        (gguf_file("gpt2", [b"\xff"], [1], merges=["a b"]), "a string of 'tokenizer.ggml.tokens' is not UTF-8"),
    ],
)
def test_what_is_damaged_or_of_another_kind_is_refused(data, words):
    with pytest.raises(ValueError, match=rf"^x\.gguf: .*{words}|^x: .*{words}"):
        read_tokenizer(data, "x.gguf")
    with pytest.raises(ValueError, match=r"takes no split pattern|damaged|does not take"):
        read_tokenizer(data, "x.gguf", split_pattern="gpt2")
