"""What the `tokenizers` library does with a tokenizer.json: all that runs in the child process of an `HFTokenizer`."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import tokenizers
from tokenizers.pre_tokenizers import PreTokenizer
from tokenizers.pre_tokenizers import Sequence as Steps

from tokviz.core.bpe import check_tokens_within_limits
from tokviz.core.special_tokens import SPECIAL_ID_MAX
from tokviz.formats.huggingface.bpe_spec import FLAGS
from tokviz.formats.huggingface.byte_level import merge_pairs, model_type
from tokviz.formats.huggingface.dropped_characters import TokenPlacement, may_drop_characters
from tokviz.formats.huggingface.placement import Alignment, Gaps
from tokviz.formats.library_tokenizer import LibraryFacts

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # one text at a time gains nothing from threads
_PRIVATE = range(0xE000, 0xF900)  # characters that decoders leave alone
GAP_MAX = 1_000_000  # ids without a token; files in use leave out some hundred
_NO_MODEL = {"type": "BPE", "vocab": {}, "merges": []}
_LEFT_OUT: dict[str, Any] = dict.fromkeys(("truncation", "padding", "post_processor"))
_BPE_OPTIONS = ("unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk", "byte_fallback",
                "ignore_merges")  # fmt: skip


def _loaded_model(spec: Mapping[str, Any]) -> tokenizers.models.Model:
    """Return the library's model of a tokenizer.json, without dropout; whatever the library raises if it refuses it."""
    added = spec.get("added_tokens")
    try:
        tokenizers.Tokenizer.from_str(_json_of(spec, model=_NO_MODEL, added_tokens=added))  # which checks all the rest
        return _bpe_model(spec["model"])
    except Exception:  # not BPE, or a form that only the library's own reader takes, or refuses in its own words
        model = {**spec["model"], "dropout": None} if spec["model"].get("dropout") else spec["model"]
        return tokenizers.Tokenizer.from_str(_json_of(spec, model=model, added_tokens=added)).model


def _bpe_model(model: Mapping[str, Any]) -> tokenizers.models.Model:
    """Return the library's BPE of the JSON of a model, in half the time that the library takes to read that."""
    vocab, merges = model["vocab"], model["merges"]
    if model_type({"model": model}) != "BPE" or not isinstance(vocab, dict) or len(set(map(type, merges))) > 1:
        raise ValueError("not BPE, or merges of several forms")
    options = {option: model[option] for option in _BPE_OPTIONS if model.get(option) is not None}
    pairs: Any = merge_pairs(merges)  # the library counts their parts
    return tokenizers.models.BPE(vocab, pairs, **options)


def _json_of(spec: Mapping[str, Any], *, model: Mapping[str, Any], added_tokens: object = ()) -> str:
    return json.dumps({**spec, **_LEFT_OUT, "model": model, "added_tokens": added_tokens or []})


def _added_token(token: Mapping[str, Any], allowed: frozenset[str]) -> tokenizers.AddedToken:
    """Return an added token for the library, which takes a special one that is allowed for one that is not special."""
    special = token["special"] and token["content"] not in allowed
    return tokenizers.AddedToken(token["content"], special=special, **{flag: token[flag] for flag in FLAGS})


