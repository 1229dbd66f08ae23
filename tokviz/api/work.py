"""The work behind the HTTP interface: the package's functions answer requests.

Each function returns an answer for `answer.json_chunks`, parts of which may only be made as it is written.
"""

import base64
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from tokviz.api.answer import JsonText, json_of
from tokviz.api.fields import CHARACTERS_MAX
from tokviz.api.messages import ChatRequest, CompareRequest, CountRequest, DecodeRequest, EncodeRequest
from tokviz.api.refusal import Refusal
from tokviz.api.tokenizers import OWN, served
from tokviz.chats.chat import chat
from tokviz.chats.messages import raw_messages_in_record
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import offset_columns
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.pretrained import ENCODINGS, tokenizer_facts
from tokviz.formats.shelf import SHELF, shelved_facts
from tokviz.system.thread_turns import yield_turn
from tokviz.text.tables import text_figures

Answer = dict[str, Any] | Iterator[Any] | JsonText
DECODED_MAX = 8_000_000  # bytes of all texts; a few characters of a request may ask for a long token
DECODED_AT_ONCE = 50_000  # ids, of up to 128 bytes each


def tokenizer_descriptions(_asked: None) -> Answer:
    """List the tokenizers, those from files first."""
    return map(_tokenizer_description_json, dict.fromkeys((*OWN, *ENCODINGS)))


@cache
def _tokenizer_description_json(name: str) -> JsonText:
    of_file = {"name": name, "known_as": name, "maker": None, "year": None, "licence": None, "models": []}
    if name in SHELF and name not in OWN:
        known = shelved_facts(name)
    else:
        tokenizer = served(name).tokenizer
        known = {each: getattr(tokenizer, each, None) for each in ("n_vocab", "split_pattern", "special_tokens")}
    return JsonText(json_of((of_file if name in OWN else tokenizer_facts(name)) | known))


def count(asked: CountRequest) -> Answer:
    """Count the tokens of texts."""
    tokenizer = served(asked.tokenizer).tokenizer
    counts = list(tokenizer.count_iter(asked.input, allowed_special=asked.allowed_special))
    return {"tokenizer": tokenizer.name, "counts": counts, "total": sum(counts)}


def encode(asked: EncodeRequest) -> Answer:
    """Return the ids of texts, and where each token is, if asked."""
    tokenizer, texts, allowed = served(asked.tokenizer).tokenizer, asked.input, asked.allowed_special
    if asked.offsets:
        spans = (tokenizer.spans(text, allowed_special=allowed) for text in texts)
        placed = ({"n_tokens": len(each), "ids": each.ids, "offsets": offset_columns(each)} for each in spans)
        return {"tokenizer": tokenizer.name, "results": placed}
    if len(texts) == 1:
        found = iter([tokenizer.encode_to_numpy(texts[0], allowed_special=allowed)])
    else:
        found = tokenizer.encode_iter(texts, allowed_special=allowed)
    return {"tokenizer": tokenizer.name, "results": ({"n_tokens": len(ids), "ids": ids} for ids in found)}


def decode(asked: DecodeRequest) -> Answer:
    """Return the texts of ids."""
    tokenizer = served(asked.tokenizer).tokenizer
    results = (
        {"text": data.decode("utf-8", "replace"), "bytes_base64": base64.b64encode(data).decode()}
        for data in decoded_bytes_of_each(tokenizer, asked.ids)
    )
    return {"tokenizer": tokenizer.name, "results": results}


def decoded_bytes_of_each(tokenizer: AnyTokenizer, texts: Iterable[Sequence[int]]) -> Iterator[bytes]:
    """Yield the bytes of the ids of each text; 413 if they are too many, ValueError for an id that no token has."""
    size = 0
    for ids in texts:
        runs: list[bytes] = []
        # Other libraries decode ids only together, and a few at a time would not be the same.
        step = DECODED_AT_ONCE if isinstance(tokenizer, Tokenizer) else max(len(ids), 1)
        for first in range(0, len(ids), step):
            try:
                runs.append(tokenizer.decode_bytes(ids[first : first + step]))
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
    chosen = [served(name).tokenizer for name in asked.tokenizers]
    return ({"tokenizer": each.name, **text_figures(each, asked.input)} for each in chosen)


def chat_tokens(asked: ChatRequest) -> Answer:
    """Return messages as the tokens that a model is given, and what each message has of them."""
    given = raw_messages_in_record(vars(asked))
    if given is None:
        words = "messages: it is missing: the request needs messages, conversations, or prompt and completion"
        raise Refusal(422, words)
    one = served(asked.tokenizer)
    chat_format = one.template if asked.format is None else asked.format
    made = chat(one.tokenizer, given, chat_format=chat_format, reply=asked.reply)
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
