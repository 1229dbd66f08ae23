"""`tokviz encode` and `tokviz decode`: texts in, token ids out, on the screen or in a file, and back."""

import argparse
import sys
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from tokviz.cli.interrupts import items_with_progress_and_saves, stop_on_interrupt
from tokviz.cli.options import (
    SAVE_SECONDS,
    Commands,
    add_allow_special_option,
    add_command,
    add_corpus_options,
    add_save_interval_option,
    allowed_special,
    corpus_of,
    seconds_between_saves,
    sets_corpus,
)
from tokviz.cli.rows import add_output_options, print_result
from tokviz.cli.streams import read_file_or_stdin_text, say, say_left_out_lines_of_corpus
from tokviz.cli.tokenizers import (
    TOKENIZER,
    NamedTokenizer,
    add_tokenizer_argument_and_options,
    add_tokenizer_options,
    read_or_load_tokenizer,
)
from tokviz.core.ids import ids_and_other_entries
from tokviz.core.patterns import short_repr
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.corpus.paths import STDIN
from tokviz.corpus.token_file import TokenFile, id_arrays
from tokviz.text.words import quantity


def add_to_commands(commands: Commands) -> None:
    """Add both commands and their options."""
    examples = ("tokviz encode books.model story.txt > story.ids", "tokviz encode gpt2 books/ --output ids.bin")
    encode = add_command(commands, "encode", "turn text into token ids", print_or_write_ids, *examples)
    names = f"{TOKENIZER}; then a file, or with --output files, folders and globs"
    encode.add_argument("names", nargs="+", metavar="TOKENIZER|PATH", help=names)
    encode.add_argument("-t", "--tokenizer", metavar="TOKENIZER", help="the tokenizer, if it is not named first")
    encode.add_argument("-o", "--output", metavar="FILE", help="write the ids of all PATHs into a .npy or .bin file")
    encode.add_argument("--separator", metavar="TOKEN", help="with --output, the special token after each document")
    add_corpus_options(encode)
    add_save_interval_option(encode)
    add_tokenizer_options(encode)
    add_allow_special_option(encode)
    add_output_options(encode)
    decode = add_command(
        commands, "decode", "turn token ids into text", print_decoded_text, "tokviz decode gpt2 story.ids"
    )
    add_tokenizer_argument_and_options(decode)
    ids = "ids, separated by white space, commas, brackets or quotes; by default standard input"
    decode.add_argument("file", nargs="?", default=STDIN, metavar="FILE", help=ids)
    add_output_options(decode)


def print_or_write_ids(options: argparse.Namespace) -> int:
    """Print the ids of a text, or write those of a corpus; return the exit code."""
    first = [] if options.tokenizer else options.names[:1]
    name, paths = options.tokenizer or first[0], options.names[len(first) :] or [STDIN]
    if options.output:
        return _write_corpus_ids(options, name, paths)
    if len(paths) > 1 or options.separator or sets_corpus(options) or options.every != SAVE_SECONDS:
        raise ValueError("several files, --separator, --text-key, --stdin and --every are for --output: name one")
    tokenizer = read_or_load_tokenizer(name, options)
    ids = tokenizer.encode(read_file_or_stdin_text(paths[0]), allowed_special=allowed_special(options))
    if options.json:
        print_result(options, {"tokenizer": tokenizer.name, "n_tokens": len(ids), "ids": ids})
    else:
        print(*ids)
    return 0


def _write_corpus_ids(options: argparse.Namespace, name: str, paths: Sequence[str]) -> int:
    """Write the ids of a corpus, for training models; return the exit code."""
    start, every = time.monotonic(), seconds_between_saves(options)
    tokenizer, allowed = read_or_load_tokenizer(name, options), allowed_special(options)
    separator = _separator_id(tokenizer, options.separator)
    corpus = corpus_of(paths, options)
    fingerprint = corpus.fingerprint()
    others: list[object] = [_tokenizer_identity(name), options.split_pattern, options.special, separator, allowed]
    made_of = None if fingerprint is None else [*fingerprint, *others]
    file = TokenFile(Path(options.output), tokenizer.n_vocab, made_of)
    arrays = id_arrays(tokenizer, corpus, separator=separator, allowed_special=allowed, first=file.n_texts)
    try:
        with stop_on_interrupt("encode") as stop:
            for ids in items_with_progress_and_saves(
                arrays, stop, corpus, file.save_progress, doing="encoding", every=every
            ):
                file.add(ids)
            if stop.is_set:
                file.save_progress()
                _say_stopped(file, can_continue=made_of is not None)
                return 130
        file.finish()
    finally:
        file.close()
    say_left_out_lines_of_corpus(corpus)
    result = {"output": options.output, "tokenizer": tokenizer.name, "n_tokens": file.n_ids, "dtype": file.dtype.name}
    result |= {"n_documents": corpus.n_documents, "seconds": round(time.monotonic() - start, 3)}
    shown = f"{options.output}: {quantity(file.n_ids, 'id')}, {file.dtype}; {quantity(corpus.n_documents, 'document')}"
    print_result(options, result, f"{shown}; {result['seconds']:.1f} s")
    return 0


def _separator_id(tokenizer: AnyTokenizer, name: str | None) -> int | None:
    """Return the id of a special token; ValueError if there is none of this name."""
    if name is not None and name not in tokenizer.special_tokens:
        known = ", ".join(sorted(tokenizer.special_tokens)[:10]) or "none"
        raise ValueError(f"{name!r} is not a special token of {tokenizer.name}, which has {known}")
    return None if name is None else tokenizer.special_tokens[name]


def _tokenizer_identity(name: str) -> str:
    """Return what identifies a tokenizer: its name, or the hash of its file."""
    file = NamedTokenizer.of_name(name).file
    return name if file is None else sha256(file.data).hexdigest()


def _say_stopped(file: TokenFile, can_continue: bool) -> None:
    """Say how much was written, and how to continue."""
    again = "to continue, give the same command again" if can_continue else "what comes through a pipe begins anew"
    say(f"tokviz encode: stopped after {quantity(file.n_ids, 'id')}; {again}")


def print_decoded_text(options: argparse.Namespace) -> None:
    """Print the text of ids."""
    tokenizer = read_or_load_tokenizer(options.tokenizer, options)
    ids, others = ids_and_other_entries(read_file_or_stdin_text(options.file))
    if others:
        more = f", nor are {len(others) - 1:,} more" if len(others) > 1 else ""
        raise ValueError(f"{short_repr(others[0])} is not a token id{more}")
    data = tokenizer.decode_bytes(ids)
    if isinstance(tokenizer, Tokenizer) and tokenizer.normalizer.prefix and tokenizer.normalizer.marks_are_spaces:
        data = data.removeprefix(b" ")  # which encoding put there; SentencePiece drops it too
    if options.json:
        text = data.decode("utf-8", "replace")
        print_result(options, {"tokenizer": tokenizer.name, "n_tokens": len(ids), "text": text})
    else:
        sys.stdout.buffer.write(data)
