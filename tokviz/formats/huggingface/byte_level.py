"""tokenizer.json as byte-level BPE: its split pattern, ranks and special tokens, or why not; and one made of parts.

The format can say more than `Tokenizer`: normalizers, several splits, merges in any order, and more.
This module goes by the file's rules alone; its caller checks the result against the library.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any

import numpy as np

from tokviz.core import bpe
from tokviz.core.patterns import short_repr
from tokviz.core.special_tokens import SPECIAL_ID_MAX
from tokviz.formats.huggingface.byte_alphabet import alphabet_text, read_bytes
from tokviz.formats.huggingface.pre_tokenizer import Json, byte_level_pattern
from tokviz.formats.huggingface.regex_dialects import BYTE_LEVEL

PAIRS_MAX = 200_000  # of added tokens; as many are compared in a quarter of a second
FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}


def byte_level_parts(
    spec: Json, unmade: Callable[[Iterable[str]], list[str]]
) -> tuple[str, dict[bytes, int], dict[str, int], set[str], bool]:
    """Return split pattern, mergeable ranks and special tokens of a tokenizer.json, which of these always match, and
    whether a pretoken that equals a token becomes it.

    unmade: returns those of some tokens that the merges of the file do not make, as the library applies them.
    Raises ValueError with the reason if `Tokenizer` would not give the same tokens.
    """
    model = spec["model"]
    if model_type(spec) != "BPE":
        raise ValueError(f"its model is {model_type(spec)}, not BPE")
    if model.get("dropout"):
        raise ValueError(
            f"its model has dropout {short_repr(model['dropout'])}, which leaves out merges at random in training; "
            "it is not used here, so that ids are always the same"
        )
    pattern = byte_level_pattern(spec.get("pre_tokenizer"))
    if (spec.get("normalizer") or {"normalizers": []}).get("normalizers") != []:
        raise ValueError(f"its normalizer {short_repr(spec['normalizer'].get('type'))} changes the text first")
    for option in ("continuing_subword_prefix", "end_of_word_suffix"):
        if model.get(option):
            raise ValueError(f"its model has {option} {short_repr(model[option])}")
    special = _special_tokens(spec.get("added_tokens") or [])
    always = {token["content"] for token in spec.get("added_tokens") or [] if not token.get("special")}
    ranks, takes_whole = _ranks(model, special, unmade)
    return pattern, ranks, special, always & special.keys(), takes_whole


def model_type(spec: Json) -> str:
    """Return the type of the model: BPE, WordPiece, WordLevel or Unigram; old BPE files name none."""
    return str(spec["model"].get("type") or "BPE")


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


def merge_pairs(merges: list[str] | list[list[str]]) -> list[tuple[str, ...]]:
    """Return the merges of a tokenizer.json, all lists or all texts, as pairs; a line with the version is left out.

    >>> merge_pairs(["#version: 0.2", "a b"]), merge_pairs([["a", "b"]])
    ([('a', 'b')], [('a', 'b')])
    """
    if merges and isinstance(merges[0], str):
        return [tuple(merge.split(" ")) for merge in map(str, merges) if not merge.startswith("#version")]
    return list(map(tuple, merges))


def _ranks(
    model: Json, special: Mapping[str, int], unmade: Callable[[Iterable[str]], list[str]]
) -> tuple[dict[bytes, int], bool]:
    """Return the ranks of vocabulary and merges, if the ids follow the order of the merges.

    Also whether a pretoken that equals a token becomes it.

    `Tokenizer` merges any two tokens that make a token, by its rank, but a file only the pairs that it names. The
    results are the same if it names the pair by which `Tokenizer` makes each token. Take the shortest token of which it
    does not: up to that pair, both merge alike, and there the merges of the file end, which leave this token unmade.
    So only the tokens that they do not make need a closer look.
    """
    id_of = {text: token_id for text, token_id in model["vocab"].items() if special.get(text) != token_id}
    ranks: dict[bytes, int] = {}
    for text, token_id in id_of.items():
        token = read_bytes(text)
        if not token:
            raise ValueError(f"its token {short_repr(text)} is not written in bytes")
        ranks[token] = token_id
    pairs = merge_pairs(model["merges"])
    # Some files give every way to make a token, one after the other; at most one of them is ever taken.
    made = [id_of.get("".join(pair), -1) for pair in pairs]
    if (falls := np.flatnonzero(np.diff(made, prepend=0) < 0)).size:
        raise ValueError(f"its ids do not follow its merges at {short_repr(read_bytes(''.join(pairs[falls[0]])))}")
    left_unmade = unmade([text for text in id_of if len(text) > 1])
    parents = {text: bpe.parents(read_bytes(text) or b"", ranks) for text in left_unmade}
    named = set(pairs) if any(parents.values()) else set()
    for pair in filter(None, parents.values()):
        if tuple(map(alphabet_text, pair)) not in named:
            raise ValueError(f"it has no merge of {short_repr(pair[0])} and {short_repr(pair[1])}, which make a token")
    return ranks, bool(model.get("ignore_merges")) or not left_unmade


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
