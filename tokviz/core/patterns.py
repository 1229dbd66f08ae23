"""Split patterns by name or as regular expressions: checked, in parts, and compiled."""

import regex

from tokviz.core.joined_patterns import JOINED
from tokviz.core.named_patterns import ALIASES, SPLIT_PATTERNS
from tokviz.core.unicode_classes import compiled_with_classes_of_tiktoken
from tokviz.system import sandbox
from tokviz.system.recent import recent

_NAME_OF = (
    ALIASES
    | {JOINED[pattern]: name for name, pattern in SPLIT_PATTERNS.items() if pattern in JOINED}
    | {pattern: name for name, pattern in SPLIT_PATTERNS.items()}
)
_VERBOSE = regex.compile(r"\(\?[a-zA-Z01]*x")  # the flag with which line ends mean nothing
_LINE_END = regex.compile(r"(\\[^\r\n])|\\?(\r|\n)")
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


def pattern_name_or_regex(split_pattern: str) -> str:
    """Return the name of a split pattern where it has one, else the regular expression itself.

    Raises ValueError for a pattern that does not compile, is over `MAX_PATTERN_LENGTH` characters, or reads the
    text backwards.

    >>> pattern_name_or_regex(SPLIT_PATTERNS["gpt2"]), pattern_name_or_regex("gpt2"), pattern_name_or_regex("")
    ('gpt2', 'gpt2', 'none')
    >>> pattern_name_or_regex("[a-z]+|.")
    '[a-z]+|.'
    >>> pattern_name_or_regex("(a")
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
    if error := _compile_error_if_any(split_pattern):
        raise ValueError(str(error)) from error
    return split_pattern


def overwhelms_compiler(split_pattern: str) -> bool:
    """Return whether compiling a pattern crashes a process, or takes more time or memory than any pattern should.

    >>> overwhelms_compiler("cl100k"), overwhelms_compiler("(a")
    (False, False)
    """
    try:
        pattern_name_or_regex(split_pattern)
    except ValueError as e:
        return isinstance(e.__cause__, sandbox.SandboxError)
    return False


@recent(maxsize=1_000)
def _compile_error_if_any(pattern: str) -> ValueError | None:
    """Return what is wrong with a user's regular expression, tried in a child process; None if nothing is."""
    try:
        sandbox.call(_check_compiles, pattern, seconds=COMPILE_SECONDS, what=f"the split pattern {short_repr(pattern)}")
    except ValueError as e:
        if sandbox.is_busy_error(e):
            raise  # this says nothing about the pattern
        return e.with_traceback(None)
    return None


def _check_compiles(pattern: str) -> None:
    compiled_parts(pattern)


def pattern_parts(split_pattern: str) -> tuple[str, ...]:
    """Return the regular expressions that a split pattern consists of, one a line.

    Each cuts the pieces that the one before it left, and sees no more than one piece. A verbose pattern, with the flag
    x, is a single one.

    >>> pattern_parts("[0-9]\\n[a-z]+"), pattern_parts("(?x) a\\n b")
    (('[0-9]', '[a-z]+'), ('(?x) a\\n b',))
    """
    pattern = SPLIT_PATTERNS.get(split_pattern, split_pattern)
    lines = () if _VERBOSE.search(pattern) else tuple(filter(None, pattern.split("\n")))
    return lines or (pattern,)


def as_one_part_pattern(regular_expression: str) -> str:
    """Return a regular expression as a split pattern of one part: on one line.

    >>> as_one_part_pattern("[\\n]")
    '[\\\\n]'
    """
    if _VERBOSE.search(regular_expression):
        return regular_expression
    return _LINE_END.sub(lambda found: found[1] or repr(found[2])[1:-1], regular_expression)


def single_pattern(split_pattern: str) -> str:
    """Return a regular expression that alone cuts as a split pattern does, given by name or in full.

    Raises ValueError for a pattern of several parts where none is known.

    >>> single_pattern("starcoder").count("\\n"), single_pattern("[a-z]+")
    (0, '[a-z]+')
    """
    pattern = SPLIT_PATTERNS.get(split_pattern, split_pattern)
    if pattern in JOINED:
        return JOINED[pattern]
    if len(pattern_parts(pattern)) > 1:
        raise ValueError(
            f"the split pattern {short_repr(split_pattern)} cuts several times in turn, and no single regular "
            "expression is known that cuts alike"
        )
    return pattern


def compiled_parts(split_pattern: str) -> list[regex.Pattern[str]]:
    """Return the regular expressions that cut in turn by a split pattern, compiled; a single one where that is known.

    Compiling can crash a process or fill its memory, so a user's own pattern is compiled inside `sandbox` only.
    """
    if split_pattern not in SPLIT_PATTERNS and split_pattern not in _NAME_OF and not sandbox.inside:
        raise RuntimeError(
            f"{short_repr(split_pattern)} is not a named split pattern, and may be compiled in a child process only"
        )
    name = _NAME_OF.get(split_pattern, split_pattern)
    pattern = SPLIT_PATTERNS.get(name, name)
    compiled = compiled_with_classes_of_tiktoken if name in SPLIT_PATTERNS else _compiled_regex
    return [compiled(part) for part in ((JOINED[pattern],) if pattern in JOINED else pattern_parts(pattern))]


@recent(maxsize=100)
def compiled_pattern(split_pattern: str) -> regex.Pattern[str]:
    """Return the one regular expression of `compiled_parts`; ValueError if there are several.

    >>> compiled_pattern("gpt2").findall("two words")
    ['two', ' words']
    """
    return compiled_parts(single_pattern(split_pattern))[0]


def _compiled_regex(pattern: str) -> regex.Pattern[str]:
    try:
        result = regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, ValueError, KeyError) as e:
        raise ValueError(
            f"the split pattern {short_repr(pattern)} is not a regular expression: {e or type(e).__name__}"
        ) from e
    if result.flags & regex.REVERSE:
        raise ValueError(f"the split pattern {short_repr(pattern)} reads the text backwards: leave out the flag (?r)")
    return result
