"""`tokviz compare`: one text under several tokenizers, and what changes from one to another."""

import argparse
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from tokviz.cli.options import Commands, add_command, add_corpus_options, add_parameters_option, corpus_of, sets_corpus
from tokviz.cli.rows import SHARE, Rows, add_output_options, print_result
from tokviz.cli.streams import read_file_or_stdin_text, say_left_out_lines
from tokviz.cli.tokenizers import TOKENIZER, add_tokenizer_options, read_or_load_tokenizers
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.documents import document_texts, documents_with_places
from tokviz.corpus.paths import STDIN
from tokviz.display.saved_page import report_page
from tokviz.system.atomic_file import check_replaceable, replace_text
from tokviz.text.glyphs import escaped_text
from tokviz.text.tables import text_figures
from tokviz.vocabulary.cost import n_embedding_and_output_parameters
from tokviz.vocabulary.replacement import NamedText, line_texts, replacement_report, sample_texts

HEADS = {
    "tokenizer": "tokenizer",
    "n_vocab": "vocabulary",
    "n_tokens": "tokens",
    "n_distinct": "different",
    "bytes_per_token": "bytes/token",
    "chars_per_token": "chars/token",
    "tokens_per_word": "tokens/word",
}


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    examples = (
        "tokviz compare gpt2 o200k_base --text story.txt",
        "tokviz compare gpt2 o200k_base --report --text books/ --html report.html",
        "tokviz compare a.tiktoken b.tiktoken --split-pattern gpt2 --split-pattern o200k --text story.txt",
    )
    command = add_command(
        commands, "compare", "count the tokens of a text under several tokenizers", print_comparison, *examples
    )
    command.add_argument("tokenizers", nargs="+", metavar="TOKENIZER", help=TOKENIZER)
    texts = "a text; by default standard input; with --report files, folders or globs, or the samples included"
    command.add_argument("--text", action="append", metavar="FILE", help=texts)
    command.add_argument("--report", action="store_true", help="what changes from the first tokenizer to the second")
    command.add_argument("--html", metavar="FILE", help="with --report, write it as a page")
    add_corpus_options(command)
    add_parameters_option(command)
    add_tokenizer_options(command, several=True)
    add_output_options(command, csv=True)


def print_comparison(options: argparse.Namespace) -> None:
    """Print the figures of each tokenizer, or what changes."""
    if options.report:
        _print_or_write_report(options)
        return
    if options.html or len(options.text or ()) > 1 or sets_corpus(options):
        raise ValueError("--html, --text-key, --stdin and several --text are for --report: add it, or leave them out")
    [path] = options.text or [STDIN]
    tokenizers, text = read_or_load_tokenizers(options.tokenizers, options), read_file_or_stdin_text(path)
    named = zip(options.tokenizers, tokenizers, strict=True)
    records = [{"tokenizer": name, **text_figures(tokenizer, text)} for name, tokenizer in named]
    heads = dict(HEADS)
    if options.parameters is not None:
        heads["embedding"] = "embedding"
        for record in records:
            record["embedding"], _ = n_embedding_and_output_parameters(record["n_vocab"], options.parameters, tied=True)
    if any(record["unknown_share"] for record in records):
        heads["unknown_share"] = "unknown"
    print_result(options, Rows(records, heads, {"unknown_share": SHARE}))


def _print_or_write_report(options: argparse.Namespace) -> None:
    """Print what changes from one tokenizer to another, or write it as a page."""
    if len(options.tokenizers) != 2 or options.csv or options.parameters is not None:
        raise ValueError("--report takes two tokenizers, without --csv and --parameters: name the old one and the new")
    if options.html:
        check_replaceable(Path(options.html))
    left, right = read_or_load_tokenizers(options.tokenizers, options)
    names = escaped_text(options.tokenizers[0]), escaped_text(options.tokenizers[1])
    sections = replacement_report(left, right, _named_texts(options), names=names)
    if options.html:
        replace_text(Path(options.html), report_page(sections))
    shown = ("\n  ".join([title, *lines]) for title, lines in sections.items())
    print_result(options, sections, *shown)


def named_documents(corpus: Corpus) -> Iterator[NamedText]:
    """Yield the texts of a corpus, each with its file and line as its name."""
    for placed in documents_with_places(corpus):
        yield f"{escaped_text(placed.file)}, line {placed.line}", "\n".join(document_texts(placed.document))


def _named_texts(options: argparse.Namespace) -> Iterator[NamedText]:
    """Yield the texts to compare with their names: documents, the lines of a single one, or the samples."""
    if not options.text:
        yield from sample_texts()
        return
    corpus = corpus_of(options.text, options)
    documents = named_documents(corpus)
    first = list(islice(documents, 2))
    yield from line_texts(first[0][1]) if len(first) == 1 else chain(first, documents)
    say_left_out_lines(corpus.bad_lines, corpus.n_bad)
