"""`tokviz diff`: whether two tokenizers do the same, and if not, the smallest text that shows it."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict

from tokviz.cli.compare import named_documents
from tokviz.cli.options import Commands, add_command, add_corpus_options, corpus_of
from tokviz.cli.rows import Rows, add_output_options, print_result
from tokviz.cli.streams import say_left_out_lines_of_corpus
from tokviz.cli.tokenizers import TOKENIZER, add_tokenizer_options, read_or_load_tokenizers
from tokviz.core.patterns import short_repr
from tokviz.text.glyphs import escaped_text
from tokviz.vocabulary.difference import Comparison, named_probe_texts

HEADS = {"kind": "kind", "n_texts": "texts", "n_stretches": "stretches", "first": "the first"}


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    examples = "tokviz diff gpt2 converted/tokenizer.json", "tokviz diff a.json b.model --text books/ --no-ids"
    short = "find the smallest text that two tokenizers encode differently"
    command = add_command(commands, "diff", short, print_difference_and_return_exit_code, *examples)
    command.add_argument("tokenizers", nargs=2, metavar="TOKENIZER", help=TOKENIZER)
    texts = "files, folders or globs, may be given several times; by default texts made for it"
    command.add_argument("--text", action="append", default=[], metavar="PATH", help=texts)
    ids = "compare ids, or else where tokens end (ids if both have the same tokens)"
    command.add_argument("--ids", action=argparse.BooleanOptionalAction, help=ids)
    add_corpus_options(command)
    add_tokenizer_options(command, several=True)
    add_output_options(command)


def print_difference_and_return_exit_code(options: argparse.Namespace) -> int:
    """Print the first difference and the kinds of all; return the exit code."""
    left, right = read_or_load_tokenizers(options.tokenizers, options)
    found, corpus, names = Comparison(left, right, options.ids), corpus_of(options.text, options), []
    for name, text in named_documents(corpus) if options.text else named_probe_texts(left, right):
        found.add(text)
        names.append(name)
    say_left_out_lines_of_corpus(corpus)
    rows = sorted(found.kinds.values(), key=lambda row: -row["n_stretches"])
    result = {"by_ids": found.by_ids, "n_texts": found.n_texts, "n_differing": found.n_differing, "kinds": rows}
    first = found.first and asdict(found.first) | {"name": names[found.first.number]}
    table = [Rows(rows, HEADS, {"first": short_repr})] if rows else []
    lines = "\n".join(_lines(found, options.tokenizers, names))
    print_result(options, {"tokenizers": options.tokenizers, **result, "first": first}, lines, *table)
    return 1 if first else 0


def _lines(found: Comparison, tokenizers: list[str], names: list[str]) -> Iterator[str]:
    """Yield how many texts differ, and the first of them with its tokens."""
    what = "ids" if found.by_ids else "where tokens end"
    yield f"Texts that differ, comparing {what}: {found.n_differing:,} of {found.n_texts:,}"
    if first := found.first:
        yield f"{names[first.number]}, as small as it gets: {first.text!r}"
        for name, tokenizer, ids in zip(tokenizers, found.both, (first.left_ids, first.right_ids), strict=True):
            tokens = (f"{tokenizer.token_bytes(i).decode(errors='backslashreplace')!r} {i}" for i in ids)
            yield f"  {escaped_text(name)}: {'  '.join(tokens)}"
