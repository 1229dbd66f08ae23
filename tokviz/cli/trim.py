"""`tokviz trim`: a tokenizer with only the tokens that texts reach, and the map from its old ids to the new ones."""

import argparse
import shlex
from pathlib import Path

from tokviz.cli.common import Commands, new_command, print_json, say_left_out
from tokviz.cli.tokenizers import (
    RANKS_ONLY,
    TOKENIZER,
    add_options,
    reading_options,
    say_what_always_matches,
    tokenizer_of,
)
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.files import file_text
from tokviz.system.atomic_file import check_replaceable, replacing
from tokviz.training.corpus import Corpus
from tokviz.training.trim import Trimmed, map_csv, trim, trimmed_to_counts

EPILOG = f"""\
  tokviz trim cl100k_base books/ --output small.tiktoken --map ids.csv
  tokviz trim gpt2 story.txt -o small.json --allow-special "<|endoftext|>"

It keeps the bytes, the special tokens, and every token that a merge makes while the texts are encoded. Ids run
from 0 on in their old order, special tokens last, and the texts have the same tokens as before. The map is CSV: old id,
new id, token. PATHs are as in tokviz train. Special tokens in the texts are plain text unless you allow them.

{RANKS_ONLY}"""


def add_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = new_command(commands, "trim", "drop the tokens that texts never reach", EPILOG)
    add = command.add_argument
    add("tokenizer", metavar="TOKENIZER", help=TOKENIZER)
    add("paths", nargs="+", metavar="PATH", help="files, folders, globs, or - for standard input")
    add("--output", "-o", required=True, metavar="FILE", help="where the tokenizer goes; the suffix tells the format")
    add("--map", metavar="FILE", help="where the map of the ids goes, as CSV")
    add("--allow-special", action="append", default=[], metavar="TOKEN", help="a special token, or all")
    add("--text-key", default="text", metavar="KEY", help='the key of the text in lines of JSON ("text")')
    add_options(command)
    add("--json", action="store_true", help="print the result as JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Trim, save both files; return the exit code."""
    output = Path(options.output)
    for path in filter(None, (options.output, options.map)):
        check_replaceable(Path(path))
    if options.map and Path(options.map).resolve() == output.resolve():
        raise ValueError(f"{options.output!r} cannot be both the tokenizer and the map: name another --map")
    tokenizer = tokenizer_of(options.tokenizer, options)
    if not isinstance(tokenizer, Tokenizer):
        raise ValueError(f"only byte-level BPE can be trimmed, and {options.tokenizer} is {tokenizer.kind}")
    file_text(trimmed_to_counts(tokenizer, ()).tokenizer, output.suffix)  # refuses what the format cannot hold
    corpus = Corpus(options.paths, text_key=options.text_key)
    allowed = "all" if "all" in options.allow_special else options.allow_special
    trimmed = trim(tokenizer, corpus, allowed_special=allowed, name=output.stem)
    if len(corpus.without_text) == len(corpus.files):
        raise ValueError(f"there is no text in {', '.join(options.paths)}")
    say_left_out(corpus.bad_lines, corpus.n_bad)
    trimmed.tokenizer.save(output)
    if options.map:
        with replacing(Path(options.map)) as file:
            file.write(map_csv(tokenizer, trimmed.ids).encode())
    _print(options, tokenizer, trimmed)
    say_what_always_matches(options.output, trimmed.tokenizer)
    return 0


def _print(options: argparse.Namespace, tokenizer: Tokenizer, trimmed: Trimmed) -> None:
    """Print what became smaller, and how a file of ranks alone is read again."""
    read_with = reading_options(trimmed.tokenizer) if options.output.endswith(".tiktoken") else []
    n_before = len(tokenizer.mergeable_ranks) + len(tokenizer.special_tokens)
    result = {"output": options.output, "map": options.map, "n_before": n_before, "n_after": len(trimmed.ids)}
    if options.json:
        print_json(result | {"read_with": read_with})
        return
    print("{output}: {n_after:,} of {n_before:,} tokens are kept".format(**result))
    if read_with:
        print(f"{options.output} holds ranks only; the options that read it:")
        print(shlex.join(read_with))
