"""Tell the browser, with a page's document, which modules the page needs, so that it fetches them ahead.

Else it finds out step by step: the code of an element when Streamlit first draws one, and what a module imports when
that module has come.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokviz.server.assets import MODULES, module_path

DRAWS = "BidiComponent"  # Streamlit's element that draws components
CODE = "static/js"  # Streamlit's, both below its package and below its address
IMPORTED = re.compile(r"""\b(?:from|import)\s*["'`](\.{1,2}/[\w./-]+\.js)["'`]""")
HEAD = 10_000  # characters of a module of Streamlit's; what it imports stands first
# A module that is fetched ahead must not delay those that Streamlit begins with.
LINK = "<{}>;rel=modulepreload;fetchpriority=low"
# nginx passes on 4,096 bytes of headers unless told otherwise, and answers 502 to more; the others take 700.
BYTES_MAX = 3_000


class Preloads:
    """Middleware that names the modules of a page in the `Link` header of its document, as many as it has room for.

    base_path: of the server, with or without slashes around it. streamlit: the folder of Streamlit's package. pages:
    for each page, by the last part of its address, our components and Streamlit's elements that it shows at first, the
    most urgent ones first. What draws components, and all that the first of them consists of, comes before the rest.
    """

    def __init__(
        self,
        app: ASGIApp,
        base_path: str,
        streamlit: Path,
        pages: Mapping[str, tuple[Iterable[str], Iterable[str]]],
    ) -> None:
        self.app = app
        code = StreamlitCode(streamlit)
        base = "/" + base_path.strip("/") if base_path.strip("/") else ""
        self.links = {
            f"{base}/{address}": link(
                chain(code.modules([DRAWS]), component_modules(components), code.modules(elements))
            )
            for address, (components, elements) in pages.items()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as before; documents of pages with one more header."""
        link = self.links.get(scope["path"]) if scope["type"] == "http" else None

        async def send_with_link(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if link and message["status"] == 200:
                    headers["link"] = link
            await send(message)

        await self.app(scope, receive, send_with_link if link else send)


class StreamlitCode:
    """The modules of Streamlit's browser code, whose names change with every version of it."""

    def __init__(self, package: Path) -> None:
        self.folder = package / "static" / CODE
        self.begins_with = set(re.findall(rf"{CODE}/([\w.-]+\.js)", (package / "static/index.html").read_text("utf-8")))

    def modules(self, elements: Iterable[str]) -> Iterator[str]:
        """Give the addresses of the modules that draw these elements and are not in every document anyway.

        An element that this version of Streamlit has no module for is left out.
        """
        files = [file.name for element in elements for file in sorted(self.folder.glob(f"{element}.*.js"))]
        needed = with_imports(files, self._head)
        return (f"{CODE}/{name}" for name in needed if name not in self.begins_with)

    def _head(self, name: str) -> str:
        with (self.folder / name).open(encoding="utf-8") as file:
            return file.read(HEAD)


def component_modules(components: Iterable[str]) -> Iterator[str]:
    """Give the addresses of all modules that our components consist of, component by component."""
    for name in components:
        for file in with_imports([f"{name}/component.js"], lambda name: MODULES[name].decode()):
            yield module_path(file)


def with_imports(names: Iterable[str], code_of: Callable[[str], str]) -> Iterator[str]:
    """Give modules and all that they import, each once; a module is read after it is given.

    >>> code = {"a/a.js": 'import { b } from "../b.js";', "b.js": 'import "./c.js";', "c.js": ""}
    >>> list(with_imports(["a/a.js", "c.js"], code.__getitem__))
    ['a/a.js', 'c.js', 'b.js']
    """
    found = [*names]
    for name in found:  # which grows meanwhile
        yield name
        for path in IMPORTED.findall(code_of(name)):
            other = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            if other not in found:
                found.append(other)


def link(addresses: Iterable[str]) -> str:
    """Return the header for addresses below that of the page's folder, each once: the first ones, up to `BYTES_MAX`."""
    header = ""
    for address in dict.fromkeys(addresses):
        longer = f"{header},{LINK.format(address)}".removeprefix(",")
        if len(longer) > BYTES_MAX:
            break
        header = longer
    return header
