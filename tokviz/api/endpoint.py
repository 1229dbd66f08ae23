"""An address of the HTTP interface: a request is read, worked on and answered, or refused with a reason.

Work of more than a millisecond or two runs in a thread, in turns with other long work.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio.to_thread
from pydantic import BaseModel
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tokviz.api.answer import json_chunks
from tokviz.api.fields import parsed_request
from tokviz.api.inference_servers import may_wait_for_child
from tokviz.api.limits import ACCOUNT, RequestAccount
from tokviz.api.refusal import Refusal, problem_response
from tokviz.server.failures import log_failure_unless_recent
from tokviz.system.thread_turns import LONG_WORK

QUICK = 5_000  # bytes of a body, the work for which takes a millisecond or two
SECONDS_MAX = 60  # for an answer to leave


@dataclass(frozen=True)
class Endpoint:
    """The request and the reply of an address, as models that describe them, and the work between.

    request: of several models, a request is one. quick: the longest body that is worked on at once, unless the work may
    wait for a child process.
    """

    path: str
    work: Callable[[Any], Any]
    request: type[BaseModel] | Sequence[type[BaseModel]] | None
    reply: Any = None
    quick: int = QUICK

    @property
    def method(self) -> str:
        """The method of HTTP that it answers."""
        return "POST" if self.request else "GET"

    async def response(self, asked: Request) -> Response:
        """Return the answer to a request, or what is wrong with it."""
        account: RequestAccount = asked.scope[ACCOUNT]

        def problem(status: int, words: str, headers: Mapping[str, str] | None = None) -> Response:
            return problem_response(status, words, headers, path=asked.scope["path"])

        try:
            if asked.method not in (self.method, "HEAD" if self.method == "GET" else ""):
                words = f"{self.path} does not answer {asked.method}: send {self.method}"
                raise Refusal(405, words, {"allow": self.method})
            body = await account.read_body(asked)
            given = self.parsed(body) if len(body) <= self.quick else None
            if len(body) <= self.quick and not may_wait_for_child(given):
                made = json_chunks(self.work(given))
            else:
                made = await self._answer_in_thread(asked, account, body)
            account.hold(sum(map(len, made)))
            return Chunks(made)
        except ClientDisconnect:
            return Response()  # which nobody gets
        except Refusal as e:
            return problem(e.status, e.words, e.headers)
        except ValueError as e:
            return problem(400, str(e))
        except Exception:
            log_failure_unless_recent(f"a request to {self.path}")
            return problem(500, "something went wrong here, and the server's log says what: ask whoever runs it")

    def answer_chunks(self, body: bytes) -> deque[bytes]:
        """Return the answer to a body, as JSON in chunks."""
        return json_chunks(self.work(self.parsed(body)))

    def parsed(self, body: bytes) -> BaseModel | None:
        """Return the request in a body, None where the address takes none."""
        return parsed_request(self.request, body) if self.request else None

    async def _answer_in_thread(self, asked: Request, account: RequestAccount, body: bytes) -> deque[bytes]:
        """Return the answer, worked on in a thread as soon as all earlier requests of this client have theirs."""

        def answer_in_turn() -> deque[bytes]:
            with LONG_WORK.turn("api"):
                return self.answer_chunks(body)

        async with account.client.turn:
            if await asked.is_disconnected():
                raise ClientDisconnect
            return await anyio.to_thread.run_sync(answer_in_turn, limiter=account.clients.thread)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as an application of its own."""
        response = await self.response(Request(scope, receive))
        await response(scope, receive, send)


class Chunks(Response):
    """JSON in chunks, each forgotten as it is sent. The connection ends if they are not taken in time."""

    def __init__(self, made: deque[bytes]) -> None:
        self.made = made
        super().__init__(media_type="application/json", headers={"content-length": str(sum(map(len, made)))})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send everything."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        if len(self.made) == 1:
            await send({"type": "http.response.body", "body": self.made[0]})
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_MAX):
                while self.made:
                    chunk = self.made.popleft()
                    await send({"type": "http.response.body", "body": chunk, "more_body": bool(self.made)})
