"""A pattern of your own in lesson 10: it cuts the text, is not a regular expression, or does not end."""

from tokviz.analysis.alternatives import alternatives, cuts
from tokviz.core.pretokens import TIMEOUT_SECONDS
from tokviz.exercises import Block, Choice, Lines, Link, Plain, Say, Scene, Table, Target, piece_line, usual_links
from tokviz.system.recent import recent

SUBJECT = "The cat sat on 12 mats, " + "a" * 40 + "b"
SECONDS = 0.5  # a class should not have to wait for a pattern that never ends
WORKS, NO_REGEX, NO_END = "It cuts the text", "It is not a regular expression", "It does not end"


def cut_table(text: str, pattern: str, *, seconds: float = TIMEOUT_SECONDS) -> Table:
    """Return the pretokens of a text with the alternative that cut each.

    >>> cut_table("it's", "gpt2").rows
    (('it', 'letters'), ("'s", 'contraction'))
    """
    names = [alternative.name for alternative in alternatives(pattern)]
    found = cuts(text, pattern, timeout=seconds)
    rows = tuple(
        (
            cut.pretoken.replace(" ", "␣"),
            "no alternative matches" if cut.alternative is None else names[cut.alternative],
        )
        for cut in found
    )
    return Table(("pretoken", "cut by"), rows, code=("pretoken",), detail=True)


@recent(maxsize=64)
def outcome(pattern: str) -> tuple[str, tuple[Block, ...]]:
    """Return what becomes of a pattern of your own, and what to show of it.

    >>> outcome("(a")[0], outcome("[a-z]+")[0]
    ('It is not a regular expression', 'It cuts the text')
    """
    try:
        alternatives(pattern)
    except ValueError as e:
        return NO_REGEX, (Plain(str(e)),)
    try:
        table = cut_table(SUBJECT, pattern, seconds=SECONDS)
    except ValueError as e:
        return NO_END, (Plain(str(e)),)
    pieces = [str(pretoken).replace("␣", " ") for pretoken, _ in table.rows]
    return WORKS, (Lines(piece_line("your pretokens", pieces, "pretokens")), table)


def pattern_links(text: str, pattern: str) -> tuple[Link, ...]:
    """Return the links for a text that a pattern cuts."""
    switches = Link(Target.PATTERNS, text, pattern=pattern, label="Switch alternatives off and on")
    return usual_links(text, first=[switches])


def on_subject(pattern: str) -> Scene:
    """Return the scene of a pattern of your own: what will happen?"""
    what, shown = outcome(pattern)
    why = {
        WORKS: "Whatever no alternative matches becomes a pretoken of its own, so nothing is ever lost.",
        NO_REGEX: "The pattern cannot even be read. The message says where it goes wrong.",
        NO_END: "It can match the same letters in very many ways, and tries them all before it gives up. Every further "
        "letter multiplies the work. tokviz stops it after a moment, and says so.",
    }
    return Scene(
        before=(Plain(f"The text to cut: {SUBJECT}"),),
        question=Choice("What will happen?", (WORKS, NO_REGEX, NO_END), frozenset({what})),
        reveal=(*shown, Say(why[what])),
        links=() if what == NO_REGEX else pattern_links(SUBJECT, pattern),
    )
