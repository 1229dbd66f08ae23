"""Split patterns: the regular expressions that cut a text into pretokens, and what each of their alternatives does.

The strings of "gpt2", "cl100k" and "o200k" are from tiktoken 0.14 (MIT), "llama3" is from Meta's Llama 3 tokenizer.
"sentencepiece" is for SentencePiece's vocabularies: they merge across anything, but no token reaches across its cuts.
A named pattern is joined from its alternatives, so the two cannot disagree.
"""

from dataclasses import dataclass

import regex

from tokviz.system import sandbox
from tokviz.system.recent import recent


@dataclass(frozen=True)
class Alternative:
    """One alternative of a split pattern: its name, its regular expression, what it cuts and why."""

    name: str
    regex: str
    explanation: str


_CASED_CONTRACTION = Alternative(
    "contraction",
    r"'(?:[sdmt]|ll|ve|re)",
    "The end of an English contraction: 's, 'd, 'm, 't, 'll, 've, 're. Lower case only, so IT'S is "
    "cut differently from it's.",
)
_SPACED_SYMBOLS = (
    "Punctuation, symbols, emoji and combining marks, with the one space before them: whatever is "
    "neither white space, letter nor number."
)
_TRAILING_SPACE = Alternative(
    "space at the end", r"\s++$", "White space at the very end of the text, all in one piece."
)
_SPACE_BEFORE_WORD = Alternative(
    "space but the last",
    r"\s+(?!\S)",
    "White space, leaving its last character to the word that follows: of three spaces before a "
    "word, two are matched here and one belongs to the word.",
)
_ONE_SPACE = Alternative("single space", r"\s", "One character of white space that is left over.")
_ANY_SPACE = Alternative("white space", r"\s+", "White space that is left over.")
_ANY_CASE = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_NUMBER_3 = "One to three digits, counted from the left, so 1234567 becomes 123|456|7."
_LINE_ENDS = Alternative("line ends", r"\s*[\r\n]+", "Line ends, with the white space in front of them.")
_LETTERS = (
    "A run of letters, with one character before it that is neither letter, number nor line end: "
    "usually the space. Combining marks are not letters here: Thai vowels above and below, and tone "
    "marks, end the run."
)

ALTERNATIVES: dict[str, tuple[Alternative, ...]] = {
    "none": (),
    "sentencepiece": (
        Alternative("line ends", r"\n{1,31}+", "At most 31 line feeds, the longest run that Gemma has a token for."),
        Alternative(
            "word",
            r" *+(?:[^ \n>]|>(?: (?=</))?+)++",
            "Whatever is not a space or a line feed, with all spaces before it. A space after another character begins "
            "the next piece, except in > </, which is a token of Gemma's.",
        ),
        Alternative("spaces", r" ++", "Spaces before a line feed or the end of the text."),
    ),
    "gpt2": (
        _CASED_CONTRACTION,
        Alternative(
            "letters",
            r" ?\p{L}++",
            "A run of letters with the one space before it. Combining marks are not letters here: "
            "Thai vowels above and below, and tone marks, end the run.",
        ),
        Alternative("numbers", r" ?\p{N}++", "A run of digits of any length, with the one space before it."),
        Alternative("symbols", r" ?[^\s\p{L}\p{N}]++", _SPACED_SYMBOLS),
        _TRAILING_SPACE,
        _SPACE_BEFORE_WORD,
        _ONE_SPACE,
    ),
    "cl100k": (
        Alternative(
            "contraction",
            r"'(?i:[sdmt]|ll|ve|re)",
            "The end of an English contraction in any case: 's, 'd, 'm, 't, 'll, 've, 're.",
        ),
        Alternative("letters", r"[^\r\n\p{L}\p{N}]?+\p{L}++", _LETTERS),
        Alternative("numbers", r"\p{N}{1,3}+", _NUMBER_3),
        Alternative("symbols", r" ?[^\s\p{L}\p{N}]++[\r\n]*+", _SPACED_SYMBOLS + " Line ends may follow."),
        _TRAILING_SPACE,
        Alternative("line end", r"\s*[\r\n]", "White space up to and with the last line end in it."),
        _SPACE_BEFORE_WORD,
        _ONE_SPACE,
    ),
    "o200k": (
        Alternative(
            "word with a small tail",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+" + _ANY_CASE + "?",
            "A word: capitals first, then small letters or letters without case, with one character "
            "before it (usually the space) and a contraction after it. Combining marks are part of "
            "the word, so Thai stays whole.",
        ),
        Alternative(
            "word in capitals",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*" + _ANY_CASE + "?",
            "A word that begins with capitals and may have no small letters at all, such as NASA or IT'S.",
        ),
        Alternative("numbers", r"\p{N}{1,3}", _NUMBER_3),
        Alternative(
            "symbols",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            _SPACED_SYMBOLS + " Line ends and slashes may follow.",
        ),
        _LINE_ENDS,
        _SPACE_BEFORE_WORD,
        _ANY_SPACE,
    ),
    "llama3": (
        Alternative(
            "contraction",
            _ANY_CASE,
            "The end of an English contraction in any case: 's, 't, 're, 've, 'm, 'll, 'd.",
        ),
        Alternative("letters", r"[^\r\n\p{L}\p{N}]?\p{L}+", _LETTERS),
        Alternative("numbers", r"\p{N}{1,3}", _NUMBER_3),
        Alternative("symbols", r" ?[^\s\p{L}\p{N}]+[\r\n]*", _SPACED_SYMBOLS + " Line ends may follow."),
        _LINE_ENDS,
        _SPACE_BEFORE_WORD,
        _ANY_SPACE,
    ),
}

