"""`tokviz check`: a tokenizer that somebody wrote, held against what the course asks for."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from tokviz.cli.options import Commands, add_command
from tokviz.cli.rows import add_output_options, print_result
from tokviz.solutions.file_report import KINDS, Report, file_report
from tokviz.solutions.questions import escaped_text

STATE = 9  # columns


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    run, example = print_report_and_return_exit_code, "tokviz check solution.py"
    command = add_command(commands, "check", "check a tokenizer that you wrote", run, example)
    help_text = "a file of Python, which is run with your rights: use a container for files of strangers"
    command.add_argument("file", metavar="FILE", help=help_text)
    add_output_options(command)


def print_report_and_return_exit_code(options: argparse.Namespace) -> int:
    """Print what is right in a file and what is not; return the exit code."""
    found = file_report(options.file)
    result = {"file": options.file, "is_right": found.is_right, **asdict(found)}
    print_result(options, result, "\n".join(_report_lines(Path(options.file).name, found)))
    return 0 if found.is_right else 1


def _report_lines(file_name: str, found: Report) -> Iterator[str]:
    for part in found.parts:
        yield f"{escaped_text(file_name)}: {part.name}"
        for outcome in part.outcomes:
            text = f"{outcome.what}: {outcome.words}" if outcome.words else outcome.what
            first, *rest = text.split("\n")
            yield f"  {outcome.state:<{STATE}}{first}"
            yield from (f"  {'':<{STATE}}{line}" for line in rest)
    if found.missing:
        yield "Not found"
        yield from (f"  {KINDS[kind].looks}" for kind in found.missing)