class Library:
    """The library's tokenizers of a parsed tokenizer.json: one for none and all special tokens, others for some.

    They share one model, which takes most of the memory; `spec` is the JSON without vocabulary and merges.
    """

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.model = _loaded_model(spec)
        options = {option: value for option, value in spec["model"].items() if option not in ("vocab", "merges")}
        self.spec = {**spec, "model": options}
        self._added: Sequence[Mapping[str, Any]] = spec.get("added_tokens") or []
        self._engines: dict[frozenset[str], tokenizers.Tokenizer] = {}

    def engine_recognising(self, allowed: frozenset[str]) -> tokenizers.Tokenizer:
        """Return the library's tokenizer that recognises the allowed special tokens and takes others for text.

        It does so until the next call.
        """
        is_all = bool(allowed) and all(token["content"] in allowed for token in self._added if token.get("special"))
        allowed = frozenset() if is_all else allowed
        engine = self._engines.get(allowed)
        if engine is None:
            engine = self._engines[allowed] = tokenizers.Tokenizer.from_str(_json_of(self.spec, model=_NO_MODEL))
            engine.model = self.model
            engine.add_tokens([_added_token(token, allowed) for token in self._added])
        engine.encode_special_tokens = not is_all
        return engine

    @cached_property
    def special_ids(self) -> Mapping[str, int]:
        """The ids of the special tokens, which match only where they are allowed."""
        added = self.plain_engine.get_added_tokens_decoder()
        return {token.content: token_id for token_id, token in sorted(added.items()) if token.special}

    @property
    def plain_engine(self) -> tokenizers.Tokenizer:
        """The library's tokenizer that takes special tokens for text."""
        return self.engine_recognising(frozenset())

    @cached_property
    def added_tokens_by_id(self) -> Mapping[int, str]:
        """The added tokens by their ids, ascending."""
        return {
            token_id: token.content for token_id, token in sorted(self.plain_engine.get_added_tokens_decoder().items())
        }

    @cached_property
    def garbled_token_ids(self) -> frozenset[int]:
        """The added tokens that the decoder would read as it reads the vocabulary, such as é as a byte."""
        decoder = self.plain_engine.decoder
        if decoder is None:
            return frozenset()
        without = decoder.decode(["a", "b"])
        read = {token_id: decoder.decode(["a", content, "b"]) for token_id, content in self.added_tokens_by_id.items()}
        return frozenset(i for i, text in read.items() if text != without and self.added_tokens_by_id[i] not in text)

    @cached_property
    def has_marked_spaces(self) -> bool:
        """Whether the vocabulary writes a space as ▁."""
        steps = [self.spec.get(step) for step in ("normalizer", "pre_tokenizer", "decoder")]
        return "▁" in json.dumps(steps, ensure_ascii=False)

    @cached_property
    def gaps(self) -> Gaps:
        """What becomes of the characters to which the library gives no token."""
        return Gaps(self.plain_engine.normalizer, has_marks=self.has_marked_spaces)

    @cached_property
    def may_drop_characters(self) -> bool:
        """Whether the model drops some characters, after which the library places tokens wrongly."""
        given = json.dumps([self.spec.get("normalizer"), self.spec.get("pre_tokenizer")])
        return may_drop_characters(self.model, is_given_bytes='"ByteLevel"' in given)

    def encoding(self, text: str, allowed: frozenset[str]) -> tokenizers.Encoding:
        """Return the tokens of a text as the library places them, but none over characters that were dropped before."""
        engine = self.engine_recognising(allowed)
        if not self.may_drop_characters:
            return engine.encode(text)
        model: Any = self.model
        pre_tokenizer = engine.pre_tokenizer
        placement = PreTokenizer.custom(TokenPlacement(model))
        engine.pre_tokenizer = Steps([pre_tokenizer, placement]) if pre_tokenizer else placement
        try:
            return engine.encode(text)
        finally:  # ids alone are found faster without
            engine.pre_tokenizer = pre_tokenizer


def unmade_tokens(library: Library, tokens: Iterable[str]) -> list[str]:
    """Return those of some tokens that the merges of BPE leave in parts, each taken as a pretoken.

    >>> model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "ba": 3}, "merges": [["a", "b"]]}
    >>> unmade_tokens(Library({"version": "1.0", "model": model}), ["ab", "ba"])
    ['ba']
    """
    model: Any = library.model  # of a class that has this option
    takes_whole, model.ignore_merges = model.ignore_merges, False
    try:
        return [token for token in tokens if len(model.tokenize(token)) != 1]
    finally:
        model.ignore_merges = takes_whole


