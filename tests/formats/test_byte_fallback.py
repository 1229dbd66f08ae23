"""BPE with byte fallback from .model, tokenizer.json and GGUF: one tokenizer, with the ids of its libraries."""

import json
import random

import pytest
import sentencepiece
from each import quick
from foreign_files import sentencepiece_model
from gguf_files import sentencepiece_gguf
from hf_files import library_of
from hypothesis import given
from hypothesis import strategies as st
from many_texts import many_texts
from sentencepiece import sentencepiece_model_pb2
from sentencepiece_json import ALWAYS, FIRST, PREPENDED, sentencepiece_json
from tokenizers import AddedToken, Tokenizer, normalizers, pre_tokenizers

import tokviz
from tokviz.core.normalizer import Normalizer
from tokviz.core.pretokens import well_formed_text
from tokviz.formats.byte_fallback import uncrossed_pattern_name
from tokviz.formats.equivalence import probe_texts
from tokviz.formats.files import read_tokenizer, tokenizer_file_text
from tokviz.formats.python_code import Example, tiktoken_code_if_equivalent, tokenizers_code_if_possible

AS_IT_IS = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
MARKS = normalizers.Replace(" ", "▁")
GEMMA = pre_tokenizers.Split(" ", "merged_with_previous")
SPECIAL = [AddedToken(name, normalized=False) for name in ("<unk>", "<s>", "</s>")]
ODD = ["▁", "▁▁ a", " ▁a▁", "x\x00y", "☃☃", "> </a> <b", "  \n\n  "]
any_text = st.text(max_size=20) | st.text("the ▁\n>/<น้ำé☃[a]", max_size=20)


@pytest.fixture(scope="module")
def model() -> bytes:
    return sentencepiece_model(**AS_IT_IS)


def json_of(data, steps=(), pre_tokenizer=None, *, added=(), special=SPECIAL):
    """Return the JSON of a model with its special tokens, and other added tokens that always match."""
    tokenizer = Tokenizer.from_str(json.dumps(sentencepiece_json(data, steps, pre_tokenizer)))
    tokenizer.add_special_tokens(special)
    tokenizer.add_tokens([AddedToken(token, normalized=False) for token in added])
    return json.loads(tokenizer.to_str())


def read_json(spec):
    return read_tokenizer(json.dumps(spec).encode(), "x.json")


def changed(data, *, pieces=(), trainer=None, normalizer=None):
    """Return a model with more pieces, as text, score and type, and other settings."""
    proto = sentencepiece_model_pb2.ModelProto.FromString(data)
    for text, score, type_ in pieces:
        proto.pieces.add(piece=text, score=score, type=type_)
    for spec, options in ((proto.trainer_spec, trainer or {}), (proto.normalizer_spec, normalizer or {})):
        for key, value in options.items():
            setattr(spec, key, value)
    return proto.SerializeToString()


def test_one_vocabulary_is_one_tokenizer_from_all_three_kinds_of_files(model):
    from_model = read_tokenizer(model, "x.model")
    assert isinstance(from_model, tokviz.Tokenizer) and from_model.kind == "BPE with byte fallback"
    assert from_model.normalizer == Normalizer(marks_are_spaces=True, prefix="each")
    assert from_model.split_pattern == "sentencepiece" and not from_model.takes_whole
    assert from_model == read_tokenizer(sentencepiece_gguf(model, "llama"), "x.gguf")
    assert from_model == read_json(json_of(model, PREPENDED))
    library = sentencepiece.SentencePieceProcessor(model_proto=model)
    for text in (*many_texts(), *probe_texts(), *ODD):
        assert from_model.encode(text) == library.encode(text)


@pytest.mark.slow
@given(any_text)
def test_any_text_has_the_ids_of_sentencepiece_and_so_has_its_history(model_pair, text):
    for tokenizer, library in model_pair:
        text = well_formed_text(text)
        if "  " in tokenizer.always_special:  # which ▁ in the text as it is typed is no part of
            text = text.replace("▁", "")
        ids = library.encode(text)
        assert tokenizer.encode(text) == ids
        assert tokviz.trace(tokenizer, text).ids_at(len(tokenizer.merge_tokens)) == ids


