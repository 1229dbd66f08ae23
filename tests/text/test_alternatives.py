"""Alternatives against the parser of the regex module itself, and cutting with them against the whole pattern."""

from itertools import count

import pytest
import regex
from each import quick
from hypothesis import assume, given
from hypothesis import strategies as st
from odd_texts import ODD
from regex import _regex_core as core

from tokviz.core.named_patterns import ALTERNATIVES, PARTS, SPLIT_PATTERNS
from tokviz.core.patterns import pattern_parts
from tokviz.core.pretokens import pretokens
from tokviz.core.samples import SAMPLES, sample
from tokviz.system import sandbox
from tokviz.text.alternatives import ALTERNATIVES_MAX, Cut, alternative_at, alternatives, cuts, pattern_without

OWN = [
    "[a-z]+|.",
    r"a|b\|c|[|]|[]|]+|[^]|]",
    r"(?:x|y)|(z|(?P<n>w|v))|(?=a|b)c|(?<!a|b)c|(?>a|b)",
    r"(?i)'s|\p{L}+|\s",
    r"\p{L}+|(?i)'s|x",
    "(?x) a+ # one | two\n | b [ |#]+ | \\  # end | of it",
    "(?x: a # b|c\n | b ) | c#|d",
    "(?-x:a|b)|#c|d",
    r"(a|b)\1|(c)\2|(?(1)a|b)",
    "(?V1)[[a-z|]--[aeiou|]]+|[[:alpha:]|]|x",
    "[[:alpha:]|]+|[[a|]|b",
    r"(?#a|b\)|c)a|b",
    r"x(?R)?|(?|a(b)|c(d))|(?P=n)(?P<n>e)|(?:)",
    r"\p{L|\x{7c}|\N{VERTICAL LINE}|\Q|\E|\||a{1,2}|(?:a|b){e<=1}",
    "|",
    "||a",
    "a(*SKIP)(*FAIL)|b",
    r"\K\d|foo\Kbar|x",
]
AS_ONE = {r"(a|b)\1|(c)\2|(?(1)a|b)", OWN[5], OWN[6]}  # groups referred to by number, white space that does not count
TEXTS = [*ODD, "it's IT'S 12 345 foobar baz|#", "xyxyzz wv abab cc éÉ"]


def library_alternatives(pattern: str) -> list[str]:
    """Return the pattern between the top-level bars that the regex module's own parser finds."""
    flags = 0
    while True:
        source, found, begin = core.Source(pattern), [], 0
        info = core.Info(flags, source.char_type, {})
        try:
            core.parse_sequence(source, info)
            while source.match("|"):
                found.append(pattern[begin : source.pos - 1])
                begin = source.pos
                core.parse_sequence(source, info)
            return [*found, pattern[begin:]]
        except core._UnscopedFlagSet:
            flags = info.global_flags


def split(pattern: str) -> list[str]:
    return [alternative.regex for alternative in alternatives(pattern)]


NAMES = [*SPLIT_PATTERNS]
NAMED_PARTS = [part for pattern in SPLIT_PATTERNS.values() for part in pattern_parts(pattern)]
IN_TURN = [name for name, parts in PARTS.items() if len(parts) > 1]


def compiles(pattern: str) -> bool:
    try:
        regex.compile(pattern)
    except (regex.error, KeyError, ValueError):
        return False
    return True


@pytest.mark.parametrize("pattern", [pattern for pattern in OWN if compiles(pattern)] + NAMED_PARTS)
def test_the_alternatives_are_those_of_the_regex_modules_parser(pattern):
    found = split(pattern)
    if pattern in AS_ONE:
        assert found == [pattern]
    elif pattern:
        front = pattern[: len(pattern) - len("|".join(found))]
        assert [front + found[0], *found[1:]] == library_alternatives(pattern)


FRAGMENTS = [
    *"ab #\n||()[]^-\\{*", "(?:", "(?=", "(?<!", "(?x)", "(?x:", "(?-x:", "(?i)", "[:alpha:]", "\\|", "\\[", "(?#",
    "{1,2}", "+?", "(?V1)", "--", "&&", "\\p{L}",
]  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
def test_any_pattern_that_compiles_is_split_as_the_regex_module_does(pattern):
    assume(pattern and compiles(pattern) and pattern_parts(pattern) == (pattern,))
    assert pattern_without(pattern, ()) == pattern
    found = split(pattern)
    if len(found) > 1 or "x" not in pattern:
        front = pattern[: len(pattern) - len("|".join(found))]
        assert [front + found[0], *found[1:]] == library_alternatives(pattern)


