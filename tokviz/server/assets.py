"""The modules of the pages' components, served as files at an address that changes with their content.

So a browser may keep them for good, and never mixes two versions, since modules import each other by relative names.
"""

import hashlib

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tokviz.system.installation import ASSETS

# Only these files are served: an address is looked up here and never becomes a path.
MODULES = {str(file.relative_to(ASSETS).as_posix()): file.read_bytes() for file in sorted(ASSETS.rglob("*.js"))}
# Covers everything a component is made of: its name changes with its markup and styles, too.
FILES = (file for file in sorted(ASSETS.rglob("*.*")) if file.suffix in (".js", ".html", ".css"))
_PARTS = (part for file in FILES for part in (file.name.encode(), file.read_bytes()))
VERSION = hashlib.sha256(b"\0".join(_PARTS)).hexdigest()[:8]
HEADERS = {"cache-control": "public, max-age=31536000, immutable"}


def module_path(name: str) -> str:
    """Return the path of a module below the base path of the server; KeyError if there is none.

    >>> module_path("token_view/component.js") == f"assets/{VERSION}/token_view/component.js"
    True
    """
    if name not in MODULES:
        raise KeyError(f"there is no module {name!r} in the folder of assets")
    return f"assets/{VERSION}/{name}"


async def module(request: Request) -> Response:
    """Answer a request for a module of this version."""
    code = MODULES.get(request.path_params["name"])
    if code is None or request.path_params["version"] != VERSION:
        return PlainTextResponse("There is no such module.\n", 404)
    return Response(code, headers=HEADERS, media_type="text/javascript")