@pytest.fixture(scope="module")
def model_pair(model):
    """Models without and with user-defined pieces, with and without a space before a text; and their libraries."""
    user = [("[a]", 0.0, 4), ("é", 0.0, 4), ("[a][", 0.0, 4)]
    datas = [
        model,
        changed(model, pieces=user),
        changed(model, pieces=[*user, ("▁▁", 0.0, 4)], normalizer={"add_dummy_prefix": False}),
        changed(model, pieces=[("▁" * n, -500.0, 1) for n in (2, 3, 4, 5, 7)]),
        changed(model, pieces=[("[PAD1]", 0.0, 5)]),
    ]
    found = []
    for data in datas:
        tokenizer = read_tokenizer(data, "x.model")
        assert isinstance(tokenizer, tokviz.Tokenizer), tokenizer.reason
        found.append((tokenizer, sentencepiece.SentencePieceProcessor(model_proto=data)))
    return found


def test_user_defined_pieces_are_part_of_the_text_that_gets_one_space(model):
    data = changed(model, pieces=[("[a]", 0.0, 4)])
    tokenizer = read_tokenizer(data, "x.model")
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert tokenizer.always_special == {"[a]"}
    for text in ("[a]", "[a][a]the", "the[a] the", " [a]"):
        assert tokenizer.encode(text) == library.encode(text)
    space = library.piece_to_id("▁")
    assert tokenizer.encode("<s>[a]</s>the", allowed_special="all")[:4] == [1, space, 450, 2]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"normalization_rule_name": "nmt_nfkc"}, "it changes characters first, by the rule nmt_nfkc"),
        ({"remove_extra_whitespaces": True}, "it leaves out spaces"),
        ({"byte_fallback": False}, "its BPE does not fall back to bytes"),
        ({"treat_whitespace_as_suffix": True}, "it does not write the space before a word as ▁"),
        ({"model_type": "unigram"}, "its model is of Unigram, and keeps no merges"),
        ({"user_defined_symbols": ["▁▁"]}, "begins with the space that is put before a text"),
    ],
)
def test_a_model_that_the_class_cannot_express_says_why(options, reason):
    data = sentencepiece_model(**AS_IT_IS | options)
    tokenizer = read_tokenizer(data, "x.model")
    assert not isinstance(tokenizer, tokviz.Tokenizer) and reason in tokenizer.reason
    assert tokenizer.encode("the  the") == sentencepiece.SentencePieceProcessor(model_proto=data).encode("the  the")


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        ([("▁th", -1.0, 5)], "merges go by way of its piece '▁th', which is unused"),
        ([("qa", -300.0, 1), ("qe", -300.0, 1)], "several of its merges have the score -300, such as that of 'qa'"),
        ([("q€", -300.0, 1)], "its merges make tokens of '€', which is not a token itself"),
        ([("€", 0.0, 3)], "its piece '€' is a character, and yet no text"),
    ],
)
def test_pieces_that_merge_in_another_way_say_so(model, pieces, reason):
    data = changed(model, pieces=pieces)
    tokenizer = read_tokenizer(data, "x.model")
    assert not isinstance(tokenizer, tokviz.Tokenizer) and reason in tokenizer.reason
    assert tokenizer.encode("qa q€ €") == sentencepiece.SentencePieceProcessor(model_proto=data).encode("qa q€ €")


RUNS = ["\n" * n for n in range(31, 0, -1)] + ["▁▁"]  # the longest first, as Gemma has them


def gemma(data, runs):
    pieces = [(run, -500.0 - i, 1) for i, run in enumerate(runs)]
    return json_of(changed(data, pieces=pieces), [MARKS], GEMMA, added=[*runs, "<table>", "[a]"])


SHAPES = {
    "Llama 2": lambda data: json_of(data, PREPENDED),
    "Mistral v1, later": lambda data: json_of(data, (), FIRST),
    "split, a space before each": lambda data: json_of(data, (), ALWAYS),
    "Gemma": lambda data: gemma(data, RUNS),
    "Gemma, few line feeds": lambda data: gemma(data, RUNS[-4:]),
    "NFKC": lambda data: json_of(data, [normalizers.NFKC(), *PREPENDED], added=["<table>"]),
}


@pytest.mark.parametrize("shape", quick(SHAPES, "Gemma"))
def test_a_tokenizer_json_has_the_ids_of_its_library_and_comes_back_from_one(model, shape):
    spec = SHAPES[shape](model)
    tokenizer = read_json(spec)
    assert isinstance(tokenizer, tokviz.Tokenizer), tokenizer.reason
    # Runs are made by merges, although they are added tokens too.
    added = {token["content"] for token in spec["added_tokens"][3:]}
    assert tokenizer.always_special == added - {*(RUNS if shape == "Gemma" else ["▁▁"])}
    assert read_json(json.loads(tokenizer_file_text(tokenizer, ".json"))) == tokenizer
    rng = random.Random(1)
    parts = ["<s>", "</s>", "<table>", "[a]", "the", " ", "  ", "\n", "\n\n\n", "é", "e\u0301", "น้ำ", "☃", "ﬁ", "> </"]
    texts = ["".join(rng.choices(parts, k=8)) for _ in range(300)]
    for allowed, library in (("all", library_of(spec)), ((), library_of(spec, plain_special=True))):
        for text in (*texts, *many_texts(), *probe_texts()):
            ids = library.encode(text, add_special_tokens=False).ids
            assert tokenizer.encode(text, allowed_special=allowed) == ids
    for text in texts:
        expected = tokenizer.encode(text)
        assert tokviz.trace(tokenizer, text).ids_at(len(tokenizer.merge_tokens)) == expected


