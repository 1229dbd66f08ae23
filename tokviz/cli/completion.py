"""`tokviz completion`: a script with which a shell completes commands, options, names of tokenizers, and files."""

import argparse

import shtab

from tokviz import cli
from tokviz.cli.options import Commands, add_command
from tokviz.formats.pretrained import ENCODINGS, MODELS

# What defines a function that completes the names of tokenizers and files.
SHELLS = {
    "bash": '_tokviz_tokenizers() {{ compgen -W "{}" -- "$1"; compgen -f -- "$1"; }}',
    "zsh": "_tokviz_tokenizers() {{ compadd -- {}; _files; }}",
    "fish": "function _tokviz_tokenizers; string split ' ' '{}'; __fish_complete_path (commandline -ct); end",
}


def add_to_commands(commands: Commands) -> None:
    """Add the command and its option."""
    short, example = "print a script that completes commands in a shell", "tokviz completion bash"
    command = add_command(commands, "completion", short, print_script, example)
    command.add_argument("shell", choices=list(SHELLS), metavar="SHELL", help=", ".join(SHELLS))


def print_script(options: argparse.Namespace) -> None:
    """Print the script."""
    definition = SHELLS[options.shell].format(" ".join(dict.fromkeys([*ENCODINGS, *MODELS])))
    call = {"tokenizer": "(_tokviz_tokenizers)" if options.shell == "fish" else "_tokviz_tokenizers"}
    print(shtab.complete(cli.parser_and_commands()[0], options.shell, preamble=definition, choice_functions=call))
