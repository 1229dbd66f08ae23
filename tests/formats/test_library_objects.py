"""Tokenizers in the memory of other libraries become ours, and ours theirs, with the same ids."""

import pytest
import sentencepiece
import tiktoken
import tokenizers
from each import quick
from foreign_files import sentencepiece_model, wordpiece_file
from tokenizers import models, pre_tokenizers, trainers

import tokviz
from tokviz.core.normalizer import Normalizer
from tokviz.formats.equivalence import probe_texts
from tokviz.formats.pretrained import PRETRAINED

BYTES = {bytes([i]): i for i in range(256)}


def encoding_of(tokenizer, pattern, name="mine"):
    special = tokenizer.special_tokens
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=tokenizer.mergeable_ranks, special_tokens=special)


@pytest.mark.parametrize("name", quick([*PRETRAINED, "o200k_harmony"], "gpt2"))
def test_an_encoding_of_tiktoken_is_the_included_one(name):
    assert tokviz.from_tiktoken(tiktoken.get_encoding(name)) is tokviz.load(name)


def test_an_encoding_in_memory_has_the_same_ids_here(trained):
    own = r"\p{L}+|\p{N}|[^\p{L}\p{N}]"
    encoding = encoding_of(trained, own)
    found = tokviz.from_tiktoken(encoding)
    assert (found.name, found.split_pattern, found.special_tokens) == ("mine", own, trained.special_tokens)
    assert [found.encode(text) for text in probe_texts()] == [*map(encoding.encode_ordinary, probe_texts())]
    assert tokviz.from_tiktoken(encoding) is found
    with pytest.raises(ValueError, match=r"mine: by the split pattern 'cl100k', .* has other tokens here"):
        tokviz.from_tiktoken(encoding, split_pattern="cl100k")
    with pytest.raises(ValueError, match="drops what nothing matches"):
        tokviz.from_tiktoken(encoding_of(trained, r"\p{L}+|\s+"))


def test_an_encoding_that_a_plugin_registers_needs_its_split_pattern(trained, monkeypatch):
    gpt2 = tokviz.load("gpt2")
    of_trained, other = encoding_of(trained, r"\S+|\s+"), encoding_of(gpt2.truncated(9), r"\S+|\s+", "gpt2")
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "mine", of_trained)
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "gpt2", other)
    with pytest.raises(ValueError, match="mine is registered in tiktoken without its split pattern: give"):
        tokviz.from_tiktoken(of_trained)
    found = tokviz.from_tiktoken(of_trained, split_pattern=r"\S+|\s+")
    assert found == tokviz.Tokenizer("", r"\S+|\s+", trained.mergeable_ranks, trained.special_tokens)
    with pytest.raises(ValueError, match="gpt2 is registered in tiktoken"):  # under a name of ours, with other tokens
        tokviz.from_tiktoken(other)


@pytest.mark.slow
def test_a_tokenizer_of_hugging_face_in_memory():
    library = tokenizers.Tokenizer(models.BPE())
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, initial_alphabet=alphabet, special_tokens=["<s>"], show_progress=False
    )
    library.train_from_iterator([tokviz.sample("english")], trainer)
    library.enable_truncation(3)

    class Fast:
        name_or_path = "maker/mine/"
        backend_tokenizer = library

    Fast.__module__ = "transformers.tokenization_utils_fast"
    found = tokviz.from_huggingface(library)
    assert isinstance(found, tokviz.Tokenizer) and found.name == "huggingface"
    library.no_truncation()
    text = tokviz.sample("mixed")
    library.encode_special_tokens = True
    assert found.encode(text) == library.encode(text).ids
    assert [*tokviz.compare("low", [library, Fast()]).index] == ["huggingface", "mine"]
    assert tokviz.from_huggingface(Fast(), name="other").name == "other"
    library.add_special_tokens(["<new>"])  # and the tokenizer has it too
    assert "<new>" in tokviz.from_huggingface(library).special_tokens
    library.pre_tokenizer = pre_tokenizers.PreTokenizer.custom(object())
    with pytest.raises(ValueError, match=r"huggingface cannot be written as a tokenizer.json: .*[Cc]ustom"):
        tokviz.from_huggingface(library)


def test_other_families_in_memory():
    wordpiece = tokenizers.Tokenizer.from_str(wordpiece_file().decode())
    found = tokviz.from_huggingface(wordpiece)
    assert (found.kind, found.encode("low")) == ("WordPiece", wordpiece.encode("low").ids)
    processor = sentencepiece.SentencePieceProcessor(model_proto=sentencepiece_model("unigram"))
    found = tokviz.from_sentencepiece(processor, name="mine")
    assert (found.name, found.encode("low")) == ("mine", processor.encode("low"))
    with pytest.raises(ValueError, match="the processor sentencepiece has no model"):
        tokviz.from_sentencepiece(sentencepiece.SentencePieceProcessor())
    for function in (tokviz.from_tiktoken, tokviz.from_huggingface, tokviz.from_sentencepiece):
        for given in ("gpt2", None, [], found, models.BPE()):
            with pytest.raises(tokviz.FamilyError, match=f"^{function.__name__} needs a "):
                function(given)


@pytest.mark.parametrize("name", [*PRETRAINED, "kimi-k2", "tekken"])
@pytest.mark.slow
def test_ours_become_theirs_and_come_back(name):
    tokenizer = tokviz.load(name)
    encoding, library = tokenizer.to_tiktoken(), tokenizer.to_huggingface()
    assert tokviz.from_tiktoken(encoding) == tokenizer
    text = f"{tokviz.sample('mixed')}{next(iter(tokenizer.special_tokens))}x"
    assert library.encode(text).ids == encoding.encode(text, allowed_special="all")
    assert library.encode(text).ids == tokenizer.encode(text, allowed_special="all")
    library.encode_special_tokens = True
    assert library.encode(text).ids == encoding.encode_ordinary(text) == tokenizer.encode(text)


def test_what_the_other_library_cannot_be_is_refused_with_the_reason():
    def toy(pattern="gpt2", ranks=BYTES, **more):
        return tokviz.Tokenizer("toy", pattern, ranks, **more)

    refused = {
        "'<s>' matches in every text": toy(special_tokens={"<s>": 300}, always_special=["<s>"]),
        "'<s>' and '<s>>' match, tiktoken takes either": toy(special_tokens={"<s>": 300, "<t>": 302, "<s>>": 301}),
        "normal form NFC|Unicode form NFC": toy(normalizer=Normalizer("NFC")),
        "would take it whole": toy(ranks=BYTES | {b"abc": 256}, takes_whole=False),
        "drops what nothing matches": toy(r"\p{L}+"),
    }
    for words, tokenizer in refused.items():
        with pytest.raises(tokviz.FamilyError, match=f"an encoding of tiktoken needs .*; toy is .*({words})"):
            tokenizer.to_tiktoken()
    with pytest.raises(tokviz.FamilyError, match=r"a tokenizer of Hugging Face needs .*cannot hold the split pattern"):
        toy(r"(?<=a|bc)x|\X").to_huggingface()
