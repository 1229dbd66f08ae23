"""The table of languages: complete, in the script of each, without a stray character."""

import re
import unicodedata

import pytest
import regex
from each import each

from tokviz.languages.table import LANGUAGES, known_language, parallel_sentences

JOINERS = {"fa": "\u200c", "ne": "\u200d", "si": "\u200d"}  # which the orthography needs
# Marks that Unicode gives to no single script, and the long vowels of kana.
SHARED = {"ur": "\u0650", "ar": "\u064b", "fa": "\u064b\u0654", "yo": "\u0300\u0301", "ja": "ー"}
PUNCTUATION = {
    **dict.fromkeys(("en", "uk"), ",.?'"),
    **dict.fromkeys(("vi", "id", "yo", "pt"), ",.?-"),
    **dict.fromkeys(("hi", "ne"), "।,?"),
    **{
        "th": "",
        "lo": "?",
        "my": "၊။",
        "km": "។?",
        "bn": "।,?-",
        "zh-Hans": "。，？",
        "zh-Hant": "。，、？",
        "ja": "。、",
    },
    **{"ur": "۔،؟", "ar": ".،؟", "fa": ".،؛؟", "el": ",.;", "hy": "։,՞", "am": "።፤?", "es": ",.¿?", "fr": ",.?'-"},
}
LETTERS = [  # of a language, and others of the same script that it lacks
    ("ur", "ٹڈڑںےہھگچپکی", "ةيك"),
    ("fa", "گچپژکی", "ةيكہ"),
    ("ar", "ةيك", "یکہپچ"),
    ("uk", "іїє", "ыёэъ"),
    ("ru", "ыё", "іїє"),
    ("zh-Hans", "门这们车", "門們車"),
    ("zh-Hant", "門們車", "门们车"),
    ("vi", "ơưđ", "ṣ"),
    ("yo", "ọẹṣ", "ơưđ"),
]

each_language = each("language", LANGUAGES.values())


def test_there_are_36_languages_in_many_scripts():
    assert len(LANGUAGES) == 36
    assert len({language.script for language in LANGUAGES.values()}) == 20
    assert len({language.family for language in LANGUAGES.values()}) == 13
    for field in ("code", "flores", "name", "own_name"):
        assert len({getattr(language, field) for language in LANGUAGES.values()}) == 36, field


@each_language
def test_a_language_has_all_sentences_and_they_differ(language):
    assert len(language.sentences) == len(LANGUAGES["en"].sentences) == 12
    assert len({*language.sentences}) == 12
    for other in LANGUAGES.values():
        assert other is language or not {*language.sentences} & {*other.sentences}
    for sentence, english in zip(language.sentences, LANGUAGES["en"].sentences, strict=True):
        length = len(sentence) / len("".join(language.sentences))
        expected = len(english) / len("".join(LANGUAGES["en"].sentences))
        assert 0.5 < length / expected < 1.5, sentence


@each_language
def test_all_letters_and_marks_are_in_the_script_of_the_language(language):
    scripts = ("Han", "Hiragana", "Katakana") if language.script == "Japanese" else (language.script,)
    in_script = "".join(rf"\p{{Script={script}}}" for script in scripts)
    for text in (language.own_name, *language.sentences):
        foreign = set(regex.findall(rf"[[\p{{L}}\p{{M}}]--[{in_script}]]", text, flags=regex.V1))
        assert foreign <= set(SHARED.get(language.code, "")), text


@each_language
def test_everything_else_is_the_punctuation_and_spaces_of_the_language(language):
    text = "".join(language.sentences)
    others = set(regex.sub(r"[\p{L}\p{M}\p{Nd}]", "", text)) - set(JOINERS.get(language.code, ""))
    assert others <= set(PUNCTUATION.get(language.code, ",.?") + (" \xa0" if language.code == "fr" else " "))
    assert set(regex.findall(r"\p{Nd}", text)) <= (set("238") if language.code in ("ja", "ko") else set())


@each_language
def test_the_text_is_normal_and_neatly_spaced(language):
    for text in (language.own_name, language.notes, *language.sentences):
        assert unicodedata.is_normalized("NFC", text), text
        assert text == text.strip() and "  " not in text
        assert not re.search(r" [.,;?!。，？।۔،؟።፣၊။]", text), text
    for text in language.sentences:
        kinds = {unicodedata.category(char) for char in text.translate(dict.fromkeys(map(ord, "\u200c\u200d")))}
        assert not kinds & {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}, text


@each_language
def test_joiners_stand_only_where_the_orthography_needs_them(language):
    found = set("".join(language.sentences)) & {"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"}
    assert found == set(JOINERS.get(language.code, ""))
    for text in language.sentences:
        assert not re.search(r"(^|\s)[\u200c\u200d]|[\u200c\u200d](\s|$)|[\u200c\u200d]{2}", text), text


@each_language
def test_all_letters_are_written_in_one_direction(language):
    assert len({unicodedata.bidirectional(char) for char in "".join(language.sentences)} & {"L", "R", "AL"}) == 1


@pytest.mark.parametrize(("code", "own", "others"), LETTERS)
def test_languages_of_one_script_are_told_apart_by_their_letters(code, own, others):
    text = {*"".join(LANGUAGES[code].sentences)}
    assert text & {*own} and not text & {*others}


@each("code", sorted(set(LANGUAGES) - {"th", "lo"}))  # which have no full stop
def test_sentences_end_with_a_full_stop_or_a_question_mark_of_the_language(code):
    last = [sentence[-1] for sentence in LANGUAGES[code].sentences]
    full_stop, *question = sorted({*last}, key=last.count, reverse=True)
    assert full_stop in ".。။។।۔։።" and last.count(full_stop) >= 10
    assert set(question) <= set("?？؟;")


def test_a_language_is_known_by_its_tag_its_flores_code_and_its_name():
    for language in LANGUAGES.values():
        for name in (language.code, language.flores, language.name, language.name.upper()):
            assert known_language(name) is language
    assert known_language("") is None


def test_parallel_sentences_are_those_of_the_table():
    sentences = parallel_sentences()
    assert [list(sentence) for sentence in sentences] == [list(LANGUAGES)] * 12
    assert [sentence["my"] for sentence in sentences] == list(LANGUAGES["my"].sentences)
    assert list(parallel_sentences(["th", "en"])[0]) == ["th", "en"]
    with pytest.raises(KeyError, match="no sentences in 'thai'; choose from en, th"):
        parallel_sentences(["thai"])
