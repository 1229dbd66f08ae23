"""What the playground shows, and what it was made from, for downloads, code and links."""

from dataclasses import dataclass

from tokviz import AnyTokenizer, TokenSpans
from tokviz.core.pretokens import well_formed
from tokviz.formats.python_code import Example


@dataclass(frozen=True)
class PlaygroundResult:
    """Tokens, and the input they come from.

    source: "Text", "Chat", "Prompt" or "Ids"; the first comes with `text`, the second, ChatML, with `messages`, pairs
    of a role and a text; a prompt is a chat in another format. base: the chosen tokenizer; for a chat, `tokenizer` is
    the same with the markers.
    """

    tokenizer: AnyTokenizer
    spans: TokenSpans
    source: str
    base: AnyTokenizer
    text: str = ""
    messages: tuple[tuple[str, str], ...] = ()
    allow_special: bool = False

    def example(self) -> Example:
        """Return the tokenizer and its input, to be written as code."""
        if self.source == "Chat":
            return Example(self.base, "messages", [(role, well_formed(text)) for role, text in self.messages])
        if self.source == "Ids" or self.source == "Prompt":
            return Example(self.tokenizer, "ids", self.spans.ids.tolist())
        return Example(self.base, "text", well_formed(self.text), self.allow_special)
