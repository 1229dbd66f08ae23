"""`tokviz count --tokenizer`: the tokens of a data set under several tokenizers, document by document."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tokviz.chats.formats import FORMAT_NAMES, ChatFormat, Template, given_or_default_format
from tokviz.chats.teaching import TEMPLATES
from tokviz.cli.options import corpus_of
from tokviz.cli.rows import SHARE, Rows, print_result
from tokviz.cli.streams import read_file_or_stdin_text, say, say_left_out_lines, say_left_out_lines_of_corpus
from tokviz.cli.tokenizers import (
    TOKENIZER,
    NamedTokenizer,
    add_special_option,
    add_tokenizers_option,
    read_or_load_tokenizers,
)
from tokviz.core.chat_settings import ChatSettings
from tokviz.core.protocol import AnyTokenizer
from tokviz.corpus.documents import document_batches, documents_with_places
from tokviz.corpus.figures import (
    bin_name,
    dataset_figures,
    dataset_record,
    histogram_rows,
    length_heads,
    parts_with_tokens,
)
from tokviz.corpus.lengths import WINDOW
from tokviz.corpus.token_counts import SCAFFOLDING, CountsOnly, DatasetCount
from tokviz.formats.chat_settings_file import chat_settings_if_any, chat_templates
from tokviz.formats.claude import RECONSTRUCTED, claude_names, claude_token_counts

USUAL = "usual"
NamedCounts = Sequence[tuple[str, DatasetCount]]


def add_token_count_options(command: argparse.ArgumentParser) -> None:
    """Add the options that only a count of tokens has."""
    add_tokenizers_option(command, f"count tokens: {TOKENIZER}")
    command.add_argument("--window", type=int, metavar="TOKENS", help=f"the context window ({WINDOW:,})")
    formats = (
        f"of chats: ChatML, harmony, {', '.join(TEMPLATES)}, a file or folder with a template, or {USUAL}: that of the "
        "tokenizer's file, harmony if it has the markers, else ChatML"
    )
    command.add_argument("--chat-format", metavar="FORMAT", help=formats)
    add_special_option(command, "a special token of a .tiktoken file")


def refuse_token_count_options(options: argparse.Namespace) -> None:
    """Raise ValueError for an option that only a count of tokens has."""
    for name in ("window", "chat_format", "special", "total"):
        if getattr(options, name) not in (None, []):
            raise ValueError(f"--{name.replace('_', '-')} is for counts of tokens: name a --tokenizer, or leave it out")


def print_dataset_figures(options: argparse.Namespace) -> None:
    """Print the figures of a data set under each tokenizer."""
    window = WINDOW if options.window is None else options.window
    if window < 1:
        raise ValueError(f"--window must be at least 1 token, not {window}: {WINDOW:,} is usual")
    of_claude = [name for name in options.tokenizers if name in claude_names()]
    names = [name for name in options.tokenizers if name not in of_claude]
    tokenizers = read_or_load_tokenizers(names, options)
    counts = [
        DatasetCount(tokenizer, chat_format(options.chat_format or USUAL, tokenizer, chat_settings(name)))
        for name, tokenizer in zip(names, tokenizers, strict=True)
    ]
    # Claude's format of chats is not published.
    none = Template("none", "")
    counts += [DatasetCount(CountsOnly(name, partial(claude_token_counts, name)), none) for name in of_claude]
    corpus = corpus_of(options.paths, options)
    for batch in document_batches(documents_with_places(corpus)):
        for count in counts:
            count.count_batch(batch)
    say_left_out_lines_of_corpus(corpus)
    for count in counts:
        say_left_out_lines(count.uncounted, count.n_uncounted)
    if of_claude:
        say(RECONSTRUCTED)
    if options.total:
        print(*(count.tokens.n_tokens for count in counts), sep="\n")
        return
    named = list(zip([*names, *of_claude], counts, strict=True))
    lengths = _figure_rows(named, window)
    print_result(
        options,
        [dataset_record(name, count, window) for name, count in named],
        lengths,
        *_detail_tables(named),
        rows=lengths,
    )


def chat_settings(name: str) -> ChatSettings:
    """Return what a file, or those beside it, says about chats with its model; nothing for a pretrained tokenizer."""
    file = NamedTokenizer.of_name(name).file
    return (file and chat_settings_if_any(file.data, file.name, file.beside)) or ChatSettings()


def chat_format(name: str, tokenizer: AnyTokenizer, settings: ChatSettings) -> ChatFormat:
    """Return a format by its name, or that of a template in a file; ValueError for one that is neither."""
    tokens = tuple(settings.tokens.items())
    if name == USUAL:
        if settings.templates:
            return Template("its own template", next(iter(settings.templates.values())), tokens)
        return given_or_default_format(None, tokenizer, tokens)
    try:
        return given_or_default_format(name, tokenizer, tokens)
    except ValueError:
        path = Path(name)
        if not path.exists():
            raise ValueError(
                f"there is no chat format and no file {name!r}: expected is {USUAL}, {', '.join(FORMAT_NAMES)}, or a "
                "file or folder with a Jinja template"
            ) from None
    if path.is_dir() or path.suffix in (".json", ".gguf"):
        for template in chat_templates(path).values():  # the usual one comes first
            return replace(template, name=path.resolve().name, tokens=template.tokens or tokens)
        raise ValueError(f"there is no chat template in {name}")
    return Template(path.name, read_file_or_stdin_text(name), tokens)


def _figure_rows(named: NamedCounts, window: int) -> Rows:
    """Return a row for each tokenizer; CSV also has a column for each part that any of them has."""
    parts = parts_with_tokens(count for _, count in named)
    records = [
        dataset_figures(name, count, window)
        | {f"n_{part}".replace(" ", "_"): count.tokens.by_part[part] for part in parts}
        for name, count in named
    ]
    return Rows(records, length_heads(window))


def _detail_tables(named: NamedCounts) -> Iterator[object]:
    """Yield the parts unless there are only texts, the histogram, and the longest documents under each tokenizer."""
    parts = parts_with_tokens(count for _, count in named)
    if parts not in ([], ["text"]):
        yield _rows_of_tokens_by_part(parts, named)
    if bins := histogram_rows(count for _, count in named):
        heads = ["tokens", *(name for name, _ in named)]
        yield Rows.of_lines(heads, ([bin_name(ends), *numbers] for ends, numbers in bins))
    for name, count in named:
        if longest := count.tokens.longest_documents():
            places = [[f"{each.file}, line {each.line}", each.n_tokens] for each in longest]
            yield Rows.of_lines([f"longest under {name}", "tokens"], places)


def _rows_of_tokens_by_part(parts: Sequence[str], named: NamedCounts) -> Rows:
    """Return the tokens of each part, and for chats the share of scaffolding and the format."""
    heads = {"tokenizer": "tokens of"} | {part: part for part in parts}
    if SCAFFOLDING in parts:
        heads |= {"share": "share", "format": "chat format"}
    records = [
        {part: count.tokens.by_part[part] for part in parts}
        | {"tokenizer": name, "format": count.chat_format.name}
        | {"share": count.tokens.by_part[SCAFFOLDING] / max(1, count.tokens.n_tokens)}
        for name, count in named
    ]
    return Rows(records, heads, {"share": SHARE})
