"""The addresses of the HTTP interface: those below /api/v1, and two that llama.cpp has."""

from typing import Any

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, Router

from tokviz.api import PATH, work
from tokviz.api.endpoint import QUICK, Endpoint
from tokviz.api.limits import ApiClients, Limits
from tokviz.api.messages import (
    ChatReply,
    ChatRequest,
    CompareRequest,
    CountReply,
    CountRequest,
    DecodeReply,
    DecodeRequest,
    DetokenizeRequest,
    EncodeReply,
    EncodeRequest,
    Figures,
    Known,
    Problem,
    TokenizeRequest,
)
from tokviz.api.refusal import problem_response
from tokviz.core.patterns import short_repr

ABOUT = """Tokens of texts, texts of ids, figures and chats. Offsets are in bytes, characters (code points) and UTF-16
units. A request that is refused gets `{"error": …}` in words: 400 or 422 for what is wrong, 404 for an unknown
tokenizer, 413 for too much, 429 for too often."""
REFUSED = (400, 404, 405, 408, 413, 415, 422, 429, 500, 503)
ENDPOINTS = (
    Endpoint("/tokenizers", work.tokenizer_descriptions, None, list[Known], quick=-1),
    Endpoint("/count", work.count, CountRequest, CountReply),
    Endpoint("/encode", work.encode, EncodeRequest, EncodeReply),
    Endpoint("/decode", work.decode, DecodeRequest, DecodeReply),
    Endpoint("/compare", work.compare, CompareRequest, list[Figures], quick=QUICK // 20),  # under 20 tokenizers
    Endpoint("/chat", work.chat_tokens, ChatRequest, ChatReply, quick=-1),
)
OF_LLAMA_CPP = (
    Endpoint("/tokenize", work.tokenize, TokenizeRequest),
    Endpoint("/detokenize", work.detokenize, DetokenizeRequest),
)


def api_routes(base: str) -> list[BaseRoute]:
    """Return the routes of the interface below a base path, "" or beginning with a slash.

    >>> [route.path for route in api_routes("")]
    ['/api/v1', '/tokenize', '/detokenize']
    """
    clients = ApiClients()
    work = Router([*(Route(each.path, each) for each in ENDPOINTS), Mount("", description_app())])
    return [
        Mount(f"{base}{PATH}", Limits(work, clients)),
        *(Route(f"{base}{each.path}", Limits(each, clients)) for each in OF_LLAMA_CPP),
    ]


def description_app() -> FastAPI:
    """Return what describes the interface at /docs and /openapi.json. The routes that it knows are answered before."""
    refused: Any = {code: {"model": Problem} for code in REFUSED}
    app = FastAPIOffline(
        docs_url=None, redoc_url="/docs", title="tokviz", version="1", description=ABOUT, responses=refused
    )
    app.add_exception_handler(HTTPException, _unrouted_response)
    for each in ENDPOINTS:
        name = each.path.strip("/")
        app.add_api_route(
            each.path,
            each.response,
            methods=[each.method],
            name=name,
            operation_id=name,
            description=each.work.__doc__,
            response_model=each.reply,
            openapi_extra=_body_description(each),
        )
    return app


def _body_description(endpoint: Endpoint) -> dict[str, Any] | None:
    """Return the description of what is sent to an endpoint."""
    if endpoint.request is None:
        return None
    schema = endpoint.request.model_json_schema()
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


async def _unrouted_response(request: Request, error: Exception) -> Response:
    """Say that there is no such address, or that it answers another method."""
    assert isinstance(error, HTTPException)
    path = short_repr(request.url.path)
    if error.status_code == 405:
        allowed = (error.headers or {}).get("allow", "another method")
        return problem_response(405, f"{path} does not answer {request.method}: send {allowed}", error.headers)
    docs = f"{request.scope['root_path']}/docs"
    return problem_response(error.status_code, f"there is nothing at {path}: {docs} describes what there is")
