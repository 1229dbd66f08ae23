"""A count over several files under several tokenizers, in a thread of its own, that can be watched and stopped."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event, Thread

import tokviz
from tokviz.analysis.metrics import metrics, share_of_whole_words
from tokviz.analysis.unknown_text import UnknownText, unknown_text
from tokviz.core.protocol import AnyTokenizer
from tokviz.system import sandbox
from tokviz.system.child_turns import Task


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
    """Return the figures of a text; ValueError if it cannot be encoded."""
    spans = tokviz.text_spans(tokenizer, text)
    figure = metrics(spans.text, spans.ids.tolist())
    whole = share_of_whole_words(spans) if figure.n_words else None
    n_whole = None if whole is None else round(whole * (figure.n_words or 0))
    return FileFigures(
        file=name,
        tokenizer=tokenizer.name,
        n_tokens=figure.n_tokens,
        n_chars=figure.n_chars,
        n_bytes=figure.n_bytes,
        n_words=figure.n_words,
        n_whole_words=n_whole,
        unknown=unknown_text(tokenizer, spans),
    )


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
