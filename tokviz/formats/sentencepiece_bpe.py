"""SentencePiece's BPE with byte fallback as a `Tokenizer`, if it gives the same ids, or why it does not.

Scores order the merges (bpe_model.cc of google/sentencepiece): of two the higher, of equal ones the leftmost. A text is
cut by user-defined pieces before anything else.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from math import isfinite
from typing import Any

from tokviz.core.normalizer import Normalizer
from tokviz.core.patterns import short_repr
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.byte_fallback import byte_fallback_ranks, uncrossed_pattern_name, with_marks_as_spaces
from tokviz.formats.gguf.vocabulary import BYTE, CONTROL, NORMAL, UNKNOWN, UNUSED, USER_DEFINED
from tokviz.formats.huggingface.byte_tokens import BYTE_TOKENS

TYPES = {1: "Unigram", 2: "BPE", 3: "words", 4: "characters"}


def bpe_tokenizer(name: str, proto: Any) -> Tokenizer:
    """Return the tokenizer of a ModelProto; ValueError with the reason if `Tokenizer` would not give the same ids."""
    _check_rules(proto.trainer_spec, proto.normalizer_spec)
    of_type: dict[int, dict[str, int]] = {type_: {} for type_ in range(NORMAL, BYTE + 1)}
    score_of: dict[str, float] = {}
    for token_id, one in enumerate(proto.pieces):
        text = one.piece
        of_type[one.type][text] = token_id
        score_of[text] = one.score
    if len(score_of) < len(proto.pieces) or "" in score_of or len(of_type[UNKNOWN]) != 1:
        raise ValueError("it has a piece twice, or without a text, or not one for what is unknown")
    apart = of_type[CONTROL] | of_type[UNKNOWN] | of_type[BYTE]
    if single := next((text for text in apart if len(text) == 1), None):
        raise ValueError(f"its piece {single!r} is a character, and yet no text")
    if {*of_type[BYTE]} != {*BYTE_TOKENS}:
        raise ValueError("it does not fall back to all 256 bytes")
    has_prefix = proto.normalizer_spec.add_dummy_prefix
    user_defined = {with_marks_as_spaces(text): token_id for text, token_id in of_type[USER_DEFINED].items()}
    if has_prefix and any(text[0] == " " for text in user_defined):
        raise ValueError("one of its user-defined pieces begins with the space that is put before a text")
    known = of_type[NORMAL].keys() | of_type[USER_DEFINED].keys() | of_type[UNUSED].keys()
    if reached := next((text for text in of_type[UNUSED] if _is_character_or_two_symbols(text, known)), None):
        raise ValueError(f"merges go by way of its piece {short_repr(reached)}, which is unused")
    merged = {text: score_of[text] for text in of_type[NORMAL] if len(text) > 1}
    prefix = "" if not has_prefix else "text" if user_defined else "each"
    return Tokenizer(
        name,
        uncrossed_pattern_name(merged),
        byte_fallback_ranks(
            of_type[NORMAL], _pieces_grouped_by_score(merged), [of_type[BYTE][token] for token in BYTE_TOKENS]
        ),
        of_type[UNKNOWN] | of_type[CONTROL] | of_type[UNUSED] | user_defined,
        user_defined,
        takes_whole=False,
        normalizer=Normalizer(marks_are_spaces=True, prefix=prefix),
    )


def _check_rules(trainer: Any, normalizer: Any) -> None:
    """Raise ValueError for a model of another kind, or one that changes texts in a way that `Normalizer` does not."""
    if TYPES.get(trainer.model_type) != "BPE":
        raise ValueError(f"its model is of {TYPES.get(trainer.model_type, 'an unknown kind')}, and keeps no merges")
    if not trainer.byte_fallback:
        raise ValueError("its BPE does not fall back to bytes, so that characters may be unknown")
    if normalizer.precompiled_charsmap:
        raise ValueError(f"it changes characters first, by the rule {normalizer.name or 'of its own'}")
    if normalizer.remove_extra_whitespaces:
        raise ValueError("it leaves out spaces: at both ends, and all but one of several (remove_extra_whitespaces)")
    if not normalizer.escape_whitespaces or trainer.treat_whitespace_as_suffix:
        raise ValueError("it does not write the space before a word as ▁")


def _is_character_or_two_symbols(text: str, known: Collection[str]) -> bool:
    """Return whether two symbols, characters or pieces, make a piece."""
    halves = ((text[:i], text[i:]) for i in range(1, len(text)))
    return len(text) == 1 or any(all(len(half) == 1 or half in known for half in pair) for pair in halves)


def _pieces_grouped_by_score(scores: Mapping[str, float]) -> Iterator[list[str]]:
    """Yield the pieces that merges make by descending score, equals together; ValueError if these are not runs."""
    if not all(map(isfinite, scores.values())):
        raise ValueError("one of its scores is not a number")
    for score, group in groupby(sorted(scores, key=scores.__getitem__, reverse=True), scores.__getitem__):
        equals = [*group]
        if len(equals) > 1 and (other := next((text for text in equals if len({*text}) > 1), None)):
            raise ValueError(f"several of its merges have the score {score:g}, such as that of {short_repr(other)}")
        yield equals
