"""The split patterns that a GGUF file means by the name in `tokenizer.ggml.pre`.

Names and patterns are those of llama.cpp, `src/llama-vocab.cpp` (MIT), as of 2026: it cuts by each pattern in turn,
and what one has cut the next may cut further. Where llama.cpp writes a pattern in another way because its regex engine
lacks something, the original is used here, which it quotes beside it (for kimi-k2 Moonshot's). Names whose rules are
not regular expressions (afmoe, superbpe, …) are not here, and neither are those of vocabularies that are not byte-level
(gemma4, …).
"""

from dataclasses import dataclass

from tokviz.core.joined_patterns import BLOOM
from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.patterns import pattern_parts, short_repr
from tokviz.formats.huggingface.regex_dialects import BYTE_LEVEL

_LLAMA3, _O200K = SPLIT_PATTERNS["llama3"], SPLIT_PATTERNS["o200k"]
_QWEN2 = SPLIT_PATTERNS["qwen2"]
_SPACES = "".join(rf"|\s{{{n}}}(?!\S)" for n in (512, 256, 128, 64, 32, 16, 8, 4))
_JAIS2 = _LLAMA3.removesuffix(r"|\s+(?!\S)|\s+") + _SPACES + r"|\s{1,2}(?!\S)|\s{1}"
_BAILING = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
_SEED_CODER = _QWEN2.replace(r" ?[^\s\p{L}\p{N}]+[\r\n]*", r" ?[^\s\p{L}\p{N}\r\n]+")
_EXAONE_MOE = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"
)
# Letters with case: ranges of code points, in hex, since an editor may compose such characters into others.
_CASED_RANGES = """
B5 C0-D6 D8-F6 F8-1BA 1BC-1BF 1C4-293 295-2AF 370-373 376-377 37B-37D 37F 386 388-38A 38C 38E-3A1 3A3-3F5 3F7-481
48A-52F 531-556 10A0-10C5 13A0-13F5 13F8-13FD 1C90-1CBA 1CBD-1CBF 1D00-1D2B 1D6B-1D77 1D79-1D9A 1E00-1F15 1F18-1F1D
1F20-1F45 1F48-1F4D 1F50-1F57 1F59 1F5B 1F5D 1F5F-1F7D 1F80-1FB4 1FB6-1FBC 1FBE 1FC2-1FC4 1FC6-1FCC 1FD0-1FD3
1FD6-1FDB 1FE0-1FEC 1FF2-1FF4 1FF6-1FFC 2102 2107 210A-2113 2115 2119-211D 2124 2126 2128 212A-212D 212F-2134 2139
213C-213F 2145-2149 214E 2183-2184 2C00-2C7B 2C7E-2CE4 2CEB-2CEE 2CF2-2CF3 A640-A66D A680-A69B A722-A76F A771-A787
A78B-A78E AB70-ABBF FB00-FB06 FB13-FB17 FF21-FF3A FF41-FF5A 10400-1044F 104B0-104D3 104D8-104FB 10C80-10CB2
10CC0-10CF2 118A0-118DF 1E900-1E943
"""
_CASED = "A-Za-z" + "".join("-".join(chr(int(end, 16)) for end in one.split("-")) for one in _CASED_RANGES.split())
_HAN_AND_HANGUL = "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"
_DIGITS_THEN_GPT2 = (r"\p{N}", BYTE_LEVEL)
_MINICPM5 = (r"\p{N}{1,3}", _LLAMA3.replace("{1,3}", "+"))
_VIKING = (BLOOM, r"\p{N}")
_LAGUNA = (r"[^\n]+|[\n]+", _QWEN2)

# The names of each list of patterns.
_NAMES: dict[tuple[str, ...], str] = {
    (r"[\p{P}\$\+<=>\^~\|]+", BYTE_LEVEL, r"\p{N}+", "[0-9][0-9][0-9]"): "default",
    (BYTE_LEVEL,): (
        "gpt-2 phi-2 jina-es jina-de jina-v2-es jina-v2-de jina-v1-en jina-v2-code roberta-bpe gigachat a.x-4.0 mellum "
        "modern-bert exaone4 mpt olmo jais trillion granite-docling"
    ),
    (_LLAMA3,): (
        "llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano dbrx smaug-bpe glm4 chatglm-bpe"
    ),
    (_QWEN2,): "qwen2 deepseek-r1-qwen kormo f2llmv2 megrez stablelm2 hunyuan solar-open grok-2",
    (SPLIT_PATTERNS["qwen35"],): "qwen35",
    (SPLIT_PATTERNS["kimi-k2"],): "kimi-k2",
    (_O200K,): "gpt-4o llama4 kanana2 talkie minimax-m2",
    (SPLIT_PATTERNS["tekken"],): "tekken",
    (
        r"[\r\n]",
        rf"\s?[{_CASED}]+",
        r"\s?[!-/:-~！-／：-～‘-‟　-。]+",
        r"\s+$",
        _HAN_AND_HANGUL,
        r"\p{N}+",
    ): "deepseek-llm",
    (r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", _HAN_AND_HANGUL, r"\p{N}"): "deepseek-coder",
    pattern_parts("deepseek-v3"): "deepseek-v3 hunyuan-dense joyai-llm",
    (r"[\p{P}\$\+<=>\^~\|`]+", BYTE_LEVEL, "[0-9][0-9][0-9]"): "falcon",
    _DIGITS_THEN_GPT2: "starcoder refact command-r smollm codeshell exaone minerva-7b mellum2",
    (BLOOM,): "bloom poro-chat gpt3-finnish",
    _VIKING: "viking",
    (r"\d{1,3}(?=(?:\d{3})*\b)", _O200K): "tiny_aya cohere2moe",
    (_BAILING,): "bailingmoe bailingmoe2 llada-moe",
    (_SEED_CODER,): "seed-coder",
    _LAGUNA: "laguna",
    (_EXAONE_MOE,): "exaone-moe",
    (_JAIS2,): "jais-2",
    _MINICPM5: "minicpm5",
}
PATTERNS: dict[str, tuple[str, ...]] = {name: patterns for patterns, names in _NAMES.items() for name in names.split()}
# With these the tokens are written in characters, not in bytes, so that no split pattern is of any use.
NOT_BYTE_LEVEL = {"gemma4", "granite-embed-multi-311m", "sarvam-moe", "whitespace"}
# With these a pretoken that is a token is taken whole, whatever its merges say.
_IGNORING_MERGES = {
    "llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano", "tekken",
    "minicpm5",
}  # fmt: skip


@dataclass(frozen=True)
class SplitRules:
    """How a text is cut: `patterns` in turn, in the syntax of Oniguruma; and whether whole pretokens ignore merges."""

    patterns: tuple[str, ...]
    ignores_merges: bool = False


def split_rules(name: str) -> SplitRules:
    """Return how a text is cut under a name in `tokenizer.ggml.pre`; ValueError for one that is not known.

    >>> split_rules("gpt-4o").patterns == (SPLIT_PATTERNS["o200k"],), len(split_rules("falcon").patterns)
    (True, 3)
    """
    if name in NOT_BYTE_LEVEL:
        raise ValueError(f"its BPE, cut as {short_repr(name)}, is not byte-level and not read; open its tokenizer.json")
    if name not in PATTERNS:
        raise ValueError(
            f"its pre-tokenizer {short_repr(name)} is not known here; give split_pattern, one of "
            f"{', '.join(SPLIT_PATTERNS)} or a regular expression, if you know it"
        )
    return SplitRules(PATTERNS[name], name in _IGNORING_MERGES)
