"""Prompt: a chat as the one text that a model is given, and which part of it is whose.

Whatever no message says itself is scaffolding: markers, roles, line ends, and what a format puts before all messages.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tokviz.core.pretokens import well_formed_text
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import TokenSpans, spans_from_byte_offsets, text_spans, token_spans
from tokviz.core.tokenizer import Tokenizer, tokenizer_with_merges

ROLES = ("system", "user", "assistant", "tool")
CHANNELS = ("final", "analysis", "commentary")
CHARACTERS_MAX = 200_000  # of a prompt
BEFORE, REPLY = -1, -2  # in place of a message: what precedes all of them, and the beginning of an answer


@dataclass(frozen=True)
class Message:
    """One message of a chat.

    channel: of the assistant: its answer is "final", its reasoning "analysis", and "commentary" its calls of tools and
    what it says about them. recipient: the function that the assistant calls, with its arguments as `content`; of a
    tool's message, the function whose result it is.
    """

    role: str
    content: str
    channel: str = "final"
    recipient: str = ""

    @property
    def is_call(self) -> bool:
        """Whether the assistant calls a function."""
        return self.role == "assistant" and bool(self.recipient)

    @property
    def is_reasoning(self) -> bool:
        """Whether the assistant thinks."""
        return self.role == "assistant" and self.channel == "analysis" and not self.recipient


@dataclass(frozen=True)
class Piece:
    """A piece of a prompt. message: the index of the one it belongs to, None before and after all messages.

    is_content: whether the message says it; otherwise it is scaffolding. is_marker: whether it is a special token.
    """

    text: str
    message: int | None
    is_content: bool = False
    is_marker: bool = False


@dataclass(frozen=True)
class Prompt:
    """The text of a chat, as far as it is known piece by piece. All offsets are in characters.

    text: well-formed. contents: start, end and message of each stretch that a message says. begins: where the stretch
    of each message begins, in ascending order; None for one that is left out. reply: where the beginning of an answer
    stands; None without one. markers: start and end of each special token; None if whatever looks like one is one.
    """

    text: str
    contents: tuple[tuple[int, int, int], ...]
    begins: tuple[int | None, ...]
    reply: int | None
    markers: tuple[tuple[int, int], ...] | None = None

    @classmethod
    def of_pieces(cls, pieces: Sequence[Piece], n_messages: int) -> "Prompt":
        """Return the prompt that pieces make; its markers are theirs alone.

        >>> pieces = [Piece("<s>", 0, is_marker=True), Piece("Hi!", 0, is_content=True), Piece("<a>", None)]
        >>> prompt = Prompt.of_pieces(pieces, 1)
        >>> prompt.text, prompt.contents, prompt.markers, prompt.reply
        ('<s>Hi!<a>', ((3, 6, 0),), ((0, 3),), 6)
        """
        at, contents, markers = 0, [], []
        begins: dict[int, int] = {}
        reply, texts = None, []
        for piece in pieces:
            texts.append(well_formed_text(piece.text))
            end = at + len(texts[-1])
            if piece.message is not None:
                begins.setdefault(piece.message, at)
                reply = None
                if piece.is_content and end > at:
                    contents.append((at, end, piece.message))
            elif reply is None and begins:
                reply = at
            if piece.is_marker:
                markers.append((at, end))
            at = end
        return cls("".join(texts), tuple(contents), tuple(map(begins.get, range(n_messages))), reply, tuple(markers))

    def marked_stretches(self) -> Iterator[tuple[str, bool]]:
        """Yield the text in stretches, each with whether it is a marker, for a prompt that knows its markers."""
        at = 0
        for start, end in self.markers or ():
            if start > at:
                yield self.text[at:start], False
            yield self.text[start:end], True
            at = end
        if at < len(self.text):
            yield self.text[at:], False


def prompt_pretokens_and_markers(tokenizer: Tokenizer, prompt: Prompt) -> Iterator[tuple[str, bool]]:
    """Yield the pretokens and markers of a prompt, each with whether it is a marker."""
    if prompt.markers is None:
        yield from tokenizer.pieces(prompt.text, allowed_special="all")
        return
    is_first = True
    for stretch, is_marker in prompt.marked_stretches():
        if is_marker:
            yield stretch, True
        else:
            yield from tokenizer.pieces(stretch, is_first=is_first)
        is_first = False


def tokenizer_that_takes_markers(tokenizer: AnyTokenizer, chat_format: str) -> Tokenizer:
    """Return a tokenizer to which the markers of a format can be added; FamilyError for one of another family."""
    return tokenizer_with_merges(tokenizer, chat_format, needs="byte-level BPE, to which its markers can be added")


def prompt_spans(tokenizer: AnyTokenizer, prompt: Prompt) -> TokenSpans:
    """Return the tokens of a prompt. ValueError where it knows its markers and the tokenizer is not byte-level BPE.

    Where a prompt does not know its markers, they are wherever the text has one, even if it was typed into a
    message: that is how templates are used.
    """
    if prompt.markers is None:
        return text_spans(tokenizer, prompt.text, allowed_special="all")
    tokenizer = tokenizer_that_takes_markers(tokenizer, "this format")
    ids: list[int] = []
    known: dict[str, list[int]] = {}
    for piece, is_marker in prompt_pretokens_and_markers(tokenizer, prompt):
        if is_marker:
            ids.append(tokenizer.special_tokens[piece])
        else:
            if piece not in known:
                known[piece] = tokenizer.encode_pretoken(piece)
            ids += known[piece]
    spans = token_spans(tokenizer, ids)
    if tokenizer.normalizer.is_plain:
        return spans
    sources = _source_byte_of_each_token_byte(tokenizer, prompt)
    data = well_formed_text(prompt.text).encode()
    return spans_from_byte_offsets(data, spans.ids, sources[spans.byte_starts], sources[spans.byte_ends])


def _source_byte_of_each_token_byte(tokenizer: Tokenizer, prompt: Prompt) -> np.ndarray:
    """Return for each byte that the tokens of a prompt have, and for their end, the byte of its text it comes from."""
    found, begin = [], 0
    for stretch, is_marker in prompt.marked_stretches():
        size = len(well_formed_text(stretch).encode())
        sources = None if is_marker else tokenizer.normalized(stretch, is_first=not found)[1]
        found.append(begin + (np.arange(size) if sources is None else sources[:-1]))
        begin += size
    return np.concatenate([*found, [begin]])


@dataclass(frozen=True)
class Share:
    """How many tokens a message has in a prompt, and how many of them contain nothing that it says."""

    n_tokens: int
    n_scaffolding: int


def shares(prompt: Prompt, spans: TokenSpans) -> tuple[Share, list[Share | None], Share]:
    """Return the shares of what precedes all messages, of each message (None if it is left out), and of the reply.

    A token with a part of what a message says belongs to that message, any other to the stretch in which it begins.
    """
    return shares_of_owners(prompt, *token_owners_and_is_content(prompt, spans))


def shares_of_owners(
    prompt: Prompt, owners: np.ndarray, is_content: np.ndarray
) -> tuple[Share, list[Share | None], Share]:
    """Return the shares as `shares` does, of tokens whose owners are known."""

    owned = np.bincount(owners - REPLY, minlength=len(prompt.begins) - REPLY)
    said = np.bincount(owners[is_content] - REPLY, minlength=len(owned))

    def share(owner: int) -> Share:
        n_tokens = int(owned[owner - REPLY])
        return Share(n_tokens, n_tokens - int(said[owner - REPLY]))

    messages = [None if begin is None else share(number) for number, begin in enumerate(prompt.begins)]
    return share(BEFORE), messages, share(REPLY)


def token_owners_and_is_content(prompt: Prompt, spans: TokenSpans) -> tuple[np.ndarray, np.ndarray]:
    """Return the message of each token, int32, BEFORE or REPLY where it is of none, and whether it has a part of it."""
    starts, ends = spans.char_starts, spans.char_ends
    begins = sorted((begin, number) for number, begin in enumerate(prompt.begins) if begin is not None)
    stretches = [(0, BEFORE), *begins] + ([] if prompt.reply is None else [(prompt.reply, REPLY)])
    at = np.searchsorted([begin for begin, _ in stretches], starts, side="right") - 1
    owners = np.array([owner for _, owner in stretches], np.int32)[at]
    is_content = np.zeros(len(starts), bool)
    for start, end, owner in reversed(prompt.contents):
        first, stop = np.searchsorted(ends, start, side="right"), np.searchsorted(starts, end)
        owners[first:stop], is_content[first:stop] = owner, True
    return owners, is_content
