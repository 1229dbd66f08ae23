"""A SentencePiece .model: read as a `Tokenizer` if that gives the same ids, else run by the `sentencepiece` library.

SentencePiece normalises characters (mostly NFKC), writes a space as ▁ and puts one before the text. Tokens are placed
in the text as it was: white space that normalising drops belongs to no token, and the ▁ before the text is an empty
one.
"""

import re
from collections.abc import Collection
from itertools import groupby
from typing import Any

import sentencepiece
from google.protobuf.message import DecodeError
from sentencepiece import sentencepiece_model_pb2

from tokviz.core.bpe import check_tokens_within_limits
from tokviz.core.pretokens import special_token_splitter, split_at_special_tokens, well_formed_text
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import TokenSpans, spans_from_byte_offsets, text_and_byte_offsets
from tokviz.formats.format import Format, Source
from tokviz.formats.library_tokenizer import LibraryFacts, LibraryTokenizer
from tokviz.formats.sentencepiece_bpe import TYPES, bpe_tokenizer

_PIECE = re.compile(rb"\A\n.{1,9}\n.{1,200}\x15", re.DOTALL)  # the first piece and its score; no text has that
_NO_MERGES = "SentencePiece joins characters, not bytes, and keeps no merges"


class _Library:
    """A model, as loaded by the library and as it is in the file."""

    def __init__(self, data: bytes) -> None:
        self.proto = sentencepiece_model_pb2.ModelProto.FromString(data)  # type: ignore[attr-defined]  # made as it is imported
        self.processor = sentencepiece.SentencePieceProcessor()
        self.processor.LoadFromSerializedProto(data)


def _ids_and_offsets(library: _Library, texts: list[str]) -> Any:
    return library.processor.encode(texts[0], return_type="offset_mapping")


class SentencePieceTokenizer(LibraryTokenizer):
    """A SentencePiece model; its control symbols, usually <s> and </s>, are the special tokens."""

    file_name = "tokenizer.model"
    seconds = 20.0  # a million characters take about two

    def __init__(self, name: str, data: bytes, *, reason: str = _NO_MERGES) -> None:
        """Load the bytes of a model; ValueError for anything else."""
        super().__init__(name, data, reason=reason)

    @staticmethod
    def load(data: bytes) -> _Library:
        """Return a model; ValueError for bytes that are none."""
        try:
            return _Library(data)
        except DecodeError as e:
            raise ValueError("not a SentencePiece model, or cut off; fetch it again, or open a tokenizer.json") from e
        except (RuntimeError, UnicodeDecodeError) as e:
            raise ValueError(f"damaged: SentencePiece does not take it; fetch it again ({e})") from e

    @staticmethod
    def facts(library: _Library) -> LibraryFacts:
        """Return the facts of a model; ValueError for one that is damaged."""
        processor, rule = library.processor, library.proto.normalizer_spec.name
        try:
            pieces = [str(piece.piece) for piece in library.proto.pieces]
        except (TypeError, UnicodeDecodeError) as e:
            raise ValueError("damaged: one of its pieces is not UTF-8; fetch it again") from e
        if len(pieces) != processor.vocab_size():
            raise ValueError(f"damaged: {len(pieces)} pieces were read as {processor.vocab_size()}")
        check_tokens_within_limits(pieces)
        kinds = (processor.is_control, processor.is_unknown, processor.is_byte)
        control, unknown, byte = ([i for i in range(len(pieces)) if is_so(i)] for is_so in kinds)
        return LibraryFacts(
            kind=f"SentencePiece {TYPES.get(library.proto.trainer_spec.model_type, 'model')}",
            token_of=dict(enumerate(pieces)),
            special_tokens={pieces[i]: i for i in control},
            unknown_id=next(iter(unknown), None),
            normalizer="" if rule == "identity" else rule,
            named_ids=frozenset([*control, *unknown]),
            byte_ids=frozenset(byte),
        )

    @staticmethod
    def encoded_ids(library: _Library, texts: list[str], allowed: frozenset[str]) -> list[list[int]]:
        """Return the ids of each text.

        SentencePiece itself never recognises a control symbol in a text; if they are allowed, each part between two is
        encoded as a text of its own.
        """
        processor, parts_of = library.processor, special_token_splitter(allowed)

        def ids_of(part: str, is_special: bool) -> list[int]:
            return [processor.piece_to_id(part)] if is_special else processor.encode(part, return_type=int)

        return [[token_id for part in parts_of(text) for token_id in ids_of(*part)] for text in texts]

    @staticmethod
    def decoded_text(library: _Library, ids: list[int]) -> str:
        """Return the text of ids as SentencePiece gives it, without control symbols."""
        return library.processor.decode(ids)

    def spans(self, text: str, *, allowed_special: str | Collection[str] = ()) -> TokenSpans:
        """Return the tokens of a text with their offsets in it; tokens and errors as in `encode`."""
        ids: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        begin = 0
        text = well_formed_text(text)
        for part, is_special in split_at_special_tokens(text, self.allowed_names(allowed_special)):
            n_bytes = len(part.encode())
            if is_special:
                ids.append(self.special_tokens[part])
                starts.append(begin)
                ends.append(begin + n_bytes)
            else:
                found = self.ask(_ids_and_offsets, [part])
                byte_at = begin + text_and_byte_offsets(part.encode())[1]
                first = len(ids)
                ids += found["ids"]
                starts += byte_at[[start for start, _ in found["offsets"]]].tolist()
                ends += byte_at[[end for _, end in found["offsets"]]].tolist()
                self._give_byte_tokens_own_places(ids, starts, ends, part.encode(), begin, first)
            begin += n_bytes
        return spans_from_byte_offsets(text.encode(), ids, starts, ends)

    def _give_byte_tokens_own_places(
        self, ids: list[int], starts: list[int], ends: list[int], data: bytes, shift: int, first: int
    ) -> None:
        """Give each token of a character that fell back to bytes its own byte; the library gives all to the last."""
        byte_ids = self._facts.byte_ids
        for (is_byte, begin), group in groupby(range(first, len(ids)), lambda i: (ids[i] in byte_ids, starts[i])):
            run = list(group)
            spelt = b"".join(self.token_bytes(ids[i]) for i in run) if is_byte else b""
            if spelt and spelt == data[begin - shift : ends[run[-1]] - shift]:
                for n, i in enumerate(run, begin):
                    starts[i], ends[i] = n, n + 1


def read_sentencepiece(source: Source) -> AnyTokenizer:
    """Return the tokenizer in a .model of SentencePiece: a Tokenizer, or the library's, with the reason."""
    try:
        proto = sentencepiece_model_pb2.ModelProto.FromString(source.data)  # type: ignore[attr-defined]  # as above
        return bpe_tokenizer(source.name, proto)
    except (DecodeError, ValueError) as e:
        return SentencePieceTokenizer(source.name, source.data, reason=str(e))


SENTENCEPIECE = Format(
    "SentencePiece",
    re.compile(rb"\n(?!\s*+\{)").match,  # which may begin JSON
    read_sentencepiece,
    words="a .model of SentencePiece",
    names=("tokenizer.model", "spiece.model", "sentencepiece.bpe.model"),
    place=1,
    mark=_PIECE,
)
