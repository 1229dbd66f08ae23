"""`tokviz count`: the bytes, characters and words of texts, and how wide their one-hot vectors are.

With tokenizers it counts the tokens of a data set, document by document (see `dataset`).
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from tokviz.cli import dataset, tree
from tokviz.cli.options import Commands, add_command, add_corpus_options, corpus_of
from tokviz.cli.rows import Rows, add_output_options, print_result
from tokviz.cli.streams import say_left_out_lines_of_corpus
from tokviz.core.cut_places import PIECES
from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.patterns import pattern_name_or_regex
from tokviz.core.pretokens import pretoken_runs
from tokviz.corpus.blocks import WORDS, TextCutter
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.counting import well_formed_blocks
from tokviz.corpus.paths import STDIN
from tokviz.text.word_rules import WORD_RULES

HEADS = {
    "unit": "",
    "n_total": "in all",
    "n_distinct": "different",
    "n_distinct_lower": "different in lower case",
    "one_hot_width": "one-hot width",
    "n_numbers": "numbers in all",
}


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    examples = (
        "tokviz count story.txt",
        "tokviz count -t gpt-4o --total story.txt",
        "tokviz count chats.jsonl.gz --tokenizer gpt2 --window 4096",
        "tokviz count --tree src/",
    )
    short = "count the words of texts, or the tokens of a data set"
    command = add_command(commands, "count", short, print_counts, *examples)
    paths = "files, folders or globs; by default standard input"
    command.add_argument("paths", nargs="*", default=[STDIN], metavar="PATH", help=paths)
    add_corpus_options(command)
    patterns = f"{', '.join(SPLIT_PATTERNS)}, or a regular expression; may be given several times"
    patterns += "; with --tokenizer that of a file that lacks one"
    command.add_argument("--split-pattern", action="append", default=[], metavar="PATTERN", help=patterns)
    dataset.add_token_count_options(command)
    tree.add_tree_options(command)
    total = "print only the number of tokens, a line for each --tokenizer"
    add_output_options(command, csv=True).add_argument("--total", action="store_true", default=None, help=total)


def print_counts(options: argparse.Namespace) -> None:
    """Print the counts."""
    if options.tree:
        tree.print_tree(options)
        return
    tree.refuse_tree_options(options)
    if options.tokenizers:
        dataset.print_dataset_figures(options)
        return
    dataset.refuse_token_count_options(options)
    corpus = corpus_of(options.paths, options)
    records = _unit_rows(corpus, options.split_pattern)
    say_left_out_lines_of_corpus(corpus)
    print_result(options, Rows(records, HEADS))


class _UnitCount:
    """Pieces of a kind in documents that come block by block: how many there are, and how many different ones.

    between: white space that ends a document where pieces end at white space anyway; empty where they may not.
    """

    def __init__(self, name: str, cut: TextCutter, pieces: Callable[[str], Iterable[str]], between: str) -> None:
        self._name, self._cut, self._pieces, self._between = name, cut, pieces, between
        self._n_total, self._distinct = 0, set[str]()

    def add(self, part: str, *, closed: bool = False) -> None:
        """Take a part of a document, and the last one of all if `closed`."""
        if text := self._cut.add_and_take_text(part, closed=closed):
            pieces = list(self._pieces(text))
            self._n_total += len(pieces)
            self._distinct.update(pieces)

    def end_document(self) -> None:
        """Take the end of a document; small ones are cut together, which is quicker."""
        self.add(self._between, closed=not self._between)

    def finish_and_return_row(self) -> dict[str, object]:
        """Take the end of all documents, and return their figures."""
        self.add("", closed=True)
        return _unit_row(
            self._name, self._n_total, len(self._distinct), len({piece.lower() for piece in self._distinct})
        )


def _unit_rows(corpus: Corpus, split_patterns: Sequence[str]) -> list[dict[str, object]]:
    units = [_UnitCount(f"words, {name}", TextCutter(WORDS), words, "\n") for name, words in WORD_RULES.items()]
    for pattern in split_patterns:
        cut = TextCutter(PIECES.get(pattern_name_or_regex(pattern)))
        units.append(_UnitCount(f"pretokens, {pattern}", cut, _visible_pretoken_cutter(pattern), ""))
    n_bytes = n_chars = 0
    different_bytes: set[int] = set()
    characters: set[str] = set()
    for document in corpus:
        for block in well_formed_blocks(document):
            data = block.encode()
            n_bytes, n_chars = n_bytes + len(data), n_chars + len(block)
            different_bytes.update(data)
            characters.update(block)
            for unit in units:
                unit.add(block)
        for unit in units:
            unit.end_document()
    return [
        _unit_row("bytes", n_bytes, len(different_bytes), None, width=256),
        _unit_row("characters", n_chars, len(characters), len({character.lower() for character in characters})),
        *(unit.finish_and_return_row() for unit in units),
    ]


def _visible_pretoken_cutter(pattern: str) -> Callable[[str], Iterable[str]]:
    """Return the function from a text to its pretokens under a pattern, without white space."""
    return lambda text: filter(None, map(str.strip, chain.from_iterable(pretoken_runs(text, pattern))))


def _unit_row(
    unit: str, n_total: int, n_distinct: int, n_distinct_lower: int | None, *, width: int | None = None
) -> dict[str, object]:
    width = n_distinct if width is None else width
    return dict(zip(HEADS, (unit, n_total, n_distinct, n_distinct_lower, width, n_total * width), strict=True))
