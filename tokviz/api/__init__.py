"""The HTTP interface of a server for other programs; off unless the person who starts the server switches it on."""

import os

SWITCH = "TOKVIZ_API"
PATH = "/api/v1"
OF_LLAMA_CPP = ("/tokenize", "/detokenize")


def is_on() -> bool:
    """Return whether the environment variable TOKVIZ_API is 1."""
    return os.environ.get(SWITCH) == "1"


def is_api_path(path: str) -> bool:
    """Return whether a path is one of the interface's, below any base path.

    >>> [is_api_path(path) for path in ("/x/api/v1/count", "/tokenize", "/bytes")]
    [True, True, False]
    """
    return f"{PATH}/" in f"{path}/" or path.endswith(OF_LLAMA_CPP)