@pytest.mark.parametrize("pattern", [pattern for pattern in OWN if compiles(pattern)] + NAMES)
def test_cuts_are_the_pretokens_and_each_alternative_is_the_first_that_cuts_so(pattern):
    for text in TEXTS:
        found = cuts(text, pattern)
        assert [cut.pretoken for cut in found] == pretokens(text, pattern)
        assert [cut.char_start for cut in found] == [sum(len(c.pretoken) for c in found[:i]) for i in range(len(found))]
        for cut in found:
            others = [i for i in range(len(alternatives(pattern))) if i != cut.alternative]
            if cut.alternative is not None and "\\K" not in pattern and pattern not in IN_TURN:
                match = regex.compile(pattern_without(pattern, others)).match(text, cut.char_start)
                assert match[0] == cut.pretoken


@pytest.mark.parametrize("name", quick([name for name in NAMES if name not in (*IN_TURN, "none")], "gpt2", "o200k"))
def test_groups_in_the_whole_pattern_name_the_same_alternative(name):
    marked = regex.compile("|".join(f"({alternative.regex})" for alternative in ALTERNATIVES[name]))
    for text in [*TEXTS, *map(sample, SAMPLES)]:
        matches = list(marked.finditer(text))
        expected = [(match[0], match.lastindex - 1) for match in matches]
        assert [(cut.pretoken, cut.alternative) for cut in cuts(text, name)] == expected
        for match in matches:
            assert alternative_at(text, *match.span(), name) is ALTERNATIVES[name][match.lastindex - 1]


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("starcoder", "It's 12", [("It", "letters", 2), ("'s", "contraction", 2), (" ", "space at the end", 2),
                                  ("1", "digit", 1), ("2", "digit", 1)]),
        ("deepseek-v3", "a 12中文・.txt\0", [("a", "letters and marks", 3), (" ", "space but the last", 3),
                                          ("12", "numbers", 1), ("中文", "letters and marks", 3),
                                          ("・", "symbols", 3), (".txt", "sign and Latin letters", 3),
                                          ("\0", None, 0)]),
        ("deepseek-v3", "中文a", [("中文", "Chinese and kana", 2), ("a", "letters and marks", 3)]),
        ("[a-z]+\n[aeiou]|[xyz]+", "-abxz-xy", [("-", None, 0), ("a", "alternative 2", 2), ("b", None, 0),
                                                ("xz", "alternative 3", 2), ("-", None, 0),
                                                ("xy", "alternative 1", 1)]),
    ],
)  # fmt: skip
def test_the_first_alternative_of_any_part_that_matches_a_pretoken_is_named(name, text, shown):
    offered = alternatives(name)
    found = [(cut.pretoken, None if cut.alternative is None else offered[cut.alternative]) for cut in cuts(text, name)]
    assert [(pretoken, one and one.name, one.part if one else 0) for pretoken, one in found] == shown


@pytest.mark.parametrize("name", [*IN_TURN, "[a-z]+\n[aeiou]|[xyz]+"])
def test_what_is_known_of_a_pretoken_alone_is_what_cutting_all_says(name):
    for text in [*TEXTS, sample("mixed")[:500]]:
        for cut in cuts(text, name)[:: 1 if name in IN_TURN else 9]:
            found = alternative_at(text, cut.char_start, cut.char_start + len(cut.pretoken), name)
            assert found == (None if cut.alternative is None else alternatives(name)[cut.alternative])


@pytest.mark.parametrize("name", quick([name for name in NAMES if name != "none"], "gpt2", "starcoder"))
def test_switched_off_the_others_keep_their_numbers(name):
    for off in range(len(ALTERNATIVES[name])):
        numbers = count()
        parts = [[a.regex for a in part if next(numbers) != off] for part in PARTS[name]]
        joined = "\n".join("|".join(part) or "(?!)" for part in parts)
        assert pattern_without(name, [off]) == joined
        for text in TEXTS:
            found = cuts(text, name, off=[off])
            assert "".join(cut.pretoken for cut in found) == text
            assert [cut.pretoken for cut in found] == pretokens(text, joined)
            assert off not in {cut.alternative for cut in found}


