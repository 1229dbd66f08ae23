"""Letters of one script in the words of another that look like letters of that one, such as a Cyrillic а in English.

Only words of several scripts count, and of each script only if all its letters there have a look-alike: so plain
Russian or Greek has none, and neither have endings such as that of iPhoneом. Greek letters that are symbols, as in TNFα
or νmax, are left alone.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import regex

from tokviz.hidden_text.confusables import PAIRS
from tokviz.hidden_text.greek_symbols import symbols

LATIN = "Latin"
_LAST = {"Cyrillic": "\u045f", "Greek": "\u03ce"}  # of the letters that words in use today are written with
_AS_LATIN = {letter: pair[0] for pairs in PAIRS.values() for pair in pairs.split() for letter in pair[1:]}
_IN_SCRIPT = {
    script: {pair[0]: pair[1] for pair in pairs.split() if pair[1] <= _LAST.get(script, pair[1])}
    for script, pairs in PAIRS.items()
}
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]{2,}")
_SCRIPT = regex.compile("|".join(rf"(?P<{script}>\p{{{script}}})" for script in (LATIN, *PAIRS)))


def look_alikes(text: str) -> Iterator[tuple[int, str]]:
    """Yield where each letter stands, in characters, that looks like one of its word's script, and that one.

    Words have three letters or more. The script of one is that of most of its letters, Latin if as many are of another,
    or if only so the others are look-alikes.

    >>> list(look_alikes("p\\u0430ypal, Москва, kΩ, TNFα")), list(look_alikes("\\u004dосква"))
    ([(1, 'a')], [(0, 'М')])
    """
    if len({script for script in map(_script, set(text)) if script}) < 2:
        return
    for word in _WORD.finditer(text):
        if not word[0].isascii() and len({*map(_script, word[0])} - {None}) > 1:
            yield from ((word.start() + at, letter) for at, letter in sorted(_of_word(word[0])))


def _of_word(word: str) -> list[tuple[int, str]]:
    """Return the look-alikes of a word, with their places in it."""
    left_alone = symbols(word)
    places = [(at, script) for at, c in enumerate(word) if at not in left_alone and (script := _script(c))]
    counts = Counter(script for _, script in places)
    for main in dict.fromkeys((_main_script(word, counts), LATIN)):
        found = []
        for other in counts.keys() - {main}:
            letters = [(at, _like(word, at, main)) for at, script in places if script == other]
            found += [(at, letter) for at, letter in letters if letter] if all(ltr for _, ltr in letters) else []
        if found:
            return found
    return []


def _main_script(word: str, counts: Counter[str]) -> str:
    """Return the script of most letters, but Latin for a word that can be read so, if not only a capital begins it."""
    main = max(counts, key=lambda script: (counts[script], script == LATIN), default=LATIN)
    is_slip = counts[LATIN] == 1 and _script(word[0]) == LATIN and word[0].isupper()
    reads_latin = all(_script(c) in (LATIN, None) or _latin(c) for c in word)
    return LATIN if reads_latin and not is_slip else main


@lru_cache(maxsize=2**14)
def _script(character: str) -> str | None:
    """Return the script of a letter, None for one of a script without look-alikes, and for any other character."""
    match = _SCRIPT.match(character)
    return match and match.lastgroup


@lru_cache(maxsize=2**12)
def _latin(character: str) -> str | None:
    """Return the Latin letter that one of another script looks like, with its accents."""
    letters = unicodedata.normalize("NFD", character)
    like = _AS_LATIN.get(letters[0])
    return like and unicodedata.normalize("NFC", like + letters[1:])


def _like(word: str, at: int, script: str) -> str | None:
    """Return the letter of a script that looks like the one at a place in a word."""
    latin = word[at] if _script(word[at]) == LATIN else _latin(word[at])
    if script != LATIN:
        return _IN_SCRIPT[script].get(latin) if latin else None
    if latin == "I":  # drawn as l is
        return "I" if at == 0 or word[at - 1].isupper() else "l"
    return latin
