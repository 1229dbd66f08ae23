"""A count of several files under several tokenizers, in a thread of its own, that can be watched and stopped."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from threading import Event, Thread, get_ident
from typing import TypeGuard

import tokviz
from tokviz import Tokenizer
from tokviz.chats.formats import ChatFormat, ChatML
from tokviz.core.cut_places import SPACED_PIECES, is_divisible
from tokviz.core.protocol import AnyTokenizer
from tokviz.corpus.blocks import TextCutter
from tokviz.corpus.corpus import BadLine, Corpus
from tokviz.corpus.documents import (
    Document,
    PlacedDocument,
    counting_cost_in_characters,
    document_batches,
    documents_with_places,
    n_characters,
)
from tokviz.corpus.token_counts import DatasetCount
from tokviz.system import sandbox
from tokviz.system.child_turns import Task
from tokviz.system.thread_turns import LONG_WORK
from tokviz.text.metrics import is_mostly_unspaced, one_token_and_all_word_counts
from tokviz.text.unknown_text import UnknownText, unknown_text_figures

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
    sizes: list[tuple[int, ...]] = []
    unknown = UnknownText()
    for piece in countable_pieces(text, tokenizer):
        with _turn_if_short(len(piece)):
            spans = tokviz.text_spans(tokenizer, piece)
            whole, words = one_token_and_all_word_counts(spans)
            unknown += unknown_text_figures(tokenizer, spans)
        sizes.append((len(spans), len(spans.text), len(spans.text.encode("utf-8", "surrogatepass")), words, whole))
    n_tokens, n_chars, n_bytes, n_words, n_whole = map(sum, zip(*sizes, strict=True))
    spaced = not is_mostly_unspaced(countable_pieces(text, tokenizer))
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


def _turn_if_short(n_chars: int) -> AbstractContextManager[None]:
    """Return a turn for work on this many characters.

    A long piece takes no turn, since others would have to wait for it. A count is a client of its own, so that the
    person who started it can type meanwhile.
    """
    return LONG_WORK.turn(get_ident()) if n_chars <= TURN_MAX else nullcontext()


def countable_pieces(text: str, tokenizer: AnyTokenizer) -> Iterator[str]:
    """Yield a text in pieces that cut neither tokens nor words; in one piece if nobody knows where it may be cut."""
    if not _is_countable_in_pieces(tokenizer) or not tokenizer.normalizer.changes_parts_alike(text):
        yield text
        return
    cut = TextCutter(SPACED_PIECES[tokenizer.split_pattern], PIECE)
    for start in range(0, len(text), PIECE):
        if piece := cut.add_and_take_text(text[start : start + PIECE]):
            yield piece
    yield cut.add_and_take_text("", closed=True)


def _is_countable_in_pieces(tokenizer: AnyTokenizer) -> TypeGuard[Tokenizer]:
    """Return whether it is known where texts may be cut: under the named patterns of byte-level BPE."""
    if not isinstance(tokenizer, Tokenizer) or not is_divisible(tokenizer.split_pattern):
        return False
    return all(token.split() == [token] for token in tokenizer.always_special)


@dataclass(frozen=True)
class DocumentFiles:
    """The files of a count whose lines are documents: their bytes by name, and the key of the texts in them.

    formats: the format of chats for each tokenizer; ChatML for all of them if there are none.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    text_key: str = "text"
    formats: tuple[ChatFormat, ...] = ()


