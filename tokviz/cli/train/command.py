"""`tokviz train`: from files to a tokenizer, keeping the counts on the way."""

import argparse
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from tokviz.cli.interrupts import Stop, items_with_progress_and_saves, stop_on_interrupt
from tokviz.cli.options import Commands, add_command
from tokviz.cli.rows import Rows, print_result
from tokviz.cli.streams import say, say_left_out_lines
from tokviz.cli.tokenizers import reading_hint_lines, reading_options, warn_if_always_special_lost
from tokviz.cli.train.languages import parity_records
from tokviz.cli.train.options import Texts, add_train_options, counts_path, plan_and_texts, reads_stdin
from tokviz.core.steps import WHOLE, TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.corpus.corpus import FILES_NAMED, Corpus, no_text_error
from tokviz.corpus.corpus_counts import CorpusCounts
from tokviz.corpus.mixes import CorpusMix
from tokviz.text.words import quantity
from tokviz.training.plan import Plan

EXAMPLES = (
    "tokviz train books/ --vocab-size 8192 --output books.model",
    'tokviz train "posts/*.jsonl" --text-key content --vocab-size 8192 --special "<|endoftext|>" -o posts.json',
)
PARITY_HEADS = {
    "language": "language",
    "n_merges": "merges for it",
    "n_sentences": "sentences",
    "n_tokens": "tokens of these",
}


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = add_command(commands, "train", "train a tokenizer on files", train_save_and_return_exit_code, *EXAMPLES)
    add_train_options(command)


def train_save_and_return_exit_code(options: argparse.Namespace) -> int:
    """Count, learn, save; return the exit code."""
    start = time.monotonic()
    output = Path(options.output)
    plan, texts = plan_and_texts(options)
    with stop_on_interrupt("train") as stop:
        counts = _count_texts(texts, plan, options, stop)
        if stop.is_set:
            n_batches = sum(each.n_batches for each in counts.values())
            done = f"counted {quantity(n_batches, 'batch', 'batches')} of text so far"
            return _report_stop_and_return_exit_code(done, [*texts], options)
        learned = plan.steps({part: each.counts for part, each in counts.items()})
        steps = _collect_steps(learned, plan.n_merges, options, stop)
        tokenizer = plan.tokenizer(steps, output.stem)
        if stop.is_set:
            part = output.with_name(f"{output.stem}.partial{output.suffix}")
            tokenizer.save(part)
            done = f"learned {quantity(len(steps), 'merge')}, kept in {part}"
            return _report_stop_and_return_exit_code(done, [*texts], options)
        tokenizer.save(output)
    for name in [] if options.counts else [name for name, each in counts.items() if each is not texts.get(name)]:
        counts_path(options, name).unlink(missing_ok=True)  # another run with the same output may have deleted it
    _print_warnings(counts, len(steps), plan.n_merges)
    result = {"output": options.output, **_result_figures(counts, steps, tokenizer, time.monotonic() - start)}
    mix = texts.get(WHOLE)
    result["mix"] = mix.sizes if isinstance(mix, CorpusMix) else None
    result["parity"] = parity_records([*texts], plan.way, steps, tokenizer)
    result["read_with"] = reading_options(options.output, tokenizer)
    print_result(options, result, "\n".join(_result_lines(result)))
    warn_if_always_special_lost(options.output, tokenizer)
    return 0


def _count_texts(
    texts: Mapping[str, Texts], plan: Plan, options: argparse.Namespace, stop: Stop
) -> dict[str, CorpusCounts]:
    """Return the counts of the parts of the texts, those counted until stopped."""
    counts: dict[str, CorpusCounts] = {}
    special = [*plan.initial_tokenizer().special_tokens]
    for language, some in texts.items():
        for part, pattern in plan.patterns_by_part(language).items():
            if stop.is_set:
                return counts
            if isinstance(some, CorpusCounts):
                counts[part] = some
                continue
            none = CorpusCounts(split_pattern=pattern, special_tokens=special)
            counts[part] = _count_corpus(some, counts_path(options, part), none, options, stop)
    return counts


