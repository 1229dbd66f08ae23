"""Greek letters that are symbols in the words of science, as in TNFα, IκBα, γδT, νmax and PPARγ.

One is a symbol beside a capital, or by itself at the edge of a word. Letters drawn as Latin ones are not, such as ο and
most capitals.
"""

import regex

_RUN = regex.compile(r"\p{Greek}[\p{Greek}\p{M}]*")
_MARKS = regex.compile(r"\p{M}+")
_SYMBOLS = regex.compile(r"[α-νξπρστυφχψωϑϕϖϰϱϵΓΔΘΛΞΠΣΦΨΩ]|[αβγδκλμνρσ]{2}")  # two as they go together: αβ, γδ, μν
_NEARLY_LATIN = "ινρυ"  # in most typefaces; beside small letters they are symbols in short words: νmax, ρair, lnρ
_SHORT = 5
_PHONETIC = "χ"  # the International Phonetic Alphabet has it too: naχt
_CAPITALS_BEFORE = regex.compile(r"(?V1)[\p{Lu}&&\p{Latin}]{1,2}$")
_CAPITAL_BEHIND = regex.compile(r"(?V1)[\p{Lu}&&\p{Latin}]")


def symbols(word: str) -> set[int]:
    """Return the places of the Greek letters in a word that are symbols.

    >>> [sorted(symbols(word)) for word in ("IκBα", "γδT", "νmax", "sαfe", "Pαypal", "gοοgle")]
    [[1, 3], [0, 1], [0], [], [], []]
    """
    found: list[regex.Match[str]] = []
    others: list[regex.Match[str]] = []
    for run in _RUN.finditer(word):
        (found if _is_beside_capital(word, run) else others).append(run)
    if (len(others) == 1 and _is_at_edge(word, others[0])) or all(run[0] == _PHONETIC for run in others):
        found += others
    return {at for run in found for at in range(*run.span())}


def _letters(run: regex.Match[str]) -> str:
    return _MARKS.sub("", run[0])


def _is_beside_capital(word: str, run: regex.Match[str]) -> bool:
    """Return whether a run is a symbol beside a capital; not as in Pαypal, where it would be the second letter."""
    if not _SYMBOLS.fullmatch(_letters(run)):
        return False
    before = _CAPITALS_BEFORE.search(word[max(run.start() - 2, 0) : run.start()])
    return bool(_CAPITAL_BEHIND.match(word, run.end())) or (
        before is not None and (len(before[0]) == 2 or len(word) - run.end() <= 1)
    )


def _is_at_edge(word: str, run: regex.Match[str]) -> bool:
    letter = _letters(run)
    return (
        len(letter) == 1
        and bool(_SYMBOLS.fullmatch(letter))
        and (run.start() == 0 or run.end() == len(word))
        and (letter not in _NEARLY_LATIN or len(_MARKS.sub("", word)) <= _SHORT)
    )
