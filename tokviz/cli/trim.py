"""`tokviz trim`: a tokenizer with only the tokens that texts reach, and the map from its old ids to the new ones."""

import argparse
from pathlib import Path

from tokviz.cli.options import (
    Commands,
    add_allow_special_option,
    add_command,
    add_corpus_options,
    allowed_special,
    corpus_of,
)
from tokviz.cli.rows import add_output_options, print_result
from tokviz.cli.streams import say_left_out_lines
from tokviz.cli.tokenizers import (
    add_tokenizer_argument_and_options,
    read_or_load_tokenizer,
    reading_hint_lines,
    reading_options,
    warn_if_always_special_lost,
)
from tokviz.core.tokenizer import tokenizer_with_merges
from tokviz.formats.files import tokenizer_file_text
from tokviz.system.atomic_file import check_replaceable, replace_text
from tokviz.training.trim import id_map_csv, trim, trim_to_pretokens


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    example = "tokviz trim cl100k_base books/ --output small.tiktoken --map ids.csv"
    command = add_command(commands, "trim", "drop the tokens that texts never reach", trim_and_save, example)
    add = command.add_argument
    add_tokenizer_argument_and_options(command)
    add("paths", nargs="+", metavar="PATH", help="files, folders, globs, or - for standard input")
    add("--output", "-o", required=True, metavar="FILE", help="where the tokenizer goes; the suffix says which format")
    add("--map", metavar="FILE", help="where the map of the ids goes, as CSV")
    add_allow_special_option(command)
    add_corpus_options(command)
    add_output_options(command)


def trim_and_save(options: argparse.Namespace) -> None:
    """Trim, save both files."""
    output = Path(options.output)
    for path in filter(None, (options.output, options.map)):
        check_replaceable(Path(path))
    if options.map and Path(options.map).resolve() == output.resolve():
        raise ValueError(f"{options.output!r} cannot be both the tokenizer and the map: name another --map")
    tokenizer = tokenizer_with_merges(read_or_load_tokenizer(options.tokenizer, options), "trimming")
    smallest = trim_to_pretokens(tokenizer, ()).tokenizer
    tokenizer_file_text(smallest, output.suffix)  # refuses what the format cannot hold
    corpus = corpus_of(options.paths, options)
    trimmed = trim(tokenizer, corpus, allowed_special=allowed_special(options), name=output.stem)
    if len(corpus.without_text) == len(corpus.files):
        raise ValueError(f"there is no text in {', '.join(options.paths)}")
    say_left_out_lines(corpus.bad_lines, corpus.n_bad)
    trimmed.tokenizer.save(output)
    if options.map:
        replace_text(Path(options.map), id_map_csv(tokenizer, trimmed.ids))
    n_before = len(tokenizer.ordinary_tokens) + len(tokenizer.special_tokens)
    read_with = reading_options(options.output, trimmed.tokenizer)
    result = {"output": options.output, "map": options.map, "n_before": n_before, "n_after": len(trimmed.ids)}
    lines = ["{output}: {n_after:,} of {n_before:,} tokens are kept".format(**result)]
    lines += reading_hint_lines(options.output, read_with)
    print_result(options, result | {"read_with": read_with}, "\n".join(lines))
    warn_if_always_special_lost(options.output, trimmed.tokenizer)
