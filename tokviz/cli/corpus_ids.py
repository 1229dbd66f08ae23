"""`tokviz encode --output`: the ids of a corpus into a file to train models from."""

import argparse
import time
from collections.abc import Generator, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from tqdm import tqdm

from tokviz.cli.common import print_json, say, say_left_out
from tokviz.cli.interrupts import Stop, interrupts
from tokviz.cli.tokenizers import NamedTokenizer, tokenizer_of
from tokviz.core.protocol import AnyTokenizer
from tokviz.training.corpus import Corpus
from tokviz.training.token_file import TokenFile, id_arrays

EPILOG = """\
  tokviz encode gpt2 books/ more.jsonl.gz --output ids.bin --separator "<|endoftext|>"
  tokviz encode -t o200k_base books/ -o ids.npy

With --output, PATHs are as in tokviz train: files, folders and globs, .txt and .jsonl, gzipped or not. Their
ids go into one file, in order, --separator after each document: a .npy file that numpy.load reads, or a .bin file with
the ids alone, as nanoGPT reads them. They are uint16 where the vocabulary has at most 65,536 ids, else uint32; the
result says which. All cores encode, and memory does not grow with the files, except with a document under a split
pattern of your own or with --allow-special. Stopped or killed? Give the same command again."""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options that go with --output."""
    add = command.add_argument
    add("-o", "--output", metavar="FILE", help="write the ids of files and folders into a .npy or .bin file")
    add("--separator", metavar="TOKEN", help="with --output, the special token after each document")
    add("--text-key", default="text", metavar="KEY", help='the key of the text in lines of JSON ("text")')
    add("--stdin", choices=("txt", "jsonl"), default="txt", help="the format of standard input and other pipes (txt)")
    add("--every", type=float, default=30, metavar="SECONDS", help="how often the ids so far are made safe (30)")


def run(options: argparse.Namespace, name: str, paths: Sequence[str], allowed: str | Sequence[str]) -> int:
    """Write the ids of a corpus; return the exit code."""
    start = time.monotonic()
    tokenizer = tokenizer_of(name, options)
    separator = _separator(tokenizer, options.separator)
    corpus = Corpus(paths, text_key=options.text_key, stdin=options.stdin)
    fingerprint = corpus.fingerprint()
    others: list[object] = [_made_of(name), options.split_pattern, options.special, separator, allowed]
    made_of = None if fingerprint is None else [*fingerprint, *others]
    file = TokenFile(Path(options.output), tokenizer.n_vocab, made_of)
    arrays = id_arrays(tokenizer, corpus, separator=separator, allowed_special=allowed, first=file.n_texts)
    try:
        with interrupts("encode") as stop:
            _write(file, stop, arrays, corpus, options.every)
            if stop.is_set:
                return _report_stop(file, made_of is not None)
        file.finish()
    finally:
        file.close()
    say_left_out(corpus.bad_lines, corpus.n_bad)
    result = {"output": options.output, "tokenizer": tokenizer.name, "n_tokens": file.n_ids, "dtype": file.dtype.name}
    result |= {"n_documents": corpus.n_documents, "seconds": round(time.monotonic() - start, 3)}
    if options.json:
        print_json(result)
    else:
        print("{output}: {n_tokens:,} ids, {dtype}; documents {n_documents:,}; {seconds:.1f} s".format(**result))
    return 0


def _write(file: TokenFile, stop: Stop, arrays: Generator[np.ndarray], corpus: Corpus, every: float) -> None:
    kept = time.monotonic()
    with tqdm(total=corpus.n_bytes, desc="encoding", unit="B", unit_scale=True, disable=None, leave=False) as bar:
        for ids in stop.before_asked(arrays):
            file.add(ids)
            bar.update(corpus.n_read - bar.n)
            if time.monotonic() - kept > every:
                file.keep()
                kept = time.monotonic()


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
