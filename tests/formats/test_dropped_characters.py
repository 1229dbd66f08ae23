"""BPE without an unknown token drops characters; no token may be placed over text that it does not stand for."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tokviz.formats.huggingface.byte_alphabet import CHARACTER_OF
from tokviz.formats.huggingface.byte_tokens import BYTE_TOKENS
from tokviz.formats.huggingface.library import Library, encoded_ids, ids_and_character_places
from tokviz.formats.huggingface.tokenizer import HFTokenizer

AB = {"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
WORDS = {"type": "WhitespaceSplit"}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}


def spec_of(model, **steps):
    return json.dumps({"version": "1.0", "added_tokens": [], **steps, "model": {"type": "BPE", **model}})


def placed(text, model=AB, **steps):
    """Return each token of a text with the characters that it is placed over."""
    spec = spec_of(model, **steps)
    spans = HFTokenizer("x", spec.encode()).spans(text)
    assert spans.ids.tolist() == Tokenizer.from_str(spec).encode(text).ids
    assert spans.text == text
    ranges = zip(spans.char_starts, spans.char_ends, strict=True)
    return [text[start:end] for start, end in ranges]


@pytest.mark.parametrize("pre_tokenizer", [None, WORDS])
def test_tokens_after_dropped_characters_are_over_their_own(pre_tokenizer):
    tokenizer = HFTokenizer("x", spec_of(AB, pre_tokenizer=pre_tokenizer).encode())
    spans = tokenizer.spans("xyzab cab")
    assert spans.char_starts.tolist() == [3, 7] and spans.char_ends.tolist() == [5, 9]
    assert len(tokenizer.spans("xyz")) == len(tokenizer.spans("")) == 0


def test_a_token_made_across_a_dropped_character_holds_it():
    assert placed("axb xab") == ["axb", "ab"]


def test_characters_of_several_bytes_are_dropped_whole():
    assert placed("éab👋ab ก") == ["ab", "ab"]
    tokens = {CHARACTER_OF[byte]: i for i, byte in enumerate(b"ab\xa9")}
    assert placed("ñaéb", {"vocab": tokens, "merges": []}, pre_tokenizer=BYTES) == ["a", "é", "b"]


def test_text_that_a_normalizer_changes_and_added_tokens_are_placed_too():
    assert placed("XYAB cAB", normalizer={"type": "Lowercase"}) == ["AB", "AB"]
    flags = dict.fromkeys(["special", "single_word", "lstrip", "rstrip", "normalized"], False)
    assert placed("xab<s>yab", added_tokens=[{"id": 3, "content": "<s>", **flags}]) == ["ab", "<s>", "ab"]


def test_characters_that_are_written_with_a_prefix_or_a_suffix_are_dropped_where_they_have_no_token():
    joined = {"vocab": {"a": 0, "##a": 1, "##b": 2}, "merges": [], "continuing_subword_prefix": "##"}
    assert placed("xab ba", joined) == ["a", "b", "b", "a"]
    assert placed("bab", joined) == ["a", "b"]
    ended = {"vocab": {"a": 0, "b": 1, "b</w>": 2}, "merges": [], "end_of_word_suffix": "</w>"}
    assert placed("xaba xbb", ended, pre_tokenizer=WORDS) == ["a", "b", "b", "b"]


def test_bytes_stand_for_a_character_only_if_all_are_tokens():
    partly = {"vocab": AB["vocab"] | {"<0x78>": 3, "<0xC3>": 4}, "merges": AB["merges"], "byte_fallback": True}
    assert placed("yxabéyab", partly) == ["x", "ab", "ab"]
    wholly = {**partly, "vocab": AB["vocab"] | {byte: 3 + i for i, byte in enumerate(BYTE_TOKENS)}}
    assert placed("yxab", wholly) == ["y", "x", "ab"]


@st.composite
def vocabularies(draw):
    """Some of the letters, and tokens that merges of them make."""
    tokens = draw(st.lists(st.sampled_from("abxyz "), unique=True))
    merges = []
    for _ in range(draw(st.integers(0, 4)) if tokens else 0):
        left, right = draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens))
        if left + right not in tokens:
            merges.append([left, right])
            tokens.append(left + right)
    return {"vocab": {token: i for i, token in enumerate(tokens)}, "merges": merges}


@given(vocabularies(), st.lists(st.text("abxyz ", max_size=12), min_size=1, max_size=5), st.booleans())
def test_every_token_is_over_its_own_characters_and_none_over_those_of_another(model, texts, cuts_words):
    spec = spec_of(model, pre_tokenizer=WORDS if cuts_words else None)
    library, token_of = Library(json.loads(spec)), {i: token for token, i in model["vocab"].items()}
    plain = Tokenizer.from_str(spec)
    for text in texts:
        ids, places = ids_and_character_places(library, [text], frozenset())
        assert ids == plain.encode(text).ids
        end = 0
        for token_id, start, stop in zip(ids, *places.tolist(), strict=True):
            over = text[start:stop]
            assert end <= start < stop
            assert "".join(each for each in over if each in model["vocab"]) == token_of[token_id]
            assert over[0] in model["vocab"] and over[-1] in model["vocab"]
            end = stop
    assert encoded_ids(library, texts, frozenset()) == [encoding.ids for encoding in plain.encode_batch(texts)]
