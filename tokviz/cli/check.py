"""`tokviz check`: a tokenizer that somebody wrote, held against what the course asks for."""

import argparse
import textwrap
from dataclasses import asdict
from pathlib import Path

from tokviz.checks.file_report import KINDS, Report, report
from tokviz.checks.questions import escaped
from tokviz.cli.common import Commands, new_command, print_json

EPILOG = f"""\
  tokviz check solution.py

For what people write after Andrej Karpathy's lecture on tokenizers (minbpe) and for Stanford's CS336, assignment 1.
It looks in the file for

{textwrap.indent(chr(10).join(known.looks for known in KINDS.values()), "  ")}

and says of each what is right. Of merges it names the first that differs, whether both pairs occur equally often
there, and which rule for ties, or which other way of counting, gives all of yours. The exit code is 0 if all that was
found is right. Put what takes long under `if __name__ == "__main__":`, since the file is imported.

The file runs on this machine, in a process with limits on time and memory that cannot change the result; but it reads
and writes files and uses the network as you do. For files of strangers docs/command-line.md has a container."""
STATE = 9  # columns


def add_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = new_command(commands, "check", "check a tokenizer that you wrote", EPILOG)
    command.add_argument("file", metavar="FILE", help="a file of Python")
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what is right in a file and what is not; return the exit code."""
    found = report(options.file)
    if options.json:
        print_json({"file": options.file, "is_right": found.is_right, **asdict(found)})
    else:
        _print(options.file, found)
    return 0 if found.is_right else 1


def _print(file: str, found: Report) -> None:
    for part in found.parts:
        print(f"{escaped(Path(file).name)}: {part.name}")
        for outcome in part.outcomes:
            text = f"{outcome.what}: {outcome.words}" if outcome.words else outcome.what
            first, *rest = text.split("\n")
            print(f"  {outcome.state:<{STATE}}{first}", *(f"  {'':<{STATE}}{line}" for line in rest), sep="\n")
    if found.missing:
        print("Not found")
        for kind in found.missing:
            print(f"  {KINDS[kind].looks}")
