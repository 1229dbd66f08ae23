"""SentencePieceTokenizer: a SentencePiece .model, BPE or Unigram, run by the `sentencepiece` library.

SentencePiece normalises characters (mostly NFKC), writes a space as ▁ and puts one before the text. Tokens are placed
in the text as it was: white space that normalising drops belongs to no token, and the ▁ before the text is an empty
one.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import accumulate, groupby
from operator import index
from typing import Any

import sentencepiece
from google.protobuf.message import DecodeError
from sentencepiece import sentencepiece_model_pb2

from tokviz.core.bpe import check_weights
from tokviz.core.pretokens import split_special, well_formed
from tokviz.core.spans import TokenSpans, placed_spans
from tokviz.core.special_tokens import allowed_names
from tokviz.core.vocabulary import unknown_id
from tokviz.system.foreign_engine import ForeignEngine

SECONDS = 20.0  # for one text; a million characters take about two
TYPES = {1: "Unigram", 2: "BPE", 3: "words", 4: "characters"}


@dataclass(frozen=True)
class _Facts:
    """What is known about a model without a text: its pieces, and the ids of the special kinds."""

    kind: str
    pieces: tuple[str, ...]
    control: tuple[int, ...]
    byte: tuple[int, ...]
    unknown: tuple[int, ...]


class _Library:
    """A model, as loaded by the library and as it stands in the file."""

    def __init__(self, data: bytes) -> None:
        self.proto = sentencepiece_model_pb2.ModelProto.FromString(data)
        self.processor = sentencepiece.SentencePieceProcessor()
        self.processor.LoadFromSerializedProto(data)


def _load(data: bytes) -> _Library:
    try:
        return _Library(data)
    except DecodeError as e:
        raise ValueError(
            f"not a SentencePiece model, or cut off; fetch it again, or open a tokenizer.json ({e})"
        ) from e
    except (RuntimeError, UnicodeDecodeError) as e:
        raise ValueError(f"damaged: SentencePiece does not take it; fetch it again ({e})") from e


def _facts(library: _Library) -> _Facts:
    """Return the facts of a model; ValueError for one that is damaged."""
    processor = library.processor
    try:
        pieces = tuple(str(piece.piece) for piece in library.proto.pieces)
    except (TypeError, UnicodeDecodeError) as e:
        raise ValueError("damaged: one of its pieces is not UTF-8; fetch it again") from e
    if len(pieces) != processor.vocab_size():
        raise ValueError(f"damaged: {len(pieces)} pieces were read as {processor.vocab_size()}")
    check_weights(pieces)
    kinds = (processor.is_control, processor.is_byte, processor.is_unknown)
    control, byte, unknown = (tuple(i for i in range(len(pieces)) if is_so(i)) for is_so in kinds)
    kind = f"SentencePiece {TYPES.get(library.proto.trainer_spec.model_type, 'model')}"
    return _Facts(kind, pieces, control, byte, unknown)


def _encoded(library: _Library, text: str, return_type: Any) -> Any:
    return library.processor.encode(text, return_type=return_type)


def _decoded(library: _Library, ids: list[int]) -> str:
    return library.processor.decode(ids)


class SentencePieceTokenizer:
    """A SentencePiece model; its control symbols, usually <s> and </s>, are the special tokens."""

    reason = "SentencePiece joins characters, not bytes, and keeps no merges"

    def __init__(self, name: str, data: bytes) -> None:
        """Load the bytes of a model; ValueError for anything else."""
        self.name, self.data = name, data
        self._engine = ForeignEngine(_load, data)
        try:
            facts = self._engine.ask(_facts, seconds=SECONDS, what="the model")
        except ValueError as e:
            raise ValueError(f"{name}: {e}") from e
        self.kind, pieces = facts.kind, facts.pieces
        self.special_tokens = {pieces[i]: i for i in facts.control}
        self.unknown_id: int | None = facts.unknown[0] if facts.unknown else None
        named = {*facts.control, *facts.unknown}
        self._token_bytes = [p.encode() if i in named else p.replace("▁", " ").encode() for i, p in enumerate(pieces)]
        self._is_byte = set(facts.byte)
        for i in facts.byte:
            self._token_bytes[i] = bytes.fromhex(pieces[i][3:5])

    @property
    def n_vocab(self) -> int:
        """The highest id plus one."""
        return len(self._token_bytes)

    def __contains__(self, token_id: object) -> bool:
        return hasattr(token_id, "__index__") and 0 <= index(token_id) < self.n_vocab

    def encode(self, text: str, *, allowed_special: str | Collection[str] = ()) -> list[int]:
        """Return the token ids of a text; control symbols that are not allowed are plain text.

        SentencePiece itself never recognises one in a text; if they are allowed, each part between two is
        encoded as a text of its own.
        """
        ids: list[int] = []
        for part, is_special in self._parts(text, allowed_special):
            ids += [self.special_tokens[part]] if is_special else self._encoded(part, int)
        return ids

    def _parts(self, text: str, allowed_special: str | Collection[str]) -> Iterable[tuple[str, bool]]:
        return split_special(well_formed(text), allowed_names(self.name, self.special_tokens, allowed_special))

    def _encoded(self, text: str, return_type: object) -> Any:
        what = f"{self.name} on {len(text):,} characters"
        return self._engine.ask(_encoded, text, return_type, seconds=SECONDS, what=what)

    def spans(self, text: str, *, allowed_special: str | Collection[str] = ()) -> TokenSpans:
        """Return the tokens of a text with their offsets in it; tokens and errors as in `encode`."""
        ids: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        begin = 0
        for part, is_special in self._parts(text, allowed_special):
            n_bytes = len(part.encode())
            if is_special:
                ids.append(self.special_tokens[part])
                starts.append(begin)
                ends.append(begin + n_bytes)
            else:
                found = self._encoded(part, "offset_mapping")
                byte_at = [begin, *accumulate((len(c.encode()) for c in part), initial=begin)][1:]
                first = len(ids)
                ids += found["ids"]
                starts += [byte_at[start] for start, _ in found["offsets"]]
                ends += [byte_at[end] for _, end in found["offsets"]]
                self._place_bytes(ids, starts, ends, first)
            begin += n_bytes
        return placed_spans(well_formed(text).encode(), ids, starts, ends)

    def _place_bytes(self, ids: list[int], starts: list[int], ends: list[int], first: int) -> None:
        """Give each token of a character that fell back to bytes its own byte; the library gives all to the last."""
        for (is_byte, begin), group in groupby(range(first, len(ids)), lambda i: (ids[i] in self._is_byte, starts[i])):
            run = list(group)
            if is_byte and ends[run[-1]] - begin == len(run):
                for n, i in enumerate(run, begin):
                    starts[i], ends[i] = n, n + 1

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the tokens as SentencePiece gives it, without control symbols."""
        ids = list(ids)
        for token_id in ids:
            self.token_bytes(token_id)
        return self._engine.ask(_decoded, ids, seconds=SECONDS, what=f"{self.name} on {len(ids):,} ids")

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token, ▁ as a space; a control symbol has those of its name."""
        if token_id not in self:
            raise unknown_id(self.name, token_id, range(self.n_vocab))
        return self._token_bytes[token_id]

    def __repr__(self) -> str:
        return f"SentencePieceTokenizer({self.name!r}, {self.kind}, {self.n_vocab} tokens)"
