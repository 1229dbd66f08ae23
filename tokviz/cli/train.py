"""`tokviz train`: from files to a tokenizer, keeping the counts on the way."""

import argparse
import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tqdm import tqdm

from tokviz.cli.common import Commands, new_command, print_json, say, say_left_out
from tokviz.cli.interrupts import Stop, interrupts
from tokviz.cli.tokenizers import reading_options, say_what_always_matches
from tokviz.cli.training_options import EPILOG, add_options, counts_path, training_texts
from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.training.corpus import FILES_NAMED, Corpus, no_text
from tokviz.training.corpus_counts import CorpusCounts
from tokviz.training.corpus_paths import STDIN
from tokviz.training.mixes import CorpusMix
from tokviz.training.training import smallest_size, steps_from_counts


def add_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = new_command(commands, "train", "train a tokenizer on files", EPILOG)
    add_options(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Count, learn, save; return the exit code."""
    start = time.monotonic()
    output = Path(options.output)
    texts, made_of = training_texts(options)
    with interrupts("train") as stop:
        counts = texts if isinstance(texts, CorpusCounts) else _count(texts, made_of, options, stop)
        if stop.is_set:
            return _report_stop(f"counted {counts.n_batches} batches of text so far", counts_path(options), options)
        steps = _steps(counts, made_of["start"], options, stop)
        tokenizer = Tokenizer.from_steps(steps, name=output.stem, **made_of)
        if stop.is_set:
            part = output.with_name(f"{output.stem}.partial{output.suffix}")
            tokenizer.save(part)
            return _report_stop(f"learned {len(steps):,} merges, kept in {part}", counts_path(options), options)
        tokenizer.save(output)
    if not options.counts and counts is not texts:
        counts_path(options).unlink(missing_ok=True)  # another run with the same output may have deleted it
    _print_hints(counts, len(steps), options.vocab_size - smallest_size(made_of["start"]))
    result = {"output": options.output, **_result(counts, steps, tokenizer, time.monotonic() - start)}
    result["mix"] = texts.sizes if isinstance(texts, CorpusMix) else None
    result["read_with"] = reading_options(tokenizer) if output.suffix == ".tiktoken" else []
    if options.json:
        print_json(result)
    else:
        _print(result)
    say_what_always_matches(options.output, tokenizer)
    return 0


def _count(
    corpus: Corpus | CorpusMix, made_of: dict[str, Any], options: argparse.Namespace, stop: Stop
) -> CorpusCounts:
    """Return the counts of the corpus, begun here or in an earlier run, and keep them in a file."""
    path, total = counts_path(options), corpus.n_bytes
    start: Tokenizer | None = made_of["start"]
    special = [*(start.special_tokens if start else ()), *made_of["special_tokens"]]
    counts = CorpusCounts(split_pattern=made_of["split_pattern"], special_tokens=special)
    with suppress(FileNotFoundError):
        kept = CorpusCounts.read(path)
        CorpusCounts.merged([counts, kept])  # refuses counts of another pattern
        if kept.complete and kept.fingerprint == corpus.fingerprint() is not None:
            return kept
        counts = kept
    saved = time.monotonic()
    hidden = options.quiet or None
    with tqdm(total=total, desc="counting", unit="B", unit_scale=True, disable=hidden, leave=False) as bar:
        for number, part in stop.before_asked(counts.rest(corpus, workers=options.workers)):
            counts.add(number, part, corpus)
            bar.update(corpus.n_read - bar.n)
            if time.monotonic() - saved > options.every:
                counts.save(path)
                saved = time.monotonic()
    if not (counts.counts or stop.is_set):
        path.unlink(missing_ok=True)
        raise no_text(corpus)
    for name in corpus.without_text[:FILES_NAMED]:
        say(f"no text to train on: {name}")
    counts.save(path)
    return counts


def _steps(counts: CorpusCounts, start: Tokenizer | None, options: argparse.Namespace, stop: Stop) -> list[TrainStep]:
    """Return the merges learned until the end, or until stopped."""
    steps: list[TrainStep] = []
    sizes = {"vocab_size": options.vocab_size, "min_count": options.min_count}
    learned = steps_from_counts(counts.counts, **sizes, start=start)
    n_merges = options.vocab_size - smallest_size(start)
    hidden = options.quiet or options.verbose or None
    show = _step_printer(options) if options.verbose else None
    for step in tqdm(stop.before_asked(learned), "merging", n_merges, unit="merge", disable=hidden, leave=False):
        steps.append(step)
        if show:
            show(step)
    return steps


def _step_printer(options: argparse.Namespace) -> Callable[[TrainStep], None]:
    """Return a function that prints a merge: on standard output, unless --json needs that for the result."""
    if options.json:
        return lambda step: say(str(step))

    def show(step: TrainStep) -> None:
        with suppress(BrokenPipeError):  # as in `| head`; the training goes on
            print(step)

    return show


def _print(result: dict[str, Any]) -> None:
    """Print the result for people."""
    print(
        "{output}: vocabulary {n_vocab:,}, merges {n_merges:,}; documents {n_documents:,}, "
        "pretokens {n_pretokens:,}, distinct {n_distinct_pretokens:,}; {seconds:.1f} s".format(**result)
    )
    if result["mix"]:
        print("mix: " + ", ".join(f"{path} {n_bytes:,} bytes" for path, n_bytes in result["mix"].items()))
    if result["read_with"]:
        print(f"{result['output']} holds ranks only; the options that read it:")
        print(shlex.join(result["read_with"]))


def _report_stop(what: str, counts: Path, options: argparse.Namespace) -> int:
    """Say what is kept and how to continue; return the exit code."""
    say(f"tokviz train: stopped; {what}")
    if counts.exists():
        again = "pipe the same input into the same command" if STDIN in options.paths else "give the same command again"
        say(f"to continue, {again}: the counts are in {counts}")
    return 130


def _result(counts: CorpusCounts, steps: list[TrainStep], tokenizer: Tokenizer, seconds: float) -> dict[str, object]:
    """Return what there is to say about a run."""
    return {
        "n_merges": len(steps),
        "n_vocab": tokenizer.n_vocab,
        "n_documents": counts.n_documents,
        "n_pretokens": sum(counts.counts.values()),
        "n_distinct_pretokens": len(counts.counts),
        "n_tokens": steps[-1].n_tokens if steps else None,
        "n_bad_lines": counts.n_bad_lines,
        "bad_lines": [asdict(bad) for bad in counts.bad_lines],
        "seconds": round(seconds, 3),
    }


def _print_hints(counts: CorpusCounts, n_merges: int, n_asked: int) -> None:
    """Say on standard error which lines were left out, and whether training ended early."""
    say_left_out(counts.bad_lines, counts.n_bad_lines)
    if n_merges < n_asked:
        say(f"no pair is left to merge after {n_merges:,} of {n_asked:,} merges")
