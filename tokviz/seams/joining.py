"""Characters that a Unicode form joins to what precedes them: marks and the later jamo of a Hangul syllable."""

import unicodedata
from functools import cache

from tokviz.core.normalizer import Normalizer
from tokviz.system.recent import recent


@cache
def joining_characters() -> frozenset[str]:
    """Return the characters that a Unicode form may join to those before them, or move among them.

    >>> "\\u0301" in joining_characters(), "\\u1161" in joining_characters(), "a" in joining_characters()
    (True, True, False)
    """
    every = [chr(i) for i in range(0x20000)]  # above these there are none
    pairs = (unicodedata.decomposition(character).split() for character in every)
    seconds = {chr(int(pair[1], 16)) for pair in pairs if len(pair) == 2 and pair[0][0] != "<"}
    seconds.update(map(chr, (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))))
    firsts = {character: unicodedata.normalize("NFKD", character)[0] for character in every if not character.isascii()}
    return frozenset(each for each, first in firsts.items() if unicodedata.combining(first) or first in seconds)


def last_unjoined_start(text: str) -> int:
    """Return where the last character begins that joins nothing before it; what follows it may join it.

    >>> last_unjoined_start("ae\\u0301"), last_unjoined_start("")
    (1, 0)
    """
    start = max(len(text) - 1, 0)
    while start and text[start] in joining_characters():
        start -= 1
    return start


@recent(maxsize=256)
def characters_changing_end(normalizer: Normalizer, end: str) -> tuple[str, ...]:
    """Return the characters that change how the end of a text is normalized if they follow it.

    >>> "\\u0338" in characters_changing_end(Normalizer("NFC"), "="), characters_changing_end(Normalizer("NFC"), "!")
    (True, ())
    """
    if not normalizer.form or not end:
        return ()
    now = normalizer.without_prefix(end)
    each = sorted(joining_characters())
    return tuple(one for one in each if not normalizer.without_prefix(end + one).startswith(now))
