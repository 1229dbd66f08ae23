"""Letters of one script in the words of another that look like letters of that one, such as a Cyrillic а in English.

Only words of both scripts count, and only if every letter of the rarer one has a look-alike: so plain Russian or Greek
has none, and neither have kΩ, Δt, or Russian endings on Latin names. The pairs are those of Unicode's confusables.txt
(UTS 39) that most typefaces draw alike.
"""

from collections import Counter
from collections.abc import Iterator

import regex

_PAIRS = {
    "Cyrillic": "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl ѵv АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ԚQ ԜW",
    "Greek": "οo αa νv ρp ιi κk υu γy χx ϲc ϳj ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ͿJ",
    "Armenian": "օo սu հh ոn ցg զq ՕO ՏS ՍU",
    "Cherokee": "ᎪA ᏴB ᏟC ᎬE ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᏚS ᎢT ᏙV ᎳW ᏃZ",
}
_TO_LATIN = {script: {pair[0]: pair[1] for pair in pairs.split()} for script, pairs in _PAIRS.items()}
_FROM_LATIN = {script: {latin: letter for letter, latin in pairs.items()} for script, pairs in _TO_LATIN.items()}
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]{2,}")
_LATIN = regex.compile(r"\p{Latin}")
_OTHERS = {script: regex.compile(rf"\p{{{script}}}") for script in _PAIRS}


def look_alikes(text: str) -> Iterator[tuple[int, str]]:
    """Yield where each letter stands, in characters, that looks like one of its word's script, and that one.

    Words have three letters or more; of as many letters of both scripts, the Latin ones are the word's.

    >>> list(look_alikes("p\\u0430ypal, Москва, kΩ")), list(look_alikes("\\u004dосква"))
    ([(1, 'a')], [(0, 'М')])
    """
    if not _LATIN.search(text):
        return
    for script, letters in _OTHERS.items():
        if not letters.search(text):
            continue
        for word in _WORD.finditer(text):
            others = Counter(letters.findall(word[0]))
            latin = Counter(_LATIN.findall(word[0]))
            if not others or not latin:
                continue
            rare, becomes = (
                (others, _TO_LATIN[script]) if others.total() <= latin.total() else (latin, _FROM_LATIN[script])
            )
            if rare.keys() <= becomes.keys():
                yield from ((word.start() + i, becomes[c]) for i, c in enumerate(word[0]) if c in rare)