SPLIT_PATTERNS: dict[str, str] = {
    name: "|".join(alternative.regex for alternative in alternatives) for name, alternatives in ALTERNATIVES.items()
}

_NAME_OF = {pattern: name for name, pattern in SPLIT_PATTERNS.items()}
# People write patterns by hand, and none of ten thousand characters on purpose.
MAX_PATTERN_LENGTH = 10_000
COMPILE_SECONDS = 2.0  # the longest named pattern takes 20 ms


def short_repr(value: object, length: int = 80) -> str:
    """Return a value as an error message quotes it: its repr, cut to `length` characters.

    >>> short_repr("abcdefgh", 6)
    "'abcd…"
    """
    quoted = repr(value)
    return quoted if len(quoted) <= length else quoted[: length - 1] + "…"


def pattern_name(split_pattern: str) -> str:
    """Return the name of a split pattern where it has one, else the regular expression itself.

    Raises ValueError for a pattern that does not compile, is over `MAX_PATTERN_LENGTH` characters, or reads the
    text backwards.

    >>> pattern_name(SPLIT_PATTERNS["gpt2"]), pattern_name("gpt2"), pattern_name("")
    ('gpt2', 'gpt2', 'none')
    >>> pattern_name("[a-z]+|.")
    '[a-z]+|.'
    >>> pattern_name("(a")
    Traceback (most recent call last):
    ValueError: the split pattern '(a' is not a regular expression: missing ) at position 2
    """
    if not isinstance(split_pattern, str):
        raise ValueError(
            f"a split pattern must be one of {', '.join(SPLIT_PATTERNS)} or a regular expression, "
            f"not {short_repr(split_pattern)}"
        )
    if split_pattern in SPLIT_PATTERNS:
        return split_pattern
    name = _NAME_OF.get(split_pattern)
    if name is not None:
        return name
    if len(split_pattern) > MAX_PATTERN_LENGTH:
        raise ValueError(
            f"the split pattern has {len(split_pattern):,} characters; at most {MAX_PATTERN_LENGTH:,} are allowed"
        )
    if error := _error_of(split_pattern):
        raise ValueError(str(error)) from error
    return split_pattern


def ends_its_process(split_pattern: str) -> bool:
    """Return whether compiling a pattern crashes a process, or takes more time or memory than any pattern should.

    >>> ends_its_process("cl100k"), ends_its_process("(a")
    (False, False)
    """
    try:
        pattern_name(split_pattern)
    except ValueError as e:
        return isinstance(e.__cause__, sandbox.SandboxError)
    return False


@recent(maxsize=1_000)
def _error_of(pattern: str) -> ValueError | None:
    """Return what is wrong with a user's regular expression, tried in a child process; None if nothing is."""
    try:
        sandbox.call(_check_compiles, pattern, seconds=COMPILE_SECONDS, what=f"the split pattern {short_repr(pattern)}")
    except ValueError as e:
        if sandbox.is_busy_error(e):
            raise  # this says nothing about the pattern
        return e.with_traceback(None)
    return None


def _check_compiles(pattern: str) -> None:
    compiled_pattern(pattern)


def compiled_pattern(split_pattern: str) -> regex.Pattern[str]:
    """Return the compiled split pattern: a named one, or any pattern inside `sandbox`.

    Compiling can crash a process or fill its memory, so a user's own pattern is never compiled elsewhere.

    >>> compiled_pattern("gpt2").findall("two words")
    ['two', ' words']
    """
    pattern = SPLIT_PATTERNS.get(split_pattern, split_pattern)
    if pattern not in _NAME_OF and not sandbox.inside:
        raise RuntimeError(
            f"{short_repr(pattern)} is not a named split pattern, and may be compiled in a child process only"
        )
    try:
        result = regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, ValueError, KeyError) as e:
        raise ValueError(
            f"the split pattern {short_repr(pattern)} is not a regular expression: {e or type(e).__name__}"
        ) from e
    if result.flags & regex.REVERSE:
        raise ValueError(f"the split pattern {short_repr(pattern)} reads the text backwards: leave out the flag (?r)")
    return result
