"""`tokviz audit`: tokens no text can produce, twins, and candidates for under-training."""

import argparse
import sys

from tokviz.audits.audit import Audit, audit
from tokviz.audits.audit_report import as_csv, as_json, as_markdown, rows
from tokviz.cli.common import Commands, new_command, print_table
from tokviz.cli.tokenizers import RANKS_ONLY, TOKENIZER, add_options, tokenizer_of

EPILOG = f"""\
  tokviz audit cl100k_base
  tokviz audit books.model --csv > audit.csv
  tokviz audit o200k_base --json --all

never: no text has the token, which is proved. only in context: its own text encodes to other tokens, or is no text, but
a longer one has it, which is shown. not found: neither. absorbed: as soon as the token was learned, a merge took nearly
all of it. Such tokens, and those that look like special tokens, are candidates for under-training; only the model's
embeddings can tell. It takes some seconds for 200,000 tokens.

--json, --csv and --markdown have the candidates; --all, with the first two, every token.

{RANKS_ONLY}"""


def add_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = new_command(commands, "audit", "find tokens that no text has, twins, and untrained ones", EPILOG)
    command.add_argument("tokenizer", metavar="TOKENIZER", help=TOKENIZER)
    command.add_argument("--limit", type=int, default=20, metavar="N", help="how many of the candidates to show (20)")
    command.add_argument("--all", action="store_true", help="every token, with --json and --csv")
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print the audit as JSON")
    shown.add_argument("--csv", action="store_true", help="print a row for each candidate as CSV")
    shown.add_argument("--markdown", action="store_true", help="print a report in Markdown")
    add_options(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the audit; return the exit code."""
    if options.limit < 0:
        raise ValueError(f"--limit must be a number of at least 0, not {options.limit}")
    if options.all and not (options.json or options.csv):
        raise ValueError("--all is for --json and --csv: add one of them")
    found = audit(tokenizer_of(options.tokenizer, options))
    if options.json:
        print(as_json(found, every=options.all))
    elif options.csv:
        sys.stdout.write(as_csv(found, every=options.all))
    elif options.markdown:
        sys.stdout.write(as_markdown(found))
    else:
        _print(found, options.limit)
    return 0


def _print(found: Audit, limit: int) -> None:
    """Print the audit for people; texts are quoted, so that unprintable characters show."""
    print_table([found.name, "tokens"], found.summary.items())
    candidates = rows(found)[:limit]
    if candidates:
        print(f"\nThe first {len(candidates):,} of {len(found.candidates):,} candidates for under-training")
        cells = [(str(row["id"]), _shown(row), str(row["reach"]), str(row["signs"])) for row in candidates]
        print_table(["id", "token", "reach", "signs"], cells)
    for special in found.special[:limit]:
        print(f"\n{special.text!r} as plain text: {' '.join(map(str, special.plain_ids))}")


def _shown(row: dict[str, object]) -> str:
    return str(bytes.fromhex(str(row["bytes"]))) if row["text"] is None else repr(row["text"])
