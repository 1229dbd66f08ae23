"""A stock Firefox without a window, driven over WebDriver BiDi: https://www.w3.org/TR/webdriver-bidi.

Playwright drives Chromium for all other tests, but wants a Firefox of its own.
"""

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

ANSWERS_S = 60
# Elements by a selector, those of components included, which stand in trees of their own.
FUNCTIONS = """() => {
    window.all = (selector, root = document) => [...root.querySelectorAll("*")].flatMap((node) =>
        [...(node.matches(selector) ? [node] : []), ...(node.shadowRoot ? all(selector, node.shadowRoot) : [])]);
    window.visible = (selector, text) => all(selector).find((node) => node.checkVisibility({ visibilityProperty: true })
        && (text === undefined || node.textContent.trim() === text));
}"""


class Firefox:
    """A tab, and in `problems` the errors on its console, breaches of the server's policy included."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.numbers = count(1)
        self.problems: list[str] = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.ask("script.addPreloadScript", functionDeclaration=FUNCTIONS)
        self.tab = self.ask("browsingContext.create", type="tab")["context"]

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """Return the answer to a command; RuntimeError if it fails."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv(timeout=ANSWERS_S))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.problems.append(message["params"]["text"])
            if message.get("id") != number:
                continue
            if message["type"] == "error":
                raise RuntimeError(f"{method}: {message['error']}: {message['message']}")
            return message["result"]

    def open(self, address: str) -> None:
        """Load a page."""
        self.ask("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def evaluate(self, expression: str) -> dict[str, Any]:
        """Return the value of an expression as BiDi has it; `all` and `visible` find elements."""
        answer = self.ask("script.evaluate", expression=expression, target={"context": self.tab}, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']['text']}")
        return answer["result"]

    def wait_until(self, expression: str, *, seconds: float = 30) -> None:
        """Wait until an expression is true; TimeoutError if it never is."""
        until = time.monotonic() + seconds
        while self.evaluate(f"Boolean({expression})")["value"] is not True:
            if time.monotonic() > until:
                raise TimeoutError(f"it never came true: {expression}")
            time.sleep(0.05)

    def click(self, selector: str, text: str | None = None) -> None:
        """Click in the middle of an element in sight: the first of a selector, and of a text."""
        element = f"visible({', '.join(map(json.dumps, filter(None, [selector, text])))})"
        self.wait_until(element)
        origin = {"type": "element", "element": {"sharedId": self.evaluate(element)["sharedId"]}}
        move = {"type": "pointerMove", "x": 0, "y": 0, "origin": origin}
        press, release = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self._act(type="pointer", id="mouse", actions=[move, press, release])

    def type(self, text: str) -> None:
        """Type on the keyboard, wherever the focus is; keys without a character are those of WebDriver."""
        self._act(
            type="key",
            id="keyboard",
            actions=[{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")],
        )

    def _act(self, **source: object) -> None:
        self.ask("input.performActions", context=self.tab, actions=[source])


@contextmanager
def firefox_at(path: str, folder: Path) -> Iterator[Firefox]:
    """Start the Firefox of a path with a new profile in a folder, and yield a tab of it."""
    arguments = [path, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    browser = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with connect(f"{_address(folder)}/session", max_size=None) as socket:
            yield Firefox(socket)
    finally:
        browser.terminate()
        browser.wait(30)


def _address(folder: Path) -> str:
    """Return where a Firefox that has just been started listens, which it writes into its profile."""
    for _ in range(600):
        try:
            server = json.loads((folder / "WebDriverBiDiServer.json").read_text())
            return f"ws://{server['ws_host']}:{server['ws_port']}"
        except (OSError, ValueError):
            time.sleep(0.1)
    raise TimeoutError("Firefox did not start")
