"""The command line: train, encode, decode, inspect and compare tokenizers.

In: arguments. Out: results on standard output, for people or as JSON; everything else, progress, hints
and errors, on standard error; and an exit code: 0 done, 1 refused with the reason, 2 not understood,
130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from tokviz.cli import compare, inspect, text, train

DESCRIPTION = """\
Train, use and look into byte pair encodings.

  python -m tokviz train books/ --vocab-size 8192 --output books.model
  python -m tokviz encode books.model story.txt > story.ids
  python -m tokviz decode books.model story.ids
  python -m tokviz inspect books.model
  python -m tokviz compare books.model gpt2 o200k_base --text story.txt

A TOKENIZER is the file of one, or the name of one that ships with tokviz: gpt2, cl100k_base, o200k_base.
Each command tells more: python -m tokviz train --help"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    result = argparse.ArgumentParser(
        prog="python -m tokviz", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = result.add_subparsers(metavar="COMMAND", required=True, dest="command")
    for module in (train, text, inspect, compare):
        module.add_commands(commands)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    options = parser().parse_args(arguments)
    try:
        code = options.run(options)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print(f"tokviz {options.command}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Who reads the output has enough, as in `| head`; Python would complain once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, KeyError, OSError) as e:
        reason = e.args[0] if isinstance(e, KeyError) else e
        print(f"tokviz {options.command}: {reason}", file=sys.stderr)
        return 1