def library_facts(library: Library) -> LibraryFacts:
    """Return the facts of a tokenizer; ValueError for ids or tokens far beyond those in use."""
    spec, engine = library.spec, library.plain_engine
    id_of: dict[str, int] = engine.get_vocab(with_added_tokens=True)
    token_of = {token_id: token for token, token_id in id_of.items()}
    check_vocabulary_within_limits(id_of)
    model, kind = spec["model"], model_type(spec)
    unknown = model.get("unk_id") if kind == "Unigram" else id_of.get(str(model.get("unk_token")))
    unknown = unknown if isinstance(unknown, int) and unknown in token_of else None
    return LibraryFacts(
        kind=kind,
        token_of=token_of,
        special_tokens=library.special_ids,
        unknown_id=unknown,
        normalizer=_joined_normalizer_names(spec.get("normalizer") or {}),
        named_ids=frozenset([*library.added_tokens_by_id, *([] if unknown is None else [unknown])]),
        byte_ids=frozenset(i for token, i in id_of.items() if model.get("byte_fallback") and token.startswith("<0x")),
        has_marked_spaces=library.has_marked_spaces,
        is_written_in_bytes='"ByteLevel"' in json.dumps([spec.get("pre_tokenizer"), spec.get("decoder")]),
    )


def check_vocabulary_within_limits(id_of: Mapping[str, int]) -> None:
    """Raise ValueError for ids or tokens far beyond those in use."""
    highest = max(id_of.values(), default=0)
    if highest > SPECIAL_ID_MAX:
        raise ValueError(f"the id {highest} is over {SPECIAL_ID_MAX}")
    if highest > len(id_of) + GAP_MAX:  # views go through all ids
        raise ValueError(
            f"the id {highest} is far beyond its {len(id_of):,} tokens; at most {GAP_MAX:,} ids may be left out"
        )
    check_tokens_within_limits(id_of)


def _joined_normalizer_names(normalizer: Mapping[str, Any]) -> str:
    """Return the normalizers of a tokenizer.json by their names.

    >>> _joined_normalizer_names({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}]})
    'NFD, Lowercase'
    """
    steps = normalizer.get("normalizers", [normalizer])
    return ", ".join(str(step["type"]) for step in steps if "type" in step)


def encoded_ids(library: Library, texts: list[str], allowed: frozenset[str]) -> list[list[int]]:
    """Return the ids of each text."""
    return [encoding.ids for encoding in library.engine_recognising(allowed).encode_batch(texts)]


def ids_and_character_places(
    library: Library, texts: list[str], allowed: frozenset[str]
) -> tuple[list[int], np.ndarray]:
    """Return the ids of a text, the only one given, and where tokens start and where they end, in characters."""
    [text] = texts
    # The library places all tokens of a text too early if its normalizer leaves out the first characters.
    lead = library.gaps.n_leading_characters_left_out(text)
    encoding = library.encoding(text[lead:], allowed)
    offsets = [(start + lead, end + lead) for start, end in encoding.offsets] if lead else encoding.offsets
    added = {i for i, token_id in enumerate(encoding.ids) if token_id in library.added_tokens_by_id}
    return encoding.ids, library.gaps.character_places_with_gaps(text, encoding.tokens, offsets, added)


def alignments(library: Library, texts: Sequence[str]) -> list[Alignment]:
    """Return the normal form of each text, with where it comes from."""
    return [Alignment.of_normal_form(text, library.gaps.normal_form_characters_and_starts(text)) for text in texts]


def decoded_text(library: Library, ids: list[int]) -> str:
    """Return the text of ids, special tokens included; added tokens are what they match in a text."""
    engine, garbled = library.plain_engine, library.garbled_token_ids & set(ids)
    text = engine.decode(ids, skip_special_tokens=False)
    if not garbled:
        return text
    stand_in = next(sign for sign in map(chr, _PRIVATE) if sign not in text)
    tokens = [stand_in if token_id in garbled else engine.id_to_token(token_id) for token_id in ids]
    contents = [library.added_tokens_by_id[token_id] for token_id in ids if token_id in garbled]
    parts = engine.decoder.decode(tokens).split(stand_in)
    if len(parts) != len(contents) + 1:  # a decoder that replaces any character
        return text
    return "".join(part + content for part, content in zip(parts, [*contents, ""], strict=True))
