"""`tokviz train`: files in, a tokenizer out, with counts kept on the way."""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from tqdm import tqdm

from tokviz.cli.common import Commands, new_command, print_json
from tokviz.cli.interrupts import Stop, interrupts
from tokviz.corpus import Corpus
from tokviz.corpus_counts import SUFFIX, CorpusCounts
from tokviz.corpus_paths import STDIN
from tokviz.patterns import SPLIT_PATTERNS
from tokviz.steps import TrainStep
from tokviz.tokenizer import Tokenizer
from tokviz.training import N_BYTES, check_sizes, steps_from_counts

EPILOG = f"""\
what is read:
  A PATH is a file, a folder (all files in it), a glob in quotes, or - for standard input; file names end
  in .txt or .jsonl, or in .gz after that. A .txt file is one document; of a .jsonl file each line is
  one, its text under the key "text" or --text-key. No merge reaches from one document into another.
  Lines that are no UTF-8, no JSON or lack the key are left out and told by file and line.

how it works:
  First the pretokens are counted, which takes longest: by several processes, and in memory that grows
  with the number of distinct pretokens, not with the files. Then the merges are learned from the counts.
  The counts are kept in OUTPUT{SUFFIX} until all is done. A run that was stopped or killed goes on from
  there if the same command is given again, and ends in the same merges.

one pass, many sizes:
  python -m tokviz train corpus/ --vocab-size 8192 --output small.model --counts corpus.counts
  python -m tokviz train corpus.counts --vocab-size 32768 --output large.model
  python -m tokviz train first.counts second.counts --vocab-size 8192 --output both.model

split patterns: {", ".join(SPLIT_PATTERNS)}, or a regular expression; with one of your own, or "none", a
.txt file is held in memory as a whole."""


