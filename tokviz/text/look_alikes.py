"""Letters of one script in the words of another that look like letters of that one, such as a Cyrillic а in English.

Only words of several scripts count, and of each script only if all its letters there have a look-alike: so plain
Russian or Greek has none, and neither have endings such as that of iPhoneом. Greek letters that are symbols in the
words of science, as in TNFα or νmax, are left alone.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import regex

LATIN = "Latin"
# Letters that look like Latin ones, by script: those of Unicode's confusables.txt (UTS 39, version 15.1). Each group is
# a Latin letter and those of the script that look like it, the one in common use first.
# Added to the published pairs:
#   κ  that has it with ĸ, which differs from k by the height of its stem
#   χ  that has it with ꭓ, which most typefaces draw as x
#   Ԛ  the capital of ԛ, which it has
#   ӏ  that has it with i, and most typefaces draw it as l
# Left out of them:
#   σ  a symbol of statistics and physics, which no typeface draws as o
#   ဝ  Burmese has no spaces, so that its words touch Latin ones
#   Hebrew, Arabic and N'Ko, which turn the direction of a line and so show themselves
PAIRS = {
    "Cyrillic": "AА aа BВ bЬ CС cс dԁ EЕ eеҽ GԌ HН hһ IІӀ iіꙇ JЈ jј KК lӏ MМ OО oо PР pр QԚ qԛ rг SЅ sѕ TТ VѴ vѵ WԜ "
    "wԝѡ XХ xх YУҮ yуү",
    "Greek": "AΑ aα BΒ CϹ cϲ EΕ FϜ HΗ IΙ iι JͿ jϳ KΚ kκ MΜϺ NΝ OΟ oο PΡ pρϱ rᴦ TΤ uυ vν XΧ xχ YΥϒ yγ ZΖ",
    "Armenian": "fք gց hհ nոռ OՕ oօ qզգ SՏ UՍ uս wա",
    "Coptic": "CⲤ cⲥ HⲎ IⲒ KⲔ LⳐ MⲘ NⲚ OⲞ oⲟ PⲢ pⲣ rⲅ TⲦ XⲬ YⲨ",
    "Cherokee": "AᎪ BᏴ bᏏ CᏟ cꮯ DᎠ dᏧ EᎬ GᏀᏳ HᎻ hᏂ iᎥꭵ JᎫ KᏦ LᏞ MᎷ PᏢ RᎡᏒ rꮁ SᏚᏕ sꮪ TᎢ VᏙ vꮩ WᎳᏔ wꮃ YᎩᎽ ZᏃ zꮓ",
    "Lisu": "Aꓮ Bꓐ Cꓚ Dꓓ dꓒ Eꓰ Fꓝ Gꓖ Hꓧ Iꓲ Jꓙ Kꓗ Lꓡ Mꓟ Nꓠ Oꓳ Pꓑ Rꓣ Sꓢ Tꓔ Uꓴ Vꓦ Wꓪ Xꓫ Yꓬ Zꓜ",
    "Canadian_Aboriginal": "Aᗅ Bᗷ bᑲᖯ Dᗞᗪ dᑯ Fᖴ Hᕼ Jᒍ Lᒪ Mᗰ Pᑭ Rᖇ Uᑌ Vᐯ xᕁᕽ",
    "Georgian": "oჿ yყ",
    "Deseret": "C𐐕 c𐐽 L𐐛 O𐐄 o𐐬 S𐐠 s𐑈",
    "Osage": "O𐓂 o𐓪 R𐒴 U𐓎 u𐓶",
    "Tifinagh": "Eⴹ Iⵏ Oⵔ Qⵕ Vⴸ Xⵝ",
    "Warang_Citi": "E𑢦𑢮 F𑢢𑣂 i𑣃 L𑢣𑢲 O𑢵 o𑣈𑣗 s𑣁 T𑢼 U𑢸 u𑣘 V𑢠 v𑣀 Y𑢤 y𑣜 Z𑢩 z𑣄",
    "Miao": "A𖽀 I𖼨 L𖼖 R𖼵 S𖼺 T𖼊 U𖽂 V𖼈 Y𖽃",
    "Bamum": "Vꛟ",
    "Ahom": "v𑜆 w𑜊𑜎𑜏",
    "Ethiopic": "Oዐ Uሀ",
    "Malayalam": "oഠ",
    "Oriya": "Oଠ",
    "Runic": "Iᛁ Kᛕ Mᛖ Xᚷ",
    "Old_Italic": "B𐌁 C𐌂 I𐌉 M𐌑 T𐌕 X𐌗",
    "Lycian": "B𐊂 E𐊆 F𐊇 I𐊊 O𐊒 P𐊕 S𐊖 T𐊗 X𐊐",
    "Carian": "A𐊠 B𐊡 C𐊢 F𐊥 H𐋏 M𐊰 O𐊫 T𐊱 X𐊴 Y𐊲",
    "Elbasan": "C𐔜 F𐔥 K𐔘 L𐔦 N𐔓 O𐔖 V𐔝 X𐔧",
}
_LAST = {"Cyrillic": "\u045f", "Greek": "\u03ce"}  # of the letters that words in use today are written with
_AS_LATIN = {letter: pair[0] for pairs in PAIRS.values() for pair in pairs.split() for letter in pair[1:]}
_IN_SCRIPT = {
    script: {pair[0]: pair[1] for pair in pairs.split() if pair[1] <= _LAST.get(script, pair[1])}
    for script, pairs in PAIRS.items()
}
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]{2,}")
_SCRIPT = regex.compile("|".join(rf"(?P<{script}>\p{{{script}}})" for script in (LATIN, *PAIRS)))
# A Greek letter is a symbol beside a capital, or by itself at the edge of a word. Letters drawn as Latin ones are not,
# such as ο and most capitals.
_GREEK_RUN = regex.compile(r"\p{Greek}[\p{Greek}\p{M}]*")
_MARKS = regex.compile(r"\p{M}+")
_SYMBOLS = regex.compile(r"[α-νξπρστυφχψωϑϕϖϰϱϵΓΔΘΛΞΠΣΦΨΩ]|[αβγδκλμνρσ]{2}")  # two as they go together: αβ, γδ, μν
_NEARLY_LATIN = "ινρυ"  # in most typefaces; beside small letters they are symbols in short words: νmax, ρair, lnρ
_SHORT = 5
_PHONETIC = "χ"  # the International Phonetic Alphabet has it too: naχt
_CAPITALS_BEFORE = regex.compile(r"(?V1)[\p{Lu}&&\p{Latin}]{1,2}$")
_CAPITAL_AFTER = regex.compile(r"(?V1)[\p{Lu}&&\p{Latin}]")


def look_alike_replacements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the place, in characters, of each letter that looks like one of its word's script, and that letter.

    Words have three letters or more. A word has the script of most of its letters, Latin if as many are of another,
    or if only so the others are look-alikes.

    >>> list(look_alike_replacements("p\\u0430ypal, Москва, kΩ, TNFα")), list(look_alike_replacements("\\u004dосква"))
    ([(1, 'a')], [(0, 'М')])
    """
    if len({script for script in map(_script_with_look_alikes, set(text)) if script}) < 2:
        return
    for word in _WORD.finditer(text):
        if not word[0].isascii() and len({*map(_script_with_look_alikes, word[0])} - {None}) > 1:
            yield from ((word.start() + at, letter) for at, letter in sorted(_look_alike_replacements_in_word(word[0])))


