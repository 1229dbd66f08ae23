"""Notes every address a process connects to or looks up, in the file that TOKVIZ_SPY names; Python imports it first."""

import os
import sys

EVENTS = ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")


def note(event: str, arguments: tuple) -> None:
    if event in EVENTS:
        with open(os.environ["TOKVIZ_SPY"], "a") as notes:
            notes.write(f"{event} {arguments[-1] if event in EVENTS[:2] else arguments[0]}\n")


if "TOKVIZ_SPY" in os.environ:
    sys.addaudithook(note)
