"""The glossary: every example has the tokens that its sentences claim, and every figure in them is true."""

import re

import pytest
from each import each

from tokviz.exercises.lines import token_texts_or_hex
from tokviz.lessons import LESSONS
from tokviz.lessons.glossary import GLOSSARY, Term, glossary_term, tokenizer_of_term

NAMES = re.compile(r"GPT-[24]o?|UTF-8|`[^`]*`")


@each("term", GLOSSARY)
def test_an_example_has_the_tokens_that_its_sentences_claim(term: Term):
    tokenizer = tokenizer_of_term(term)
    ids = tokenizer.encode(term.text, allowed_special="all" if term.with_special else ())
    assert token_texts_or_hex(tokenizer.tokens_bytes(ids)) == list(term.tokens)
    assert set(re.findall(r"`([^`]*)`", term.meaning)) <= set(term.tokens)


@each("term", GLOSSARY)
def test_the_other_figures_in_a_meaning_are_true(term: Term):
    assert term.holds is None or term.holds()
    assert term.holds is not None or not re.search(r"\d", NAMES.sub("", term.meaning))


def test_words_are_unique_and_found_and_lessons_name_only_those():
    words = [term.word for term in GLOSSARY]
    assert len(set(words)) == len(words) >= 20
    assert [glossary_term(word) for word in words] == list(GLOSSARY)
    assert {word for lesson in LESSONS for word in lesson.terms} <= set(words)
    assert all(lesson.terms for lesson in LESSONS)
    with pytest.raises(KeyError, match="has no 'wort'"):
        glossary_term("wort")
