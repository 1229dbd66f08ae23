"""The chunks of a document, each with the tokens it has when it is encoded by itself."""

from typing import Any

import numpy as np

from tokviz import AnyTokenizer, split, text_spans
from tokviz.live.document import Document
from tokviz.live.look import PLAIN, Look
from tokviz.live.views.reading import ReadingView
from tokviz.live.views.seams.seams_view import SeamsView, spans_data
from tokviz.live.views.sent_tokens import token_spelling_data
from tokviz.text.words import quantity

CHARACTERS_MAX = 5_000


class ChunksView(ReadingView[tuple[list[dict[str, Any]], str]], SeamsView):
    """One document in chunks of at most `tokens` tokens, which repeat `overlap` of those before."""

    section = "chunks"
    characters_max = CHARACTERS_MAX
    becomes = "are cut into chunks here"

    def __init__(
        self, document: Document, tokenizer: AnyTokenizer, *, tokens: int, overlap: int, look: Look = PLAIN
    ) -> None:
        super().__init__(document, tokenizer, look=look)
        self.tokens, self.overlap = tokens, overlap

    def reading_of(self, text: str) -> tuple[list[dict[str, Any]], str]:
        """Return the chunks as they are drawn, and what they cost in words; ValueError as in `split`."""
        shown, sizes, done = [], [], 0
        for chunk in split(text, self.tokenizer, tokens=self.tokens, overlap=self.overlap):
            spans = text_spans(self.tokenizer, chunk.text)
            stretch = spans_data(spans) | token_spelling_data(self.tokenizer, lambda spans=spans: spans)
            n_repeated = int(np.count_nonzero(spans.char_ends <= done - chunk.char_start))
            shown.append({"stretch": stretch, "repeated": n_repeated, "n_tokens": chunk.n_tokens})
            sizes.append(chunk.n_tokens)
            done = chunk.char_end
        return shown, chunks_in_words(
            sizes, len(self.tokenizer.encode(text)), overlaps=self.overlap > 0
        ) if sizes else ""

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return the chunks with their tokens, and in words what they cost."""
        shown, words = self.found or ([], "")
        chunks = [chunk | {"stretch": self.stretch_with_marks(chunk["stretch"])} for chunk in shown]
        return {"chunks": chunks, "words": words, "notice": self.notice}


def chunks_in_words(sizes: list[int], n_whole: int, *, overlaps: bool) -> str:
    """Return in words how many chunks there are, of how many tokens, what they take more than the whole, and why.

    >>> chunks_in_words([8, 8, 5], 20, overlaps=False)
    '3 chunks of 5 to 8 tokens: 21 tokens in all, where the whole text has 20.'
    """
    if len(sizes) == 1:
        return f"1 chunk, the whole text: {quantity(n_whole, 'token')}."
    low, high = min(sizes), max(sizes)
    of = f"{low:,} to {quantity(high, 'token')}" if low < high else quantity(high, "token")
    in_all = f"{quantity(sum(sizes), 'token')} in all, where the whole text has {n_whole:,}"
    words = f"{quantity(len(sizes), 'chunk')} of {of}: {in_all}."
    if overlaps:
        words += " Each repeats the end of the one before, so that a short phrase at a cut is whole in one of them."
    return words