def with_model(spec, **options):
    return spec | {"model": spec["model"] | options}


def with_merges(spec, change):
    return with_model(spec, merges=change(spec["model"]["merges"]))


def missing_way(merges):
    """Leave out the way in which merges make a token that could be made in another."""
    made = ["".join(pair) for pair in merges]
    return [pair for pair, one, other in zip(merges, made, [*made[1:], ""], strict=True) if one != other]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda spec: with_model(spec, ignore_merges=True), "it takes a text whole that is a token"),
        (lambda spec: with_model(spec, dropout=0.1), "its model has dropout 0.1"),
        (lambda spec: with_model(spec, end_of_word_suffix="</w>"), "its model has end_of_word_suffix"),
        (lambda spec: spec | {"normalizer": {"type": "Strip", "strip_left": True, "strip_right": True}}, "'Strip'"),
        (lambda spec: spec | {"normalizer": {"type": "Prepend", "prepend": "▁"}}, "and leaves its spaces"),
        (lambda spec: spec | {"pre_tokenizer": {"type": "WhitespaceSplit"}}, "splits by more than spaces"),
        (lambda spec: with_merges(spec, missing_way), "it has no merge of"),
        (lambda spec: with_model(spec, vocab={k: i for k, i in spec["model"]["vocab"].items() if k != "<0x41>"}),
         "it does not fall back to all 256 bytes: it has no <0x41>"),
        (lambda spec: spec | {"added_tokens": [spec["added_tokens"][0] | {"normalized": True}]}, "in the changed text"),
    ],
)  # fmt: skip
def test_a_tokenizer_json_that_the_class_cannot_express_says_why(model, make, reason):
    spec = make(json_of(model, PREPENDED))
    tokenizer = read_json(spec)
    assert not isinstance(tokenizer, tokviz.Tokenizer) and reason in tokenizer.reason


@pytest.mark.parametrize(
    ("tokens", "pattern"),
    [
        (["▁", "▁▁the", "\n\n", "▁> </"], "sentencepiece"),
        (["> <"], "none"),
        (["the▁"], "none"),
        (["\n▁"], "none"),
        (["\n" * 31], "sentencepiece"),
        (["\n" * 32], "none"),
    ],
)
def test_a_text_is_cut_where_no_token_reaches_across(tokens, pattern):
    assert uncrossed_pattern_name(tokens) == pattern
    if pattern == "sentencepiece":
        ranks = {bytes([i]): i for i in range(256)}
        for token in tokens:
            assert tokviz.Tokenizer("x", pattern, ranks).pretokens(token.replace("▁", " ")) == [token.replace("▁", " ")]


def test_what_no_other_file_can_hold_is_refused_with_what_can(model):
    tokenizer = read_tokenizer(model, "x.model")
    for suffix in (".tiktoken", ".model"):
        with pytest.raises(ValueError, match=r"cannot hold this tokenizer \(▁ as a space, a space .*: save a tok"):
            tokenizer_file_text(tokenizer, suffix)
    assert "[t][h] -> [th]" in tokenizer_file_text(tokenizer, ".vocab") or "[h][e] -> [he]" in tokenizer_file_text(
        tokenizer, ".vocab"
    )
    example = Example(tokenizer, "text", "the text")
    assert tiktoken_code_if_equivalent(example) is None and "from_file" in tokenizers_code_if_possible(example)
    with_piece = read_tokenizer(changed(model, pieces=[("[a]", 0.0, 4)]), "x.model")
    with pytest.raises(ValueError, match=r"a tokenizer\.json cannot hold this change of texts: ▁ as a space, a"):
        tokenizer_file_text(with_piece, ".json")
    other = tokenizer.with_vocabulary(tokenizer.mergeable_ranks, {}, split_pattern="gpt2")
    with pytest.raises(ValueError, match="cannot hold the split pattern 'gpt2'"):
        tokenizer_file_text(other, ".json")
