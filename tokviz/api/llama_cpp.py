"""`/tokenize` and `/detokenize` as the server of llama.cpp has them, for programs that ask one.

Source: https://github.com/ggml-org/llama.cpp/tree/master/tools/server. The tokenizers included begin no text with a
special token, so `add_special` changes nothing. `model` may name another tokenizer than the default.
"""

from collections.abc import Iterator

import numpy as np

from tokviz.api.answer import Written, json_of
from tokviz.api.messages import DetokenizeRequest, TokenizeRequest
from tokviz.api.work import Answer, decoded, named
from tokviz.core.tokenizer import Tokenizer


def tokenize(asked: TokenizeRequest) -> Answer:
    """Return the ids of a text, each with its piece of the text if asked."""
    tokenizer = named(asked.model)
    ids = tokenizer.encode_to_numpy(asked.content, allowed_special="all" if asked.parse_special else ())
    return {"tokens": _pieces(tokenizer, ids) if asked.with_pieces else ids}


def detokenize(asked: DetokenizeRequest) -> Answer:
    """Return the text of ids."""
    (data,) = decoded(named(asked.model), [asked.tokens])
    return {"content": data.decode("utf-8", "replace")}


def _pieces(tokenizer: Tokenizer, ids: np.ndarray) -> Iterator[Written]:
    """Yield each id with its token, written once for all its places."""
    known: dict[int, Written] = {}
    for each in ids:
        token_id = int(each)
        if token_id not in known:
            known[token_id] = Written(json_of({"id": token_id, "piece": _piece(tokenizer.token_bytes(token_id))}))
        yield known[token_id]


def _piece(data: bytes) -> str | list[int]:
    """Return a token as text, or as its bytes where they are not UTF-8.

    >>> _piece(b"low"), _piece(b"\\xe0\\xb8")
    ('low', [224, 184])
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        return list(data)
