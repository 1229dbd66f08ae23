"""The command line: a table of commands, and what all of them have in common.

Results go to standard output, as text or JSON, and everything else to standard error. Exit codes: 0 done, 1 refused
with the reason, or what was asked about is not so, 2 not understood, and in `chat` refused, 130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from types import ModuleType

from tokviz.cli.options import CommandParser, Commands
from tokviz.cli.streams import say
from tokviz.system.atomic_file import NO_SPACE
from tokviz.system.version import __version__

# Each command with its module, which is imported only if the command is given: together they take half a second.
COMMANDS = {
    "serve": "serve",
    "train": "train.command",
    "encode": "encoding",
    "decode": "encoding",
    "show": "show",
    "lesson": "show",
    "inspect": "inspect",
    "audit": "audit",
    "compare": "compare",
    "diff": "diff",
    "parity": "parity",
    "count": "count",
    "split": "split",
    "truncate": "split",
    "trim": "trim",
    "chat": "chat",
    "check": "check",
    "list": "included",
    "completion": "completion",
}
WITHOUT_ARGUMENTS = ("serve", "--open")
DESCRIPTION = """\
Train, use and inspect byte pair encodings. Without a command: open the pages in your browser.

  tokviz train books/ --vocab-size 8192 --output books.model
  tokviz show "low lower" -t books.model -t gpt2

A TOKENIZER is a file, or the name of one that comes with tokviz, or of a model that uses it: cl100k_base, gpt-4o.
tokviz list names them.
Each command has its own help: tokviz train --help. docs/command-line.md says more."""


def command_modules(command: str = "") -> list[ModuleType]:
    """Import and return the module of a command, or those of all commands if there is none of this name."""
    if command == "--version":
        return []
    names = [COMMANDS[command]] if command in COMMANDS else dict.fromkeys(COMMANDS.values())
    return [import_module(f"tokviz.cli.{name}") for name in names]


def parser_and_commands(command: str = "") -> tuple[argparse.ArgumentParser, Commands]:
    """Return the parser of tokviz, and in it those of a command's module, or of all if there is none of this name."""
    result = argparse.ArgumentParser(
        prog="tokviz", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    result.add_argument("--version", action="version", version=f"tokviz {__version__}")
    commands = result.add_subparsers(metavar="COMMAND", required=True, parser_class=CommandParser)
    for module in command_modules(command):
        module.add_to_commands(commands)
    return result, commands


def _options(given: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command, which may come between its arguments, unless there is `--`."""
    parser, commands = parser_and_commands(given[0])
    if given[0] not in commands.choices:
        return parser.parse_args(given)
    command = commands.choices[given[0]]  # which takes options anywhere; the parser around it cannot
    return command.parse_args(given[1:]) if "--" in given else command.parse_intermixed_args(given[1:])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  (open as long as the process runs)
    if sys.stdout is None:
        say("tokviz: standard output is closed: send it to a file, or to /dev/null")
        return 1
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for a path that is not UTF-8, for example
    try:
        return _run_command(arguments)
    finally:
        try:
            sys.stdout.flush()
        except OSError:  # already reported; Python would complain again at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run_command(arguments: Sequence[str] | None) -> int:
    given = (sys.argv[1:] if arguments is None else arguments) or WITHOUT_ARGUMENTS
    options = _options(given)
    try:
        code = options.run(options) or 0
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        say(f"tokviz {options.command}: interrupted")
        return 130
    except BrokenPipeError:
        return 0  # the reader has enough, as in `| head`
    except MemoryError:
        say(f"tokviz {options.command}: this takes more memory than there is: give it less at a time")
        return 1
    except (ValueError, KeyError, OSError, ImportError) as e:
        reason = e.args[0] if isinstance(e, KeyError) else e
        if isinstance(e, OSError) and e.errno in NO_SPACE and e.filename is None:
            reason = f"{e}: standard output"  # a file that is written is named
        say(f"tokviz {options.command}: {reason}")
        return int(options.refused)
