"""`tokviz encode --output`: the ids of a corpus into a file to train models from."""

import argparse
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from tokviz.cli.interrupts import interrupts, saving
from tokviz.cli.options import add_corpus, add_every, corpus_of
from tokviz.cli.rows import print_result
from tokviz.cli.streams import say, say_left_out
from tokviz.cli.tokenizers import NamedTokenizer, tokenizer_of
from tokviz.core.protocol import AnyTokenizer
from tokviz.training.token_file import TokenFile, id_arrays


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options that go with --output."""
    add = command.add_argument
    add("-o", "--output", metavar="FILE", help="write the ids of files and folders into a .npy or .bin file")
    add("--separator", metavar="TOKEN", help="with --output, the special token after each document")
    add_corpus(command)
    add_every(command)


def run(options: argparse.Namespace, name: str, paths: Sequence[str], allowed: str | Sequence[str]) -> int:
    """Write the ids of a corpus; return the exit code."""
    start = time.monotonic()
    tokenizer = tokenizer_of(name, options)
    separator = _separator(tokenizer, options.separator)
    corpus = corpus_of(paths, options)
    fingerprint = corpus.fingerprint()
    others: list[object] = [_made_of(name), options.split_pattern, options.special, separator, allowed]
    made_of = None if fingerprint is None else [*fingerprint, *others]
    file = TokenFile(Path(options.output), tokenizer.n_vocab, made_of)
    arrays = id_arrays(tokenizer, corpus, separator=separator, allowed_special=allowed, first=file.n_texts)
    try:
        with interrupts("encode") as stop:
            for ids in saving(arrays, stop, corpus, file.keep, doing="encoding", every=options.every):
                file.add(ids)
            if stop.is_set:
                return _report_stop(file, made_of is not None)
        file.finish()
    finally:
        file.close()
    say_left_out(corpus.bad_lines, corpus.n_bad)
    result = {"output": options.output, "tokenizer": tokenizer.name, "n_tokens": file.n_ids, "dtype": file.dtype.name}
    result |= {"n_documents": corpus.n_documents, "seconds": round(time.monotonic() - start, 3)}
    shown = "{output}: {n_tokens:,} ids, {dtype}; documents {n_documents:,}; {seconds:.1f} s"
    print_result(options, result, shown.format(**result))
    return 0


def _separator(tokenizer: AnyTokenizer, name: str | None) -> int | None:
    """Return the id of a special token; ValueError if there is none of this name."""
    if name is not None and name not in tokenizer.special_tokens:
        known = ", ".join(sorted(tokenizer.special_tokens)[:10]) or "none"
        raise ValueError(f"{name!r} is not a special token of {tokenizer.name}, which has {known}")
    return None if name is None else tokenizer.special_tokens[name]


def _made_of(name: str) -> str:
    """Return what tells a tokenizer from others: its name, or the hash of its file."""
    file = NamedTokenizer.opened(name).file
    return name if file is None else sha256(file.data).hexdigest()


def _report_stop(file: TokenFile, can_go_on: bool) -> int:
    """Keep what is written, and say how to go on; return the exit code."""
    file.keep()
    again = "to continue, give the same command again" if can_go_on else "what comes through a pipe begins anew"
    say(f"tokviz encode: stopped after {file.n_ids:,} ids; {again}")
    return 130
