import pytest
import regex
import tiktoken
import tiktoken_ext.openai_public as openai_public
from each import quick

from tokviz.core.patterns import ALTERNATIVES, SPLIT_PATTERNS, pattern_name

LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@pytest.mark.parametrize(("name", "encoding"), [("gpt2", "gpt2"), ("cl100k", "cl100k_base"), ("o200k", "o200k_base")])
def test_named_patterns_are_tiktokens(name, encoding):
    assert SPLIT_PATTERNS[name] == openai_public.ENCODING_CONSTRUCTORS[encoding]()["pat_str"]


def test_llama3_and_none():
    assert SPLIT_PATTERNS["llama3"] == LLAMA3
    assert SPLIT_PATTERNS["none"] == ""


@pytest.mark.parametrize(
    "cls",
    quick(
        [r"\p{L}", r"\p{N}", r"\s", r"\p{M}", r"\p{Lu}", r"\p{Lt}", r"\p{Lm}", r"\p{Lo}", r"\p{Ll}"],
        r"\p{L}",
        r"\s",
        r"\p{Lu}",
    ),
)
def test_character_classes_are_tiktokens_for_every_code_point(cls):
    text = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    byte_ranks = {bytes([i]): i for i in range(256)}
    rust = tiktoken.Encoding("class", pat_str=cls, mergeable_ranks=byte_ranks, special_tokens={})
    assert rust.decode(rust.encode_ordinary(text)) == "".join(regex.findall(cls, text))


def test_alternatives_have_names_of_their_own():
    for alternatives in ALTERNATIVES.values():
        names = [alternative.name for alternative in alternatives]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(a", "missing"),
        ("(?r)a", "backwards"),
        ("a" * 10_001, "10,001"),
        (r"\p{Foo}", "unknown property"),
        (3, "not 3"),
    ],
)
def test_bad_patterns_are_refused_in_words(pattern, words):
    with pytest.raises(ValueError, match=words):
        pattern_name(pattern)
