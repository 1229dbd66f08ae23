"""Files of every kind are known by content, and what is damaged or none is refused in words."""

import base64

import pytest
import sentencepiece
import tiktoken
from each import quick
from examples import times
from foreign_files import sentencepiece_model
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD
from sentencepiece import sentencepiece_model_pb2

from tokviz import SPLIT_PATTERNS, Tokenizer, trace
from tokviz.core.pretokens import well_formed_text
from tokviz.core.spans import text_spans
from tokviz.formats.equivalence import probe_texts
from tokviz.formats.files import read_tokenizer
from tokviz.formats.table import file_format_if_known


@pytest.fixture(scope="module")
def models() -> dict[str, bytes]:
    return {
        "bpe": sentencepiece_model("bpe"),
        "unigram": sentencepiece_model("unigram"),
        "no fallback": sentencepiece_model("unigram", byte_fallback=False, vocab_size=250, character_coverage=0.98),
        "identity": sentencepiece_model(
            "bpe", normalization_rule_name="identity", remove_extra_whitespaces=False, add_dummy_prefix=False
        ),
    }


def test_a_rank_file_is_read_whatever_its_name(tmp_path):
    (tmp_path / "own.txt").write_bytes(RANKS)
    tokenizer = Tokenizer.read(tmp_path / "own.txt", split_pattern="cl100k", special_tokens={"<s>": 999})
    assert (tokenizer.name, tokenizer.split_pattern, tokenizer.special_tokens) == ("own", "cl100k", {"<s>": 999})
    assert list(tokenizer.mergeable_ranks) == [*BYTES, b"ab", b"abc"]
    with pytest.raises(ValueError, match=r"own.txt: a .tiktoken file holds no split pattern; give split_pattern, one"):
        Tokenizer.read(tmp_path / "own.txt")


def rank_file(tokens: list[bytes], first: int = 0) -> bytes:
    return b"".join(base64.b64encode(token) + f" {i}\n".encode() for i, token in enumerate(tokens, first))


BYTES = [bytes([i]) for i in range(256)]
RANKS = rank_file([*BYTES, b"ab", b"abc"])


def test_special_tokens_may_fill_gaps_in_the_ranks():
    data = rank_file(BYTES) + rank_file([b"ab"], 257)
    with pytest.raises(ValueError, match=r"no token has the rank 256\. Either lines are missing, or it is the id of a"):
        read_tokenizer(data, "x", split_pattern="none")
    tokenizer = read_tokenizer(data, "x", split_pattern="none", special_tokens={"<s>": 256})
    assert tokenizer.encode("ab<s>", allowed_special="all") == [257, 256]
    around = read_tokenizer(rank_file(BYTES) + rank_file([b"ab"], 260), "x", split_pattern="none",
                            special_tokens={"<s>": 258, "</s>": 300})  # fmt: skip
    assert around.encode("ab<s>", allowed_special="all") == [260, 258]
    elsewhere = rank_file(BYTES) + rank_file([b"ab"], 257) + rank_file([b"abc"], 259)
    with pytest.raises(ValueError, match="no token has the rank 258"):
        read_tokenizer(elsewhere, "x", split_pattern="none", special_tokens={"<s>": 256})
    named = read_tokenizer(RANKS, "x", split_pattern="gpt2", special_tokens=["<a>"])
    assert named.special_tokens == {"<a>": 258}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (RANKS[:-1], "line 258: the line does not end; the file is cut off"),
        (RANKS + b"!!! 258\n", "line 259: expected a token in base 64 and its rank, not b'!!! 258'"),
        (RANKS + b"YQ= 258\n", "line 259: expected a token in base 64"),
        (RANKS + b"YWE=\n", "line 259: expected a token in base 64 and its rank"),
        (RANKS + b"YWE= -1\n", "line 259: expected a token in base 64 and its rank"),
        (RANKS + b"YWI= 258\n", "line 259: the token b'ab' has the rank 256 already"),
        (RANKS + b"YWE= 257\n", "the rank 257 is given to two tokens"),
        (RANKS + b"YWE= 4000000000\n", "the rank 4000000000 is over"),
        (RANKS + b"YWE= 300\n", "no token has the rank 258"),
        (RANKS + b"\xff\n", "line 259: expected a token"),
        (rank_file(BYTES[:244]), "lacks the byte 244"),
    ],
)
def test_damaged_rank_files_are_refused_in_words(data, words):
    with pytest.raises(ValueError, match=words):
        read_tokenizer(data, "x", split_pattern="gpt2")


@pytest.mark.parametrize("more", [[b"xyz"], [b"abc", b"ab"]])
def test_a_rank_file_may_have_tokens_that_no_merge_of_lower_ranks_makes(more):
    ranks = {token: rank for rank, token in enumerate([*BYTES, *more])}
    tokenizer = read_tokenizer(rank_file([*BYTES, *more]), "x", split_pattern="gpt2")
    library = tiktoken.Encoding("x", pat_str=SPLIT_PATTERNS["gpt2"], mergeable_ranks=ranks, special_tokens={})
    for text in ("xyz", "xyz xyz axyz xyzxyz", "abc", "abc abc ababc abcabc cabc"):
        assert tokenizer.encode(text) == library.encode(text) == trace(tokenizer, text).ids_at(len(more))


