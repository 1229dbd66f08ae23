"""The modules of the pages' components, as files under an address that changes with what they hold.

So a browser keeps them for good, and never mixes those of two versions: what a module imports is named relative to it.
"""

import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

FOLDER = Path(__file__).parents[2] / "assets"
# Only what stands here is served: an address is looked up, and never becomes a path.
MODULES = {str(file.relative_to(FOLDER).as_posix()): file.read_bytes() for file in sorted(FOLDER.rglob("*.js"))}
# Of all that a component is made of: its name changes with its markup and its styles, too.
FILES = (file for file in sorted(FOLDER.rglob("*.*")) if file.suffix in (".js", ".html", ".css"))
_PARTS = (part for file in FILES for part in (file.name.encode(), file.read_bytes()))
VERSION = hashlib.sha256(b"\0".join(_PARTS)).hexdigest()[:16]
HEADERS = {"cache-control": "public, max-age=31536000, immutable"}


def module_path(name: str) -> str:
    """Return the path of a module below the base path of the server; KeyError where there is none.

    >>> module_path("token_view/component.js") == f"assets/{VERSION}/token_view/component.js"
    True
    """
    if name not in MODULES:
        raise KeyError(f"no module {name!r} stands in the folder of assets")
    return f"assets/{VERSION}/{name}"


async def module(request: Request) -> Response:
    """Answer a request for a module of this version."""
    code = MODULES.get(request.path_params["name"])
    if code is None or request.path_params["version"] != VERSION:
        return PlainTextResponse("There is no such module.\n", 404)
    return Response(code, headers=HEADERS, media_type="text/javascript")
