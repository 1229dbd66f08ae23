"""`tokviz count --tree`: the tokens of the files in a folder, as a tree, the largest first."""

import argparse

from tokviz.cli.options import sets_corpus
from tokviz.cli.rows import SHARE, Rows, print_result
from tokviz.cli.streams import say_left_out_lines
from tokviz.cli.tokenizers import DEFAULT, read_or_load_tokenizers
from tokviz.corpus.folder_tokens import folder_tokens
from tokviz.text.glyphs import escaped_text

LIMIT = 20  # rows
HEADS = {"name": "", "n_files": "files", "n_tokens": "tokens", "share": "share"}


def add_tree_options(command: argparse.ArgumentParser) -> None:
    """Add the options that only a tree has."""
    add = command.add_argument
    tree = f"count the tokens of all files in a folder, with one tokenizer ({DEFAULT})"
    add("--tree", action="store_true", help=tree)
    add("--depth", type=int, metavar="N", help="with --tree, how many folders deep to show (all)")
    add("--limit", type=int, metavar="N", help=f"with --tree, how many files and folders to show ({LIMIT})")


def refuse_tree_options(options: argparse.Namespace) -> None:
    """Raise ValueError for an option that only a tree has."""
    if options.depth is not None or options.limit is not None:
        raise ValueError("--depth and --limit are for --tree: add it, or leave them out")


def print_tree(options: argparse.Namespace) -> None:
    """Print the tokens of each file and folder."""
    if options.window is not None or options.chat_format is not None or options.total or sets_corpus(options):
        raise ValueError("--window, --chat-format, --total, --text-key and --stdin are not for --tree: leave them out")
    if len(options.paths) > 1 or len(options.tokenizers) > 1:
        raise ValueError("--tree takes one folder and one tokenizer: name one of each")
    limit = LIMIT if options.limit is None else options.limit
    if limit < 1 or (options.depth or 0) < 0:
        raise ValueError(f"--limit must be at least 1, and --depth at least 0, not {limit} and {options.depth or 0}")
    [tokenizer] = read_or_load_tokenizers(options.tokenizers or [DEFAULT], options)
    found = folder_tokens(options.paths[0], tokenizer)
    rows = found.rows()
    near = [row for row in rows if options.depth is None or _depth(row["path"]) <= options.depth]
    largest = sorted(range(len(near)), key=lambda i: -near[i]["n_tokens"])[:limit]  # a folder before what is in it
    n_all = max(rows[0]["n_tokens"], 1)
    shown = [
        {**near[i], "name": _indented_name(near[i]["path"]), "share": near[i]["n_tokens"] / n_all}
        for i in sorted(largest)
    ]
    say_left_out_lines([escaped_text(reason) for reason in found.unread], 0)
    counts = {
        "more rows": len(rows) - len(shown),
        "files skipped that are binary or not UTF-8": found.n_binary,
        "not read": len(found.unread),
    }
    notes = [f"{what}: {n:,}" for what, n in counts.items() if n]
    result = {"tokenizer": tokenizer.name, "n_binary": found.n_binary, "unread": found.unread, "rows": rows}
    print_result(options, result, Rows(shown, HEADS, {"share": SHARE}), *notes, rows=Rows(rows, {}))


def _indented_name(path: str) -> str:
    """Return the name of a file or a folder, indented as deep as it is.

    >>> _indented_name("./"), _indented_name("a/"), _indented_name("a/b/c.py")
    ('./', '  a/', '      c.py')
    """
    return "  " * _depth(path) + escaped_text(path).rstrip("/").rpartition("/")[2] + "/" * path.endswith("/")


def _depth(path: str) -> int:
    return 0 if path == "./" else path.rstrip("/").count("/") + 1