@pytest.mark.parametrize("name", quick(["bpe", "unigram", "no fallback", "identity"], "identity", "unigram"))
def test_sentencepiece_has_the_ids_of_its_library_and_places_in_the_text(models, name):
    tokenizer = read_tokenizer(models[name], f"{name}.model")
    library = sentencepiece.SentencePieceProcessor(model_proto=models[name])
    for text in map(well_formed_text, [*ODD, *probe_texts()]):
        ids, spans = tokenizer.encode(text), text_spans(tokenizer, text)
        assert ids == library.encode(text) == spans.ids.tolist()
        assert spans.text == text
        assert tokenizer.decode(ids) == library.decode(ids)
        offsets = library.encode(text, return_type="offset_mapping")["offsets"]
        for i, token_id in enumerate(ids):
            if not library.is_byte(token_id):
                assert (spans.char_starts[i], spans.char_ends[i]) == offsets[i]
        # A token that fell back to bytes stands at its byte of the text, except where normalising changed it.
        fallen = [
            i
            for i, token_id in enumerate(ids)
            if library.is_byte(token_id) and spans.byte_ends[i] > spans.byte_starts[i]
        ]
        if name == "identity":
            for i in fallen:
                held = text.encode()[spans.byte_starts[i] : spans.byte_ends[i]]
                assert held == tokenizer.token_bytes(ids[i])


@pytest.mark.slow
@times(3)
@given(text=st.text(max_size=30))
def test_sentencepiece_without_normalising_covers_all_of_any_text(models, text):
    tokenizer = read_tokenizer(models["identity"], "identity.model")
    spans = text_spans(tokenizer, text)
    assert spans.text == well_formed_text(text) == tokenizer.decode(spans.ids.tolist())
    assert b"".join(spans.data[a:b] for a, b in zip(spans.byte_starts, spans.byte_ends, strict=True)) == spans.data


def test_the_space_put_before_the_text_is_an_empty_token(models):
    tokenizer = read_tokenizer(models["bpe"], "bpe.model")
    spans = text_spans(tokenizer, "☃  x ")
    assert tokenizer.token_bytes(spans.ids[0]) == b" "
    places = list(zip(spans.byte_starts.tolist(), spans.byte_ends.tolist(), strict=True))
    assert places[:4] == [(0, 0), (0, 1), (1, 2), (2, 3)]
    assert spans.partial[1] and (spans.char_starts[1], spans.char_ends[1]) == (0, 1)
    assert spans.byte_ends[-1] == len("☃  x".encode())  # the space at the end belongs to no token


def test_control_symbols_are_special_tokens_and_unknown_text_is_named(models):
    tokenizer = read_tokenizer(models["no fallback"], "x.model")
    assert tokenizer.kind == "SentencePiece Unigram"
    assert tokenizer.special_tokens == {"<s>": 1, "</s>": 2} and tokenizer.unknown_id == 0
    assert 1 not in tokenizer.encode("<s>")
    assert tokenizer.encode("<s>a</s>", allowed_special="all") == [1, *tokenizer.encode("a"), 2]
    spans = tokenizer.spans("a<s>☃☃", allowed_special="all")
    assert spans.ids[-1] == 0 and spans.text[spans.char_starts[-1] : spans.char_ends[-1]] == "☃☃"
    with pytest.raises(KeyError, match="x has no token 250"):
        tokenizer.decode([1, 250])


def damaged(models, **changes):
    proto = sentencepiece_model_pb2.ModelProto.FromString(models["bpe"])
    for path, value in changes.items():
        part, field = path.split("__")
        setattr(getattr(proto, part), field, value)
    return proto.SerializeToString()


def test_damaged_sentencepiece_models_are_refused_in_words(models):
    good = models["bpe"]
    for data, words in (
        (good[:1000], "not a SentencePiece model, or cut off"),
        (b"\n\xff\xff\xff\xff\x03" + good, "not a SentencePiece model, or cut off"),  # claims a gigabyte
        (b"\n", "the file is empty; fetch it again"),
        (damaged(models, normalizer_spec__precompiled_charsmap=b"x" * 100), "damaged: SentencePiece does not take it"),
        (b"\n\x00" * 5, "damaged: SentencePiece does not take it"),
    ):
        with pytest.raises(ValueError, match=words):
            read_tokenizer(data, "x.model")


def test_a_file_that_says_its_own_rules_takes_no_others(models):
    for data in (models["bpe"], b"{}"):
        with pytest.raises(ValueError, match="whose split pattern and special tokens are its own"):
            read_tokenizer(data, "x", split_pattern="gpt2")


def test_a_huge_file_is_not_read(tmp_path):
    with open(tmp_path / "huge.json", "wb") as file:
        file.truncate(1_000_000_000)
    with pytest.raises(ValueError, match="over 50,000,000 bytes; no tokenizer is so large"):
        Tokenizer.read(tmp_path / "huge.json")


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_a_tokenizer_or_refused(data):
    with pytest.raises(ValueError, match=r"^x"):
        read_tokenizer(
            data,
            "x",
            split_pattern="gpt2" if getattr(file_format_if_known(data), "name", "") in ("tiktoken", "minbpe") else None,
        )
