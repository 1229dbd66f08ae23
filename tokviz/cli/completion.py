"""`tokviz completion`: a script with which a shell completes commands, options, names of tokenizers, and files."""

import argparse

import shtab

from tokviz import cli
from tokviz.cli.options import FILE_COMPLETION, TOKENIZER_COMPLETION, Commands, add_command
from tokviz.formats.pretrained import ENCODINGS, MODELS

# What defines the function that completes a tokenizer, given the names, and what calls it.
SHELLS = {
    "bash": ('_tokviz_tokenizers() {{ compgen -W "{}" -- "$1"; compgen -f -- "$1"; }}', "_tokviz_tokenizers"),
    "zsh": ("_tokviz_tokenizers() {{ compadd -- {}; _files; }}", "_tokviz_tokenizers"),
    "fish": (
        "function _tokviz_tokenizers; string split ' ' '{}'; __fish_complete_path (commandline -ct); end",
        "(_tokviz_tokenizers)",
    ),
}


def add_to_commands(commands: Commands) -> None:
    """Add the command and its option."""
    example = "tokviz completion fish > ~/.config/fish/completions/tokviz.fish"
    command = add_command(
        commands, "completion", "print a script that completes commands in a shell", print_script, example
    )
    command.add_argument("shell", choices=list(SHELLS), metavar="SHELL", help=", ".join(SHELLS))


def print_script(options: argparse.Namespace) -> None:
    """Print the script."""
    definition, call = SHELLS[options.shell]
    names = " ".join(dict.fromkeys([*ENCODINGS, *MODELS]))
    completions = {TOKENIZER_COMPLETION: call, FILE_COMPLETION: shtab.FILE[options.shell]}
    parser = cli.argument_parser()
    print(shtab.complete(parser, options.shell, preamble=definition.format(names), choice_functions=completions))
