"""Headers on every response: what a page may load, who may frame it, and what it gives away."""

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Scripts come from this server only; the page itself holds none but the one line of Streamlit's with this hash.
# Streamlit delivers the code of components as blobs, and draws charts with an interpreter that evaluates nothing.
# Its code for 64-bit numbers is WebAssembly, and evaluates no text either. Inline styles are allowed, since React and
# charts write them.
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' blob: 'wasm-unsafe-eval' 'sha256-THxz9J9+wf7rhwR2YkXJoSZ13UCmYyC+3lNDv2+8ugA='",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
HEADERS = {
    "content-security-policy": "; ".join(f"{directive} {sources}" for directive, sources in POLICY.items()),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


class SafeHeaders:
    """Middleware that puts `HEADERS` on every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as before, with more headers; sockets pass by."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


async def failure(_request: object, _error: Exception) -> PlainTextResponse:
    """Return the answer to a request that failed; the server raises the error again, for its log."""
    return PlainTextResponse("Something went wrong. The server's log says what it was.\n", 500, HEADERS)
