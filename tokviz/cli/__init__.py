"""The command line: train, encode, decode, inspect and compare tokenizers, and count words.

In: arguments. Out: results on standard output, for people or as JSON; everything else, progress, hints
and errors, on standard error; and an exit code: 0 done, 1 refused with the reason, 2 not understood,
130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from tokviz.cli import compare, count, inspect, text, train
from tokviz.cli.common import say

DESCRIPTION = """\
Train, use and look into byte pair encodings.

  python -m tokviz train books/ --vocab-size 8192 --output books.model
  python -m tokviz encode books.model story.txt > story.ids
  python -m tokviz decode books.model story.ids
  python -m tokviz inspect books.model
  python -m tokviz compare books.model gpt2 o200k_base --text story.txt
  python -m tokviz count story.txt

A TOKENIZER is the file of one, or the name of one that ships with tokviz: gpt2, cl100k_base, o200k_base.
Each command tells more: python -m tokviz train --help"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    result = argparse.ArgumentParser(
        prog="python -m tokviz", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = result.add_subparsers(metavar="COMMAND", required=True, dest="command")
    for module in (train, text, inspect, compare, count):
        module.add_commands(commands)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  (as long as the process)
    if sys.stdout is None:
        say("tokviz: standard output is closed: send it to a file, or to /dev/null")
        return 1
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # of a path that is not UTF-8, for one
    try:
        return _code(arguments)
    finally:
        try:
            sys.stdout.flush()
        except OSError:  # said already; Python would complain once more when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _code(arguments: Sequence[str] | None) -> int:
    options = parser().parse_args(arguments)
    try:
        code = options.run(options)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        say(f"tokviz {options.command}: interrupted")
        return 130
    except BrokenPipeError:
        return 0  # who reads the output has enough, as in `| head`
    except (ValueError, KeyError, OSError) as e:
        reason = e.args[0] if isinstance(e, KeyError) else e
        say(f"tokviz {options.command}: {reason}")
        return 1
