"""`tokviz serve`: the pages in a browser, by Streamlit's own command."""

import argparse
import os
import re
import sys
from collections.abc import Callable

from tokviz import api
from tokviz.cli.options import Commands, add_command
from tokviz.server import FRAMES, OPEN
from tokviz.system.installation import APP, COMMAND, require

SITE = re.compile(r"https?://[\w*.-]+(:\d+)?", re.ASCII)
ORIGIN = re.compile(r"https?://[\w.-]+(:\d+)?|\*", re.ASCII)
EVERYWHERE = "0.0.0.0"
LOCAL = "127.0.0.1"


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    short, example = "show the pages in a browser", "tokviz serve --port 8600 --open"
    command = add_command(commands, "serve", short, become_server, example)
    host_help = f"the address to listen on ({LOCAL}); whoever reaches another can use the pages, without a password"
    command.add_argument("--host", default=LOCAL, metavar="ADDRESS", help=host_help)
    port_help = "the port to listen on (8501, or the next free one)"
    command.add_argument("--port", type=int, metavar="NUMBER", help=port_help)
    name_help = "answer under this name only; may be given several times"
    command.add_argument("--name", action="append", default=[], metavar="NAME", help=name_help)
    frame_help = "a site that may show the pages in a frame; may be given several times"
    site = checked_by(SITE, "a site, such as https://course.example.org")
    command.add_argument("--frame", action="append", default=[], type=site, metavar="SITE", help=frame_help)
    command.add_argument("--api", action="store_true", help="answer other programs below /api/v1")
    tokenizer_help = "a file or a folder with a tokenizer that --api has too; one alone is its default; several times"
    command.add_argument("--tokenizer", action="append", default=[], metavar="[NAME=]PATH", help=tokenizer_help)
    cors_help = "an origin whose pages may use --api, or * for all; may be given several times"
    origin = checked_by(ORIGIN, "an origin, such as http://localhost:3000, nor *")
    command.add_argument("--cors", action="append", default=[], type=origin, metavar="ORIGIN", help=cors_help)
    command.add_argument("--open", action="store_true", help="open the pages in your browser")


def checked_by(pattern: re.Pattern[str], form: str) -> Callable[[str], str]:
    """Return a function that returns a text which matches; ArgumentTypeError, with the expected form, for another.

    >>> checked_by(SITE, "a site")("https://*.example.org")
    'https://*.example.org'
    """

    def checked(text: str) -> str:
        if not pattern.fullmatch(text):
            raise argparse.ArgumentTypeError(f"{text!r} is not {form}")
        return text

    return checked


def become_server(options: argparse.Namespace) -> None:
    """Become the server; ImportError, with what to install, if the libraries of the pages are missing."""
    require("the app", "app", "streamlit", "uvicorn", "pandas", "altair", "segno", "vl_convert")
    # Long texts are worked on in many threads, one at a time. With more than two malloc arenas, the process would hold
    # on to memory that its threads have freed.
    given = {OPEN: "1" * options.open, api.SWITCH: "1" * options.api, FRAMES: " ".join(options.frame)}
    given |= {api.TOKENIZERS: os.pathsep.join(options.tokenizer), api.CORS: " ".join(options.cors)}
    environment = {"MALLOC_ARENA_MAX": "2"} | os.environ | {name: value for name, value in given.items() if value}
    if options.api:
        require("the HTTP interface", "api", "fastapi", "fastapi_offline")
        from tokviz.api.tokenizers import named_files

        named_files(options.tokenizer)  # so that what is wrong with a file is said here
    elif options.tokenizer or options.cors:
        raise ValueError("--tokenizer and --cors are for the HTTP interface: add --api")
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, [sys.executable, *python_arguments_to_run_streamlit(options)], environment)


def python_arguments_to_run_streamlit(options: argparse.Namespace) -> list[str]:
    """Return what Python is given to run Streamlit with the app; its other settings are in the file beside it."""
    shown = LOCAL if options.host == EVERYWHERE else options.host
    settings = {"server.address": [options.host], "browser.serverAddress": [shown]}
    settings |= {"server.allowedHosts": options.name}
    settings |= {"server.port": [] if options.port is None else [str(options.port)]}
    # In a frame of another site a browser sends no cookies, by which Streamlit would know its own pages when files are
    # uploaded; the guard knows them by their Origin.
    settings |= {"server.enableXsrfProtection": ["false"] if options.frame else []}
    # -P: no file in the current folder can pass for a library.
    return ["-P", str(COMMAND), "run", str(APP)] + [
        argument for name, values in settings.items() for value in values for argument in (f"--{name}", value)
    ]
