"""What a text costs in one language, in money and in room, if it costs there what parallel sentences do."""

from dataclasses import dataclass

from tokviz.analysis.parity import ParityRow


@dataclass(frozen=True)
class TextCost:
    """A text in one language: its expected number of tokens; what they cost; and which share of a context window they
    take, 1.0 for all of it.
    """

    n_tokens: float
    price: float
    window_share: float


def text_cost(
    row: ParityRow, reference: ParityRow, *, n_chars: int, price: float = 0.0, window: int = 8_192
) -> TextCost | None:
    """Return what a text costs in the language of a row; None where the row or the reference language has no tokens.

    reference: the row of the reference language under the same tokenizer. n_chars: the length of the text in the
    reference language. price: of a million tokens. window: the context window in tokens.

    >>> import tokviz
    >>> from tokviz.analysis.parity import parity_rows
    >>> thai, english = parity_rows(tokviz.load("gpt2"), [{"en": "Good morning", "th": "สวัสดี"}])
    >>> text_cost(thai, english, n_chars=12_000, price=2.0, window=24_000)
    TextCost(n_tokens=12000.0, price=0.024, window_share=0.5)
    """
    if not row.parity or not reference.n_chars:
        return None
    n_tokens = n_chars * reference.n_tokens / reference.n_chars * row.parity
    return TextCost(n_tokens, n_tokens * price / 1e6, n_tokens / window)
