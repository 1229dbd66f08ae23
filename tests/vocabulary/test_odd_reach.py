"""What is said to occur does, and what is said never to occur does not, where texts are changed first."""

import random

import pytest
from each import quick
from odd_tokenizers import NORMALIZERS, random_tokenizer
from vocabulary.contexts import assert_contexts

from tokviz.core.normalizer import Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.relatives import tokens_made_directly_from
from tokviz.core.tokenizer import Tokenizer
from tokviz.vocabulary.audit import audit
from tokviz.vocabulary.facts import vocabulary_facts
from tokviz.vocabulary.findings import findings_of_audit
from tokviz.vocabulary.reach import ALONE, IN_CONTEXT, NEVER, reach, reach_by_token_id
from tokviz.vocabulary.report import near_duplicate_indices

ALPHABETS = ["aA e\u0301É", "가\u1100\u1161 a中", "> </a\n", "ab▁ K\u212a"]


@pytest.mark.parametrize("alphabet", quick(ALPHABETS, ALPHABETS[0]))
@pytest.mark.parametrize("name", quick(NORMALIZERS, "NFC", "each space, marks"))
def test_small_vocabularies_against_random_texts(name, alphabet):
    rng, normalizer = random.Random(f"{name} {alphabet}"), NORMALIZERS[name]
    for pattern in rng.sample(["sentencepiece", "o200k", "none"], 1):
        tokenizer = random_tokenizer(rng, alphabet, pattern, normalizer, 25)
        extra = {"e\u0301".encode(): 5, b"AB": 6, "▁a".encode(): 7}  # that no merge makes
        rest = {token: i for token, i in extra.items() if token not in tokenizer.mergeable_ranks}
        tokenizer = tokenizer.with_vocabulary(tokenizer.mergeable_ranks | rest, {})
        found = reach_by_token_id(tokenizer)
        assert found.keys() == tokenizer.ordinary_tokens.keys()
        assert_contexts(tokenizer, found, own_texts_differ=False)
        texts = ["".join(rng.choices(alphabet + alphabet + "xB é\n", k=rng.randint(1, 9))) for _ in range(2_000)]
        seen = {token_id for ids in tokenizer.encode_batch(texts) for token_id in ids}
        assert not {tokenizer.token_bytes(i) for i in seen if found[i].reach == NEVER}
        merged = {i: tokenizer.token_bytes(i) for i in tokenizer.merge_ids.tolist()}
        assert {i: found[i] for i in merged} == {i: reach(tokenizer, token) for i, token in merged.items()}


def toy(tokens, normalizer, *, pattern="sentencepiece", special=(), **options):
    ids = {bytes([i]): i for i in range(256)} | {token: 300 + i for i, token in enumerate(tokens)}
    names = {name: 500 + i for i, name in enumerate(special)}
    return Tokenizer("toy", pattern, ids, names, special, normalizer=normalizer, **options)


def test_a_token_without_the_space_in_front_is_never_alone():
    tokenizer = toy([b"ab", b" ab"], Normalizer(prefix="each"))
    assert reach(tokenizer, b" ab").reach == ALONE and reach(tokenizer, b" ab").context == "ab"
    found = reach(tokenizer, b"ab")
    assert found.reach == IN_CONTEXT and found.why == "a space is put before it unless more text surrounds it"
    tokens = {one.token: one for one in audit(tokenizer).tokens}
    assert tokens[b"ab"].signs == ()  # every token inside words is such


def test_what_the_normalizer_changes_in_every_text_is_never_produced():
    decomposed = "e\u0301".encode()
    assert reach(toy([decomposed], Normalizer("NFC")), decomposed).reach == NEVER
    assert reach(toy([b"AB"], Normalizer(lowercase=True)), b"AB").reach == NEVER
    assert reach(toy([b"AB"], Normalizer("NFC")), b"AB").reach == ALONE
    marks = Normalizer(marks_are_spaces=True)
    assert reach(toy(["▁".encode()], marks), "▁".encode()).reach == NEVER
    # No capital is ẗ, so that the small letter of T with two dots is not in form NFC.
    both = Normalizer("NFC", lowercase=True)
    assert toy(["t\u0308".encode()], both).encode("T\u0308") == [300]
    assert reach(toy(["t\u0308".encode()], both), "t\u0308".encode()).reach != NEVER


def test_special_tokens_that_are_always_matched_take_away_ordinary_ones():
    tokenizer = toy([b"<s>", b"a<s>"], Normalizer(), special=["<s>"])
    assert [reach(tokenizer, token).reach for token in (b"<s>", b"a<s>")] == [NEVER, NEVER]
    assert "'<s>'" in reach_by_token_id(tokenizer)[300].why
    wide = toy([b"<s>"], Normalizer("NFKC"), special=["<s>"])
    assert wide.encode("＜s>") == [300] and reach(wide, b"<s>").reach != NEVER


def test_bytes_of_characters_that_are_tokens_are_audited_as_never_used():
    ids = {bytes([i]): 1_000 + i for i in range(256)} | {b"a": 5, b"A": 6, b"aA": 7}
    ranks = OrderedRanks(ids, [[b"aA"]], starts_with_characters=True, byte_ids=range(1_000, 1_256))
    tokenizer = Tokenizer("odd", "sentencepiece", ranks, takes_whole=False)
    found = audit(tokenizer)
    by_id = {one.token_id: one for one in found.tokens}
    assert len(found.tokens) == 259 and len(vocabulary_facts(tokenizer)) == 259
    assert by_id[1_097].reach.why == "its character is a token itself" and by_id[5].reach.reach == ALONE
    assert by_id[5].same_but_case == 6  # and not the byte
    assert findings_of_audit(found).reach_if_not_alone(tokenizer, 1_097).reach == NEVER
    groups = near_duplicate_indices(tokenizer)
    assert [vocabulary_facts(tokenizer).ids[token] for token in groups["a"]] == [5, 6]


def test_children_come_in_the_order_of_merges():
    ids = {bytes([i]): i for i in range(256)} | {b"ab": 302, b"ac": 301, b"da": 300}
    tokenizer = Tokenizer("odd", "none", OrderedRanks(ids, [[b"ac"], [b"ab"], [b"da"]]))
    assert tokens_made_directly_from(tokenizer, b"a") == [b"ac", b"ab", b"da"]
    assert tokens_made_directly_from(replace_ranks(tokenizer), b"a") == [b"da", b"ac", b"ab"]


def replace_ranks(tokenizer):
    return Tokenizer("plain", "none", dict(tokenizer.mergeable_ranks))