def _count_corpus(
    corpus: Corpus | CorpusMix, path: Path, counts: CorpusCounts, options: argparse.Namespace, stop: Stop
) -> CorpusCounts:
    """Return the counts of the corpus, begun with none or in an earlier run, and keep them in a file."""
    with suppress(FileNotFoundError):
        kept = CorpusCounts.read(path)
        CorpusCounts.merged([counts, kept])  # refuses counts of another pattern
        if kept.complete and kept.fingerprint == corpus.fingerprint() is not None:
            return kept
        counts = kept
    rest = counts.rest(corpus, workers=options.workers)
    save = partial(counts.save, path)
    for number, part in items_with_progress_and_saves(
        rest, stop, corpus, save, doing="counting", every=options.every, quiet=options.quiet
    ):
        counts.add(number, part, corpus)
    if not (counts.counts or stop.is_set):
        path.unlink(missing_ok=True)
        raise no_text_error(corpus)
    for name in corpus.without_text[:FILES_NAMED]:
        say(f"no text to train on: {name}")
    counts.save(path)
    return counts


def _collect_steps(
    learned: Generator[TrainStep], n_merges: int, options: argparse.Namespace, stop: Stop
) -> list[TrainStep]:
    """Return the merges learned until the end, or until stopped."""
    steps: list[TrainStep] = []
    hidden = options.quiet or options.verbose or None
    for step in tqdm(stop.items_until_set(learned), "merging", n_merges, unit="merge", disable=hidden, leave=False):
        steps.append(step)
        if options.verbose:
            _print_step(step, options)
    return steps


def _print_step(step: TrainStep, options: argparse.Namespace) -> None:
    """Print a merge on standard output, unless --json needs that for the result."""
    if options.json:
        say(str(step))
    else:
        with suppress(BrokenPipeError):  # as in `| head`; the training goes on
            print(step)


def _result_lines(result: dict[str, Any]) -> Iterator[str]:
    """Yield the result for people."""
    yield (
        "{output}: vocabulary {n_vocab:,}, merges {n_merges:,}; documents {n_documents:,}, "
        "pretokens {n_pretokens:,}, distinct {n_distinct_pretokens:,}; {seconds:.1f} s".format(**result)
    )
    if result["mix"]:
        yield "mix: " + ", ".join(f"{path} {quantity(n_bytes, 'byte')}" for path, n_bytes in result["mix"].items())
    if result["parity"]:
        yield str(Rows(result["parity"], PARITY_HEADS))
    yield from reading_hint_lines(result["output"], result["read_with"])


def _report_stop_and_return_exit_code(what: str, languages: Sequence[str], options: argparse.Namespace) -> int:
    """Say what is kept and how to continue; return the exit code."""
    say(f"tokviz train: stopped; {what}")
    if kept := [str(path) for path in (counts_path(options, language) for language in languages) if path.exists()]:
        again = "pipe the same input into the same command" if reads_stdin(options) else "give the same command again"
        say(f"to continue, {again}: the counts are in {', '.join(kept)}")
    return 130


def _result_figures(
    counts: Mapping[str, CorpusCounts], steps: list[TrainStep], tokenizer: Tokenizer, seconds: float
) -> dict[str, object]:
    """Return what there is to say about a run."""
    some = [each.counts for each in counts.values()]
    n_distinct = len(some[0]) if len(some) == 1 else len(set().union(*some))  # a set only where they may share
    return {
        "n_merges": len(steps),
        "n_vocab": tokenizer.n_vocab,
        "n_documents": sum(each.n_documents for each in counts.values()),
        "n_pretokens": sum(sum(each.counts.values()) for each in counts.values()),
        "n_distinct_pretokens": n_distinct,
        "n_tokens": steps[-1].n_tokens if steps else None,
        "n_bad_lines": sum(each.n_bad_lines for each in counts.values()),
        "bad_lines": [asdict(bad) for each in counts.values() for bad in each.bad_lines],
        "seconds": round(seconds, 3),
    }


def _print_warnings(counts: Mapping[str, CorpusCounts], n_merges: int, n_asked: int) -> None:
    """Say on standard error which lines were left out, and whether training ended early."""
    bad_lines = [bad for each in counts.values() for bad in each.bad_lines]
    say_left_out_lines(bad_lines, sum(each.n_bad_lines for each in counts.values()))
    if n_merges < n_asked:
        say(f"no pair is left to merge after {n_merges:,} of {quantity(n_asked, 'merge')}")
