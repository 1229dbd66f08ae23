"""The code of the pages' components, served as one module at an address that changes with its content.

So a browser fetches it once and may keep it for good. As a module for each file, of which a page needs three dozen, it
would take a tenth of a second of the browser's time before the page is there.
"""

import hashlib

from starlette.requests import Request
from starlette.responses import Response

from tokviz.display.modules import bundled, variable
from tokviz.system.installation import ASSETS

COMPONENTS = [file.parent.name for file in sorted(ASSETS.glob("*/component.js"))]
# Covers everything a component is made of: its name changes with its markup and styles, too.
FILES = (file for file in sorted(ASSETS.rglob("*.*")) if file.suffix in (".js", ".html", ".css"))
_PARTS = (part for file in FILES for part in (file.name.encode(), file.read_bytes()))
VERSION = hashlib.sha256(b"\0".join(_PARTS)).hexdigest()[:8]
PATH = f"assets/{VERSION}/components.js"  # below the base path of the server
HEADERS = {"cache-control": "public, max-age=31536000, immutable"}


def _code() -> bytes:
    """Return a module that exports what each component does, by its name."""
    modules = {name: f"{name}/component.js" for name in COMPONENTS}
    exported = ", ".join(f"{name}: {variable(module)}.default" for name, module in modules.items())
    return f"{bundled(*modules.values())}export const components = {{ {exported} }};\n".encode()


CODE = _code()


async def code(_request: Request) -> Response:
    """Answer with the code of all components."""
    return Response(CODE, headers=HEADERS, media_type="text/javascript")
