"""How much and how often a client of the HTTP interface may send, and how much the server holds for all clients."""

import asyncio
import contextlib
from collections import OrderedDict
from dataclasses import dataclass, field

import anyio
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokviz.api.refusal import Refusal, problem_response
from tokviz.core.patterns import short_repr
from tokviz.system.credit import Credit

BYTES_MAX = 8_000_000  # of the body of a request
REQUESTS_PER_SECOND, REQUESTS_AT_ONCE = 2_000, 4_000
BYTES_PER_REQUEST = 4_000  # a longer body counts as several requests
PER_SECOND = REQUESTS_PER_SECOND * BYTES_PER_REQUEST // 1_000_000  # megabytes
CLIENTS_MAX = 10_000  # known at a time
# Bytes of bodies that have come and of answers that have not left: for all clients, and for one.
HELD_MAX, HELD_BY_ONE_MAX = 200_000_000, 100_000_000
SECONDS_MAX = 60  # for a body to come
DISCARDED_MAX, DISCARDING_SECONDS = 100_000_000, 10  # bytes of a body that is refused

ACCOUNT = "tokviz.account"  # where the scope of a request has its account


@dataclass
class ApiClient:
    """An address: what it may still send, the bytes held for it, and the turn of one of its requests at a time."""

    credit: Credit = field(default_factory=lambda: Credit(REQUESTS_PER_SECOND, REQUESTS_AT_ONCE))
    held: int = 0
    turn: anyio.Lock = field(default_factory=anyio.Lock)


class ApiClients:
    """All clients; behind a proxy all are one. thread: that of long work, for which their requests take turns."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, ApiClient] = OrderedDict()
        self.held = 0
        self.thread = anyio.CapacityLimiter(1)

    def known_or_new_client(self, address: str) -> ApiClient:
        """Return the client at an address; of too many, the one that has been silent longest is forgotten."""
        client = self._known.pop(address, None) or ApiClient()
        self._known[address] = client
        while len(self._known) > CLIENTS_MAX:
            self._known.popitem(last=False)
        return client


class RequestAccount:
    """What one request uses of the limits."""

    def __init__(self, clients: ApiClients, client: ApiClient) -> None:
        self.clients, self.client, self._held = clients, client, 0

    def hold(self, n_bytes: int) -> None:
        """Count bytes that are held; 429 or 503 if there is no room for them."""
        self._add_held(n_bytes)
        if self.client.held > HELD_BY_ONE_MAX:
            words = f"your requests under way have more than {HELD_BY_ONE_MAX // 1_000_000} MB: wait for their answers"
            raise Refusal(429, words, {"retry-after": "1"})
        if self.clients.held > HELD_MAX:
            raise Refusal(503, "the server is busy with the requests of others: try again", {"retry-after": "1"})

    def release(self) -> None:
        """Give back what was held."""
        self._add_held(-self._held)

    def _add_held(self, n_bytes: int) -> None:
        self._held += n_bytes
        self.client.held += n_bytes
        self.clients.held += n_bytes

    async def read_body(self, request: Request) -> bytes:
        """Return the body of a request, refused as soon as it is known to be too long."""
        if (encoding := request.headers.get("content-encoding", "identity")) != "identity":
            words = f"the body is encoded as {short_repr(encoding)}: send JSON as it is, without Content-Encoding"
            raise Refusal(415, words)
        declared = request.headers.get("content-length", "")
        self._check_size(int(declared) if declared.isdecimal() else 0)
        body, has_more = bytearray(), True
        try:
            async with asyncio.timeout(SECONDS_MAX):
                while has_more:
                    message = await request.receive()
                    body += self._accept_bytes(message, len(body))
                    has_more = message.get("more_body", False)
        except TimeoutError:
            words = f"the body did not come within {SECONDS_MAX} seconds: send less at a time"
            raise Refusal(408, words, {"connection": "close"}) from None
        return bytes(body)

    def _accept_bytes(self, message: Message, before: int) -> bytes:
        """Return the bytes of a message, which count and are held; ClientDisconnect if there are no more."""
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        found: bytes = message.get("body", b"")
        self._check_size(before + len(found))
        # Bytes beyond those of the request they came with count as further requests.
        after = max(before + len(found), BYTES_PER_REQUEST)
        self.client.credit.spend((after - max(before, BYTES_PER_REQUEST)) / BYTES_PER_REQUEST)
        self.hold(len(found))
        return found

    def _check_size(self, n_bytes: int) -> None:
        if n_bytes > BYTES_MAX:
            raise Refusal(413, f"the request has more than {BYTES_MAX:,} bytes: send it as several")


class Limits:
    """Middleware that answers 429 to a client that has sent too many requests, and gives each of the others an account.

    clients: shared by all that count together.
    """

    def __init__(self, app: ASGIApp, clients: ApiClients) -> None:
        self.app = app
        self.clients = clients

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_come = False

        async def receive_and_note_end() -> Message:
            nonlocal has_come
            message = await receive()
            has_come = not message.get("more_body")
            return message

        async def send_after_discarding_body(message: Message) -> None:
            if not has_come and message["type"] == "http.response.start":
                await _discard_body(receive_and_note_end)
            await send(message)

        await self._pass_on_within_limits(scope, receive_and_note_end, send_after_discarding_body)

    async def _pass_on_within_limits(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = self.clients.known_or_new_client(scope["client"][0] if scope.get("client") else "")
        wait = client.credit.spend(1)
        if wait:
            words = f"too many requests: at most {REQUESTS_PER_SECOND:,} a second, or {PER_SECOND} MB: try again later"
            headers = {"retry-after": str(int(wait) + 1)}
            await problem_response(429, words, headers, path=scope["path"])(scope, receive, send)
            return
        account = RequestAccount(self.clients, client)
        try:
            await self.app({**scope, ACCOUNT: account}, receive, send)
        finally:
            account.release()


async def _discard_body(receive: Receive) -> None:
    """Take what still comes of a body, within limits, since its sender does not read an answer before."""
    left = DISCARDED_MAX
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DISCARDING_SECONDS):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body"):
                    return