def _look_alike_replacements_in_word(word: str) -> list[tuple[int, str]]:
    """Return the look-alikes of a word, with their places in it."""
    left_alone = greek_symbol_places(word)
    places = [
        (at, script) for at, c in enumerate(word) if at not in left_alone and (script := _script_with_look_alikes(c))
    ]
    counts = Counter(script for _, script in places)
    for main in dict.fromkeys((_main_script(word, counts), LATIN)):
        found = []
        for other in counts.keys() - {main}:
            letters = [(at, _similar_letter_or_none(word, at, main)) for at, script in places if script == other]
            found += [(at, letter) for at, letter in letters if letter] if all(ltr for _, ltr in letters) else []
        if found:
            return found
    return []


def _main_script(word: str, counts: Counter[str]) -> str:
    """Return the script of most letters, but Latin for a word that can be read so, if not only a capital begins it."""
    main = max(counts, key=lambda script: (counts[script], script == LATIN), default=LATIN)
    is_slip = counts[LATIN] == 1 and _script_with_look_alikes(word[0]) == LATIN and word[0].isupper()
    reads_latin = all(_script_with_look_alikes(c) in (LATIN, None) or _latin_look_alike_or_none(c) for c in word)
    return LATIN if reads_latin and not is_slip else main


@lru_cache(maxsize=2**14)
def _script_with_look_alikes(character: str) -> str | None:
    """Return the script of a letter, None for one of a script without look-alikes, and for any other character."""
    match = _SCRIPT.match(character)
    return match and match.lastgroup


