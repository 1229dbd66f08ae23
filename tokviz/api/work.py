"""The work behind the HTTP interface: the package's functions answer requests.

Each function returns an answer for `answer.json_chunks`, parts of which may only be made as it is written.
"""

import base64
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, cast

import numpy as np

from tokviz.api.answer import JsonText, json_of
from tokviz.api.fields import CHARACTERS_MAX
from tokviz.api.messages import (
    ChatRequest,
    CompareRequest,
    CountRequest,
    DecodeRequest,
    DetokenizeRequest,
    EncodeRequest,
    TokenizeRequest,
)
from tokviz.api.refusal import Refusal
from tokviz.chats.chat import chat
from tokviz.chats.messages import raw_messages_in_record
from tokviz.core.spans import offset_columns, token_spans
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.pretrained import ENCODINGS, load, load_for_model, tokenizer_facts
from tokviz.system.thread_turns import yield_turn
from tokviz.text.tables import text_figures

Answer = dict[str, Any] | Iterator[Any]
DECODED_MAX = 8_000_000  # bytes of all texts; a few characters of a request may ask for a long token
DECODED_AT_ONCE = 50_000  # ids, of up to 128 bytes each


def pretrained_tokenizer(name: str) -> Tokenizer:
    """Return an included tokenizer by its name, or that of a model; 404 for any other."""
    try:
        return load_for_model(name)
    except ValueError as e:
        raise Refusal(404, str(e)) from e


def tokenizer_descriptions(_asked: None) -> Answer:
    """List the tokenizers."""
    return map(_tokenizer_description_json, ENCODINGS)


@cache
def _tokenizer_description_json(name: str) -> JsonText:
    tokenizer = load(name)
    known = {
        "n_vocab": tokenizer.n_vocab,
        "split_pattern": tokenizer.split_pattern,
        "special_tokens": tokenizer.special_tokens,
    }
    return JsonText(json_of(tokenizer_facts(name) | known))


def count(asked: CountRequest) -> Answer:
    """Count the tokens of texts."""
    tokenizer = pretrained_tokenizer(asked.tokenizer)
    counts = list(tokenizer.count_iter(asked.input, allowed_special=asked.allowed_special))
    return {"tokenizer": tokenizer.name, "counts": counts, "total": sum(counts)}


def encode(asked: EncodeRequest) -> Answer:
    """Return the ids of texts, and where each token is, if asked."""
    tokenizer = pretrained_tokenizer(asked.tokenizer)

    def text_result(ids: np.ndarray) -> dict[str, Any]:
        result = {"n_tokens": len(ids), "ids": ids}
        return result | {"offsets": offset_columns(token_spans(tokenizer, ids))} if asked.offsets else result

    texts, allowed = asked.input, asked.allowed_special
    if len(texts) == 1:
        found = iter([tokenizer.encode_to_numpy(texts[0], allowed_special=allowed)])
    else:
        found = tokenizer.encode_iter(texts, allowed_special=allowed)
    return {"tokenizer": tokenizer.name, "results": map(text_result, found)}


def decode(asked: DecodeRequest) -> Answer:
    """Return the texts of ids."""
    tokenizer = pretrained_tokenizer(asked.tokenizer)
    results = (
        {"text": data.decode("utf-8", "replace"), "bytes_base64": base64.b64encode(data).decode()}
        for data in decoded_bytes_of_each(tokenizer, cast("list[list[int]]", asked.ids))
    )
    return {"tokenizer": tokenizer.name, "results": results}


def decoded_bytes_of_each(tokenizer: Tokenizer, texts: Iterable[Sequence[int]]) -> Iterator[bytes]:
    """Yield the bytes of the ids of each text; 413 if they are too many, ValueError for an id that no token has."""
    size = 0
    for ids in texts:
        runs: list[bytes] = []
        for first in range(0, len(ids), DECODED_AT_ONCE):
            try:
                runs.append(tokenizer.decode_bytes(ids[first : first + DECODED_AT_ONCE]))
            except ValueError:
                tokenizer.tokens_bytes(ids)  # raises an error that counts from the first id of all
                raise
            size += len(runs[-1])
            if size > DECODED_MAX:
                raise Refusal(413, f"the texts have more than {DECODED_MAX:,} bytes: decode fewer ids at a time")
            yield_turn()
        yield b"".join(runs)


def compare(asked: CompareRequest) -> Answer:
    """Return the figures of a text under each of several tokenizers, in the order asked."""
    size = len(asked.input) * len(asked.tokenizers)
    if size > CHARACTERS_MAX:
        raise Refusal(
            413,
            f"{len(asked.input):,} characters under {len(asked.tokenizers)} tokenizers count as {size:,}: a "
            f"request may have at most {CHARACTERS_MAX:,}, so send several",
        )
    chosen = list(map(pretrained_tokenizer, asked.tokenizers))
    return ({"tokenizer": each.name, **text_figures(each, asked.input)} for each in chosen)


def chat_tokens(asked: ChatRequest) -> Answer:
    """Return messages as the tokens that a model is given, and what each message has of them."""
    given = raw_messages_in_record(vars(asked))
    if given is None:
        words = "messages: it is missing: the request needs messages, conversations, or prompt and completion"
        raise Refusal(422, words)
    made = chat(pretrained_tokenizer(asked.tokenizer), given, chat_format=asked.format, reply=asked.reply)
    parts = (
        share and {"role": message.role, "n_tokens": share.n_tokens, "n_scaffolding": share.n_scaffolding}
        for message, share in zip(made.messages, made.shares[1], strict=True)
    )
    return {
        "tokenizer": made.tokenizer.name,
        "text": made.text,
        "n_tokens": len(made.spans),
        "ids": made.spans.ids,
        "messages": parts,
    }


def tokenize(asked: TokenizeRequest) -> Answer:
    """Return the ids of a text, each with its piece of the text if asked, as the server of llama.cpp does.

    Source: https://github.com/ggml-org/llama.cpp/tree/master/tools/server. The tokenizers included begin no text with a
    special token, so `add_special` changes nothing. `model` may name another tokenizer than the default.
    """
    tokenizer = pretrained_tokenizer(asked.model)
    ids = tokenizer.encode_to_numpy(asked.content, allowed_special="all" if asked.parse_special else ())
    return {"tokens": _json_of_ids_and_pieces(tokenizer, ids) if asked.with_pieces else ids}


def detokenize(asked: DetokenizeRequest) -> Answer:
    """Return the text of ids, as the server of llama.cpp does."""
    (data,) = decoded_bytes_of_each(pretrained_tokenizer(asked.model), [asked.tokens])
    return {"content": data.decode("utf-8", "replace")}


def _json_of_ids_and_pieces(tokenizer: Tokenizer, ids: np.ndarray) -> Iterator[JsonText]:
    """Yield each id with its token, written once for all its places."""
    known: dict[int, JsonText] = {}
    for each in ids:
        token_id = int(each)
        if token_id not in known:
            piece = _text_or_byte_list(tokenizer.token_bytes(token_id))
            known[token_id] = JsonText(json_of({"id": token_id, "piece": piece}))
        yield known[token_id]


def _text_or_byte_list(data: bytes) -> str | list[int]:
    """Return a token as text, or as its bytes where they are not UTF-8.

    >>> _text_or_byte_list(b"low"), _text_or_byte_list(b"\\xe0\\xb8")
    ('low', [224, 184])
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        return list(data)
