"""The options of `tokviz train --parity`, the files of each language, and the sentences that are to cost the same."""

import argparse
import re
from collections.abc import Sequence

from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.languages.parallel_files import language_code, read_sentences
from tokviz.languages.table import LANGUAGES, parallel_sentences
from tokviz.training.parity.language_pairs import ParityVariant
from tokviz.training.parity.parity_aware import ParityAware, Sentences, parallel_texts
from tokviz.training.plan import Way

_NAMED = re.compile(r"(?s)([^=]+)=(.+)")
_ONLY_WITH = ("parity_sentences", "parity_by_bytes", "parity_global", "parity_window")


def add_parity_options(command: argparse.ArgumentParser) -> None:
    """Add the options of parity-aware training."""
    add = command.add_argument
    parity_help = "in place of PATH: texts by language; each merge is for the language that is worst off"
    add("--parity", nargs="+", action="extend", default=[], metavar="LANGUAGE=PATH", help=parity_help)
    own = command.add_mutually_exclusive_group()
    sentences_help = "a table or a folder, as in `tokviz parity`, by whose tokens that is decided (built-in ones)"
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


def comparison_sentences(options: argparse.Namespace, languages: Sequence[str]) -> Sentences | None:
    """Return the sentences by which the languages are compared; None if their own texts decide.

    Raises ValueError if none is in all of them.
    """
    if options.parity_by_bytes:
        return None
    if options.parity_sentences:
        sentences = read_sentences(options.parity_sentences)
    elif missing := [language for language in languages if language not in LANGUAGES]:
        raise ValueError(
            f"the built-in sentences do not cover {', '.join(missing)}: give your own with --parity-sentences, or "
            "--parity-by-bytes"
        )
    else:
        sentences = parallel_sentences(languages)
    parallel_texts(sentences, languages)
    return sentences


def parity_records(
    languages: Sequence[str], way: Way, steps: Sequence[TrainStep], tokenizer: Tokenizer
) -> list[dict[str, object]] | None:
    """Return for each language how many merges were chosen for it, and the tokens of its sentences in the end.

    None if languages did not take turns.
    """
    if not isinstance(way, ParityAware):
        return None
    texts = parallel_texts(way.sentences, languages) if way.sentences else {}
    return [
        {
            "language": language,
            "n_merges": sum(step.part == language for step in steps),
            "n_sentences": len(texts[language]) if texts else None,
            "n_tokens": sum(map(tokenizer.count, texts[language])) if texts else None,
        }
        for language in languages
    ]