@lru_cache(maxsize=2**12)
def _latin_look_alike_or_none(character: str) -> str | None:
    """Return the Latin letter that one of another script looks like, with its accents."""
    letters = unicodedata.normalize("NFD", character)
    like = _AS_LATIN.get(letters[0])
    return like and unicodedata.normalize("NFC", like + letters[1:])


def _similar_letter_or_none(word: str, at: int, script: str) -> str | None:
    """Return the letter of a script that looks like the one at a place in a word."""
    latin = word[at] if _script_with_look_alikes(word[at]) == LATIN else _latin_look_alike_or_none(word[at])
    if script != LATIN:
        return _IN_SCRIPT[script].get(latin) if latin else None
    if latin == "I":  # drawn as l is
        return "I" if at == 0 or word[at - 1].isupper() else "l"
    return latin


def greek_symbol_places(word: str) -> set[int]:
    """Return the places of the Greek letters in a word that are symbols.

    >>> [sorted(greek_symbol_places(word)) for word in ("IκBα", "γδT", "νmax", "sαfe", "Pαypal", "gοοgle")]
    [[1, 3], [0, 1], [0], [], [], []]
    """
    found: list[regex.Match[str]] = []
    others: list[regex.Match[str]] = []
    for run in _GREEK_RUN.finditer(word):
        (found if _is_symbol_beside_capital(word, run) else others).append(run)
    if (len(others) == 1 and _is_one_letter_symbol_at_edge(word, others[0])) or all(
        run[0] == _PHONETIC for run in others
    ):
        found += others
    return {at for run in found for at in range(*run.span())}


def _text_without_marks(run: regex.Match[str]) -> str:
    return _MARKS.sub("", run[0])


def _is_symbol_beside_capital(word: str, run: regex.Match[str]) -> bool:
    """Return whether a run is a symbol beside a capital; not as in Pαypal, where it would be the second letter."""
    if not _SYMBOLS.fullmatch(_text_without_marks(run)):
        return False
    before = _CAPITALS_BEFORE.search(word[max(run.start() - 2, 0) : run.start()])
    return bool(_CAPITAL_AFTER.match(word, run.end())) or (
        before is not None and (len(before[0]) == 2 or len(word) - run.end() <= 1)
    )


def _is_one_letter_symbol_at_edge(word: str, run: regex.Match[str]) -> bool:
    letter = _text_without_marks(run)
    return (
        len(letter) == 1
        and bool(_SYMBOLS.fullmatch(letter))
        and (run.start() == 0 or run.end() == len(word))
        and (letter not in _NEARLY_LATIN or len(_MARKS.sub("", word)) <= _SHORT)
    )
