"""The app as a proxy shows it that puts a path before its addresses and takes it off again."""

from starlette.types import Receive, Scope, Send

from app import app as tokviz

PATH = "/~/+"


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer below PATH only."""
    if scope["type"] != "lifespan":
        if not scope["path"].startswith(f"{PATH}/"):
            raise LookupError(f"{scope['path']} is not below {PATH}")
        path = scope["path"].removeprefix(PATH)
        scope = {**scope, "path": path, "raw_path": path.encode()}
    await tokviz(scope, receive, send)
