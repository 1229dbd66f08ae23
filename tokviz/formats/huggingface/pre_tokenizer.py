"""The pre-tokenizer of a tokenizer.json as a split pattern, a part for each step, or why it is none.

A step may join what it matches to its neighbours, or split by a kind of character; a regular expression whose matches
are kept apart from what lies between them says the same. Steps that drop text have none.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import regex
from tokenizers import pre_tokenizers

from tokviz.core.patterns import short_repr
from tokviz.formats.huggingface.regex_dialects import BYTE_LEVEL, split_pattern_from_oniguruma

Json = Mapping[str, Any]
_UP_TO = r"[\s\S]*?(?:{0})|[\s\S]+"  # a match with what lies before it, or the rest
_FROM = r"(?:{0})(?:(?!{0})[\s\S])*"  # a match with what lies after it
# By behaviour, and the same with `invert`, which exchanges what is matched and what lies between.
_KEPT_APART = {
    "Isolated": ("{0}", "{0}"),
    "Contiguous": ("(?:{0})+", "(?:{0})+"),
    "MergedWithPrevious": (_UP_TO, _FROM),
    "MergedWithNext": (_FROM, _UP_TO),
}


def byte_level_pattern(pre_tokenizer: Json | None) -> str:
    """Return the split pattern of the pre-tokenizer of byte-level BPE; ValueError, with the reason, if it has none.

    >>> steps = [{"type": "Digits", "individual_digits": True}, {"type": "ByteLevel"}]
    >>> byte_level_pattern({"type": "Sequence", "pretokenizers": steps})
    'starcoder'
    """
    steps = [pre_tokenizer or {}]
    if steps[0].get("type") == "Sequence":
        steps = steps[0]["pretokenizers"]
    *splits, last = steps or [{}]
    if last.get("type") != "ByteLevel":
        if any(step.get("type") == "ByteLevel" for step in splits):
            raise ValueError("its pre-tokenizer splits bytes, after ByteLevel")
        raise ValueError("its pre-tokenizer does not end in ByteLevel, so it is not byte-level")
    if splits and last.get("add_prefix_space"):
        raise ValueError("its pre-tokenizer puts a space before each pretoken (add_prefix_space)")
    own = [BYTE_LEVEL] if last.get("use_regex", True) else []
    return split_pattern_from_oniguruma(*map(_regex_of_step, splits), *own)


def adds_space(pre_tokenizer: Json) -> bool:
    """Return whether a space is put before a text that does not begin with one."""
    return bool(pre_tokenizer.get("pretokenizers", [pre_tokenizer])[-1].get("add_prefix_space"))


def _regex_of_step(split: Json) -> str:
    """Return the regular expression whose matches, and what lies between them, are the pieces that a step makes."""
    kind, behavior = split.get("type"), split.get("behavior") or "Isolated"
    if kind == "Digits":
        return r"\p{N}" if split.get("individual_digits") else r"\p{N}+"
    if kind == "Punctuation":
        expression = _punctuation_regex()
    elif kind == "Split":
        text, expression = split["pattern"].get("String"), split["pattern"].get("Regex")
        expression = regex.escape(text, literal_spaces=True) if expression is None else expression
    else:
        raise ValueError(f"its pre-tokenizer splits by more than regular expressions ({kind})")
    is_inverted = bool(split.get("invert"))
    # If every character is matched, keeping only the matches keeps everything.
    if (behavior, is_inverted) == ("Removed", True) and split_pattern_from_oniguruma(expression) != expression:
        return str(expression)
    if behavior not in _KEPT_APART:
        raise ValueError(f"its pre-tokenizer drops text ({kind}, {short_repr(behavior)})")
    return _KEPT_APART[behavior][is_inverted].format(expression)


@cache
def _punctuation_regex() -> str:
    """Return what the library takes for punctuation: that of ASCII, and of a Unicode older than that of `regex`."""
    every = regex.findall(r"\p{P}", "".join(map(chr, range(0x110000))))
    known = {piece for piece, _ in pre_tokenizers.Punctuation().pre_tokenize_str("a" + "a".join(every))}
    newer = "".join(mark for mark in every if mark not in known)
    return rf"[!-/:-@\[-`{{-~]|(?![{newer}])\p{{P}}"
