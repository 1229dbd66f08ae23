"""The addresses of the HTTP interface: those below /api/v1, and two that llama.cpp has."""

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Mount, Route

from tokviz.api import llama_cpp, work
from tokviz.api.limits import Clients, Limits
from tokviz.api.messages import (
    ChatReply,
    ChatRequest,
    CompareRequest,
    CountReply,
    CountRequest,
    DecodeReply,
    DecodeRequest,
    EncodeReply,
    EncodeRequest,
    Figures,
    Known,
    Problem,
)

ABOUT = """Tokens of texts, texts of ids, figures and chats. Offsets are in bytes, characters (code points) and UTF-16
units. A request that is refused gets `{"error": …}` in words: 400 or 422 for what is wrong, 404 for an unknown
tokenizer, 413 for too much, 429 for too often."""


def api_routes(base: str) -> list[BaseRoute]:
    """Return the routes of the interface below a base path, "" or beginning with a slash.

    >>> [route.path for route in api_routes("")]
    ['/api/v1', '/tokenize', '/detokenize']
    """
    clients = Clients()
    return [
        Mount(f"{base}/api/v1", Limits(api(), clients)),
        Route(f"{base}/tokenize", Limits(llama_cpp.tokenize, clients), methods=["POST"]),
        Route(f"{base}/detokenize", Limits(llama_cpp.detokenize, clients), methods=["POST"]),
    ]


def api() -> FastAPI:
    """Return the interface, which describes itself at /docs and /openapi.json."""
    refused: Any = {code: {"model": Problem} for code in (400, 404, 413, 422, 429)}
    app = FastAPIOffline(
        docs_url=None, redoc_url="/docs", title="tokviz", version="1", description=ABOUT, responses=refused
    )
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(ValueError, _refused)
    app.add_exception_handler(HTTPException, _refused)

    @app.get("/tokenizers")
    async def tokenizers() -> list[Known]:
        """Tell which tokenizers there are."""
        return work.tokenizers()

    @app.post("/count")
    async def count(asked: CountRequest) -> CountReply:
        """Count the tokens of texts."""
        return await work.worked(work.size_of(asked.input), work.count, asked)

    @app.post("/encode", response_model_exclude_none=True)
    async def encode(asked: EncodeRequest) -> EncodeReply:
        """Return the ids of texts, and where each token stands, if asked."""
        return await work.worked(work.size_of(asked.input), work.encode, asked)

    @app.post("/decode")
    async def decode(asked: DecodeRequest) -> DecodeReply:
        """Return the texts of ids."""
        return await work.worked(work.n_ids(asked.ids), work.decode, asked)

    @app.post("/compare")
    async def compare(asked: CompareRequest) -> list[Figures]:
        """Tell what a text takes under each of several tokenizers."""
        return await work.worked(work.size_of(asked.input) * len(asked.tokenizers), work.compare, asked)

    @app.post("/chat")
    async def chat(asked: ChatRequest) -> ChatReply:
        """Return messages as the tokens that a model is given, and what each message has of them."""
        return await work.worked(work.QUICK + 1, work.chat_tokens, asked)

    return app


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    """Say what in a request is not as described: the first three places."""
    problems: Sequence[Any] = error.errors() if isinstance(error, RequestValidationError) else ()
    words = [f"{_place(problem['loc'][1:]) or 'the body'}: {problem['msg']}" for problem in problems[:3]]
    return JSONResponse({"error": "; ".join(words)}, 422)


def _place(parts: Sequence[str | int]) -> str:
    """Return where in a request something is wrong, without the types that pydantic tried there.

    >>> _place(["input", "list[constrained-str]", 2])
    'input.2'
    """
    return ".".join(str(part) for part in parts if isinstance(part, int) or part.isidentifier())


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    """Say why a request is refused."""
    if isinstance(error, HTTPException):
        return JSONResponse({"error": error.detail}, error.status_code, error.headers)
    return JSONResponse({"error": str(error)}, 400)
