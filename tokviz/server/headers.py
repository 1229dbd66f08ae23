"""Headers on every response: what a page may load, who may frame it, and what it tells other sites."""

from collections.abc import Sequence

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
}
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


class SafeHeaders:
    """Middleware that puts `security_headers` on every response."""

    def __init__(self, app: ASGIApp, sites: Sequence[str] = ()) -> None:
        self.app = app
        self.headers = security_headers(sites)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as before, with more headers; sockets pass by."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def security_headers(sites: Sequence[str] = ()) -> dict[str, str]:
    """Return the headers; pages of these sites may have ours in a frame, and if there are any, so may our own.

    >>> security_headers(["https://example.org"])["content-security-policy"].rpartition("; ")[2]
    "frame-ancestors 'self' https://example.org"
    """
    policy = {**POLICY, "frame-ancestors": " ".join(["'self'", *sites]) if sites else "'none'"}
    sources = "; ".join(f"{directive} {sources}" for directive, sources in policy.items())
    # The older header cannot name a site.
    return {**HEADERS, "content-security-policy": sources} | ({} if sites else {"x-frame-options": "DENY"})


async def failure_response(_request: object, _error: Exception) -> PlainTextResponse:
    """Return the answer to a request that failed; the server raises the error again, for its log."""
    return PlainTextResponse("Something went wrong. The server's log says what it was.\n", 500, security_headers())
