"""The work behind the HTTP interface: what is asked, as the functions of the package answer it."""

import base64
from collections.abc import Callable, Collection
from typing import TypeVar

import anyio.to_thread
from starlette.exceptions import HTTPException

from tokviz.analysis.comparison import text_figures
from tokviz.api.messages import (
    CHARACTERS_MAX,
    IDS_MAX,
    ChatReply,
    ChatRequest,
    CompareRequest,
    CountReply,
    CountRequest,
    Decoded,
    DecodeReply,
    DecodeRequest,
    Encoded,
    EncodeReply,
    EncodeRequest,
    Figures,
    Known,
    Offsets,
    Part,
)
from tokviz.chats.chat import chat
from tokviz.core.spans import TokenSpans, text_spans
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.pretrained import ENCODINGS, MODELS, encoding_of_model, load
from tokviz.system.thread_turns import LONG_WORK

R = TypeVar("R")

QUICK = 5_000  # characters or ids; more take longer than a millisecond, and are worked on in a thread


async def worked(size: int, function: Callable[..., R], *arguments: object) -> R:
    """Return what a function returns; one of much work runs in a thread, in turns with other long work."""
    if size <= QUICK:
        return function(*arguments)

    def in_turn() -> R:
        with LONG_WORK.turn("api"):
            return function(*arguments)

    return await anyio.to_thread.run_sync(in_turn)


def named(name: str) -> Tokenizer:
    """Return an included tokenizer by its name, or that of a model; 404 for any other."""
    try:
        return load(name if name in ENCODINGS else encoding_of_model(name))
    except ValueError as e:
        raise HTTPException(404, str(e)) from e


def size_of(texts: str | list[str]) -> int:
    """Return how many characters texts have together; 413 if too many."""
    size = len(texts) if isinstance(texts, str) else sum(map(len, texts))
    if size > CHARACTERS_MAX:
        raise HTTPException(413, f"the texts have {size:,} characters together; at most {CHARACTERS_MAX:,} are allowed")
    return size


def tokenizers() -> list[Known]:
    """Return the included tokenizers."""
    return [
        Known(
            name=name,
            n_vocab=load(name).n_vocab,
            split_pattern=load(name).split_pattern,
            special_tokens=load(name).special_tokens,
            models=[model for model, encoding in MODELS.items() if encoding == name],
        )
        for name in ENCODINGS
    ]


def count(asked: CountRequest) -> CountReply:
    """Count the tokens of texts."""
    tokenizer = named(asked.tokenizer)
    allowed = _allowed(tokenizer, asked.allowed_special)
    counts = [tokenizer.count(text, allowed_special=allowed) for text in _listed(asked.input)]
    return CountReply(tokenizer=tokenizer.name, counts=counts, total=sum(counts))


def encode(asked: EncodeRequest) -> EncodeReply:
    """Encode texts."""
    tokenizer = named(asked.tokenizer)
    allowed = _allowed(tokenizer, asked.allowed_special)

    def encoded(text: str) -> Encoded:
        if not asked.offsets:
            ids = tokenizer.encode(text, allowed_special=allowed)
            return Encoded(n_tokens=len(ids), ids=ids)
        spans = text_spans(tokenizer, text, allowed_special=allowed)
        return Encoded(n_tokens=len(spans), ids=spans.ids.tolist(), offsets=_offsets(spans))

    return EncodeReply(tokenizer=tokenizer.name, results=[encoded(text) for text in _listed(asked.input)])


def decode(asked: DecodeRequest) -> DecodeReply:
    """Decode ids; 400 if one is not a token's."""
    tokenizer = named(asked.tokenizer)
    many = [asked.ids] if not asked.ids or isinstance(asked.ids[0], int) else asked.ids
    found = [tokenizer.decode_bytes(ids) for ids in many]  # type: ignore[arg-type]
    results = [
        Decoded(text=data.decode("utf-8", "replace"), bytes_base64=base64.b64encode(data).decode()) for data in found
    ]
    return DecodeReply(tokenizer=tokenizer.name, results=results)


def compare(asked: CompareRequest) -> list[Figures]:
    """Compare a text under tokenizers, in the order asked."""
    return [
        Figures(tokenizer=tokenizer.name, **text_figures(tokenizer, asked.input))
        for tokenizer in map(named, asked.tokenizers)
    ]


def chat_tokens(asked: ChatRequest) -> ChatReply:
    """Encode messages as the prompt of a chat."""
    made = chat(named(asked.tokenizer), asked.messages, chat_format=asked.format, reply=asked.reply)
    parts = [
        None if share is None else Part(role=message.role, n_tokens=share.n_tokens, n_scaffolding=share.n_scaffolding)
        for message, share in zip(made.messages, made.shares[1], strict=True)
    ]
    return ChatReply(
        tokenizer=made.tokenizer.name, text=made.text, n_tokens=len(made.ids), ids=made.ids, messages=parts
    )


def n_ids(ids: list[int] | list[list[int]]) -> int:
    """Return how many ids there are in all; 413 if too many."""
    size = sum(1 if isinstance(each, int) else len(each) for each in ids)
    if size > IDS_MAX:
        raise HTTPException(413, f"there are {size:,} ids; at most {IDS_MAX:,} are allowed")
    return size


def _listed(texts: str | list[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else texts


def _allowed(tokenizer: Tokenizer, allowed: str | Collection[str]) -> str | Collection[str]:
    """Return the special tokens that are allowed; ValueError for a name that is none."""
    for name in allowed if not isinstance(allowed, str) else ():
        if name not in tokenizer.special_tokens:
            raise ValueError(f"{name!r} is not a special token of {tokenizer.name}: {list(tokenizer.special_tokens)}")
    return allowed


def _offsets(spans: TokenSpans) -> Offsets:
    return Offsets(
        byte_start=spans.byte_starts.tolist(),
        byte_end=spans.byte_ends.tolist(),
        char_start=spans.char_starts.tolist(),
        char_end=spans.char_ends.tolist(),
        utf16_start=spans.utf16_starts.tolist(),
        utf16_end=spans.utf16_ends.tolist(),
    )
