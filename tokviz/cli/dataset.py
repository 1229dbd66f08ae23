"""`tokviz count --tokenizer`: the tokens of a data set under several tokenizers, document by document."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokviz.chats.formats import FORMAT_NAMES, ChatFormat, Template, named_format
from tokviz.chats.teaching import TEMPLATES
from tokviz.cli.common import print_csv, print_json, print_table, say_left_out, text_of
from tokviz.cli.tokenizers import TOKENIZER, add_special, chat_settings_of, tokenizers_of
from tokviz.core.chat_settings import ChatSettings
from tokviz.core.protocol import AnyTokenizer
from tokviz.dataset.counting import SCAFFOLDING, DatasetCount
from tokviz.dataset.documents import batches, placed_documents
from tokviz.dataset.figures import as_json, bin_name, figures, histogram_rows, used_parts
from tokviz.dataset.lengths import WINDOW
from tokviz.training.corpus import Corpus

USUAL = "usual"
EPILOG = """\
With --tokenizer, which may be given several times, it counts the tokens of a data set instead, document by document,
in memory that does not grow with their number. A .txt file is a document. In a .jsonl file each line is one: a text
under --text-key, else the chat under "messages", a list of {"role": …, "content": …}, or "conversations", a list of
{"from": …, "value": …}, else a "prompt" and its "completion", which may be lists of messages too; other lines are left
out and named. All lengths are in tokens.

median, 95%: the smallest length that so many percent of the documents do not exceed. over, lost: the documents longer
than --window, and the tokens behind it that truncation drops. A text has the tokens of tokviz encode; prompt
and completion are encoded each on its own. A chat is turned into a prompt by --chat-format: a token with a part of
what a message says counts for its role, and all others are scaffolding.

--csv prints the table alone; --json has everything. For one text see tokviz compare."""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options that only a count of tokens has."""
    several = f"count tokens: {TOKENIZER}; may be given several times"
    command.add_argument(
        "--tokenizer", action="append", default=[], dest="tokenizers", metavar="TOKENIZER", help=several
    )
    command.add_argument("--window", type=int, metavar="TOKENS", help=f"the context window ({WINDOW:,})")
    formats = (
        f"of chats: ChatML, harmony, {', '.join(TEMPLATES)}, a file with a Jinja template, or {USUAL}: the template of "
        "the tokenizer's file, harmony if it has the markers, else ChatML"
    )
    command.add_argument("--chat-format", metavar="FORMAT", help=formats)
    add_special(command, "a special token of a .tiktoken file")


def refuse_options(options: argparse.Namespace) -> None:
    """Raise ValueError for an option that only a count of tokens has."""
    for name in ("window", "chat_format", "special"):
        if getattr(options, name) not in (None, []):
            raise ValueError(f"--{name.replace('_', '-')} is for counts of tokens: name a --tokenizer, or leave it out")


def run(options: argparse.Namespace) -> int:
    """Print the figures of a data set under each tokenizer; return the exit code."""
    window = WINDOW if options.window is None else options.window
    if window < 1:
        raise ValueError(f"--window must be at least 1 token, not {window}: {WINDOW:,} is usual")
    tokenizers = tokenizers_of(options.tokenizers, options)
    counts = [
        DatasetCount(tokenizer, chat_format(options.chat_format or USUAL, tokenizer, chat_settings_of(name)))
        for name, tokenizer in zip(options.tokenizers, tokenizers, strict=True)
    ]
    corpus = Corpus(options.paths, text_key=options.text_key, stdin=options.stdin)
    for batch in batches(placed_documents(corpus)):
        for count in counts:
            count.add(batch)
    say_left_out(corpus.bad_lines, corpus.n_bad)
    for count in counts:
        say_left_out(count.uncounted, count.n_uncounted)
    if options.json:
        print_json([as_json(name, count, window) for name, count in zip(options.tokenizers, counts, strict=True)])
    elif options.csv:
        print_csv(_csv_rows(options.tokenizers, counts, window))
    else:
        _print(options.tokenizers, counts, window)
    return 0


def chat_format(name: str, tokenizer: AnyTokenizer, settings: ChatSettings) -> ChatFormat:
    """Return a format by its name, or that of a template in a file; ValueError for one that is neither."""
    tokens = tuple(settings.tokens.items())
    if name == USUAL:
        own = next(iter(settings.templates.values()), None)
        return named_format(None, tokenizer, tokens) if own is None else Template("its own template", own, tokens)
    try:
        return named_format(name, tokenizer, tokens)
    except ValueError:
        if not Path(name).exists():
            raise ValueError(
                f"there is no chat format and no file {name!r}: expected is {USUAL}, {', '.join(FORMAT_NAMES)}, or a "
                "file with a Jinja template"
            ) from None
    return Template(Path(name).name, text_of(name), tokens)


def _csv_rows(names: Sequence[str], counts: Sequence[DatasetCount], window: int) -> list[dict[str, Any]]:
    """Return a row for each tokenizer, with a column for each part that any of them has."""
    parts = used_parts(counts)
    return [
        figures(name, count, window) | {f"n_{part}".replace(" ", "_"): count.tokens.by_part[part] for part in parts}
        for name, count in zip(names, counts, strict=True)
    ]


def _print(names: Sequence[str], counts: Sequence[DatasetCount], window: int) -> None:
    """Print the figures as tables: lengths, parts unless there are only texts, the histogram, the longest documents."""
    named = list(zip(names, counts, strict=True))
    columns = ("tokenizer", "n_documents", "n_tokens", "shortest", "median", "p95", "longest", "n_over", "n_lost")
    rows = [figures(name, count, window) for name, count in named]
    heads = ["tokenizer", "documents", "tokens", "shortest", "median", "95%", "longest", f"over {window:,}", "lost"]
    print_table(heads, [[row[column] for column in columns] for row in rows])
    parts = used_parts(counts)
    if parts not in ([], ["text"]):
        print()
        _print_parts(parts, named)
    if bins := histogram_rows(counts):
        print()
        print_table(["tokens", *names], [[bin_name(ends), *numbers] for ends, numbers in bins])
    for name, count in named:
        if longest := count.tokens.longest_documents():
            print()
            places = [[f"{each.file}, line {each.line}", each.n_tokens] for each in longest]
            print_table([f"longest under {name}", "tokens"], places)


def _print_parts(parts: Sequence[str], named: Sequence[tuple[str, DatasetCount]]) -> None:
    """Print the tokens of each part, and for chats the share of scaffolding and the format."""
    has_chats = SCAFFOLDING in parts
    heads = ["tokens of", *parts, *(["share", "chat format"] if has_chats else [])]
    rows = []
    for name, count in named:
        tokens = count.tokens
        row: list[object] = [name, *(tokens.by_part[part] for part in parts)]
        if has_chats:
            share = tokens.by_part[SCAFFOLDING] / max(1, tokens.n_tokens)
            row += [f"{share:.1%}", count.chat_format.name]
        rows.append(row)
    print_table(heads, rows)
