"""Columns of a vocabulary against each token looked at alone, and what is found in them."""

import unicodedata

import pytest
import regex

import tokviz
from tokviz.pretrained import PRETRAINED
from tokviz.vocabulary_facts import KINDS, NO_SCRIPT, OTHER_SCRIPT, SCRIPTS, VocabularyFacts, vocabulary_facts
from tokviz.vocabulary_finds import longest_tokens, markup_tokens, near_duplicates, overlap, rarely_used


@pytest.fixture(params=[*PRETRAINED, "trained"])
def vocabulary(request, trained) -> tokviz.Tokenizer:
    return trained if request.param == "trained" else tokviz.load(request.param)


def of_kind(facts: VocabularyFacts, kind: str) -> list[str | None]:
    return [text for text, k in zip(facts.texts, facts.kinds, strict=True) if KINDS[k] == kind]


def test_there_is_an_entry_for_every_token_in_the_order_of_ids(vocabulary):
    facts = vocabulary_facts(vocabulary)
    special = vocabulary.special_tokens.values()
    assert facts.ids.tolist() == sorted([*vocabulary.mergeable_ranks.values(), *special])
    assert facts.tokens == vocabulary.tokens_bytes(facts.ids)
    assert facts.n_bytes.tolist() == [len(token) for token in facts.tokens]
    assert sorted(facts.ids[facts.kinds == KINDS.index("special")].tolist()) == sorted(special)


def test_kinds_hold_for_every_token(vocabulary):
    facts = vocabulary_facts(vocabulary)
    assert not any(map(str.strip, of_kind(facts, "white space")))
    assert all(unicodedata.category(text[-1])[0] == "N" for text in of_kind(facts, "digits"))
    assert all(text[0] == " " and text[1:2] not in ("", " ") for text in of_kind(facts, "whole word"))
    assert all(unicodedata.category(text[0])[0] in "LM" for text in of_kind(facts, "piece"))
    assert not any(unicodedata.category(c)[0] in "LN" for text in of_kind(facts, "symbols") for c in text)
    assert set(of_kind(facts, "part of a character")) == {None}
    assert not any(text is None for text, k in zip(facts.texts, facts.kinds, strict=True) if KINDS[k] != KINDS[1])


def test_the_script_is_that_of_the_first_character_that_has_one(vocabulary):
    facts = vocabulary_facts(vocabulary)
    assert OTHER_SCRIPT not in {facts.script(i) for i in range(len(facts))}
    shared = regex.compile(r"[\p{Script=Common}\p{Script=Inherited}\p{Script=Unknown}]*")
    for i in range(0, len(facts), 37):
        rest = shared.sub("", facts.tokens[i].decode(errors="ignore"), count=1)
        assert (facts.script(i) == NO_SCRIPT) == (not rest)
        assert not rest or regex.match(rf"\p{{Script={facts.script(i)}}}", rest)


def test_every_script_of_the_parallel_sentences_and_samples_is_known():
    for text, script in (("ก", "Thai"), ("中", "Han"), ("ひ", "Hiragana"), ("한", "Hangul"), ("ж", "Cyrillic")):
        tokenizer = tokviz.train(text * 4, vocab_size=258, split_pattern="none")
        facts = vocabulary_facts(tokenizer)
        assert facts.script(257) == script
        assert script in SCRIPTS


def test_the_longest_tokens_are_sorted_and_none_is_longer(vocabulary):
    found = longest_tokens(vocabulary, 50)
    lengths = [len(token.token_bytes.decode()) for token in found]
    assert lengths == sorted(lengths, reverse=True)
    longer = [token for token in vocabulary.mergeable_ranks if len(token.decode(errors="ignore")) > lengths[-1]]
    whole = [token for token in longer if token.decode(errors="replace").find("\ufffd") < 0]
    assert set(whole) <= {token.token_bytes for token in found}


def test_the_longest_tokens_betray_the_training_text():
    words = {
        name: {t.token_bytes.decode() for t in longest_tokens(tokviz.load(name), 40, words_only=True)}
        for name in PRETRAINED
    }
    assert {" RandomRedditorWithNo", "rawdownloadcloneembedreportprint"} <= words["gpt2"]
    assert " dequeueReusableCellWithIdentifier" in words["cl100k_base"]
    assert " วิเคราะห์บอลวันนี้" in words["o200k_base"]


def test_near_duplicates_of_ingredients():
    (found,) = near_duplicates(tokviz.load("o200k_base"), "Ingredients")
    assert {t.token_bytes for t in found} == {b" ingredients", b"Ingredients", b"ingredients", b" Ingredients"}
    assert near_duplicates(tokviz.load("o200k_base"), "no such token at all") == []


def test_near_duplicates_are_groups_of_distinct_tokens(vocabulary):
    groups = near_duplicates(vocabulary)
    assert all(len({t.id for t in group}) == len(group) > 1 for group in groups)
    assert all(len({t.token_bytes.decode().strip().casefold() for t in group}) == 1 for group in groups)
    assert [len(group) for group in groups] == sorted(map(len, groups), reverse=True)


def test_markup_tokens_hold_markup():
    found = [token.token_bytes.decode() for token in markup_tokens(tokviz.load("cl100k_base"))]
    assert {"</", "<div", "://", ".html", "&nbsp"} <= set(found)
    assert not {" <", "<=", " the", ".get"} & set(found)


def test_rarely_used_and_used_are_the_vocabulary(trained):
    text = "the same text, the same tokens"
    ids = trained.encode(text)
    rare = rarely_used(trained, ids)
    assert {token.id for token in rare} | set(ids) == set(trained.mergeable_ranks.values())
    assert not {token.id for token in rare} & set(ids)
    once = {token.id for token in rarely_used(trained, ids, at_most=1)} - {token.id for token in rare}
    assert once == {i for i in ids if ids.count(i) == 1}


def test_overlap_is_that_of_the_sets(trained):
    gpt2 = tokviz.load("gpt2")
    mine, theirs = set(trained.mergeable_ranks), set(gpt2.mergeable_ranks)
    shared = overlap(trained, gpt2)
    assert set(shared.common) == mine & theirs
    assert (set(shared.only_left), set(shared.only_right)) == (mine - theirs, theirs - mine)
    assert (shared.n_left, shared.n_right, shared.n_common) == (len(mine), len(theirs), len(mine & theirs))
    assert shared.jaccard == len(mine & theirs) / len(mine | theirs)
    totals = [sum(column) for column in zip(*shared.by_script.values(), strict=True)]
    assert totals == [len(mine), len(theirs), len(mine & theirs)]
