"""Tokenizers of every family have the same methods, and one error for what a family cannot do."""

import inspect
import random

import pytest
import tiktoken
from each import each

import tokviz
from tokviz.core.protocol import AnyTokenizer
from tokviz.families.teaching import list_tokenizer
from tokviz.formats import library_tokenizer

LINES = tokviz.sample("english").splitlines()[:20]
METHODS = [name for name, _ in inspect.getmembers(AnyTokenizer, inspect.isfunction) if name[0] != "_"]


class SlowTokenizer:
    """An object that is a tokenizer of transformers by its class alone."""


SlowTokenizer.__module__ = "transformers.tokenization_utils"


@pytest.fixture(scope="module")
def others():
    text = tokviz.sample("english")
    model = tokviz.train_sentencepiece(text, vocab_size=500, model_type="unigram", control_symbols=["<user>"])
    return [tokviz.train_wordpiece(text, vocab_size=300), model, list_tokenizer("words", text)]


def test_the_methods_of_all_families_have_the_same_signatures(others):
    assert {"encode_batch", "encode_to_numpy", "count_iter", "decode_bytes", "tokens_bytes", "spans"} < {*METHODS}
    for tokenizer in (tokviz.load("gpt2"), *others):
        for name in METHODS:
            expected = [*inspect.signature(getattr(AnyTokenizer, name)).parameters][1:]
            assert [*inspect.signature(getattr(tokenizer, name)).parameters] == expected, (tokenizer, name)


def test_all_ways_to_encode_give_the_same_ids(others):
    for tokenizer in (tokviz.load("gpt2"), *others):
        texts = ["", *LINES, "a\ud83d", *tokenizer.special_tokens]
        for allowed in ((), "all"):
            ids = [tokenizer.encode(text, allowed_special=allowed) for text in texts]
            assert tokenizer.encode_batch(iter(texts), allowed_special=allowed) == ids
            for found in (
                tokenizer.encode_iter(texts, allowed_special=allowed),
                [tokenizer.encode_to_numpy(text, allowed_special=allowed) for text in texts],
            ):
                found = list(found)
                assert [one.tolist() for one in found] == ids and {str(one.dtype) for one in found} == {"uint32"}
            counts = [tokenizer.count(text, allowed_special=allowed) for text in texts]
            assert list(tokenizer.count_iter(texts, allowed_special=allowed)) == counts == [*map(len, ids)]
            spans = [tokenizer.spans(text, allowed_special=allowed).ids.tolist() for text in texts]
            assert spans == ids
        assert ids[-1] == [*tokenizer.special_tokens.values()][-1:] or not tokenizer.special_tokens


def test_ids_of_an_array_are_decoded_as_those_of_a_list(others):
    for tokenizer in (tokviz.load("gpt2"), *others):
        array = tokenizer.encode_to_numpy(LINES[0])
        assert tokenizer.decode(array) == tokenizer.decode(array.tolist())
        assert tokenizer.decode_bytes(array).decode() == tokenizer.decode(array)
        assert tokenizer.tokens_bytes(array) == [tokenizer.token_bytes(i) for i in array.tolist()]
        with pytest.raises(tokviz.UnknownTokenError):
            tokenizer.tokens_bytes([0, 10**6])


def test_a_library_is_asked_once_about_many_texts(others, monkeypatch):
    monkeypatch.setattr(library_tokenizer, "QUESTION", 2_000)
    for tokenizer in others[:2]:
        asked = []
        ask = tokenizer._engine.ask
        monkeypatch.setattr(
            tokenizer._engine, "ask", lambda *a, ask=ask, to=asked, **b: to.append(a[1]) or ask(*a, **b)
        )
        assert len(tokenizer.encode_batch(["low"] * 50)) == 50
        assert [*map(len, asked)] == [50]
        asked.clear()
        texts = random.Random(1).sample(LINES, 10) * 10
        assert list(tokenizer.count_iter(texts)) == [*map(len, tokenizer.encode_batch(texts))]
        assert 2 < len(asked) < 20 and sum(map(len, asked)) == 200


