"""The options of `tokviz train`, checked before any work, and the texts or counts they name."""

import argparse
import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tokviz.cli.options import add_corpus_options, add_save_interval_option, corpus_of, seconds_between_saves
from tokviz.cli.rows import add_output_options
from tokviz.cli.streams import say
from tokviz.cli.tokenizers import TOKENIZER, NamedTokenizer, add_special_option
from tokviz.cli.train.languages import add_parity_options, comparison_sentences, parity_variant, paths_by_language
from tokviz.core.patterns import pattern_name_or_regex, short_repr
from tokviz.core.special_tokens import special_tokens_from_words
from tokviz.core.steps import WHOLE
from tokviz.core.tokenizer import Tokenizer, tokenizer_with_merges
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.corpus_counts import SUFFIX, CorpusCounts
from tokviz.corpus.mixes import CorpusMix
from tokviz.corpus.paths import STDIN, is_piped
from tokviz.formats.minbpe import check_minbpe_ids
from tokviz.system.atomic_file import check_replaceable
from tokviz.training.parity.parity_aware import ParityAware
from tokviz.training.plan import PLAIN, Plan, check_training_can_continue, id_of_first_learned_token, pattern_or_default
from tokviz.training.superwords import with_superwords

Texts = Corpus | CorpusMix | CorpusCounts
WORKERS_MAX = 256
_SHARE = re.compile(r"(?s)(.+)=([0-9]+)")


