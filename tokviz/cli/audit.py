"""`tokviz audit`: tokens no text can produce, twins, and candidates for under-training."""

import argparse
import sys
from collections.abc import Iterator

from tokviz.cli.options import Commands, add_command, add_limit_option, checked_limit
from tokviz.cli.rows import Rows, add_output_options
from tokviz.cli.tokenizers import add_tokenizer_argument_and_options, read_or_load_tokenizer
from tokviz.vocabulary.audit import Audit, audit
from tokviz.vocabulary.audit_report import Row, as_csv, as_json, as_markdown, audit_rows


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    examples = ("tokviz audit cl100k_base", "tokviz audit books.model --csv > audit.csv")
    command = add_command(
        commands, "audit", "find tokens that no text has, twins, and untrained ones", print_audit, *examples
    )
    add_tokenizer_argument_and_options(command)
    add_limit_option(command)
    command.add_argument("--all", action="store_true", help="every token, with --json and --csv")
    add_output_options(command, csv=True).add_argument(
        "--markdown", action="store_true", help="print a report in Markdown"
    )


def print_audit(options: argparse.Namespace) -> None:
    """Print the audit."""
    limit = checked_limit(options)
    if options.all and not (options.json or options.csv):
        raise ValueError("--all is for --json and --csv: add one of them")
    found = audit(read_or_load_tokenizer(options.tokenizer, options))
    if options.json:
        print(as_json(found, every=options.all))
    elif options.csv:
        sys.stdout.write(as_csv(found, every=options.all))
    elif options.markdown:
        sys.stdout.write(as_markdown(found))
    else:
        print(*_report_sections(found, limit), sep="\n\n")


def _report_sections(found: Audit, limit: int) -> Iterator[object]:
    """Yield the audit for people; texts are quoted, so that unprintable characters show."""
    yield Rows.of_lines([found.name, "tokens"], found.summary.items())
    candidates = audit_rows(found)[:limit]
    if candidates:
        records = [row | {"token": _text_or_bytes(row)} for row in candidates]
        heads = {key: key for key in ("id", "token", "reach", "signs")}
        table = Rows(records, heads, {"id": str, "token": repr})
        yield f"Candidates for under-training, the first {len(candidates):,} of {len(found.candidates):,}\n{table}"
    if special := found.special[:limit]:
        yield "\n".join(f"{each.text!r} as plain text: {' '.join(map(str, each.plain_ids))}" for each in special)


def _text_or_bytes(row: Row) -> object:
    return bytes.fromhex(str(row["bytes"])) if row["text"] is None else row["text"]
