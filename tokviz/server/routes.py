"""Our own addresses; those of Streamlit begin with `/_stcore/`, `/media/`, `/component/` or `/static/`."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute

from tokviz import api
from tokviz.server.assets import PATH, components_response
from tokviz.server.live import serve_live_socket
from tokviz.system.installation import require

OTHER_NAMES = {"learn": "lessons", "playground": ""}  # addresses that people try, and those of the pages


def routes(base_path: str) -> list[BaseRoute]:
    """Return our routes below a base path, written with or without slashes around it.

    >>> [route.path for route in routes("tools/tokviz")][:3]
    ['/tools/tokviz/robots.txt', '/tools/tokviz/assets/.../components.js', '/tools/tokviz/learn']
    """
    base = "/" + base_path.strip("/") if base_path.strip("/") else ""
    return [
        Route(f"{base}/robots.txt", _robots_response),
        Route(f"{base}/{PATH}", components_response),
        *(Route(f"{base}/{name}", _page_redirect) for name in OTHER_NAMES),
        WebSocketRoute(f"{base}/live", serve_live_socket),
        *_api_routes(base),
    ]


def _api_routes(base: str) -> list[BaseRoute]:
    """Return the routes of the HTTP interface, where it is on; ImportError with what to install if it cannot be."""
    if not api.is_on():
        return []
    require("the HTTP interface", "api", "fastapi", "fastapi_offline")
    from tokviz.api.routes import api_routes

    return api_routes(base)


async def _robots_response(_request: object) -> PlainTextResponse:
    return PlainTextResponse("User-agent: *\nDisallow: /\n")


async def _page_redirect(request: Request) -> RedirectResponse:
    name = request.url.path.rpartition("/")[2]
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"./{OTHER_NAMES[name]}{query}")