def add_train_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `tokviz train`."""
    add = command.add_argument
    add("paths", nargs="*", metavar="PATH", help=f"files, folders, globs, -, or files of counts ({SUFFIX})")
    mix_help = "in place of PATH: texts, each with its share of the bytes, a whole number"
    add("--mix", nargs="+", action="extend", default=[], metavar="PATH=SHARE", help=mix_help)
    add("--mix-bytes", type=int, metavar="N", help="the size of the mix (the largest that repeats no text)")
    add_parity_options(command)
    add("--vocab-size", type=int, required=True, metavar="N", help="bytes (256) and merges, without special tokens")
    add("--start", metavar="TOKENIZER", help=f"continue from {TOKENIZER}, whose bytes and merges N includes")
    start_special = "a special token of a .tiktoken file to start from; may be given several times"
    add("--start-special", action="append", default=[], metavar="TOKEN=ID", help=start_special)
    add("--superwords", action="store_true", help="let the merges after those of --start reach from word to word")
    add("--output", "-o", required=True, metavar="FILE", help="where the tokenizer goes; the suffix says which format")
    add("--split-pattern", metavar="PATTERN", help="a name or a regular expression (cl100k)")
    add_special_option(command, "a special token, with its id if you choose one")
    add("--min-count", type=int, default=1, metavar="N", help="how often a pair must occur to be merged (1)")
    add_corpus_options(command)
    add("--strict", action="store_true", help="stop at the first bad line")
    add("--workers", type=int, metavar="N", help="processes that count (one a core, if it takes long)")
    add("--counts", metavar="FILE", help=f"where the counts are kept, and stay (OUTPUT{SUFFIX}, deleted at the end)")
    add_save_interval_option(command)
    add("--verbose", "-v", action="store_true", help="print each merge as it is learned")
    add_output_options(command)
    add("--quiet", "-q", action="store_true", help="no progress bars")


def counts_path(options: argparse.Namespace, language: str = "") -> Path:
    """Return where the counts of a language are kept, or those of all texts."""
    path = options.counts or options.output + SUFFIX
    return Path(f"{path.removesuffix(SUFFIX)}.{language}{SUFFIX}" if language else path)


def paths_by_language_or_whole(options: argparse.Namespace) -> dict[str, list[str]]:
    """Return the paths by language; all are under `WHOLE` unless they are given by language."""
    return paths_by_language(options) or {WHOLE: options.paths}


def reads_stdin(options: argparse.Namespace) -> bool:
    """Return whether a text comes from standard input, which cannot be read again."""
    return any(STDIN in paths for paths in paths_by_language_or_whole(options).values())


def reads_counts(options: argparse.Namespace) -> bool:
    """Return whether the paths are files of counts; ValueError if only some languages have such files."""
    kinds = {path.endswith(SUFFIX) for paths in paths_by_language_or_whole(options).values() for path in paths}
    if len(kinds) > 1 and options.parity:
        raise ValueError(f"--parity takes texts or files of counts ({SUFFIX}), the same for all languages")
    return kinds == {True}


def plan_and_texts(options: argparse.Namespace) -> tuple[Plan, dict[str, Texts]]:
    """Return how to train, and what on, by language or under `WHOLE`.

    What cannot succeed is refused before any work.
    """
    _check_options(options)
    start, paths = _start_tokenizer(options), paths_by_language_or_whole(options)
    pattern = pattern_or_default(None if options.superwords else options.split_pattern, start)
    special = special_tokens_from_words(options.special)
    way = ParityAware(comparison_sentences(options, [*paths]), parity_variant(options)) if options.parity else PLAIN
    plan = Plan(options.vocab_size, pattern, special, options.min_count, start, way)
    _check_output_paths(options, plan)
    if options.mix:
        return plan, {WHOLE: _corpus_mix(options)}
    if reads_counts(options):
        counts = {language: CorpusCounts.merged(map(CorpusCounts.read, some)) for language, some in paths.items()}
        return _plan_for_counts(plan, [*counts.values()], options.split_pattern), dict(counts)
    corpora = {language: corpus_of(some, options, strict=options.strict) for language, some in paths.items()}
    return plan, dict(corpora)


def _plan_for_counts(plan: Plan, counts: Sequence[CorpusCounts], split_pattern: str | None) -> Plan:
    """Return a plan with the split pattern and special tokens of counts; ValueError if it has others."""
    first, start, special = counts[0], plan.start, plan.special_tokens
    if any((each.split_pattern, each.special_tokens) != (first.split_pattern, first.special_tokens) for each in counts):
        raise ValueError("the counts of the languages differ in split pattern or special tokens: count some again")
    given = split_pattern if start is None else start.split_pattern
    if given is not None and pattern_name_or_regex(given) != first.split_pattern:
        way_out = "leave out another" if start is None else f"{start.name} has {short_repr(given)}"
        raise ValueError(f"these counts are of the split pattern {short_repr(first.split_pattern)}: {way_out}")
    of_start = set(start.special_tokens if start else ())
    if start is not None and (missing := of_start - set(first.special_tokens)):
        raise ValueError(
            f"{start.name} has the special token {min(missing)!r}, which these counts take for text: count the texts "
            "again with --start and --counts"
        )
    cut_out = set(first.special_tokens) - of_start
    if special and set(special) != cut_out:
        known = ", ".join(first.special_tokens) or "none"
        raise ValueError(f"these counts were made with these special tokens: {known}; name the same ones")
    if not all(each.complete for each in counts):
        say("tokviz train: these counts cover only a part of their corpus")
    special = special or [token for token in first.special_tokens if token in cut_out]
    return replace(plan, split_pattern=first.split_pattern, special_tokens=special)


def _start_tokenizer(options: argparse.Namespace) -> Tokenizer | None:
    """Return the tokenizer to continue from; ValueError for one that cannot be continued."""
    if options.start is None:
        if options.start_special:
            raise ValueError("--start-special is for the .tiktoken file of --start: name that too, or leave it out")
        if options.superwords:
            raise ValueError(
                "--superwords continues from a tokenizer of words: learn one first, and name it with --start"
            )
        return None
    # Any other file has a pattern of its own, which another one must not replace.
    named = NamedTokenizer.of_name(options.start)
    pattern = options.split_pattern if named.is_rank_file else None
    read = named.tokenizer(pattern, special_tokens_from_words(options.start_special) or None)
    start = tokenizer_with_merges(read, "continued training")
    check_training_can_continue(start)
    return with_superwords(start) if options.superwords else start


def _check_options(options: argparse.Namespace) -> None:
    if options.workers is not None and not 1 <= options.workers <= WORKERS_MAX:
        raise ValueError(f"--workers must be a number from 1 to {WORKERS_MAX}, not {options.workers}")
    seconds_between_saves(options)
    if [bool(options.paths), bool(options.mix), bool(options.parity)].count(True) != 1:
        raise ValueError("name the texts to train on, either as PATH or with --mix or --parity")
    if options.mix_bytes is not None and not (options.mix and options.mix_bytes > 0):
        raise ValueError(
            f"--mix-bytes is the size of a --mix in bytes: give both, and at least 1, not {options.mix_bytes}"
        )
    if options.counts and reads_counts(options):
        raise ValueError("--counts keeps the counts of texts, and these are counts already: leave it out")


def _check_output_paths(options: argparse.Namespace, plan: Plan) -> None:
    """Refuse an output that cannot be written, and a tokenizer that its format cannot hold."""
    output = Path(options.output)
    check_replaceable(output)
    languages = [] if reads_counts(options) else paths_by_language_or_whole(options)
    for path in (counts_path(options, language) for language in languages):
        check_replaceable(path)
        if path.resolve() == output.resolve():
            raise ValueError(f"{options.output!r} cannot be both the tokenizer and the counts: name another --counts")
    if output.suffix == ".model" and plan.start is not None:
        first_learned = {b"": id_of_first_learned_token(plan.start)}
        check_minbpe_ids(plan.start.mergeable_ranks | first_learned)
    with tempfile.TemporaryDirectory() as folder:
        plan.initial_tokenizer().save(Path(folder, output.name))


def _corpus_mix(options: argparse.Namespace) -> CorpusMix:
    """Return the mix of PATH=SHARE."""
    shares: dict[str, int] = {}
    for given in options.mix:
        match = _SHARE.fullmatch(given)
        if not match or is_piped(match[1]) or match[1] in shares:
            raise ValueError(f"--mix takes files and folders, once each, as in english.txt=2 thai.txt=1, not {given!r}")
        shares[match[1]] = int(match[2])
    corpora = {path: corpus_of([path], options, strict=options.strict) for path in shares}
    return CorpusMix(corpora, shares, options.mix_bytes)
