"""Name in a page's document the modules that draw its first view, so that the browser fetches them ahead.

Otherwise it finds them step by step: Streamlit's module for components with the first component, what that module
imports when it has come, and then our own code. The modules of other elements are left out, since they would cost more
time as the page begins than they save later.
"""

import posixpath
import re
from collections.abc import Iterable
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokviz.server.assets import PATH

DRAWS = "BidiComponent"  # Streamlit's element that draws components
CODE = "static/js"  # Streamlit's, both below its package and below its address
IMPORTED = re.compile(r"""\b(?:from|import)\s*["'`](\.{1,2}/[\w./-]+\.js)["'`]""")
HEAD = 10_000  # characters of a module of Streamlit's; what it imports comes first
# It must not delay the modules that Streamlit begins with.
LINK = "<{}>;rel=modulepreload;fetchpriority=low"


class Preloads:
    """Middleware that names the modules in the `Link` header of the documents of pages.

    base_path: of the server, with or without slashes around it. streamlit: the folder of Streamlit's package. pages:
    the last parts of their addresses.
    """

    def __init__(self, app: ASGIApp, base_path: str, streamlit: Path, pages: Iterable[str]) -> None:
        self.app = app
        base = "/" + base_path.strip("/") if base_path.strip("/") else ""
        self.paths = {f"{base}/{page}" for page in pages}
        self.link = ",".join(
            LINK.format(path) for path in (*extra_module_addresses_for_element(streamlit, DRAWS), PATH)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as before; documents of pages with one more header."""
        is_page = scope["type"] == "http" and scope["path"] in self.paths

        async def send_with_link(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                MutableHeaders(scope=message)["link"] = self.link
            await send(message)

        await self.app(scope, receive, send_with_link if is_page else send)


def extra_module_addresses_for_element(package: Path, element: str) -> list[str]:
    """Return the addresses of the modules that draw an element of Streamlit's and are not in every document anyway.

    Their names change with every version of Streamlit; there are none for an element that it does not have. package:
    the folder that it is installed in.
    """
    folder = package / "static" / CODE
    begins_with = re.findall(rf"{CODE}/([\w.-]+\.js)", (package / "static/index.html").read_text("utf-8"))
    names = [file.name for file in sorted(folder.glob(f"{element}.*.js"))]
    for name in names:  # which grows meanwhile
        with (folder / name).open(encoding="utf-8") as file:
            imported = map(posixpath.normpath, IMPORTED.findall(file.read(HEAD)))
        names += dict.fromkeys(other for other in imported if other not in names)
    return [f"{CODE}/{name}" for name in names if name not in begins_with]
