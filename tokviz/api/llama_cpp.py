"""`/tokenize` and `/detokenize` as the server of llama.cpp has them, for programs that ask one.

Source: https://github.com/ggml-org/llama.cpp/tree/master/tools/server. The tokenizers included begin no text with a
special token, so `add_special` changes nothing. `model` may name another tokenizer than the default.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tokviz.api import work
from tokviz.api.messages import DEFAULT


def _answering(answer: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]) -> ASGIApp:
    """Return an app that answers a JSON object by another one, or says what is wrong with it."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            asked = await Request(scope, receive).json()
            if not isinstance(asked, dict):
                raise ValueError("expected a JSON object")
            response = JSONResponse(await answer(asked))
        except HTTPException as e:
            response = JSONResponse({"error": e.detail}, e.status_code)
        except json.JSONDecodeError:
            response = JSONResponse({"error": "the body is not JSON"}, 400)
        except ValueError as e:
            response = JSONResponse({"error": str(e)}, 400)
        await response(scope, receive, send)

    return app


async def _tokenize(asked: dict[str, Any]) -> dict[str, Any]:
    content, model = asked.get("content", ""), asked.get("model", DEFAULT)
    if not isinstance(content, str) or not isinstance(model, str):
        raise ValueError('"content" and "model" have to be strings')
    tokenizer = work.named(model)
    allowed = "all" if asked.get("parse_special", True) else ()

    def tokens() -> list[Any]:
        ids = tokenizer.encode(content, allowed_special=allowed)
        return [{"id": each, "piece": _piece(tokenizer.token_bytes(each))} for each in ids] if pieces else ids

    pieces = bool(asked.get("with_pieces", False))
    return {"tokens": await work.worked(work.size_of(content), tokens)}


async def _detokenize(asked: dict[str, Any]) -> dict[str, Any]:
    ids, model = asked.get("tokens", []), asked.get("model", DEFAULT)
    if not isinstance(ids, list) or not all(type(each) is int for each in ids) or not isinstance(model, str):
        raise ValueError('"tokens" has to be a list of ids, and "model" a string')
    tokenizer = work.named(model)
    return {"content": await work.worked(work.n_ids(ids), tokenizer.decode, ids)}


def _piece(data: bytes) -> str | list[int]:
    """Return a token as text, or as its bytes where they are not UTF-8.

    >>> _piece(b"low"), _piece(b"\\xe0\\xb8")
    ('low', [224, 184])
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        return list(data)


tokenize = _answering(_tokenize)
detokenize = _answering(_detokenize)