USES = {
    "trace": lambda it: tokviz.trace(it, "low"),
    "trim": lambda it: tokviz.trim(it, "low"),
    "audit": tokviz.audit,
    "canonical": lambda it: tokviz.canonical(it, [0]),
    "joined_parts": lambda it: tokviz.joined_parts(it, "lo", "w"),
    "settled": lambda it: tokviz.settled(it, "low"),
    "Cuts": lambda it: tokviz.Cuts(it, "low"),
    "Segmentations": lambda it: tokviz.Segmentations(it, "low"),
    "with_superwords": tokviz.with_superwords,
    "train": lambda it: tokviz.train("low", vocab_size=258, start=it),
    "train, with a pattern": lambda it: tokviz.train("low", vocab_size=258, start=it, split_pattern="cl100k"),
    "steps_from_counts": lambda it: tokviz.steps_from_counts({"low": 1}, vocab_size=258, start=it),
    "train_superwords": lambda it: tokviz.train_superwords("a", superwords_from=258, vocab_size=258, start=it),
    "train_parity_aware": lambda it: tokviz.train_parity_aware({"en": "a"}, vocab_size=258, start=it),
    "from_steps": lambda it: tokviz.Tokenizer.from_steps([], start=it),
    "ChatML": lambda it: tokviz.ChatML().tokenizer(it),
    "save": lambda it: tokviz.save(it, "no folder/x.tiktoken"),
}
ANY_FAMILY = {
    "first_difference": lambda it: tokviz.first_difference(it, it, ["low"], by_ids=True),
    "chat": lambda it: tokviz.chat(it, [{"role": "user", "content": "low"}]).ids,
    "compare": lambda it: tokviz.compare("low", [it])["n_tokens"].item(),
    "hidden_cost": lambda it: tokviz.hidden_cost(it, "l\u200bow"),
    "parity": lambda it: tokviz.parity({"mine": it}, [{"en": "low"}])["n_tokens"].item(),
    "shared_prefix": lambda it: tokviz.shared_prefix(it, "low a", "low b"),
    "show": lambda it: tokviz.show(it, "low").snippet(),
    "split": lambda it: list(tokviz.split("low lower", it)),
    "Template": lambda it: tokviz.Template("mine", "").tokenizer(it).name,
    "text_spans": lambda it: tokviz.text_spans(it, "low").byte_ends.tolist(),
    "token_spans": lambda it: tokviz.token_spans(it, [0]).byte_ends.tolist(),
}


@each("use", USES.values())
def test_what_a_family_cannot_do_is_one_error_with_the_reason(others, use):
    for tokenizer in others:
        with pytest.raises(tokviz.FamilyError) as error:
            use(tokenizer)
        assert str(error.value).endswith(f"; {tokenizer.name} is {tokenizer.kind}: {tokenizer.reason}")
        assert " needs " in str(error.value) and "byte-level BPE" in str(error.value)


@each("use", [*USES.values(), *ANY_FAMILY.values()])
def test_what_is_not_a_tokenizer_is_the_same_error(use):
    for given, words in (("gpt2", "not str: give tokviz.load"), (3, "not int"), (SlowTokenizer(), "not SlowTokenizer")):
        with pytest.raises(tokviz.FamilyError, match=words):
            use(given)


@pytest.mark.slow
@each("use", [use for name, use in (USES | ANY_FAMILY).items() if name != "save"])
def test_an_object_of_another_library_is_taken_as_ours(use):
    trained = tokviz.train("low lower", vocab_size=258, special_tokens=["<s>"])
    theirs = trained.to_tiktoken()
    assert isinstance(theirs, tiktoken.Encoding)
    ours, found = use(trained), use(theirs)
    assert type(found) is type(ours) and (found == ours or type(ours).__eq__ is object.__eq__)


def test_the_error_is_caught_by_both_of_its_kinds(others):
    for kind in (TypeError, ValueError):
        with pytest.raises(kind):
            tokviz.trace(others[0], "low")
    assert not isinstance(ValueError(), tokviz.FamilyError)


def test_a_library_saves_its_own_file_alone(others, tmp_path):
    wordpiece, unigram, words = others
    tokviz.save(wordpiece, tmp_path / "a.json")
    tokviz.save(unigram, tmp_path / "a.model")
    assert (tmp_path / "a.json").read_bytes() == wordpiece.data
    assert tokviz.read(tmp_path / "a.model").encode("low") == unigram.encode("low")
    for tokenizer, name in ((wordpiece, "b.model"), (unigram, "b.json"), (words, "b.json"), (words, "b")):
        with pytest.raises(tokviz.FamilyError, match="saving as"):
            tokviz.save(tokenizer, tmp_path / name)
    assert not [*tmp_path.glob("b*")]


NOT_TEXTS = {"bytes: decode": b"low", "NoneType": None, "list: .*several texts to encode_batch": ["low"], "int": 3}


def test_a_text_that_is_not_a_str_is_a_type_error_that_says_what_to_give(others):
    gpt2 = tokviz.load("gpt2")
    calls = [
        getattr(each, name) for each in (gpt2, *others) for name in ("encode", "count", "encode_to_numpy", "spans")
    ]
    calls += [lambda text: tokviz.trace(gpt2, text), lambda text: tokviz.text_spans(gpt2, text)]
    calls += [lambda text: tokviz.settled(gpt2, text), lambda text: tokviz.Cuts(gpt2, text)]
    calls += [lambda text, to=each: to.encode_batch(["low", text]) for each in (gpt2, *others)]
    for words, text in NOT_TEXTS.items():
        for call in calls:
            with pytest.raises(TypeError, match=f"expected a text, a str, not {words}"):
                call(text)
    for tokenizer in others:
        with pytest.raises(ValueError, match="an iterable of str"):
            tokenizer.encode_batch("low")
