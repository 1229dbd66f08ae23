"""tokenizer.json as byte-level BPE: its split pattern, ranks and special tokens, or why not.

The format can say more than `Tokenizer`: other normalizers, splits that drop text, and more.
This module goes by the file's rules alone; its caller checks the result against the library.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import product

import numpy as np

from tokviz.core import bpe
from tokviz.core.normalizer import Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.patterns import short_repr
from tokviz.core.special_tokens import SPECIAL_ID_MAX
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.huggingface.byte_alphabet import alphabet_bytes, alphabet_text
from tokviz.formats.huggingface.normalizer_steps import text_normalizer
from tokviz.formats.huggingface.pre_tokenizer import Json, adds_space, byte_level_pattern

PAIRS_MAX = 200_000  # of added tokens; as many are compared in a quarter of a second
Unmade = Callable[[Iterable[str]], list[str]]


def byte_level_tokenizer(name: str, spec: Json, unmade: Unmade) -> Tokenizer:
    """Return the tokenizer of a tokenizer.json; ValueError with the reason if `Tokenizer` cannot express its rules.

    unmade: returns those of some tokens that the merges of the file do not make, as the library applies them.
    """
    model = bpe_model(spec)
    pattern = byte_level_pattern(spec.get("pre_tokenizer"))
    normalizer = text_normalizer(spec.get("normalizer"))
    if normalizer.marks_are_spaces:
        raise ValueError("its normalizer writes a space as ▁, and its pre-tokenizer in bytes")
    if adds_space(spec["pre_tokenizer"]) and not normalizer.prefix:
        normalizer = replace(normalizer, prefix="each", prefix_if_missing=True)
    special, always = added_tokens_and_always_matching(spec, normalizer)
    ranks, takes_whole = _ranks_and_takes_whole(model, special, unmade)
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


def added_tokens_and_always_matching(spec: Json, normalizer: Normalizer) -> tuple[dict[str, int], set[str]]:
    """Return the added tokens with their ids, and which of them always match; ValueError for rules that are not read.

    Those with the flag normalized are searched for in the changed text.
    """
    added = spec.get("added_tokens") or []
    if not normalizer.is_plain and (late := next((one for one in added if one.get("normalized")), None)):
        raise ValueError(f"its added token {short_repr(late['content'])} is searched for in the changed text")
    special = _added_token_ids(added)
    return special, {one["content"] for one in added if not one.get("special")} & special.keys()


def _added_token_ids(added: list[Json]) -> dict[str, int]:
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
    if met := next((pair for pair in product(*rounds) if _loses_to(*pair)), None):
        first, second = map(short_repr, met)
        raise ValueError(f"its added tokens are matched in two rounds (the flag normalized), {first} before {second}")
    if max(special.values(), default=0) > SPECIAL_ID_MAX:
        raise ValueError(f"an id of its added tokens is over {SPECIAL_ID_MAX}")
    return special


def _loses_to(first: str, second: str) -> bool:
    """Return whether the second of two tokens would be found in place of the first if both were searched for at once.

    >>> _loses_to("<a>", "<<a>>"), _loses_to("<a>", "<a"), _loses_to("<a>", "b<"), _loses_to("<a>", ">b")
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


def _ranks_and_takes_whole(model: Json, special: Mapping[str, int], unmade: Unmade) -> tuple[dict[bytes, int], bool]:
    """Return the ranks of vocabulary and merges, and whether a pretoken that equals a token becomes it.

    `Tokenizer` merges any two tokens that make a token, by its rank, but a file only the pairs that it names. The
    results are the same if it names the pair by which `Tokenizer` makes each token. Take the shortest token of which it
    does not: up to that pair, both merge alike, and there the merges of the file end, which leave this token unmade.
    So only the tokens that they do not make need a closer look.
    """
    id_of = {text: token_id for text, token_id in model["vocab"].items() if special.get(text) != token_id}
    ranks: dict[bytes, int] = {}
    for text, token_id in id_of.items():
        token = alphabet_bytes(text)
        if not token:
            raise ValueError(f"its token {short_repr(text)} is not written in bytes")
        ranks[token] = token_id
    pairs = merge_pairs(model["merges"])
    # Some files give every way to make a token, one after the other; at most one of them is ever taken.
    made = ["".join(pair) for pair in pairs]
    ids = np.array([id_of.get(text, -1) for text in made], np.int64)
    begins = np.flatnonzero(np.diff(ids, prepend=-2) != 0)
    order = list(dict.fromkeys(made))
    if len(begins) != len(order) or (ids < 0).any():
        runs = [made[i] for i in begins.tolist()]
        wrong = next((text for text in order if text not in id_of), None) or Counter(runs).most_common(1)[0][0]
        raise ValueError(f"its merges make {short_repr(alphabet_bytes(wrong))} twice, or without an id")
    is_ordered = bool((np.diff(ids) >= 0).all())
    if not is_ordered:
        ranks = OrderedRanks(ranks, ([alphabet_bytes(text) or b""] for text in order))
    takes_whole = bool(model.get("ignore_merges"))
    left_unmade = unmade([text for text in id_of if len(text) > 1])
    parents = {text: bpe.parents(alphabet_bytes(text) or b"", ranks) for text in left_unmade}
    named = set(pairs) if any(parents.values()) else set()
    for pair in filter(None, parents.values()):
        if tuple(map(alphabet_text, pair)) not in named:
            raise ValueError(f"it has no merge of {short_repr(pair[0])} and {short_repr(pair[1])}, which make a token")
    if takes_whole and left_unmade and not is_ordered:
        raise ValueError("its ids do not follow its merges, and tokens that no merge makes are taken whole")
    return ranks, takes_whole or not left_unmade
