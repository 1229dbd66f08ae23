"""tokenizer.json as byte-level BPE: its split pattern, ranks and special tokens, or why not; and one made of parts.

The format can say more than `Tokenizer`: normalizers, several splits, merges in any order, and more.
This module goes by the file's rules alone; its caller checks the result against the library.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from tokviz.core import bpe
from tokviz.core.patterns import pattern_name, shortened
from tokviz.core.special_tokens import SPECIAL_ID_MAX
from tokviz.formats.huggingface.byte_alphabet import read_bytes
from tokviz.formats.huggingface.regex_dialects import BYTE_LEVEL, from_oniguruma, to_oniguruma

Json = Mapping[str, Any]
FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}


def byte_level_parts(spec: Json) -> tuple[str, dict[bytes, int], dict[str, int], set[str]]:
    """Return split pattern, mergeable ranks and special tokens of a tokenizer.json, and which of these always match.

    Raises ValueError with the reason if `Tokenizer` would not give the same tokens.
    """
    model = spec["model"]
    if model_type(spec) != "BPE":
        raise ValueError(f"its model is {model_type(spec)}, not BPE")
    if model.get("dropout"):
        raise ValueError(
            f"its model has dropout {shortened(model['dropout'])}, which leaves out merges at random in training; "
            "it is not used here, so that ids are always the same"
        )
    pattern = _split_pattern(spec.get("pre_tokenizer"))
    if (spec.get("normalizer") or {"normalizers": []}).get("normalizers") != []:
        raise ValueError(f"its normalizer {shortened(spec['normalizer'].get('type'))} changes the text first")
    for option in ("continuing_subword_prefix", "end_of_word_suffix"):
        if model.get(option):
            raise ValueError(f"its model has {option} {shortened(model[option])}")
    special = _special_tokens(spec.get("added_tokens") or [])
    always = {token["content"] for token in spec.get("added_tokens") or [] if not token.get("special")}
    return pattern, _ranks(model, special), special, always & special.keys()


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
    if last.get("add_prefix_space"):
        raise ValueError("its pre-tokenizer puts a space before the text (add_prefix_space)")
    own = "gpt2" if last.get("use_regex", True) else "none"
    if not splits:
        return own
    if len(splits) > 1 or own != "none" or splits[0].get("type") != "Split":
        types = ", ".join(str(step.get("type")) for step in steps)
        raise ValueError(f"its pre-tokenizer splits more than once, or not by a regular expression ({types})")
    split = splits[0]
    expression = split["pattern"].get("Regex")
    if not isinstance(expression, str):
        raise ValueError("its pre-tokenizer splits at a text, not by a regular expression")
    pattern = from_oniguruma(expression)
    kept = (split.get("behavior"), bool(split.get("invert")))
    # If every character is matched, keeping only the matches keeps everything.
    if kept != ("Isolated", False) and (kept != ("Removed", True) or pattern == expression):
        raise ValueError(f"its pre-tokenizer treats what it splits as {kept[0]}")
    return pattern


def _special_tokens(added: list[Json]) -> dict[str, int]:
    special = {}
    for token in added:
        for flag in ("single_word", "lstrip", "rstrip"):
            if token.get(flag):
                raise ValueError(f"its added token {shortened(token['content'])} has the flag {flag}")
        if token["content"]:
            special[token["content"]] = token["id"]
    if len({bool(token.get("normalized")) for token in added}) > 1:
        raise ValueError("its added tokens are matched in two rounds (the flag normalized differs)")
    if max(special.values(), default=0) > SPECIAL_ID_MAX:
        raise ValueError(f"an id of its added tokens is over {SPECIAL_ID_MAX}")
    return special


def _pairs(merges: Iterable[list[str] | str]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the merges, lists or texts, as pairs of bytes; a line with the version, as in a merges.txt, is left out."""
    for merge in merges:
        if not isinstance(merge, str) or not merge.startswith("#version"):
            left, right = merge.split(" ") if isinstance(merge, str) else merge
            yield read_bytes(left) or b"", read_bytes(right) or b""


def _ranks(model: Json, special: Mapping[str, int]) -> dict[bytes, int]:
    """Return the ranks of vocabulary and merges, if the ids follow the order of the merges."""
    ranks: dict[bytes, int] = {}
    for text, token_id in model["vocab"].items():
        if special.get(text) == token_id:
            continue
        token = read_bytes(text)
        if not token:
            raise ValueError(f"its token {shortened(text)} is not written in bytes")
        ranks[token] = token_id
    last = -1
    made: set[bytes] = set()
    # Some files give every way to make a token, one after the other; only one of them is ever taken.
    for token, ways in groupby(_pairs(model["merges"]), b"".join):
        if token not in ranks or token in made or ranks[token] < last:
            raise ValueError(f"its ids do not follow its merges at {shortened(token)}")
        reached = bpe.tokens(token, ranks, below=ranks[token])
        if tuple(reached) not in set(ways):
            raise ValueError(f"its merge to {shortened(token)} is never made: the merges before it give {reached}")
        last = ranks[token]
        made.add(token)
    unmade = next((token for token in ranks if len(token) > 1 and token not in made), None)
    if unmade is not None:
        raise ValueError(f"no merge makes its token {shortened(unmade)}")
    return ranks


def added_token(token: str, token_id: int, *, special: bool = True, **flags: bool) -> dict[str, Any]:
    """Return an added token as a tokenizer.json has it; one that is not special always matches.

    >>> added_token("<s>", 1)["special"]
    True
    """
    return {"id": token_id, "content": token, "special": special, **FLAGS, **flags}


def byte_level_spec(
    vocab: Mapping[str, int],
    merges: Iterable[str | tuple[str, str]],
    patterns: tuple[str, ...],
    added_tokens: Iterable[Mapping[str, Any]],
    *,
    ignores_merges: bool = False,
    adds_space: bool = False,
    normalizer: str | None = None,
) -> dict[str, Any]:
    """Return the JSON of a tokenizer.json of byte-level BPE, for a tokenizer or the contents of another format.

    vocab, merges: in the alphabet of bytes. patterns: regular expressions for Oniguruma that cut a text in turn, or
    none. ignores_merges: whether a pretoken that is a token is taken whole. adds_space: whether a space is put before
    a text. normalizer: NFC or the like.

    >>> byte_level_spec({"a": 0}, [], (), [])["model"]["vocab"]
    {'a': 0}
    """
    is_gpt2 = patterns == (BYTE_LEVEL,)
    byte_level = {"type": "ByteLevel", "add_prefix_space": adds_space, "trim_offsets": False, "use_regex": is_gpt2}
    splits = [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
        for pattern in (() if is_gpt2 else patterns)
    ]
    model = {
        "type": "BPE",
        **dict.fromkeys(("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix")),
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": ignores_merges,
        "vocab": dict(vocab),
        "merges": list(merges),
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": list(added_tokens),
        "normalizer": normalizer and {"type": normalizer},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*splits, byte_level]},
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
        "model": model,
    }


def oniguruma_patterns(split_pattern: str) -> tuple[str, ...]:
    """Return the patterns for `byte_level_spec` of a split pattern, given by name or as a regular expression.

    Raises ValueError for a pattern that does not compile, or that Oniguruma may read differently.

    >>> oniguruma_patterns("none"), oniguruma_patterns("gpt2") == (BYTE_LEVEL,)
    ((), True)
    """
    name = pattern_name(split_pattern)
    if name == "none":
        return ()
    return (BYTE_LEVEL if name == "gpt2" else to_oniguruma(name),)
