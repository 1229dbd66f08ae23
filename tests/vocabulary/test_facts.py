"""Columns of a vocabulary against each token looked at alone."""

import unicodedata

import regex

import tokviz
from tokviz.vocabulary.facts import KINDS, NO_SCRIPT, OTHER_SCRIPT, VocabularyFacts, vocabulary_facts


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
    assert all(text[0] == " " and text[1:2] not in ("", " ") for text in of_kind(facts, "space + letters"))
    assert all(unicodedata.category(text[0])[0] in "LM" for text in of_kind(facts, "letters"))
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


def test_the_script_of_a_token_in_several_scripts():
    for text, script in (("ก", "Thai"), ("中", "Han"), ("ひ", "Hiragana"), ("한", "Hangul"), ("ж", "Cyrillic")):
        tokenizer = tokviz.train(text * 4, vocab_size=258, split_pattern="none")
        facts = vocabulary_facts(tokenizer)
        assert facts.script(257) == script
