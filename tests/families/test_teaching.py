"""The naive tokenizers and the other families: equal to a few independent lines, or to their library."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD
from sentencepiece import SentencePieceProcessor

from tokviz import Tokenizer, UnknownTokenError, trace
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import sample
from tokviz.families.library_training import train_sentencepiece, train_wordpiece
from tokviz.families.teaching import byte_tokenizer, list_tokenizer

ENGLISH = sample("english")


@given(st.text(max_size=30), st.text(max_size=30))
def test_characters_and_words_are_looked_up(learned, text):
    learned, text = well_formed_text(learned), well_formed_text(text)
    characters, words = list_tokenizer("characters", learned), list_tokenizer("words", learned)
    spans = characters.spans(text)
    assert spans.char_starts.tolist() == list(range(len(text)))
    named = [characters.token_bytes(i).decode() for i in characters.encode(text)]
    assert named == [c if c in learned else "<unk>" for c in text]
    # str.split() knows the same white space, and four control characters more.
    expected = [
        word if word in learned.translate(CONTROLS).split() else "<unk>" for word in text.translate(CONTROLS).split()
    ]
    if text.translate(CONTROLS) == text and learned.translate(CONTROLS) == learned:
        assert [words.token_bytes(i).decode() for i in words.encode(text)] == expected
        assert words.decode(words.encode(text)) == " ".join(expected)
    for tokenizer in (characters, words):
        spans = tokenizer.spans(text)
        assert spans.ids.tolist() == tokenizer.encode(text) and spans.text == text
        for i, (start, end) in enumerate(zip(spans.byte_starts, spans.byte_ends, strict=True)):
            if spans.ids[i]:
                assert spans.data[start:end] == tokenizer.token_bytes(spans.ids[i])


CONTROLS = dict.fromkeys(range(0x1C, 0x20))


def test_the_most_frequent_get_the_first_ids_and_a_limit_leaves_the_rest_unknown():
    words = list_tokenizer("words", "b a c a b a d", vocab_size=3)
    assert words.encode("a b c d") == [1, 2, 0, 0] and words.n_vocab == 3
    assert (0 in words, 2 in words, 3 in words, "a" in words) == (True, True, False, False)
    with pytest.raises(ValueError, match="vocab_size must be at least 1"):
        list_tokenizer("words", "a", vocab_size=0)
    with pytest.raises(ValueError, match="kind must be one of characters, words, not 'sentences'"):
        list_tokenizer("sentences", "a")
    with pytest.raises(KeyError, match="words has no token 3; ids run from 0 to 2"):
        words.decode([3])
    with pytest.raises(ValueError, match="'<s>' is not a special token of words, which has none"):
        words.encode("a", allowed_special=["<s>"])


@pytest.mark.parametrize(
    "make",
    [
        byte_tokenizer,
        lambda: list_tokenizer("words", "a b"),
        lambda: train_wordpiece("low lower", vocab_size=30),
        lambda: train_sentencepiece("low lower " * 9, vocab_size=270),
    ],
)
@pytest.mark.parametrize("call", ["decode", "token_bytes"])
def test_an_unknown_id_is_a_wrong_value_and_a_key_that_is_not_there(make, call):
    tokenizer = make()
    with pytest.raises(UnknownTokenError) as caught:
        getattr(tokenizer, call)([999_999] if call == "decode" else 999_999)
    error = caught.value
    assert isinstance(error, ValueError) and isinstance(error, KeyError)
    assert str(error).startswith(f"{tokenizer.name} has no token 999999")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is UnknownTokenError and str(again) == str(error)


def test_bytes_are_a_tokenizer_without_a_merge():
    tokenizer = byte_tokenizer()
    assert isinstance(tokenizer, Tokenizer) and not tokenizer.merges
    for text in map(well_formed_text, ODD):
        assert tokenizer.encode(text) == list(text.encode())
        assert trace(tokenizer, text).ends == list(range(1, len(text.encode()) + 1))


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
def test_sentencepiece_is_trained_by_its_library_the_same_every_time(model_type):
    made = [train_sentencepiece(ENGLISH, vocab_size=400, model_type=model_type) for _ in range(2)]
    assert made[0].data == made[1].data and made[0].n_vocab == 400
    library = SentencePieceProcessor(model_proto=made[0].data)
    assert made[0].encode(ENGLISH) == library.encode(ENGLISH)


def test_character_coverage_and_byte_fallback_decide_about_rare_characters():
    text = ENGLISH + "é"
    every = train_sentencepiece(text, vocab_size=400, byte_fallback=False, character_coverage=1.0)
    most = train_sentencepiece(text, vocab_size=400, byte_fallback=False, character_coverage=0.999)
    fallback = train_sentencepiece(text, vocab_size=400, character_coverage=0.999)
    assert every.unknown_id not in every.encode("é") and most.encode("é")[-1] == most.unknown_id
    assert [fallback.token_bytes(i) for i in fallback.encode("é")] == [b" ", b"\xc3", b"\xa9"]


def test_wordpiece_has_tokens_of_the_text_and_unknown_words():
    tokenizer = train_wordpiece(ENGLISH, vocab_size=300)
    assert tokenizer.kind == "WordPiece"
    for word in ENGLISH.split()[:50]:
        ids = tokenizer.encode(word)
        assert tokenizer.unknown_id not in ids
        assert "".join(tokenizer.token_bytes(i).decode().removeprefix("##") for i in ids) == word
    assert tokenizer.encode("ж") == [tokenizer.unknown_id]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: train_sentencepiece(ENGLISH, vocab_size=100_000), "more than this text can fill; .* at most 1,"),
        (lambda: train_sentencepiece(ENGLISH, vocab_size=100_000, model_type="unigram"), "takes at most"),
        (lambda: train_sentencepiece(ENGLISH, vocab_size=100), "too small: this text needs 3.. for its characters"),
        (lambda: train_sentencepiece(ENGLISH, vocab_size=3), "vocab_size must be at least 4"),
        (lambda: train_sentencepiece(" \n", vocab_size=300), "there is no text to train on"),
        (lambda: train_sentencepiece("a\0", vocab_size=10), "too small: this text needs"),
        (lambda: train_sentencepiece("a", vocab_size=300, model_type="words"), "one of unigram, bpe, word, char"),
        (lambda: train_sentencepiece("a", vocab_size=300, character_coverage=0.5), "between 0.98 and 1, not 0.5"),
        (lambda: train_wordpiece(" ", vocab_size=300), "there is no text to train on"),
        (lambda: train_wordpiece("a", vocab_size=2), "vocab_size must be at least 3"),
    ],
)  # fmt: skip
def test_what_no_library_can_train_on_is_told_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize("text", [text for text in ODD if text.strip()])
def test_odd_texts_train_or_are_refused_in_words(text):
    assert train_wordpiece(text, vocab_size=300).n_vocab > 2
    for model_type in ("bpe", "unigram"):
        with pytest.raises(ValueError, match="takes at most"):
            train_sentencepiece(text, vocab_size=100_000, model_type=model_type)
