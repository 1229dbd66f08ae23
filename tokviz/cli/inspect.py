"""`tokviz inspect`: what a vocabulary holds, and how much of it a text uses."""

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from typing import Any

from tokviz.analysis.usage import Usage, placed_usage, usage
from tokviz.analysis.vocabulary_cost import vocabulary_parameters
from tokviz.analysis.vocabulary_facts import vocabulary_facts
from tokviz.analysis.vocabulary_report import (
    longest_tokens,
    markup_tokens,
    near_duplicates,
    script_coverage,
)
from tokviz.cli.common import Commands, add_parameters, new_command, print_json, print_table
from tokviz.cli.tokenizers import RANKS_ONLY, TOKENIZER, add_options, tokenizer_of
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.training.corpus import Corpus
from tokviz.training.counting import batches, pretoken_counts

EPILOG = f"""\
  tokviz inspect gpt2
  tokviz inspect books.model --text held-out/ --json
  tokviz inspect gpt2 --parameters 768

Long tokens are mostly boilerplate, and tokens with markup or addresses were mostly not meant to be learned:
both suggest that the training text needs cleaning. Tokens that differ only in case or white space share no
meaning for a model until it has seen both. With --text: how much of the vocabulary a text uses, which of its
characters take several tokens, and what share of them is unknown. Merges are known for byte-level BPE only;
other tokenizers read a file as texts of about a million characters.

{RANKS_ONLY}"""
TEXT_CHARS = 1_000_000  # a library needs some seconds for this many


def add_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = new_command(commands, "inspect", "show what a vocabulary holds", EPILOG)
    command.add_argument("tokenizer", metavar="TOKENIZER", help=TOKENIZER)
    command.add_argument("--text", action="append", metavar="PATH", help="count what files, folders or globs use of it")
    command.add_argument("--limit", type=int, default=20, metavar="N", help="how many of each to show (20)")
    add_parameters(command)
    add_options(command)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what the vocabulary holds; return the exit code."""
    if options.limit < 0:
        raise ValueError(f"--limit must be a number of at least 0, not {options.limit}")
    tokenizer = tokenizer_of(options.tokenizer, options)
    corpus = Corpus(options.text) if options.text else None
    result = _result(tokenizer, options.limit)
    if options.parameters is not None:
        embedding, output = vocabulary_parameters(tokenizer.n_vocab, options.parameters, tied=False)
        result["parameters"] = {"width": options.parameters, "embedding": embedding, "output": output}
    if corpus:
        result["usage"] = asdict(_usage(tokenizer, corpus))
    if options.json:
        print_json(result)
    else:
        _print(result)
    return 0


def _usage(tokenizer: AnyTokenizer, corpus: Corpus) -> Usage:
    if isinstance(tokenizer, Tokenizer):
        return usage(tokenizer, pretoken_counts(corpus, tokenizer.split_pattern))
    return placed_usage(tokenizer, _texts(corpus))


def _texts(corpus: Corpus) -> Iterator[str]:
    """Yield the documents of a corpus, long ones in several texts."""
    for document in corpus:
        for blocks in batches([document] if isinstance(document, str) else document, TEXT_CHARS):
            yield "".join(blocks)


def _result(tokenizer: AnyTokenizer, limit: int) -> dict[str, Any]:
    """Return what the vocabulary holds, at most `limit` of each list."""
    duplicates, markup = near_duplicates(tokenizer), markup_tokens(tokenizer)
    groups = [*duplicates.values()]
    return {
        "tokenizer": tokenizer.name,
        "kind": tokenizer.kind,
        "n_vocab": tokenizer.n_vocab,
        "n_merges": len(tokenizer.merge_tokens) if isinstance(tokenizer, Tokenizer) else None,
        "special_tokens": dict(tokenizer.special_tokens),
        "scripts": script_coverage(tokenizer),
        "longest": _longest(tokenizer, limit),
        "n_duplicate_groups": len(groups),
        "n_duplicates": sum(map(len, groups)) - len(groups),
        "duplicates": [_records(tokenizer, group) for group in groups[:limit]],
        "n_suspects": len(markup),
        "suspects": _suspects(tokenizer, dict(islice(markup.items(), limit))),
    }


def _longest(tokenizer: AnyTokenizer, limit: int) -> list[dict[str, Any]]:
    facts, tokens = vocabulary_facts(tokenizer), longest_tokens(tokenizer, limit)
    lengths = [{"n_chars": int(facts.n_chars[token]), "n_bytes": int(facts.n_bytes[token])} for token in tokens]
    return [record | length for record, length in zip(_records(tokenizer, tokens), lengths, strict=True)]


def _suspects(tokenizer: AnyTokenizer, markup: Mapping[int, str]) -> list[dict[str, Any]]:
    return [
        record | {"holds": holds} for record, holds in zip(_records(tokenizer, markup), markup.values(), strict=True)
    ]


def _records(tokenizer: AnyTokenizer, tokens: Iterable[int]) -> list[dict[str, Any]]:
    facts = vocabulary_facts(tokenizer)
    return [{"id": int(facts.ids[token]), "text": facts.texts[token]} for token in tokens]


def _print(result: dict[str, Any]) -> None:
    """Print the result for people; texts are quoted, so that unprintable characters show."""
    n_merges, n_special = result["n_merges"], len(result["special_tokens"])
    merges = "merges not known" if n_merges is None else f"{n_merges:,} merges"
    special = "1 special token" if n_special == 1 else f"{n_special:,} special tokens"
    print(f"{result['tokenizer']} ({result['kind']}): {merges}, {special}")
    print(f"Ids below {result['n_vocab']:,}, which is the width of a one-hot vector")
    if parameters := result.get("parameters"):
        print(
            "Parameters at a model width of {width:,}: {embedding:,} in the embedding, and {output:,} in the output, "
            "or none if it uses the embedding's (tied)".format(**parameters)
        )
    print("\nTokens by script")
    print_table(["", "tokens"], result["scripts"].items())
    print("\nLongest tokens")
    print_table(
        ["text", "characters", "id"], [(repr(row["text"]), row["n_chars"], str(row["id"])) for row in result["longest"]]
    )
    print(f"\nTokens that differ only in case or white space: {result['n_duplicates']:,} more than needed")
    for group in result["duplicates"]:
        print("  " + "  ".join(f"{row['text']!r} {row['id']}" for row in group))
    print(f"\nTokens that hold markup, addresses or escapes: {result['n_suspects']:,}")
    print_table(
        ["text", "holds", "id"], [(repr(row["text"]), row["holds"], str(row["id"])) for row in result["suspects"]]
    )
    if usage := result.get("usage"):
        share = usage["n_used"] / max(usage["n_used"] + usage["n_unused"], 1)
        print(
            f"\nThe text: {usage['n_tokens']:,} tokens, which use {usage['n_used']:,} ({share:.1%}) of the vocabulary"
        )
        print(f"{usage['n_split']:,} of {usage['n_chars']:,} characters take several tokens")
        for character, n in usage["split"]:
            print(f"  {character!r} {n:,}")
        if usage["unknown_share"]:
            print(f"{usage['unknown_share']:.1%} of the characters, not counting white space, are unknown")
