"""Refusal: a status, and one sentence for the person whose request is refused."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse

from tokviz.api import is_path_of_inference_servers
from tokviz.core.pretokens import well_formed_text

# The types of errors that llama.cpp names; for any other status its name for a bad request is used, as OpenAI does.
_TYPES = {403: "permission_error", 404: "not_found_error", 500: "server_error", 503: "unavailable_error"}


class Refusal(ValueError):
    """A request cannot be answered; `words` name what is wrong, what was expected and the way out."""

    def __init__(self, status: int, words: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(words)
        self.status, self.words, self.headers = status, words, headers

    def __reduce__(self) -> tuple[type, tuple[int, str, Mapping[str, str] | None]]:
        return type(self), (self.status, self.words, self.headers)


def problem_response(
    status: int, words: str, headers: Mapping[str, str] | None = None, *, path: str = ""
) -> JSONResponse:
    """Return an answer that says what is wrong with a request.

    path: of the request; at those of vLLM and llama.cpp, the error is an object, as their clients expect it.
    """
    error: Any = well_formed_text(words)
    if is_path_of_inference_servers(path):
        kind = _TYPES.get(status, "invalid_request_error")
        error = {"message": error, "type": kind, "param": None, "code": status}
    return JSONResponse({"error": error}, status, headers)
