"""`tokviz inspect`: what a vocabulary holds, and how much of it a text uses."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any

from tokviz.cli.options import Commands, add_command, add_limit_option, add_parameters_option, checked_limit
from tokviz.cli.rows import Formatters, Rows, add_output_options, print_result
from tokviz.cli.tokenizers import add_tokenizer_argument_and_options, read_or_load_tokenizer
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.counting import pretoken_counts, text_batches
from tokviz.text.words import quantity
from tokviz.vocabulary.cost import n_embedding_and_output_parameters
from tokviz.vocabulary.facts import vocabulary_facts
from tokviz.vocabulary.report import (
    longest_token_indices,
    markup_by_token_index,
    near_duplicate_indices,
    token_counts_by_script,
)
from tokviz.vocabulary.usage import Usage, usage_of_pretoken_counts, usage_of_texts

TEXT_CHARS = 1_000_000  # a library needs a few seconds for this many


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    examples = ("tokviz inspect gpt2 --parameters 768", "tokviz inspect books.model --text held-out/")
    command = add_command(commands, "inspect", "show what a vocabulary holds", print_vocabulary_report, *examples)
    add_tokenizer_argument_and_options(command)
    command.add_argument("--text", action="append", metavar="PATH", help="count what files, folders or globs use of it")
    add_limit_option(command)
    add_parameters_option(command)
    add_output_options(command)


def print_vocabulary_report(options: argparse.Namespace) -> None:
    """Print what the vocabulary holds."""
    limit = checked_limit(options)
    tokenizer = read_or_load_tokenizer(options.tokenizer, options)
    corpus = Corpus(options.text) if options.text else None
    result = _vocabulary_record(tokenizer, limit)
    if options.parameters is not None:
        embedding, output = n_embedding_and_output_parameters(tokenizer.n_vocab, options.parameters, tied=False)
        result["parameters"] = {"width": options.parameters, "embedding": embedding, "output": output}
    if corpus:
        result["usage"] = asdict(_corpus_usage(tokenizer, corpus))
    print_result(options, result, *_report_sections(result))


def _corpus_usage(tokenizer: AnyTokenizer, corpus: Corpus) -> Usage:
    if isinstance(tokenizer, Tokenizer):
        special, normalizer = tokenizer.always_special, tokenizer.normalizer
        counts = pretoken_counts(corpus, tokenizer.split_pattern, special_tokens=special, normalizer=normalizer)
        return usage_of_pretoken_counts(tokenizer, counts)
    return usage_of_texts(tokenizer, _bounded_texts(corpus))


def _bounded_texts(corpus: Corpus) -> Iterator[str]:
    """Yield the documents of a corpus, long ones in several texts."""
    for document in corpus:
        for blocks in text_batches([document] if isinstance(document, str) else document, TEXT_CHARS):
            yield "".join(blocks)


def _vocabulary_record(tokenizer: AnyTokenizer, limit: int) -> dict[str, Any]:
    """Return what the vocabulary holds, at most `limit` of each list."""
    facts, markup = vocabulary_facts(tokenizer), markup_by_token_index(tokenizer)
    groups = [*near_duplicate_indices(tokenizer).values()]

    def token_record(token: int) -> dict[str, Any]:
        return {"id": int(facts.ids[token]), "text": facts.texts[token]}

    return {
        "tokenizer": tokenizer.name,
        "kind": tokenizer.kind,
        "n_vocab": tokenizer.n_vocab,
        "n_merges": len(tokenizer.merge_tokens) if isinstance(tokenizer, Tokenizer) else None,
        "special_tokens": dict(tokenizer.special_tokens),
        "scripts": token_counts_by_script(tokenizer),
        "longest": [
            token_record(token) | {"n_chars": int(facts.n_chars[token]), "n_bytes": int(facts.n_bytes[token])}
            for token in longest_token_indices(tokenizer, limit)
        ],
        "n_duplicate_groups": len(groups),
        "n_duplicates": sum(map(len, groups)) - len(groups),
        "duplicates": [list(map(token_record, group)) for group in groups[:limit]],
        "n_suspects": len(markup),
        "suspects": [token_record(token) | {"holds": holds} for token, holds in islice(markup.items(), limit)],
    }


def _report_sections(result: dict[str, Any]) -> Iterator[str]:
    """Yield the result for people; texts are quoted, so that unprintable characters show."""
    n_merges, n_special = result["n_merges"], len(result["special_tokens"])
    merges = "merges not known" if n_merges is None else quantity(n_merges, "merge")
    head = f"{result['tokenizer']} ({result['kind']}): {merges}, {quantity(n_special, 'special token')}\n"
    head += f"Ids below {result['n_vocab']:,}, which is the width of a one-hot vector"
    if parameters := result.get("parameters"):
        head += (
            "\nParameters at a model width of {width:,}: {embedding:,} in the embedding, and {output:,} in the output, "
            "or none if it uses the embedding's (tied)".format(**parameters)
        )
    yield head
    yield f"Tokens by script\n{Rows.of_lines(['', 'tokens'], result['scripts'].items())}"
    formatters: Formatters = {"text": repr, "id": str}
    longest = Rows(result["longest"], {"text": "text", "n_chars": "characters", "id": "id"}, formatters)
    yield f"Longest tokens\n{longest}"
    groups = ["  ".join(f"{each['text']!r} {each['id']}" for each in group) for group in result["duplicates"]]
    duplicates = f"Tokens that differ only in case or white space: {result['n_duplicates']:,} more than needed"
    yield "\n  ".join([duplicates, *groups])
    suspects = Rows(result["suspects"], {"text": "text", "holds": "holds", "id": "id"}, formatters)
    yield f"Tokens that hold markup, addresses or escapes: {result['n_suspects']:,}\n{suspects}"
    if usage := result.get("usage"):
        yield "\n".join(_usage_lines(usage))


def _usage_lines(usage: dict[str, Any]) -> Iterator[str]:
    share = usage["n_used"] / max(usage["n_used"] + usage["n_unused"], 1)
    tokens, characters = quantity(usage["n_tokens"], "token"), quantity(usage["n_chars"], "character")
    yield f"The text: {tokens}, using {usage['n_used']:,} ({share:.1%}) of the vocabulary"
    yield f"In several tokens: {usage['n_split']:,} of {characters}"
    yield from (f"  {character!r} {n:,}" for character, n in usage["split"])
    if usage["unknown_share"]:
        yield f"{usage['unknown_share']:.1%} of the characters, not counting white space, are unknown"
