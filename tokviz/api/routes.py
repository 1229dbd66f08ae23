"""The addresses of the HTTP interface: those below /api/v1, and some that vLLM and llama.cpp have."""

from typing import Any

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from tokviz.api import PATH, allowed_origins, inference_servers, messages, work
from tokviz.api.endpoint import QUICK, Endpoint
from tokviz.api.inference_servers import ContentRequest, MessagesRequest, PromptRequest, TokensRequest
from tokviz.api.limits import ApiClients, Limits
from tokviz.api.refusal import problem_response
from tokviz.api.tokenizers import read_own_tokenizers
from tokviz.core.patterns import short_repr

ABOUT = """Tokens of texts, texts of ids, figures and chats. Offsets are in bytes, characters (code points) and UTF-16
units. A request that is refused gets `{"error": …}` in words: 400 or 422 for what is wrong, 404 for an unknown
tokenizer, 413 for too much, 429 for too often."""
REFUSED = (400, 404, 405, 408, 413, 415, 422, 429, 500, 503)
ENDPOINTS = (
    Endpoint("/tokenizers", work.tokenizer_descriptions, None, list[messages.Known], quick=-1),
    Endpoint("/count", work.count, messages.CountRequest, messages.CountReply),
    Endpoint("/encode", work.encode, messages.EncodeRequest, messages.EncodeReply),
    Endpoint("/decode", work.decode, messages.DecodeRequest, messages.DecodeReply),
    # Under 20 tokenizers.
    Endpoint("/compare", work.compare, messages.CompareRequest, list[messages.Figures], quick=QUICK // 20),
    Endpoint("/chat", work.chat_tokens, messages.ChatRequest, messages.ChatReply, quick=-1),
)
OF_INFERENCE_SERVERS = (
    Endpoint("/tokenize", inference_servers.tokenize, (PromptRequest, MessagesRequest, ContentRequest)),
    Endpoint("/detokenize", inference_servers.detokenize, TokensRequest),
    Endpoint("/tokenizer_info", inference_servers.tokenizer_info, None),
    Endpoint("/health", inference_servers.health, None),
    Endpoint("/v1/models", inference_servers.models, None),
)


def api_routes(base: str) -> list[BaseRoute]:
    """Return the routes of the interface below a base path, "" or beginning with a slash.

    >>> [route.path for route in api_routes("")]
    ['/api/v1', '/tokenize', '/detokenize', '/tokenizer_info', '/health', '/v1/models', '/v1', '/api/v1', '/v1']
    """
    read_own_tokenizers()
    clients, origins = ApiClients(), allowed_origins()

    def limited(app: ASGIApp) -> ASGIApp:
        app = Limits(app, clients)
        return CORSMiddleware(app, origins, ("GET", "POST"), ("*",), allow_private_network=True) if origins else app

    work = Router([*(Route(each.path, each) for each in ENDPOINTS), Mount("", description_app())])
    return [
        Mount(f"{base}{PATH}", limited(work)),
        *(Route(f"{base}{each.path}", limited(each)) for each in OF_INFERENCE_SERVERS),
        Mount(f"{base}/v1", limited(_refuse_unknown_address)),
        # Without these, a page of Streamlit would answer.
        *(Route(f"{base}{path}", limited(RedirectResponse(f"{base}{path}/"))) for path in (PATH, "/v1")),
    ]


def description_app() -> FastAPI:
    """Return what describes the interface at /docs and /openapi.json. The routes that it knows are answered before."""
    refused: Any = {code: {"model": messages.Problem} for code in REFUSED}
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
    if not isinstance(endpoint.request, type):
        return None
    schema = endpoint.request.model_json_schema()
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


async def _refuse_unknown_address(scope: Scope, receive: Receive, send: Send) -> None:
    """Say that vLLM's and llama.cpp's clients find no such address here."""
    known = ", ".join(each.path for each in OF_INFERENCE_SERVERS)
    words = f"there is nothing at {short_repr(scope['path'])}: this server has tokenizers and no model, at {known}"
    await problem_response(404, words, path=scope["path"])(scope, receive, send)


async def _unrouted_response(request: Request, error: Exception) -> Response:
    """Say that there is no such address, or that it answers another method."""
    assert isinstance(error, HTTPException)
    path = short_repr(request.url.path)
    if error.status_code == 405:
        allowed = (error.headers or {}).get("allow", "another method")
        return problem_response(405, f"{path} does not answer {request.method}: send {allowed}", error.headers)
    docs = f"{request.scope['root_path']}/docs"
    return problem_response(error.status_code, f"there is nothing at {path}: {docs} describes what there is")
