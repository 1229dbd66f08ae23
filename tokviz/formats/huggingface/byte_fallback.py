"""tokenizer.json as BPE with byte fallback, as Llama 2, Mistral and Gemma have it, or why not.

Every two tokens that make another are a merge in these files, and the first of those ways gives its place in the order.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from tokviz.core import bpe
from tokviz.core.normalizer import SPACE_MARK, Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.patterns import short_repr
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.byte_fallback import LINE_FEEDS_MAX, byte_fallback_ranks, uncrossed_pattern_name
from tokviz.formats.huggingface.byte_level import added_tokens_and_always_matching, bpe_model, merge_pairs
from tokviz.formats.huggingface.byte_tokens import BYTE_TOKENS
from tokviz.formats.huggingface.normalizer_steps import text_normalizer

Json = Mapping[str, Any]
WORDS = " [^ ]*+|[^ ]++"  # each space begins a pretoken, as Metaspace splits


def falls_back_to_bytes(spec: Json) -> bool:
    """Return whether a tokenizer.json is BPE that falls back to bytes."""
    return bool(spec["model"].get("byte_fallback"))


def byte_fallback_tokenizer(name: str, spec: Json) -> Tokenizer:
    """Return the tokenizer of a tokenizer.json; ValueError with the reason if `Tokenizer` cannot express its rules."""
    model = bpe_model(spec)
    if model.get("ignore_merges"):
        raise ValueError("it takes a text whole that is a token (ignore_merges)")
    normalizer, splits = _normalizer_and_whether_split(spec)
    mark = SPACE_MARK if normalizer.marks_are_spaces else " "
    vocab: Mapping[str, int] = model["vocab"]
    if missing := next((token for token in BYTE_TOKENS if token not in vocab), None):
        raise ValueError(f"it does not fall back to all 256 bytes: it has no {missing}")
    special, always = added_tokens_and_always_matching(spec, normalizer)
    pairs = merge_pairs(model["merges"])
    order = dict.fromkeys(map("".join, pairs))
    pattern = WORDS if splits else uncrossed_pattern_name(token for token in order if token not in always)
    # What merges need anyway: marks, which are spaces in a text as it is typed, and line feeds, which the pattern cuts.
    cut_out = _LINE_FEEDS if pattern == "sentencepiece" and always >= _LINE_FEEDS else ()
    characters = {*"".join(order)}
    needed = (token for token in always if token in order or token in characters)
    merged = {token for token in needed if not token.strip(mark) or token in cut_out}
    special = {token: token_id for token, token_id in special.items() if token not in merged}
    always -= merged
    if met := next((token for token in (*BYTE_TOKENS, *(special.keys() - always)) if token in order), None):
        raise ValueError(f"its merges make {short_repr(met)}")
    ids = dict(vocab)
    for token in (*BYTE_TOKENS, *special):
        ids.pop(token, None)
    ranks = byte_fallback_ranks(
        ids,
        zip(token for token in order if token not in always),
        [vocab[token] for token in BYTE_TOKENS],
        has_marks=normalizer.marks_are_spaces,
    )
    if any(token[:6] in _BYTES or token[-6:] in _BYTES for token in order if "<0x" in token):
        raise ValueError("its merges join bytes")
    _check_parents(order, {*pairs}, vocab, ranks, mark)
    return Tokenizer(name, pattern, ranks, special, always, takes_whole=False, normalizer=normalizer)


_LINE_FEEDS = frozenset("\n" * n for n in range(1, LINE_FEEDS_MAX + 1))


def _normalizer_and_whether_split(spec: Json) -> tuple[Normalizer, bool]:
    """Return what changes a text first, and whether it is then split before each space."""
    normalizer = text_normalizer(spec.get("normalizer"))
    step = spec.get("pre_tokenizer") or {"type": "Split", "pattern": {"String": " "}}
    if step.get("type") == "Split" and step["pattern"] == {"String": " "}:
        if not normalizer.marks_are_spaces and spec.get("pre_tokenizer"):
            raise ValueError("its pre-tokenizer splits at spaces")
        return normalizer, False  # there are no spaces, only marks
    if step.get("type") != "Metaspace" or step.get("replacement", SPACE_MARK) != SPACE_MARK:
        raise ValueError(f"its pre-tokenizer {short_repr(step.get('type'))} splits by more than spaces")
    prefix = {"always": "each", "first": "first", "never": ""}[str(step.get("prepend_scheme", "always"))]
    normalizer = replace(normalizer, marks_are_spaces=True)
    if prefix and step.get("add_prefix_space") is not False and not normalizer.prefix:
        normalizer = replace(normalizer, prefix=prefix, prefix_if_missing=True)
    return normalizer, bool(step.get("split", True))


def _check_parents(
    order: Iterable[str], pairs: Collection[tuple[str, ...]], vocab: Mapping[str, int], ranks: OrderedRanks, mark: str
) -> None:
    """Raise ValueError if two tokens that make a token need not be a merge of the file; mark: how it writes a space."""
    for token in order:
        if all(
            (token[:i], token[i:]) in pairs for i in range(1, len(token)) if token[:i] in vocab and token[i:] in vocab
        ):
            continue
        pair = bpe.parents(token.replace(mark, " ").encode(), ranks)
        left, right = (half.decode().replace(" ", mark) for half in pair or (b"", b""))
        if pair and (left, right) not in pairs:
            raise ValueError(f"it has no merge of {short_repr(left)} and {short_repr(right)}, which make a token")


_BYTES = frozenset(BYTE_TOKENS)
