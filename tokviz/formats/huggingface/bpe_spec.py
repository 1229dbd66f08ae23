"""The JSON of a tokenizer.json of BPE, byte-level or with byte fallback, made of a tokenizer or of parts."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from tokviz.core.normalizer import PLAIN, SPACE_MARK, Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.patterns import short_repr
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.byte_fallback import uncrossed_pattern_name
from tokviz.formats.huggingface.byte_fallback import WORDS
from tokviz.formats.huggingface.byte_tokens import BYTE_TOKENS
from tokviz.formats.huggingface.normalizer_steps import normalizer_spec
from tokviz.formats.huggingface.regex_dialects import BYTE_LEVEL

_SPACES = {"type": "Replace", "pattern": {"String": SPACE_MARK}, "content": " "}
BYTE_FALLBACK_DECODER = {"type": "Sequence", "decoders": [_SPACES, {"type": "ByteFallback"}, {"type": "Fuse"}]}
FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}


def added_token_entry(token: str, token_id: int, *, special: bool = True, **flags: bool) -> dict[str, Any]:
    """Return an added token as a tokenizer.json has it; one that is not special always matches.

    >>> added_token_entry("<s>", 1)["special"]
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
    normalizer: Normalizer = PLAIN,
) -> dict[str, Any]:
    """Return the JSON of a tokenizer.json of byte-level BPE, for a tokenizer or the contents of another format.

    vocab, merges: in the alphabet of bytes. patterns: regular expressions for Oniguruma that cut a text in turn, or
    none. ignores_merges: whether a pretoken that is a token is taken whole. normalizer: what changes a text first.
    Raises ValueError for a space that such a file cannot put where it says.

    >>> byte_level_spec({"a": 0}, [], (), [])["model"]["vocab"]
    {'a': 0}
    """
    is_gpt2 = patterns == (BYTE_LEVEL,)
    adds_space = normalizer.prefix_if_missing and bool(normalizer.prefix)
    if adds_space and (normalizer.prefix != "each" or (patterns and not is_gpt2)):
        raise ValueError(f"a tokenizer.json with this split pattern cannot hold this change: {normalizer.words()}")
    byte_level = {"type": "ByteLevel", "add_prefix_space": adds_space, "trim_offsets": False, "use_regex": is_gpt2}
    splits = [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
        for pattern in (() if is_gpt2 else patterns)
    ]
    return {
        **bpe_spec(vocab, merges, added_tokens, ignore_merges=ignores_merges),
        "normalizer": normalizer_spec(normalizer),
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*splits, byte_level]},
        "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
    }


def bpe_spec(
    vocab: Mapping[str, int],
    merges: Iterable[str | tuple[str, str]],
    added_tokens: Iterable[Mapping[str, Any]],
    **options: bool,
) -> dict[str, Any]:
    """Return the JSON of a tokenizer.json of BPE without a normalizer, pre-tokenizer or decoder.

    options: those of the model that are true.
    """
    model = {
        "type": "BPE",
        **dict.fromkeys(("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix")),
        **dict.fromkeys(("fuse_unk", "byte_fallback", "ignore_merges"), False),
        **options,
        "vocab": dict(vocab),
        "merges": list(merges),
    }
    left_out = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    return {"version": "1.0", **dict.fromkeys(left_out), "added_tokens": list(added_tokens), "model": model}


def add_special_tokens_and_return_entries(vocab: dict[str, int], tokenizer: Tokenizer) -> list[dict[str, Any]]:
    """Add the special tokens to the vocabulary, or the library would number them anew; return them as added tokens.

    Raises ValueError for one that has the name of another token.
    """
    special = sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])
    for token, token_id in special:
        if token in vocab:
            raise ValueError(
                f"a tokenizer.json cannot hold the special token {token!r}: the token {vocab[token]} has that name"
            )
        vocab[token] = token_id
    return [added_token_entry(token, i, special=token not in tokenizer.always_special) for token, i in special]


def byte_fallback_spec(tokenizer: Tokenizer) -> dict[str, Any]:
    """Return the JSON of a tokenizer.json of BPE with byte fallback; ValueError for what no such file can hold."""
    ranks, normalizer = tokenizer.mergeable_ranks, tokenizer.normalizer
    assert isinstance(ranks, OrderedRanks) and ranks.byte_ids is not None
    mark = SPACE_MARK if normalizer.marks_are_spaces else " "
    of_bytes = {*ranks.byte_ids}
    name_of = {token: token.decode().replace(" ", mark) for token, i in ranks.items() if i not in of_bytes}
    made = [name_of[token] for token in ranks.merge_tokens_with_ties_broken()]
    splits = tokenizer.split_pattern == WORDS and normalizer.marks_are_spaces
    if not splits and tokenizer.split_pattern not in ("none", uncrossed_pattern_name(made)):
        raise ValueError(
            f"a tokenizer.json of {tokenizer.kind} cannot hold the split pattern {short_repr(tokenizer.split_pattern)}"
        )
    vocab = dict(zip(BYTE_TOKENS, ranks.byte_ids, strict=True)) | {
        name: ranks[token] for token, name in name_of.items()
    }
    merges = [pair for token in made for pair in _ways(token, vocab)]
    added = add_special_tokens_and_return_entries(vocab, tokenizer)
    schemes = {"each": "always", "first": "first"} if normalizer.prefix_if_missing else {}
    scheme = schemes.get(normalizer.prefix, "never")
    metaspace = {"type": "Metaspace", "replacement": SPACE_MARK, "prepend_scheme": scheme, "split": splits}
    has_metaspace = splits or scheme != "never"
    return {
        **bpe_spec(dict(sorted(vocab.items(), key=lambda item: item[1])), merges, added, byte_fallback=True),
        "normalizer": normalizer_spec(normalizer),
        "pre_tokenizer": metaspace if has_metaspace else None,
        "decoder": BYTE_FALLBACK_DECODER,
    }


def _ways(token: str, vocab: Collection[str]) -> Iterator[tuple[str, str]]:
    halves = ((token[:i], token[i:]) for i in range(1, len(token)))
    return ((left, right) for left, right in halves if left in vocab and right in vocab)
