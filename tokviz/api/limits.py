"""How much a client of the HTTP interface may send, and how often."""

from collections import OrderedDict

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokviz.system.credit import Credit

BYTES_MAX = 8_000_000  # of the body of a request
REQUESTS_PER_SECOND, REQUESTS_AT_ONCE = 2_000, 4_000
BYTES_PER_REQUEST = 4_000  # a longer body counts as several requests
PER_SECOND = REQUESTS_PER_SECOND * BYTES_PER_REQUEST // 1_000_000  # megabytes
CLIENTS_MAX = 10_000  # that are remembered


class Clients:
    """What each client may still send. A client is an address; behind a proxy all are one."""

    def __init__(self) -> None:
        self._credits: OrderedDict[str, Credit] = OrderedDict()

    def credit(self, client: str) -> Credit:
        """Return the credit of a client; the one that has sent nothing for longest is forgotten."""
        credit = self._credits.pop(client, None) or Credit(REQUESTS_PER_SECOND, REQUESTS_AT_ONCE)
        self._credits[client] = credit
        while len(self._credits) > CLIENTS_MAX:
            self._credits.popitem(last=False)
        return credit


class Limits:
    """Middleware that answers 413 to a request that is too large, and 429 to a client that has sent too many.

    clients: shared by all that count together.
    """

    def __init__(self, app: ASGIApp, clients: Clients) -> None:
        self.app = app
        self.clients = clients

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = scope["client"][0] if scope.get("client") else ""
        wait = self.clients.credit(client).spend(1)
        if wait:
            words = f"too many requests: at most {REQUESTS_PER_SECOND:,} a second, or {PER_SECOND} MB. Try again later"
            headers = {"retry-after": str(int(wait) + 1)}
            await JSONResponse({"error": words}, 429, headers)(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > BYTES_MAX:
                raise HTTPException(413, f"the request has more than {BYTES_MAX:,} bytes")
            return message

        await self.app(scope, counted, send)
        if taken > BYTES_PER_REQUEST:
            self.clients.credit(client).spend(taken / BYTES_PER_REQUEST - 1)
