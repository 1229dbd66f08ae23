"""Refusal: a status, and one sentence for the person whose request is refused."""

from collections.abc import Mapping

from starlette.responses import JSONResponse

from tokviz.core.pretokens import well_formed_text


class Refusal(Exception):
    """A request cannot be answered; `words` name what is wrong, what was expected and the way out."""

    def __init__(self, status: int, words: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(words)
        self.status, self.words, self.headers = status, words, headers


def problem_response(status: int, words: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return an answer that says what is wrong with a request."""
    return JSONResponse({"error": well_formed_text(words)}, status, headers)