class CorpusRun:
    """One count: its figures so far, and its progress.

    It continues when you leave its page. When stopped, it ends after the current file, or at once if a child process
    works on that. `problems` says in words what could not be counted. `documents` has the count of documents under each
    tokenizer, by its name: each file of `lines` holds many, any other file is one. `bad_lines` are the first of the
    `n_bad` lines that hold none.
    """

    def __init__(
        self, files: Sequence[tuple[str, str]], tokenizers: Sequence[AnyTokenizer], lines: DocumentFiles | None = None
    ) -> None:
        self.figures: list[FileFigures] = []
        self.problems: list[str] = []
        self.n_bad, self.bad_lines = 0, list[BadLine]()
        self.at = ""
        self.lines = lines or DocumentFiles()
        self._files, self._tokenizers = tuple(files), tuple(tokenizers)
        formats = self.lines.formats or (ChatML(),) * len(tokenizers)
        self.documents = {
            one.name: DatasetCount(one, chat_format) for one, chat_format in zip(tokenizers, formats, strict=True)
        }
        passes = [2 if name in self.lines.files else 1 for name, _ in files]
        self._total = sum(len(text) * n for (_, text), n in zip(files, passes, strict=True)) * len(tokenizers)
        self._counted = 0
        self._stop = Event()
        self._task = Task(sandbox.default_client(), is_abandoned=self._stop.is_set)
        self._thread = Thread(target=self._count_all, daemon=True)
        self._thread.start()

    def is_for(
        self, files: Sequence[tuple[str, str]], tokenizers: Sequence[AnyTokenizer], lines: DocumentFiles | None = None
    ) -> bool:
        """Return whether it counts exactly these files, by names and texts, under these tokenizers and formats."""
        asked = tuple(files), tuple(tokenizers), lines or DocumentFiles()
        return (self._files, self._tokenizers, self.lines) == asked

    @property
    def progress(self) -> float:
        """How much of the text is counted, from 0 to 1."""
        return min(self._counted / max(1, self._total), 1.0)

    @property
    def is_done(self) -> bool:
        """Whether it has ended, by itself or because it was stopped."""
        return not self._thread.is_alive()

    @property
    def is_stopped(self) -> bool:
        """Whether it was asked to end early."""
        return self._stop.is_set()

    def stop(self) -> None:
        """End soon; figures so far stay."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most this long; return whether it has come."""
        self._thread.join(seconds)
        return self.is_done

    def document_at(self, file: str, line: int) -> Document:
        """Return the document at a place; KeyError if there is none."""
        if file in self.lines.files:
            corpus = Corpus.of_bytes({file: self.lines.files[file]}, text_key=self.lines.text_key)
            found = (placed.document for placed in documents_with_places(corpus) if placed.line == line)
        else:
            found = (text for name, text in self._files if name == file and line == 1)
        for document in found:
            return document
        raise KeyError(f"there is no document on line {line} of {file}: count the files again")

    def _count_all(self) -> None:
        with sandbox.as_task(self._task):
            for name, text in self._files:
                for tokenizer in self._tokenizers:
                    if self._stop.is_set():
                        return
                    self.at = f"{name} under {tokenizer.name}"
                    try:
                        self._add_figures(file_figures(name, text, tokenizer))
                    except (ValueError, MemoryError) as e:
                        if self._task.was_cancelled:
                            return
                        self.problems.append(f"{self.at}: {e}")
                    self._counted += len(text)
                if name in self.lines.files:
                    self._count_documents(name)

    def _add_figures(self, figures: FileFigures) -> None:
        self.figures.append(figures)
        if figures.file not in self.lines.files:
            self.documents[figures.tokenizer].tokens.add_document(figures.file, 1, {"text": figures.n_tokens})

    def _count_documents(self, name: str) -> None:
        """Count the documents of a file, a batch under all tokenizers before the next, so that all have the same."""
        self.at = f"the documents of {name}"
        corpus = Corpus.of_bytes({name: self.lines.files[name]}, text_key=self.lines.text_key)
        try:
            for batch in document_batches(documents_with_places(corpus)):
                if self._stop.is_set():
                    break
                self._count_batch(batch)
        except (ValueError, MemoryError) as e:
            self.problems.append(f"{self.at}: {e}")
        self.n_bad += corpus.n_bad
        self.bad_lines += corpus.bad_lines

    def _count_batch(self, batch: Sequence[PlacedDocument]) -> None:
        n_chars = sum(n_characters(placed.document) for placed in batch)
        size = sum(counting_cost_in_characters(placed.document) for placed in batch)
        for count in self.documents.values():
            with _turn_if_short(size):
                count.count_batch(batch)
            self._counted += n_chars
