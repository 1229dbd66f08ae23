"""`tokviz list`: the tokenizers that come with tokviz."""

import argparse

from tokviz.cli.options import Commands, add_command
from tokviz.cli.rows import Formatters, Rows, add_output_options, print_result
from tokviz.formats.pretrained import ENCODINGS, tokenizer_facts

HEADS = {key: key.replace("_", " ") for key in ("name", "known_as", "maker", "year", "licence", "models")}
MODELS_SHOWN = 4  # in a table, whose lines should fit a terminal


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = add_command(
        commands, "list", "list the tokenizers that come with tokviz, and models that use them", print_tokenizers,
        "tokviz list", "tokviz list --json",
    )  # fmt: skip
    add_output_options(command, csv=True)


def print_tokenizers(options: argparse.Namespace) -> None:
    """Print what is known of each tokenizer; the year is that of the first model with its vocabulary."""
    formatters: Formatters = {"year": str, "models": lambda models: ", ".join(models[:MODELS_SHOWN])}
    print_result(options, Rows([*map(tokenizer_facts, ENCODINGS)], HEADS, formatters))
