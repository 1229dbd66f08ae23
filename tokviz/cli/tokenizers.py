"""Tokenizers named on the command line: pretrained ones, files and folders, with the options that some files need."""

import argparse
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

from tokviz.cli.streams import say
from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.special_tokens import SpecialTokens, special_tokens_from_words
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.extras import EXTRAS
from tokviz.formats.files import needs_split_pattern, tokenizer_of_file
from tokviz.formats.folders import TokenizerFile, read_tokenizer_file
from tokviz.formats.pretrained import ENCODINGS, load
from tokviz.formats.table import file_format_if_known
from tokviz.formats.tiktoken_rules import TIKTOKEN

TOKENIZER = f"a file or a folder, or {', '.join(ENCODINGS)}"
DEFAULT = "cl100k_base"


def add_tokenizer_argument_and_options(command: argparse.ArgumentParser) -> None:
    """Add the argument that names the tokenizer, and the options for files that lack something."""
    command.add_argument("tokenizer", metavar="TOKENIZER", help=TOKENIZER)
    add_tokenizer_options(command)


def add_tokenizers_option(command: argparse.ArgumentParser, help_text: str = f"{TOKENIZER} ({DEFAULT})") -> None:
    """Add the option that names tokenizers, each by itself."""
    add = command.add_argument
    add("-t", "--tokenizer", action="append", default=[], dest="tokenizers", metavar="TOKENIZER",
        help=f"{help_text}; may be given several times")  # fmt: skip


def add_tokenizer_options(command: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Add the options for files that lack a split pattern or special tokens; `several`: each file may have its own."""
    patterns = f"{', '.join(SPLIT_PATTERNS)}, or a regular expression, for a .tiktoken or GGUF file that lacks one"
    if several:
        patterns += "; once for all such files, or once for each, in their order"
    command.add_argument("--split-pattern", action="append", default=[], metavar="PATTERN", help=patterns)
    add_special_option(command, "a special token of a .tiktoken file, with its id if it does not follow the last rank")


def add_special_option(command: argparse.ArgumentParser, help_text: str) -> None:
    """Add the option that names special tokens."""
    help_text += "; may be given several times"
    command.add_argument("--special", action="append", default=[], metavar="TOKEN[=ID]", help=help_text)


def read_or_load_tokenizer(name: str, options: argparse.Namespace) -> AnyTokenizer:
    """Return the tokenizer in a file, or the pretrained one with this name."""
    if len(options.split_pattern) > 1:
        raise ValueError(f"--split-pattern is given {len(options.split_pattern)} times for one tokenizer: give it once")
    pattern = next(iter(options.split_pattern), None)
    return NamedTokenizer.of_name(name).tokenizer(pattern, special_tokens_from_words(options.special) or None)


def read_or_load_tokenizers(names: Sequence[str], options: argparse.Namespace) -> list[AnyTokenizer]:
    """Return several tokenizers; the options are for those that lack a split pattern, or else for .tiktoken files.

    Special tokens go to .tiktoken files alone.
    """
    patterns, special = options.split_pattern, special_tokens_from_words(options.special) or None
    named = list(map(NamedTokenizer.of_name, names))
    lacking = [one for one in named if one.needs_split_pattern]
    ranks = [one for one in named if one.is_rank_file]
    files = lacking or ranks
    with_special = [one for one in ranks if one in lacking] or ranks
    if not files and (patterns or special):
        raise ValueError(
            "--split-pattern and --special are for files that lack them, as .tiktoken files do: leave them out"
        )
    if special and not with_special:
        raise ValueError("--special is for .tiktoken files, which hold no special tokens: name one, or leave it out")
    if len(patterns) not in (0, 1, len(files)):
        raise ValueError(
            f"--split-pattern is given {len(patterns)} times for {len(files)} files that lack one: give it once for "
            "all of them, or once for each, in their order"
        )
    pattern_of = iter(patterns if len(patterns) > 1 else (patterns or [None]) * len(files))
    return [
        one.tokenizer(next(pattern_of) if one in files else None, special if one in with_special else None)
        for one in named
    ]


@dataclass(frozen=True, eq=False)
class NamedTokenizer:
    """What a name on the command line means: a file, read once, or a pretrained tokenizer."""

    name: str
    file: TokenizerFile | None

    @classmethod
    def of_name(cls, name: str) -> Self:
        """Return what is found under a name."""
        return cls(name, read_tokenizer_file(Path(name)) if Path(name).exists() else None)

    @cached_property
    def is_rank_file(self) -> bool:
        """Whether the file holds ranks, as .tiktoken files do."""
        return self.file is not None and file_format_if_known(self.file.data) is TIKTOKEN

    @cached_property
    def needs_split_pattern(self) -> bool:
        """Whether the file is read only with a split pattern."""
        return self.file is not None and needs_split_pattern(self.file.data, self.file.name)

    def tokenizer(self, split_pattern: str | None, special: SpecialTokens | None) -> AnyTokenizer:
        """Return the tokenizer; ValueError if it needs a split pattern, or takes none."""
        if self.file is not None:
            if split_pattern is None and self.needs_split_pattern:
                why, more = "the split pattern of this GGUF file is not known", ""
                if self.is_rank_file:
                    why, more = "a .tiktoken file holds no split pattern", ", and its special tokens with --special"
                raise ValueError(
                    f"{self.name}: {why}: give --split-pattern, one of {', '.join(SPLIT_PATTERNS)} or a regular "
                    f"expression{more}"
                )
            return tokenizer_of_file(self.file, split_pattern=split_pattern, special_tokens=special)
        if self.name not in {*ENCODINGS, *EXTRAS}:
            raise ValueError(f"there is no file {self.name!r}; the pretrained tokenizers are {', '.join(ENCODINGS)}")
        if (split_pattern, special) != (None, None):
            raise ValueError(
                f"{self.name} has a split pattern and special tokens of its own: leave out --split-pattern and "
                "--special"
            )
        return load(self.name)


def reading_options(path: str, tokenizer: Tokenizer) -> list[str]:
    """Return the options that read a file of this tokenizer if it is a .tiktoken file; others need none.

    >>> reading_options("toy.tiktoken", Tokenizer("toy", "gpt2", {bytes([i]): i for i in range(256)}, {"<s>": 256}))
    ['--split-pattern=gpt2', '--special=<s>=256']
    """
    if not path.endswith(TIKTOKEN.suffix):
        return []
    special = [f"--special={name}={token_id}" for name, token_id in tokenizer.special_tokens.items()]
    return [f"--split-pattern={tokenizer.split_pattern}", *special]


def reading_hint_lines(path: str, read_with: Sequence[str]) -> list[str]:
    """Return the lines that say which options read a file, none if it needs none."""
    if not read_with:
        return []
    return [f"{path} holds ranks only; the options that read it:", shlex.join(read_with)]


def warn_if_always_special_lost(path: str, tokenizer: Tokenizer) -> None:
    """Say on standard error which options give a .tiktoken file the ids of a tokenizer that always matches some tokens.

    Such a file, read again, takes all special tokens for text unless they are allowed.
    """
    if path.endswith(TIKTOKEN.suffix) and tokenizer.always_special:
        allowed = shlex.join(f"--allow-special={token}" for token in sorted(tokenizer.always_special))
        say(f"{path} cannot say that some special tokens match in every text; encode with {allowed}")
