"""tokenizer.json as byte-level BPE: its split pattern, ranks and special tokens, or why not.

The format can say more than `Tokenizer`: other normalizers, several splits, and more.
This module goes by the file's rules alone; its caller checks the result against the library.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby, product
from typing import Any

from tokviz.core import bpe
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.patterns import short_repr
from tokviz.core.special_tokens import SPECIAL_ID_MAX
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.huggingface.byte_alphabet import read_bytes
from tokviz.formats.huggingface.normalizer_steps import text_normalizer
from tokviz.formats.huggingface.regex_dialects import BYTE_LEVEL, from_oniguruma
from tokviz.formats.llama_cpp_patterns import joined_pattern

Json = Mapping[str, Any]
PAIRS_MAX = 200_000  # of added tokens; as many are compared in a quarter of a second


def byte_level_tokenizer(name: str, spec: Json) -> Tokenizer:
    """Return the tokenizer of a tokenizer.json; ValueError with the reason if `Tokenizer` cannot express its rules."""
    model = bpe_model(spec)
    pattern = _split_pattern(spec.get("pre_tokenizer"))
    normalizer = text_normalizer(spec.get("normalizer"))
    if normalizer.marks_are_spaces:
        raise ValueError("its normalizer writes a space as ▁, and its pre-tokenizer in bytes")
    if _adds_space(spec["pre_tokenizer"]) and not normalizer.prefix:
        normalizer = replace(normalizer, prefix="each", prefix_if_missing=True)
    special, always = added_special_tokens(spec)
    ranks, takes_whole = _ranks(model, special)
    return Tokenizer(name, pattern, ranks, special, always, takes_whole, normalizer)


def bpe_model(spec: Json) -> Json:
    """Return the model of a tokenizer.json; ValueError for one that is not BPE, or has options that are not read."""
    model: Json = spec["model"]
    if model_type(spec) != "BPE":
        raise ValueError(f"its model is {model_type(spec)}, not BPE")
    if model.get("dropout"):
        raise ValueError(
            f"its model has dropout {short_repr(model['dropout'])}, which leaves out merges at random in training; "
            "it is not used here, so that ids are always the same"
        )
    for option in ("continuing_subword_prefix", "end_of_word_suffix"):
        if model.get(option):
            raise ValueError(f"its model has {option} {short_repr(model[option])}")
    return model


def model_type(spec: Json) -> str:
    """Return the type of the model: BPE, WordPiece, WordLevel or Unigram; old BPE files name none."""
    return str(spec["model"].get("type") or "BPE")


def _split_pattern(pre_tokenizer: Json | None) -> str:
    steps = [pre_tokenizer or {}]
    if steps[0].get("type") == "Sequence":
        steps = steps[0]["pretokenizers"]
    *splits, last = steps or [{}]
    if last.get("type") != "ByteLevel":
        raise ValueError("its pre-tokenizer does not end in ByteLevel, so it is not byte-level")
    if splits and last.get("add_prefix_space"):
        raise ValueError("its pre-tokenizer puts a space before each pretoken (add_prefix_space)")
    own = "gpt2" if last.get("use_regex", True) else "none"
    if not splits:
        return own
    if any(split.get("type") not in ("Split", "Digits") for split in splits):
        types = ", ".join(str(step.get("type")) for step in steps)
        raise ValueError(f"its pre-tokenizer splits by more than regular expressions ({types})")
    patterns = (*map(_expression, splits), *((BYTE_LEVEL,) if own != "none" else ()))
    return joined_pattern(patterns)


def _expression(split: Json) -> str:
    """Return the regular expression by which a step splits, if what it matches and what lies between are kept apart."""
    if split["type"] == "Digits":
        return r"\p{N}" if split.get("individual_digits") else r"\p{N}+"
    expression = split["pattern"].get("Regex")
    if not isinstance(expression, str):
        raise ValueError("its pre-tokenizer splits at a text, not by a regular expression")
    kept = (split.get("behavior"), bool(split.get("invert")))
    # If every character is matched, keeping only the matches keeps everything.
    if kept != ("Isolated", False) and (kept != ("Removed", True) or from_oniguruma(expression) == expression):
        raise ValueError(f"its pre-tokenizer treats what it splits as {kept[0]}")
    return expression


def _adds_space(pre_tokenizer: Json) -> bool:
    """Return whether a space is put before a text that does not begin with one."""
    return bool(pre_tokenizer.get("pretokenizers", [pre_tokenizer])[-1].get("add_prefix_space"))


def added_special_tokens(spec: Json) -> tuple[dict[str, int], set[str]]:
    """Return the added tokens with their ids, and which of them always match; ValueError for rules that are not read.

    Those with the flag normalized are searched for in the changed text.
    """
    added = spec.get("added_tokens") or []
    if spec.get("normalizer") and (late := next((one for one in added if _is_changed(one)), None)):
        raise ValueError(f"its added token {short_repr(late['content'])} is searched for in the changed text")
    special = _special_tokens(added)
    return special, {one["content"] for one in added if not one.get("special")} & special.keys()


def _is_changed(token: Json) -> bool:
    return bool(token.get("normalized"))


def _special_tokens(added: list[Json]) -> dict[str, int]:
    special = {}
    for token in added:
        for flag in ("single_word", "lstrip", "rstrip"):
            if token.get(flag):
                raise ValueError(f"its added token {short_repr(token['content'])} has the flag {flag}")
        if token["content"]:
            special[token["content"]] = token["id"]
    rounds = [[one["content"] for one in added if bool(one.get("normalized")) == late] for late in (False, True)]
    if len(rounds[0]) * len(rounds[1]) > PAIRS_MAX:
        raise ValueError("its added tokens are matched in two rounds (the flag normalized), too many to compare")
    if met := next((pair for pair in product(*rounds) if _hides(*pair)), None):
        first, second = map(short_repr, met)
        raise ValueError(f"its added tokens are matched in two rounds (the flag normalized), {first} before {second}")
    if max(special.values(), default=0) > SPECIAL_ID_MAX:
        raise ValueError(f"an id of its added tokens is over {SPECIAL_ID_MAX}")
    return special


def _hides(first: str, second: str) -> bool:
    """Return whether the second of two tokens would be found in place of the first if both were searched for at once.

    >>> _hides("<a>", "<<a>>"), _hides("<a>", "<a"), _hides("<a>", "b<"), _hides("<a>", ">b")
    (True, False, True, False)
    """
    if not first or not second:
        return False
    return first in second or any(second[-n:] == first[:n] for n in range(1, min(len(first), len(second))))


def _pairs(merges: Iterable[list[str] | str], known: Mapping[str, bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the merges, lists or texts, as pairs of bytes; a line with the version, as in a merges.txt, is left out.

    known: the bytes of tokens as they are written.
    """
    for merge in merges:
        if not isinstance(merge, str) or not merge.startswith("#version"):
            left, right = merge.split(" ") if isinstance(merge, str) else merge
            yield known.get(left) or read_bytes(left) or b"", known.get(right) or read_bytes(right) or b""


