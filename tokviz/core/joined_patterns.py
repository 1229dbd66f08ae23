"""Split patterns of several parts as one regular expression that cuts alike, where one is known.

What an earlier part cuts out comes first, and nothing later matches it or looks past it.
"""

from tokviz.core.named_patterns import SPLIT_PATTERNS

BLOOM = r" ?[^(\s|.,!?…。，、।۔،)]+"
_LLAMA3, _QWEN2 = SPLIT_PATTERNS["llama3"], SPLIT_PATTERNS["qwen2"]

# What the second part of deepseek-v3 cuts out: letters and marks, signs, and code points that are not assigned.
_KANA_AND_HAN = "\u4e00-\u9fa5\u3040-\u30ff"
_THEIR_LETTERS = "\u4e00-\u9fa5\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
_THEIR_SIGNS, _THEIR_GAPS = "\u309b\u309c\u30a0\u30fb", "\u3040\u3097\u3098"
_OTHER_LETTER = rf"[^\s\p{{N}}\p{{P}}\p{{S}}\p{{C}}{_KANA_AND_HAN}]"
# (\x7b is a brace; as a sign it would look like the flag of inexact matching, and be cut more slowly.)
_DEEPSEEK3 = (
    rf"\p{{N}}{{1,3}}|[{_THEIR_GAPS}]?[{_THEIR_LETTERS}]+|[{_THEIR_SIGNS}]+|(?:[{_THEIR_GAPS}](?![{_THEIR_LETTERS}]))+"
    rf"|[!-/:-@\[-`\x7b-~][A-Za-z]+|[^\r\n\p{{L}}\p{{N}}\p{{P}}\p{{S}}{_KANA_AND_HAN}]?{_OTHER_LETTER}+"
    rf"| ?[^\s\p{{L}}\p{{M}}\p{{N}}\p{{C}}{_THEIR_SIGNS}]+[\r\n]*|\s*[\r\n]+|\s+(?![^\s\p{{N}}{_KANA_AND_HAN}])|\s+"
    rf"|(?:[^\s\p{{L}}\p{{M}}\p{{N}}\p{{P}}\p{{S}}{_KANA_AND_HAN}](?!{_OTHER_LETTER}))+"  # what no alternative matches
)
JOINED = {
    SPLIT_PATTERNS["deepseek-v3"]: _DEEPSEEK3,
    SPLIT_PATTERNS["starcoder"]: (r"\p{N}|'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?[^\s\p{L}\p{N}]++|\s+(?![^\s\p{N}])|\s+"),
    # MiniCPM 5, Viking and Laguna.
    r"\p{N}{1,3}" + "\n" + _LLAMA3.replace("{1,3}", "+"): _LLAMA3.replace(r"(?!\S)", r"(?![^\s\p{N}])"),
    BLOOM + "\n" + r"\p{N}": r"\p{N}| (?=\p{N})|" + BLOOM.replace(")]", r")\p{N}]"),
    r"[^\n]+|[\n]+" + "\n" + _QWEN2: (
        r"\n+|(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+\r*|[^\S\n]*\r+"
        r"|[^\S\n]+(?!\S)|[^\S\n]+"
    ),
}
