"""The pieces of a regular expression of the `regex` module: escapes, sets, groups, quantifiers, bars.

In: a pattern that compiles. Out: its pieces in order, whose join is the pattern, each with its kind and
how deep in groups it stands. It knows nothing of what a piece matches; that is the module's part. Whether
white space and # are part of the pattern (the flag x) is followed into and out of groups.
"""

from collections.abc import Iterator
from typing import NamedTuple

import regex


class Piece(NamedTuple):
    """A piece of a pattern: its text, its kind, and the number of groups it stands in.

    kind: "escape", "set", "open", "close", "bar", "quantifier", "flags", "comment" (white space under the
    flag x too) or "character".
    """

    text: str
    kind: str
    depth: int


# What a brace after \p may hold; with another character regex reads a plain p, and the brace as text.
_NAME = r"\{[^{}()\[\]|\\]*\}"
_PIECE = regex.compile(
    rf"""
    (?<escape>  \\(?: [pPN]{_NAME} | x[0-9a-fA-F]{{2}} | u[0-9a-fA-F]{{4}} | U[0-9a-fA-F]{{8}} | [gL]<\w+> | (?s:.) ) )
  | (?<comment> \(\?\# (?: \\(?s:.) | [^)\\] )* \) )
  | (?<flags>   \(\? (?![R0-9]) (?:[a-zA-Z]|V[01])* (?:-[a-zA-Z]+)? \) )
  | (?<open>    \( (?: \? (?: <[=!] | P?<\w+> | P[=>&] | [=!>|&] | (?:[a-zA-Z]|V[01])*(?:-[a-zA-Z]+)?: | (?=\() )? )? )
  | (?<close>   \) )
  | (?<bar>     \| )
  | (?<quantifier> (?: [*+?] | \{{\d*,\d*\}} | \{{\d+\}} ) [+?]? )
  | (?<character> (?s:.) )
    """,
    regex.VERBOSE,
)
_SPACE = regex.compile(r"\s+|#[^\n]*\n?")
_POSIX = regex.compile(r"\[:[^\[\]:]*:\]")
_OPERATOR = regex.compile(r"--|&&|\|\||~~")
_FLAGS = regex.compile(r"\(\?([a-zA-Z01]*)(?:-([a-zA-Z]+))?[:)]")


def pieces(pattern: str) -> Iterator[Piece]:
    """Yield the pieces of a pattern; joined, they are the pattern.

    >>> [piece.text for piece in pieces(r" ?[^\\s(|]++|(?i:'s)")]
    [' ', '?', '[^\\\\s(|]', '++', '|', '(?i:', "'", 's', ')']
    """
    nested_sets = bool(regex.compile(pattern).flags & regex.V1)
    verbose = [False]  # for each group that is open, and the whole pattern first
    at = 0
    while at < len(pattern):
        match = _SPACE.match(pattern, at) if verbose[-1] else None
        if match:
            text, kind = match[0], "comment"
        elif pattern[at] == "[":
            text, kind = pattern[at : _set_end(pattern, at, nested_sets)], "set"
        else:
            match = _PIECE.match(pattern, at)
            text, kind = match[0], match.lastgroup
        at += len(text)
        if kind == "open":
            yield Piece(text, kind, len(verbose) - 1)
            verbose.append(_verbose_after(text, verbose[-1]))
            continue
        if kind == "close" and len(verbose) > 1:
            verbose.pop()
        elif kind == "flags":
            verbose[-1] = _verbose_after(text, verbose[-1])
        yield Piece(text, kind, len(verbose) - 1)


def _verbose_after(text: str, before: bool) -> bool:
    """Return whether white space is left out behind flags, or inside the group that these open."""
    match = _FLAGS.fullmatch(text)
    if not match:
        return before
    return (before or "x" in match[1]) and "x" not in (match[2] or "")


def _set_end(pattern: str, start: int, nested_sets: bool) -> int:
    """Return where the set ends that begins at `start`: behind its last bracket."""
    at = start + 1 + (pattern[start + 1 : start + 2] == "^")
    first = True  # a closing bracket is a plain character there
    while at < len(pattern):
        posix = _POSIX.match(pattern, at)
        operator = _OPERATOR.match(pattern, at) if nested_sets and not first else None
        if pattern[at] == "]" and not first:
            return at + 1
        if pattern[at] == "\\":
            at += 2
        elif posix:
            at = posix.end()
        elif operator:
            at, first = operator.end(), True
            continue
        elif pattern[at] == "[" and nested_sets:
            at = _set_end(pattern, at, nested_sets)
        else:
            at += 1
        first = False
    return len(pattern)