def _ranks(model: Json, special: Mapping[str, int]) -> tuple[dict[bytes, int], bool]:
    """Return the ranks of vocabulary and merges, and whether a pretoken that equals a token becomes it."""
    known: dict[str, bytes] = {}
    ranks: dict[bytes, int] = {}
    for text, token_id in model["vocab"].items():
        if special.get(text) == token_id:
            continue
        token = read_bytes(text)
        if not token:
            raise ValueError(f"its token {short_repr(text)} is not written in bytes")
        known[text], ranks[token] = token, token_id
    last, is_ordered = -1, True
    ways_to: dict[bytes, set[tuple[bytes, bytes]]] = {}
    # Some files give every way to make a token, one after the other; at most one of them is ever taken.
    for token, ways in groupby(_pairs(model["merges"], known), b"".join):
        if token not in ranks or token in ways_to:
            raise ValueError(f"its merges make {short_repr(token)} twice, or without an id")
        is_ordered &= last < ranks[token]
        last = ranks[token]
        ways_to[token] = set(ways)
    if not is_ordered:
        ranks = OrderedRanks(ranks, ([token] for token in ways_to))
    takes_whole = bool(model.get("ignore_merges"))
    has_unmerged = False
    for token in ranks:
        if len(token) == 1 or (takes_whole and _has_every_way(token, ways_to.get(token, ()), ranks)):
            continue
        pair = bpe.parents(token, ranks)
        has_unmerged |= pair is None
        if pair is not None and pair not in ways_to.get(token, ()):
            raise ValueError(f"it has no merge of {short_repr(pair[0])} and {short_repr(pair[1])}, which make a token")
    if takes_whole and not is_ordered and any(len(token) > 1 and token not in ways_to for token in ranks):
        raise ValueError("its ids do not follow its merges, and tokens that no merge makes are taken whole")
    return ranks, takes_whole or not has_unmerged


def _has_every_way(token: bytes, ways: Collection[tuple[bytes, bytes]], ranks: Mapping[bytes, int]) -> bool:
    """Return whether each two tokens that make a token are among these, which is quicker to see than which two do."""
    return all(
        token[:i] not in ranks or token[i:] not in ranks or (token[:i], token[i:]) in ways for i in range(1, len(token))
    )
