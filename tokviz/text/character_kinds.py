"""Kinds of characters: what a stretch of a text consists of, in words."""

from collections.abc import Iterable

import regex

SCRIPT_NAMES = (
    "Latin", "Cyrillic", "Greek", "Armenian", "Georgian", "Hebrew", "Arabic", "Syriac", "Thaana", "Ethiopic",
    "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala",
    "Thai", "Lao", "Khmer", "Myanmar", "Tibetan", "Mongolian", "Han", "Hiragana", "Katakana", "Hangul", "Bopomofo",
    "Yi", "Javanese", "Balinese", "Cherokee", "Tifinagh", "Nko", "Coptic", "Gothic", "Runic", "Braille",
)  # fmt: skip
LETTERS = {
    "Chinese characters" if name == "Han" else f"{name} letters": rf"(?=[\p{{L}}\p{{M}}])\p{{Script={name}}}"
    for name in SCRIPT_NAMES
}  # the patterns of the letters of each script, by what people call them
_PATTERNS = {
    "white_space": r"^\s+\Z|\s{2,}|[^\S ]",  # a single space belongs to the word after it
    "digits": r"\p{N}+",
    "emoji": r"\p{Emoji_Presentation}|\p{Emoji_Modifier}|\p{Extended_Pictographic}(?=\ufe0f)|\ufe0f",
    "punctuation_and_signs": r"[\p{P}\p{S}]",
    **{kind.replace(" ", "_"): rf"(?:{pattern})+" for kind, pattern in LETTERS.items()},
    "other_letters": r"\p{L}",
}
_CHARACTERS = regex.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS.items()))


def kinds_of_characters(text: str) -> list[str]:
    """Return the kinds of the characters in a text, in alphabetical order.

    >>> kinds_of_characters("(ไทย 12"), kinds_of_characters("  "), kinds_of_characters("👍🏽")
    (['Thai letters', 'digits', 'punctuation and signs'], ['white space'], ['emoji'])
    >>> kinds_of_characters("草莓")  # which nobody calls letters
    ['Chinese characters']
    """
    return sorted({str(match.lastgroup).replace("_", " ") for match in _CHARACTERS.finditer(text)})


def n_texts_with_letters(texts: Iterable[str], kind: str) -> int:
    """Return how many texts have a letter of a kind in `LETTERS`.

    >>> n_texts_with_letters(["ไทย", "Thai", "a ไ", ""], "Thai letters")
    2
    """
    # Joined, since one long search is faster than many short ones, by what no text that is decoded has.
    return len(regex.findall(rf"{LETTERS[kind]}[^\ud800]*", "\ud800".join(texts)))
