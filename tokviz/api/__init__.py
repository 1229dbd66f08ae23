"""The HTTP interface of a server for other programs; off unless the person who starts the server switches it on."""

import os
import re

SWITCH, CORS, TOKENIZERS = "TOKVIZ_API", "TOKVIZ_CORS", "TOKVIZ_TOKENIZERS"  # variables of the environment
PATH = "/api/v1"
# Streamlit has a /_stcore/health of its own.
_OF_INFERENCE_SERVERS = re.compile(r"(?<!/_stcore)/(tokenize|detokenize|tokenizer_info|health|v1(/.*)?)\Z", re.DOTALL)


def is_on() -> bool:
    """Return whether the environment variable TOKVIZ_API is 1."""
    return os.environ.get(SWITCH) == "1"


def allowed_origins() -> list[str]:
    """Return the origins whose pages may ask the interface, ["*"] for all; none where it is off."""
    return os.environ.get(CORS, "").lower().split() if is_on() else []


def is_api_path(path: str) -> bool:
    """Return whether a path is one of the interface's, below any base path.

    >>> [is_api_path(path) for path in ("/x/api/v1/count", "/tokenize", "/bytes")]
    [True, True, False]
    """
    return f"{PATH}/" in f"{path}/" or is_path_of_inference_servers(path)


def is_path_of_inference_servers(path: str) -> bool:
    """Return whether a path is one that vLLM and llama.cpp have, below any base path.

    >>> [is_path_of_inference_servers(path) for path in ("/x/health", "/v1/models", "/_stcore/health", "/api/v1/none")]
    [True, True, False, False]
    """
    return f"{PATH}/" not in f"{path}/" and bool(_OF_INFERENCE_SERVERS.search(path))
