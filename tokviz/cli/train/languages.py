"""The options of `tokviz train --parity`, the files of each language, and the sentences that are to cost the same."""

import argparse
import re
from collections.abc import Iterable, Sequence

from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.languages.parallel_files import language_code, read_sentences
from tokviz.languages.table import LANGUAGES, parallel_sentences
from tokviz.training.counting import pretoken_counts
from tokviz.training.parity.language_pairs import Counts, ParityVariant
from tokviz.training.parity.parity_aware import parallel_texts

_NAMED = re.compile(r"(?s)([^=]+)=(.+)")
_ONLY_WITH = ("parity_sentences", "parity_by_bytes", "parity_global", "parity_window")


def add_parity_options(command: argparse.ArgumentParser) -> None:
    """Add the options of parity-aware training."""
    add = command.add_argument
    parity_help = "in place of PATH: texts by language; each merge is for the language that is worst off"
    add("--parity", nargs="+", action="extend", default=[], metavar="LANGUAGE=PATH", help=parity_help)
    own = command.add_mutually_exclusive_group()
    sentences_help = "a table or a folder, as in `tokviz parity`, to tell which language that is (the twelve included)"
    own.add_argument("--parity-sentences", metavar="PATH", help=sentences_help)
    by_bytes_help = "without sentences: the language whose own texts have the fewest bytes per token"
    own.add_argument("--parity-by-bytes", action="store_true", help=by_bytes_help)
    add("--parity-global", type=int, default=0, metavar="N", help="begin with N merges for all languages together (0)")
    window_help = "a language with more than twice its share of the last N merges waits (0: none does)"
    add("--parity-window", type=int, default=0, metavar="N", help=window_help)


def paths_by_language(options: argparse.Namespace) -> dict[str, list[str]]:
    """Return the paths of each language, by its code; ValueError for what is not LANGUAGE=PATH."""
    given: dict[str, list[str]] = {}
    if not options.parity and (without := next((name for name in _ONLY_WITH if getattr(options, name)), None)):
        raise ValueError(f"--{without.replace('_', '-')} belongs to --parity: give both, or leave it out")
    for one in options.parity:
        match = _NAMED.fullmatch(one)
        if not match:
            raise ValueError(
                f"--parity takes files and folders by language, as in en=english.txt th=thai/, not {one!r}"
            )
        given.setdefault(language_code(match[1]), []).append(match[2])
    return given


def parity_variant(options: argparse.Namespace) -> ParityVariant:
    """Return how languages take turns; ValueError for numbers below 0."""
    return ParityVariant(n_global=options.parity_global, window=options.parity_window)


def sentence_texts(options: argparse.Namespace, languages: Sequence[str]) -> dict[str, list[str]] | None:
    """Return the sentences of each language that are in all of them; None where its own texts are to tell.

    Raises ValueError if there are none.
    """
    if options.parity_by_bytes:
        return None
    if options.parity_sentences:
        return parallel_texts(read_sentences(options.parity_sentences), languages)
    if missing := [language for language in languages if language not in LANGUAGES]:
        raise ValueError(
            f"the sentences included are not in {', '.join(missing)}: give your own with --parity-sentences, or "
            "--parity-by-bytes"
        )
    return parallel_texts(parallel_sentences(languages), languages)


def sentence_counts(sentences: dict[str, list[str]] | None, begun: Tokenizer) -> dict[str, Counts] | None:
    """Return the pretoken counts of the sentences of each language."""
    if sentences is None:
        return None
    pattern, special = begun.split_pattern, begun.special_tokens
    return {each: pretoken_counts(texts, pattern, special_tokens=special) for each, texts in sentences.items()}


def parity_result(
    languages: Iterable[str], sentences: dict[str, list[str]] | None, steps: Sequence[TrainStep], tokenizer: Tokenizer
) -> list[dict[str, object]]:
    """Return for each language how many merges were chosen for it, and the tokens of its sentences in the end."""
    return [
        {
            "language": language,
            "n_merges": sum(step.language == language for step in steps),
            "n_sentences": len(sentences[language]) if sentences else None,
            "n_tokens": sum(map(tokenizer.count, sentences[language])) if sentences else None,
        }
        for language in languages
    ]
