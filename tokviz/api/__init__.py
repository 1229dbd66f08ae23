"""The HTTP interface: what other programs ask of a server of tokviz, off unless whoever starts it switches it on."""

import os

SWITCH = "TOKVIZ_API"


def is_on() -> bool:
    """Return whether the environment variable TOKVIZ_API is 1."""
    return os.environ.get(SWITCH) == "1"
