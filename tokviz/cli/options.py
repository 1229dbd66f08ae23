"""The options that several commands have, and what they ask for."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from tokviz.corpus.corpus import Corpus

Commands = argparse._SubParsersAction
Run = Callable[[argparse.Namespace], int | None]
SAVE_SECONDS = 30
# How shells complete an argument, by words in its placeholder; of several the last one counts.
COMPLETIONS = {"FILE": "file", "PATH": "file", "TOKENIZER": "tokenizer"}


class CommandParser(argparse.ArgumentParser):
    """A parser of a command, whose arguments know how a shell may complete them."""

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        """Add an argument, as the base class does."""
        action: Any = super().add_argument(*names, **options)
        for word in COMPLETIONS:
            if word in options.get("metavar", ""):
                action.complete = COMPLETIONS[word]  # where shtab looks for it
        return action


def add_command(
    commands: Commands, name: str, short: str, run: Run, *examples: str, refused: int = 1
) -> argparse.ArgumentParser:
    """Return the parser of a command that `run` carries out, with a line in the list of all and examples in its help.

    `run` returns the exit code, or None for 0. refused: the exit code if it raises an error.
    """
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=short,
        description=short[0].upper() + short[1:] + ".",
        epilog="\n".join(["examples:", *(f"  {each}" for each in examples), "", "docs/command-line.md says more."]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=run, command=name, refused=refused)
    return command


def add_corpus_options(command: argparse.ArgumentParser) -> None:
    """Add the options that say how a corpus is read."""
    add = command.add_argument
    add("--text-key", default="text", metavar="KEY", help='the key of the text in lines of JSON ("text")')
    add("--stdin", choices=("txt", "jsonl"), default="txt", help="the format of standard input and other pipes (txt)")


def sets_corpus(options: argparse.Namespace) -> bool:
    """Return whether options set how a corpus is read, other than by default."""
    return (options.text_key, options.stdin) != ("text", "txt")


def corpus_of(paths: Sequence[str], options: argparse.Namespace, *, strict: bool = False) -> Corpus:
    """Return the documents of files, folders, globs and standard input."""
    return Corpus(paths, text_key=options.text_key, stdin=options.stdin, strict=strict)


def add_allow_special_option(command: argparse.ArgumentParser) -> None:
    """Add the option that allows special tokens in a text."""
    help_text = "a special token that counts as one in the text, or all; may be given several times"
    command.add_argument("--allow-special", action="append", default=[], metavar="TOKEN", help=help_text)


def allowed_special(options: argparse.Namespace) -> str | Sequence[str]:
    """Return the special tokens that are allowed, or "all"."""
    return "all" if "all" in options.allow_special else options.allow_special


def add_save_interval_option(command: argparse.ArgumentParser) -> None:
    """Add the option that says how often unfinished work is saved."""
    help_text = f"how often what is done so far is saved ({SAVE_SECONDS})"
    command.add_argument("--every", type=float, default=SAVE_SECONDS, metavar="SECONDS", help=help_text)


def seconds_between_saves(options: argparse.Namespace) -> float:
    """Return how often unfinished work is saved, in seconds; ValueError for a number below 0."""
    if not options.every >= 0:
        raise ValueError(f"--every must be a number of seconds, 0 or more, not {options.every}")
    return options.every


def add_limit_option(command: argparse.ArgumentParser) -> None:
    """Add the option that says how much of each list is shown."""
    command.add_argument("--limit", type=int, default=20, metavar="N", help="how many of each to show (20)")


def checked_limit(options: argparse.Namespace) -> int:
    """Return how much of each list is shown; ValueError for a number below 0."""
    if options.limit < 0:
        raise ValueError(f"--limit must be a number of at least 0, not {options.limit}")
    return options.limit


def add_parameters_option(command: argparse.ArgumentParser) -> None:
    """Add the option that asks for the parameters a vocabulary costs."""
    help_text = "also the parameters that the vocabulary costs a model of this width (GPT-2 small: 768)"
    command.add_argument("--parameters", type=int, metavar="WIDTH", help=help_text)
