"""The naive tokenizers, for teaching: characters, bytes, and words.

Their vocabulary is what one text holds; whatever another text adds is unknown. That is the trouble with such
vocabularies. Bytes are the exception, which is why byte-level BPE begins with them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

import numpy as np
import regex

from tokviz.core.pretokens import well_formed_text
from tokviz.core.protocol import EncodingTokenizer, checked_texts
from tokviz.core.spans import TokenSpans, spans_from_byte_offsets, text_and_byte_offsets
from tokviz.core.special_tokens import recognised_special_names
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.vocabulary import unknown_id_error

UNKNOWN = "<unk>"
# What a piece is, and what separates two of them when they are decoded.
KINDS = {"characters": (regex.compile(r"(?s)."), ""), "words": (regex.compile(r"\S+"), " ")}


class ListTokenizer(EncodingTokenizer):
    """A vocabulary that is a list: every match of a pattern is looked up in it, and is unknown if it is not there.

    >>> toy = ListTokenizer("toy", "words", ["the", "cat"])
    >>> toy.encode("the  dog"), toy.spans("the  dog").char_starts.tolist(), toy.decode([1, 0])
    ([1, 0], [0, 5], 'the <unk>')
    """

    def __init__(self, name: str, kind: str, vocabulary: Iterable[str]) -> None:
        """Number the vocabulary from 1; 0 is unknown. `kind` is one of KINDS."""
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
        self.name, self.kind = name, kind
        self.reason = f"{kind} have no merges"
        self.special_tokens: dict[str, int] = {}
        self.unknown_id = 0
        self._piece, self._between = KINDS[kind]
        self.vocabulary = list(vocabulary)
        self._tokens = [UNKNOWN, *self.vocabulary]
        self._id_of = {token: i for i, token in enumerate(self._tokens) if i}

    @property
    def n_vocab(self) -> int:
        """The highest id plus one."""
        return len(self._tokens)

    def __contains__(self, token_id: object) -> bool:
        return token_id in range(self.n_vocab)

    def encode_iter(self, texts: Iterable[str], *, allowed_special: str | Collection[str] = ()) -> Iterator[np.ndarray]:
        """Yield the token ids of each text, uint32, in order."""
        recognised_special_names(self, allowed_special)
        for text in map(well_formed_text, checked_texts(texts)):
            yield np.array([self._id_of.get(piece, 0) for piece in self._piece.findall(text)], np.uint32)

    def spans(self, text: str, *, allowed_special: str | Collection[str] = ()) -> TokenSpans:
        """Return the tokens of a text with their offsets in it."""
        ids = self.encode_to_numpy(text, allowed_special=allowed_special)
        text, byte_at = text_and_byte_offsets(well_formed_text(text).encode())
        places = [match.span() for match in self._piece.finditer(text)]
        starts, ends = byte_at[np.array(places, int).reshape(-1, 2)].T
        return spans_from_byte_offsets(text.encode(), ids, starts, ends)

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the tokens, as far as they give it."""
        return self._between.join(self.token_bytes(token_id).decode() for token_id in ids)

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token; UnknownTokenError for an unknown id."""
        if token_id not in self:
            raise unknown_id_error(self.name, token_id, range(self.n_vocab))
        return self._tokens[token_id].encode()

    def __repr__(self) -> str:
        return f"ListTokenizer({self.name!r}, {self.kind}, {self.n_vocab} tokens)"


def byte_tokenizer(name: str = "bytes") -> Tokenizer:
    """Return byte-level BPE before its first merge: every byte is a token, and nothing is unknown.

    >>> byte_tokenizer().encode("é")
    [195, 169]
    """
    return Tokenizer(name, "none", {bytes([i]): i for i in range(256)})


def list_tokenizer(kind: str, text: str, *, vocab_size: int | None = None) -> ListTokenizer:
    """Return a tokenizer of the "characters" or "words" of a text, the most frequent `vocab_size` - 1 of them.

    A word is a run of characters without white space, which itself is not a token. Of equally frequent
    ones the first in the text comes first.

    >>> words = list_tokenizer("words", "to be or not to be")
    >>> words.encode("to be true")
    [1, 2, 0]
    >>> list_tokenizer("characters", "abba").encode("abc")
    [1, 2, 0]
    """
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"vocab_size must be at least 1, for {UNKNOWN}, not {vocab_size}")
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    counts = Counter(KINDS[kind][0].findall(well_formed_text(text)))
    room = None if vocab_size is None else vocab_size - 1
    return ListTokenizer(kind, kind, [token for token, _ in counts.most_common(room)])
