"""A count over several files under several tokenizers, in a thread of its own, that can be watched and stopped."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from threading import Event, Thread, get_ident
from typing import TypeGuard

import tokviz
from tokviz import Tokenizer
from tokviz.analysis.metrics import is_unspaced, whole_words
from tokviz.analysis.unknown_text import UnknownText, unknown_text
from tokviz.core.cut_places import is_divisible
from tokviz.core.protocol import AnyTokenizer
from tokviz.system import sandbox
from tokviz.system.child_turns import Task
from tokviz.system.thread_turns import LONG_WORK
from tokviz.training.blocks import TextCut

PIECE = 50_000  # characters; counted in about a twentieth of a second
TURN_MAX = 4 * PIECE  # as long as a piece may be that is counted in a turn


@dataclass(frozen=True)
class FileFigures:
    """The figures of one file under one tokenizer; n_words and n_whole_words are None if there are no words.

    n_whole_words: the words that are one token. unknown: how much of the text is unknown.
    """

    file: str
    tokenizer: str
    n_tokens: int
    n_chars: int
    n_bytes: int
    n_words: int | None
    n_whole_words: int | None
    unknown: UnknownText


def file_figures(name: str, text: str, tokenizer: AnyTokenizer) -> FileFigures:
    """Return the figures of a text; ValueError if it cannot be encoded.

    They are added up over pieces, each counted in a turn of its own.
    """
    n_tokens = n_chars = n_bytes = n_words = n_whole = 0
    unknown = UnknownText()
    for piece in pieces(text, tokenizer):
        # Others would have to wait for a long piece, so that takes no turn. A count is a party of its own, or whoever
        # started it could not type meanwhile.
        with LONG_WORK.turn(get_ident()) if len(piece) <= TURN_MAX else nullcontext():
            spans = tokviz.text_spans(tokenizer, piece)
            whole, words = whole_words(spans)
            unknown += unknown_text(tokenizer, spans)
        n_tokens += len(spans)
        n_chars += len(spans.text)
        n_bytes += len(spans.text.encode("utf-8", "surrogatepass"))
        n_words, n_whole = n_words + words, n_whole + whole
    spaced = not is_unspaced(pieces(text, tokenizer))
    return FileFigures(
        file=name,
        tokenizer=tokenizer.name,
        n_tokens=n_tokens,
        n_chars=n_chars,
        n_bytes=n_bytes,
        n_words=n_words if spaced else None,
        n_whole_words=n_whole if spaced and n_words else None,
        unknown=unknown,
    )


def pieces(text: str, tokenizer: AnyTokenizer) -> Iterator[str]:
    """Yield a text in pieces that cut neither tokens nor words; in one where nobody knows where it may be cut."""
    if not _cuts(tokenizer):
        yield text
        return
    cut = TextCut.of_words(tokenizer.split_pattern, PIECE)
    for start in range(0, len(text), PIECE):
        if piece := cut.text(text[start : start + PIECE]):
            yield piece
    yield cut.text("", closed=True)


def _cuts(tokenizer: AnyTokenizer) -> TypeGuard[Tokenizer]:
    """Return whether it is known where texts may be cut: under the named patterns of byte-level BPE."""
    if not isinstance(tokenizer, Tokenizer) or not is_divisible(tokenizer.split_pattern):
        return False
    return all(token.split() == [token] for token in tokenizer.always_special)


class CorpusRun:
    """One count: its figures so far, and its progress.

    It continues when you leave its page; when stopped, it ends after the current file, or at once where a child process
    works on that. `problems` says in words what could not be counted.
    """

    def __init__(self, files: Sequence[tuple[str, str]], tokenizers: Sequence[AnyTokenizer]) -> None:
        self.figures: list[FileFigures] = []
        self.problems: list[str] = []
        self.at = ""
        self._files, self._tokenizers = tuple(files), tuple(tokenizers)
        self._total = max(1, sum(len(text) for _, text in files) * len(tokenizers))
        self._counted = 0
        self._stop = Event()
        self._task = Task(sandbox.default_client(), is_abandoned=self._stop.is_set)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def is_of(self, files: Sequence[tuple[str, str]], tokenizers: Sequence[AnyTokenizer]) -> bool:
        """Return whether it counts exactly these files, by names and texts, under these tokenizers."""
        return (self._files, self._tokenizers) == (tuple(files), tuple(tokenizers))

    @property
    def share(self) -> float:
        """How much of the text is counted, from 0 to 1."""
        return min(self._counted / self._total, 1.0)

    @property
    def done(self) -> bool:
        """Whether it has ended, by itself or because it was stopped."""
        return not self._thread.is_alive()

    @property
    def stopped(self) -> bool:
        """Whether it was asked to end early."""
        return self._stop.is_set()

    def stop(self) -> None:
        """End soon; figures so far stay."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most this long; return whether it has come."""
        self._thread.join(seconds)
        return self.done

    def _run(self) -> None:
        with sandbox.as_task(self._task):
            for name, text in self._files:
                for tokenizer in self._tokenizers:
                    if self._stop.is_set():
                        return
                    self.at = f"{name} under {tokenizer.name}"
                    try:
                        self.figures.append(file_figures(name, text, tokenizer))
                    except (ValueError, MemoryError) as e:
                        if self._task.was_cancelled:
                            return
                        self.problems.append(f"{self.at}: {e}")
                    self._counted += len(text)
