"""Kinds of characters: what a stretch of a text consists of, in words."""

import regex

SCRIPT_NAMES = (
    "Latin", "Cyrillic", "Greek", "Armenian", "Georgian", "Hebrew", "Arabic", "Syriac", "Thaana", "Ethiopic",
    "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala",
    "Thai", "Lao", "Khmer", "Myanmar", "Tibetan", "Mongolian", "Han", "Hiragana", "Katakana", "Hangul", "Bopomofo",
    "Yi", "Javanese", "Balinese", "Cherokee", "Tifinagh", "Nko", "Coptic", "Gothic", "Runic", "Braille",
)  # fmt: skip
_PATTERNS = {
    "white_space": r"^\s+\Z|\s{2,}|[^\S ]",  # a single space belongs to the word after it
    "digits": r"\p{N}+",
    "emoji": r"\p{Emoji_Presentation}|\p{Emoji_Modifier}|\p{Extended_Pictographic}(?=\ufe0f)|\ufe0f",
    "punctuation_and_signs": r"[\p{P}\p{S}]",
    **{f"{name}_letters": rf"(?:(?=[\p{{L}}\p{{M}}])\p{{Script={name}}})+" for name in SCRIPT_NAMES},
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
    found = {str(match.lastgroup).replace("_", " ") for match in _CHARACTERS.finditer(text)}
    return sorted("Chinese characters" if kind == "Han letters" else kind for kind in found)
