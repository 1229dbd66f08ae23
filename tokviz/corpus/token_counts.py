"""Counting a data set: the tokens of each document under a tokenizer, and of its parts."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokviz.chats.formats import ChatFormat
from tokviz.chats.prompt import ROLES, prompt_spans, token_owners_and_is_content
from tokviz.core.protocol import AnyTokenizer
from tokviz.corpus.corpus import BAD_LINES_KEPT, BadLine
from tokviz.corpus.documents import Chat, Document, PlacedDocument, document_texts
from tokviz.corpus.lengths import DatasetTokens
from tokviz.system.thread_turns import yield_turn

OTHER_ROLES = "other roles"
SCAFFOLDING = "scaffolding"
PARTS = ("text", "prompt", "completion", *ROLES, OTHER_ROLES, SCAFFOLDING)


@dataclass(frozen=True)
class CountsOnly:
    """What counts the tokens of texts, and nothing more."""

    name: str
    count_iter: Callable[[Iterable[str]], Iterable[int]]


class DatasetCount:
    """The count of a data set under one tokenizer, fed with batches of documents.

    tokens: what is counted so far. n_uncounted: documents that cannot be counted, such as chats that the format
    refuses; the first thousand of them are in `uncounted`, with the reasons.
    """

    def __init__(self, tokenizer: AnyTokenizer | CountsOnly, chat_format: ChatFormat) -> None:
        self.tokenizer, self.chat_format = tokenizer, chat_format
        self.tokens = DatasetTokens()
        self.n_uncounted = 0
        self.uncounted: list[BadLine] = []

    def count_batch(self, batch: Sequence[PlacedDocument]) -> None:
        """Count the documents of a batch.

        A text, a prompt or a completion has the tokens of `encode`; no tokens are added around it. A chat has those of
        its prompt in the chat format, without the beginning of an answer: those with a part of what a message says
        count for its role, all others are scaffolding.
        """
        for placed, parts in zip(
            batch, self._token_counts_by_part_or_errors([placed.document for placed in batch]), strict=True
        ):
            if isinstance(parts, ValueError):
                self.n_uncounted += 1
                if len(self.uncounted) < BAD_LINES_KEPT:
                    reason = f"not counted under {self.tokenizer.name}: {parts}"
                    self.uncounted.append(BadLine(placed.file, placed.line, reason))
            else:
                self.tokens.add_document(placed.file, placed.line, parts)

    def _token_counts_by_part_or_errors(self, documents: Sequence[Document]) -> Iterator[dict[str, int] | ValueError]:
        """Yield the tokens of each document by part, or why they cannot be counted."""
        texts = [text for document in documents if not isinstance(document, Chat) for text in document_texts(document)]
        try:
            counts: Iterator[int] | None = iter(list(self.tokenizer.count_iter(texts)))
        except ValueError:  # of one text; the counts of each document show which
            counts = None
        for document in documents:
            try:
                yield self._document_token_counts_by_part(document, counts)
            except ValueError as e:
                yield e

    def _document_token_counts_by_part(self, document: Document, counts: Iterator[int] | None) -> dict[str, int]:
        if isinstance(document, Chat):
            return self._chat_token_counts_by_part(document)
        counts = iter(self.tokenizer.count_iter(document_texts(document))) if counts is None else counts
        names = ("text",) if isinstance(document, str) else ("prompt", "completion")
        return {name: next(counts) for name in names}

    def _chat_token_counts_by_part(self, chat: Chat) -> dict[str, int]:
        tokenizer = self._chat_tokenizer
        yield_turn()  # a thousand chats take half a second
        prompt = self.chat_format.prompt(chat.messages, reply=False)
        owners, is_content = token_owners_and_is_content(prompt, prompt_spans(tokenizer, prompt))
        of_messages = np.bincount(owners[is_content], minlength=len(chat.messages)).tolist()
        parts = Counter({SCAFFOLDING: int((~is_content).sum())})
        for message, n in zip(chat.messages, of_messages, strict=True):
            parts[message.role if message.role in ROLES else OTHER_ROLES] += n
        return parts

    @cached_property
    def _chat_tokenizer(self) -> AnyTokenizer:
        """The tokenizer with the markers of the format, made for the first chat; ValueError if there is none."""
        if isinstance(self.tokenizer, CountsOnly):
            raise ValueError("it counts texts, not chats")
        return self.chat_format.tokenizer(self.tokenizer)
