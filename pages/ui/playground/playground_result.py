"""What the playground shows, and what it was made from, for downloads, code and links."""

from dataclasses import dataclass

from tokviz import AnyTokenizer, TokenSpans


@dataclass(frozen=True)
class PlaygroundResult:
    """Tokens, and the input they come from.

    source: "Text", "Chat" or "Ids"; the first comes with `text`, the second with `messages`, pairs of a
    role and a text. base: the chosen tokenizer; for a chat, `tokenizer` is the same with the markers.
    """

    tokenizer: AnyTokenizer
    spans: TokenSpans
    source: str
    base: AnyTokenizer
    text: str = ""
    messages: tuple[tuple[str, str], ...] = ()
    allow_special: bool = False
