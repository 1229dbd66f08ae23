"""The code of the pages' components, served as one module at an address that changes with its content.

So a browser fetches it once and may keep it for good. Served file by file, three dozen for a page, it would come later.
"""

import hashlib

from starlette.requests import Request
from starlette.responses import Response

from tokviz.display.modules import exports_variable_name, script_of_modules_and_imports
from tokviz.system.installation import ASSETS

COMPONENTS = [file.parent.name for file in sorted(ASSETS.glob("*/component.js"))]


def _components_module_source() -> bytes:
    """Return a module that exports what each component does, by its name."""
    modules = {name: f"{name}/component.js" for name in COMPONENTS}
    exported = ", ".join(f"{name}: {exports_variable_name(module)}.default" for name, module in modules.items())
    return f"{script_of_modules_and_imports(*modules.values())}export const components = {{ {exported} }};\n".encode()


CODE = _components_module_source()
# Covers everything a component is made of: its name changes with its markup and styles, too.
_FILES = (file for file in sorted(ASSETS.rglob("*.*")) if file.suffix in (".html", ".css"))
_PARTS = [CODE, *(part for file in _FILES for part in (file.name.encode(), file.read_bytes()))]
VERSION = hashlib.sha256(b"\0".join(_PARTS)).hexdigest()[:8]
PATH = f"assets/{VERSION}/components.js"  # below the base path of the server
HEADERS = {"cache-control": "public, max-age=31536000, immutable"}


async def components_response(_request: Request) -> Response:
    """Answer with the code of all components."""
    return Response(CODE, headers=HEADERS, media_type="text/javascript")