def add_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = new_command(commands, "train", "train a tokenizer on files", EPILOG)
    add = command.add_argument
    add("paths", nargs="+", metavar="PATH", help=f"files, folders, globs, -, or files of counts ({SUFFIX})")
    add("--vocab-size", type=int, required=True, metavar="N", help="bytes (256) and merges, without special tokens")
    add("--output", "-o", required=True, metavar="FILE", help="where the tokenizer goes; the name's end is its format")
    add("--split-pattern", default="cl100k", metavar="PATTERN", help="a name or a regular expression (cl100k)")
    add("--special", action="append", default=[], metavar="TOKEN", help="a special token; may be given several times")
    add("--min-count", type=int, default=1, metavar="N", help="how often a pair must occur to be merged (1)")
    add("--text-key", default="text", metavar="KEY", help='where lines of JSON have their text ("text")')
    add("--stdin", choices=("txt", "jsonl"), default="txt", help="the format of standard input (txt)")
    add("--strict", action="store_true", help="stop at the first bad line")
    add("--workers", type=int, metavar="N", help="processes that count (one a core, for 4 MB and more)")
    add("--counts", metavar="FILE", help=f"where the counts are kept, and stay (OUTPUT{SUFFIX}, deleted at the end)")
    add("--every", type=float, default=30, metavar="SECONDS", help="how often the counts are saved (30)")
    add("--json", action="store_true", help="print the result as JSON")
    add("--quiet", "-q", action="store_true", help="no progress bars")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Count, learn, save; return the exit code."""
    start = time.monotonic()
    made_of = {"split_pattern": options.split_pattern, "special_tokens": options.special}
    output = Path(options.output)
    with interrupts() as stop:
        if all(path.endswith(SUFFIX) for path in options.paths):
            counts, temporary = CorpusCounts.merged(map(CorpusCounts.read, options.paths)), False
            made_of = {"split_pattern": counts.split_pattern, "special_tokens": counts.special_tokens}
            _check(output, made_of, options)
            if not counts.complete:
                print("tokviz train: of the corpus, these counts hold a part only", file=sys.stderr)
        else:
            _check(output, made_of, options)
            corpus = Corpus(options.paths, text_key=options.text_key, stdin=options.stdin, strict=options.strict)
            counts, temporary = _counted(corpus, made_of, options, stop), not options.counts
        if stop.asked:
            return _stopped(f"counted {counts.n_batches} batches of text so far", _counts_path(options), options)
        steps = _steps(counts, options, stop)
        tokenizer = Tokenizer.from_steps(steps, name=output.stem, **made_of)
        if stop.asked:
            part = output.with_name(f"{output.stem}.partial{output.suffix}")
            tokenizer.save(part)
            return _stopped(f"learned {len(steps):,} merges, kept in {part}", _counts_path(options), options)
        tokenizer.save(output)
    if temporary:
        _counts_path(options).unlink()
    _print_hints(counts, len(steps), options.vocab_size - N_BYTES)
    result = {"output": options.output, **_result(counts, steps, tokenizer, time.monotonic() - start)}
    if options.json:
        print_json(result)
    else:
        print(
            "{output}: vocabulary {n_vocab:,}, merges {n_merges:,}; documents {n_documents:,}, "
            "pretokens {n_pretokens:,}, distinct {n_distinct_pretokens:,}; {seconds:.1f} s".format(**result)
        )
    return 0


def _check(output: Path, made_of: dict, options: argparse.Namespace) -> None:
    """Refuse before any work what could not be saved after it."""
    check_sizes(options.vocab_size, options.min_count)
    if not output.parent.is_dir():
        raise ValueError(f"there is no folder {str(output.parent)!r} for the output")
    with tempfile.TemporaryDirectory() as folder:
        Tokenizer.from_steps((), **made_of).save(Path(folder, output.name))


def _counts_path(options: argparse.Namespace) -> Path:
    return Path(options.counts or options.output + SUFFIX)


def _counted(corpus: Corpus, made_of: dict, options: argparse.Namespace, stop: Stop) -> CorpusCounts:
    """Return the counts of the corpus, begun here or in an earlier run; kept in a file at the end."""
    path, total = _counts_path(options), corpus.n_bytes
    counts = CorpusCounts(**made_of)
    if path.exists():
        kept = CorpusCounts.read(path)
        CorpusCounts.merged([counts, kept])  # refuses what was counted with another pattern
        if kept.complete and kept.fingerprint == corpus.fingerprint() is not None:
            return kept
        counts = kept
    workers = options.workers or (os.cpu_count() or 1 if total is None or total > 4_000_000 else 1)
    saved = time.monotonic()
    hidden = options.quiet or None
    with tqdm(total=total, desc="counting", unit="B", unit_scale=True, disable=hidden, leave=False) as bar:
        for _ in counts.count(corpus, workers=workers):
            bar.update(corpus.n_read - bar.n)
            if stop.asked:
                break
            if time.monotonic() - saved > options.every:
                counts.save(path)
                saved = time.monotonic()
    counts.save(path)
    return counts


def _steps(counts: CorpusCounts, options: argparse.Namespace, stop: Stop) -> list[TrainStep]:
    """Return the merges learned until the end, or until stopped."""
    steps: list[TrainStep] = []
    learned = steps_from_counts(counts.counts, vocab_size=options.vocab_size, min_count=options.min_count)
    n_merges = options.vocab_size - N_BYTES
    for step in tqdm(learned, "merging", n_merges, unit="merge", disable=options.quiet or None, leave=False):
        steps.append(step)
        if stop.asked:
            break
    return steps


def _stopped(what: str, counts: Path, options: argparse.Namespace) -> int:
    """Say what is kept and how to go on; return the exit code."""
    print(f"tokviz train: stopped; {what}", file=sys.stderr)
    if counts.exists():
        again = "pipe the same input into the same command" if STDIN in options.paths else "give the same command again"
        print(f"to go on, {again}: the counts are in {counts}", file=sys.stderr)
    return 130


def _result(counts: CorpusCounts, steps: list[TrainStep], tokenizer: Tokenizer, seconds: float) -> dict[str, object]:
    """Return what there is to say of a run."""
    return {
        "n_merges": len(steps),
        "n_vocab": tokenizer.n_vocab,
        "n_documents": counts.n_documents,
        "n_pretokens": sum(counts.counts.values()),
        "n_distinct_pretokens": len(counts.counts),
        "n_tokens": steps[-1].n_tokens if steps else None,
        "n_bad_lines": counts.n_bad_lines,
        "bad_lines": [dict(zip(("file", "line", "reason"), bad, strict=True)) for bad in counts.bad_lines],
        "seconds": round(seconds, 3),
    }


def _print_hints(counts: CorpusCounts, n_merges: int, n_asked: int) -> None:
    """Say on standard error what lines were left out, and that training ended early."""
    for file, line, reason in counts.bad_lines[:10]:
        print(f"left out: {file}, line {line}: {reason}", file=sys.stderr)
    if counts.n_bad_lines > 10:
        print(f"left out: {counts.n_bad_lines - 10:,} more lines", file=sys.stderr)
    if n_merges < n_asked:
        print(f"no pair is left to merge after {n_merges:,} of {n_asked:,} merges", file=sys.stderr)
