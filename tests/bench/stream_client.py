"""One tab's websocket traffic without a browser: what Streamlit's front end sends to a page, and what comes back.

It holds the elements of the page by their keys, as the server last sent them, and sends it a widget's value, a press
of a button, or an upload. As in a browser, fragments that ask for it are run again and again, and elements that the
server sends by reference are those it sent before.
"""

import asyncio
import urllib.request
import uuid
from collections.abc import Callable
from typing import Any, Self

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState


def cookie_of(address: str) -> str:
    """Return the token that a server wants back with uploads."""
    with urllib.request.urlopen(f"{address}/_stcore/health") as answer:
        found = [value for name, value in answer.getheaders() if name.lower() == "set-cookie" and "xsrf" in value]
    return found[0].split("=", 1)[1].split(";")[0] if found else ""


class Tab:
    """A connection, and the elements of its page.

    elements: by the key of a widget, or the label where it has none; fragments: of each the fragment it is in;
    repeating: the fragments that are run again and again; on_element: called with every element that comes.
    """

    def __init__(self, address: str, page: str = "", query: str = "") -> None:
        self.address, self.page, self.query = address, page, query
        self.codes: list[str] = []  # texts in boxes of code, where the pages put what went wrong
        self.alerts: list[str] = []
        self.elements: dict[str, Any] = {}
        self.fragments: dict[str, str] = {}
        self.cached: dict[str, ForwardMsg] = {}
        self.values: dict[str, WidgetState] = {}
        self.n_bytes = 0
        self.n_finished = 0
        self.script_hash = self.session = ""
        self.repeating: dict[str, asyncio.Task] = {}
        self._heard = asyncio.Condition()
        self._ended: Exception | None = None
        self._urls: dict[str, asyncio.Future] = {}
        self.on_element: Callable[[str, Any], None] = lambda key, element: None

    async def __aenter__(self) -> Self:
        self.socket = await websockets.connect(
            self.address.replace("http", "ws") + "/_stcore/stream", subprotocols=["streamlit"], max_size=None
        )
        self._reader = asyncio.create_task(self._read())
        await self._send_run(page_name=self.page)
        await self.until(lambda: self.n_finished)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()  # while what still comes is read: messages that nobody takes hold up the closing
        for task in [self._reader, *self.repeating.values()]:
            task.cancel()

    async def until(self, holds: Callable[[], object], seconds: float = 120) -> None:
        """Wait until something holds, which is looked at after every message; TimeoutError if it never does."""
        async with asyncio.timeout(seconds), self._heard:
            while not holds():
                if self._ended is not None:
                    raise ConnectionError("the connection has ended") from self._ended
                await self._heard.wait()

    async def press(self, label: str) -> None:
        """Press a button."""
        await self._send_run(WidgetState(id=self.elements[label].id, trigger_value=True), self.fragments[label])

    async def set(self, key: str, **value: Any) -> None:
        """Give a widget a value: one field of a WidgetState."""
        state = WidgetState(id=self.elements[key].id, **value)
        self.values[state.id] = state
        await self._send_run(fragment=self.fragments[key])

    async def upload(self, key: str, files: dict[str, bytes], cookie: str) -> None:
        """Upload files in a file uploader."""
        message = BackMsg()
        request = message.file_urls_request
        request.request_id, request.session_id = uuid.uuid4().hex, self.session
        request.file_names.extend(files)
        self._urls[request.request_id] = asyncio.get_running_loop().create_future()
        await self.socket.send(message.SerializeToString())
        answer = await self._urls[request.request_id]
        state = WidgetState(id=self.elements[key].id)
        for urls, (name, data) in zip(answer.file_urls, files.items(), strict=True):
            await asyncio.to_thread(put, self.address + urls.upload_url, name, data, cookie)
            uploaded = state.file_uploader_state_value.uploaded_file_info.add()
            uploaded.name, uploaded.size, uploaded.file_id = name, len(data), urls.file_id
            uploaded.file_urls.CopyFrom(urls)
        self.values[state.id] = state
        await self._send_run(fragment=self.fragments[key])

    async def _send_run(
        self, trigger: WidgetState | None = None, fragment: str = "", *, page_name: str = "", again: bool = False
    ) -> None:
        message = BackMsg()
        run = message.rerun_script
        run.page_name, run.page_script_hash, run.is_auto_rerun = page_name, self.script_hash, again
        run.fragment_id, run.query_string = fragment, self.query if page_name == self.page else ""
        run.widget_states.widgets.extend([*self.values.values(), *([trigger] if trigger else [])])
        run.cached_message_hashes.extend(self.cached)
        await self.socket.send(message.SerializeToString())

    async def _read(self) -> None:
        try:
            await self._read_all()
            self._ended = EOFError()
        except Exception as e:
            self._ended = e
        finally:
            async with self._heard:
                self._heard.notify_all()

    async def _read_all(self) -> None:
        async for raw in self.socket:
            self.n_bytes += len(raw)
            message = ForwardMsg.FromString(raw)
            if message.WhichOneof("type") == "ref_hash":
                known = ForwardMsg()
                known.CopyFrom(self.cached[message.ref_hash])
                known.metadata.CopyFrom(message.metadata)
                message = known
            elif message.metadata.cacheable:
                self.cached[message.hash] = message
            self._take(message)
            async with self._heard:
                self._heard.notify_all()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            if not message.metadata.run.fragment_ids:  # a run of the whole page, which begins what is repeated anew
                for task in self.repeating.values():
                    task.cancel()
                self.repeating.clear()
            self.session = message.new_session.initialize.session_id or self.session
        elif kind == "navigation":
            self.script_hash = message.navigation.page_script_hash
        elif kind == "auto_rerun":
            self._repeat(message.auto_rerun.fragment_id, message.auto_rerun.interval)
        elif kind == "script_finished":
            self.n_finished += 1
            if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                # A browser forgets too, but not what the answer to a message under way may refer to.
                self.cached = dict(list(self.cached.items())[-24:])
        elif kind == "file_urls_response":
            self._urls.pop(message.file_urls_response.response_id).set_result(message.file_urls_response)
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            name = message.delta.new_element.WhichOneof("type")
            element = getattr(message.delta.new_element, name)
            if name == "code":
                self.codes.append(element.code_text)
            if name in ("exception", "alert"):
                self.elements[name] = element
            if name == "alert":
                self.alerts.append(element.body)
            if getattr(element, "id", ""):
                key = element.id.split("-", 2)[2]
                key = element.label if key == "None" else key
                self.elements[key], self.fragments[key] = element, message.delta.fragment_id
                self.on_element(key, element)

    def _repeat(self, fragment: str, seconds: float) -> None:
        async def repeat() -> None:
            while True:
                await asyncio.sleep(seconds)
                await self._send_run(fragment=fragment, again=True)

        if fragment not in self.repeating:
            self.repeating[fragment] = asyncio.create_task(repeat())


def put(url: str, name: str, data: bytes, cookie: str) -> None:
    """Send one file as a browser's form does."""
    boundary = uuid.uuid4().hex
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    request = urllib.request.Request(
        url,
        head.encode() + data + f"\r\n--{boundary}--\r\n".encode(),
        {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "X-Xsrftoken": cookie,
            "Cookie": f"_streamlit_xsrf={cookie}",
        },
        method="PUT",
    )
    with urllib.request.urlopen(request):
        pass