def test_all_switched_off_leaves_the_text_in_one():
    assert cuts("it's 12", "gpt2", off=range(7)) == [Cut("it's 12", 0, None)]
    assert cuts("it's 12", "none") == [Cut("it's 12", 0, None)]


def test_a_pattern_with_groups_keeps_them_when_an_alternative_is_off():
    assert pattern_without("(?P<x>a)|b(?P=x)?|c", [0]) == "(?!)(?P<x>a)|b(?P=x)?|c"
    assert [cut.alternative for cut in cuts("abc", "(?P<x>a)|b(?P=x)?|c", off=[0])] == [None, 1, 2]


def test_a_pattern_that_refers_to_groups_by_number_counts_as_one_alternative():
    assert [tuple(cut) for cut in cuts("aabbc", r"(a)\1|(b)\2")] == [("aa", 0, 0), ("bb", 2, 0), ("c", 4, None)]


@pytest.mark.parametrize(
    ("pattern", "text", "numbers"),
    [
        (r"(?<foo>a)|(?<foo>b)|c", "abc", [0, 1, 2]),
        (r"(?<y>\d{4})|(?<m>\d\d)|(?<y>z)", "2024z12", [0, 2, 1]),
        (r"(?<of1>a)|b|c", "abc", [0, 1, 2]),
    ],
)
def test_groups_of_the_patterns_own_do_not_hide_which_alternative_cut(pattern, text, numbers):
    assert [cut.alternative for cut in cuts(text, pattern)] == numbers


def test_a_group_that_is_referred_to_by_number_keeps_its_meaning():
    found = [(cut.pretoken, cut.alternative) for cut in cuts("abbab", r"a|(b)(?P=1)")]
    assert found == [("a", 0), ("bb", 0), ("a", 0), ("b", None)]


def test_a_named_pattern_without_some_alternatives_runs_in_a_child_process(monkeypatch):
    called = []
    monkeypatch.setattr(sandbox, "call", lambda function, *arguments, **_: called.append(1) or function(*arguments))
    cuts("a b", "gpt2")
    assert not called
    cuts("a b", "gpt2", off=[0])
    assert called


def test_flags_hold_for_what_follows_them_also_when_their_alternative_is_off():
    assert [tuple(cut) for cut in cuts("aAbB", "a|(?i)x|b", off=[1])] == [
        ("a", 0, 0),
        ("A", 1, None),
        ("b", 2, 2),
        ("B", 3, 2),
    ]


def test_contractions_in_upper_case():
    cut_by = {name: [c.pretoken for c in cuts("IT'S", name)] for name in ("gpt2", "cl100k", "o200k", "llama3")}
    assert cut_by == {"gpt2": ["IT", "'", "S"], "cl100k": ["IT", "'S"], "o200k": ["IT'S"], "llama3": ["IT", "'S"]}


def test_beyond_so_many_alternatives_the_rest_is_one():
    many = "|".join(f"x{i}" for i in range(ALTERNATIVES_MAX + 50))
    found = alternatives(many)
    assert len(found) == ALTERNATIVES_MAX
    assert "|".join(alternative.regex for alternative in found) == many


def test_alternative_at_names_an_own_pattern_too():
    assert alternative_at("a 12", 2, 4, r"[a-z]+|\p{N}{1,3}").name == "numbers"
    assert alternative_at("a 12", 0, 1, r"[a-z]+|\p{N}{1,3}").name == "alternative 1"
    assert alternative_at("a 12", 1, 2, r"[a-z]+|\p{N}{1,3}") is None


def test_a_pattern_that_never_ends_is_stopped_in_words():
    with pytest.raises(ValueError, match=r"did not end within 0\.2 seconds"):
        cuts("a" * 60 + "b", "x|(a|aa)+$", timeout=0.2)
    with pytest.raises(ValueError, match="not a regular expression"):
        cuts("a", "(a|b")
