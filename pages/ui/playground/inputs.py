"""The playground's three inputs: a text, a chat (see `chat_input`), or token ids.

Each shows itself and returns a function that gives the input and its tokens at the time of the call, from any thread.
"""

from collections.abc import Callable
from functools import partial

from pages.ui.playground.chat_input import chat_input
from pages.ui.playground.greeting import greets
from pages.ui.playground.playground_result import PlaygroundResult
from pages.ui.session_tokenizers.tokenizer_list import KNOWN_AS
from pages.ui.shared.token_view import ids_view, text_editor, token_view
from tokviz import AnyTokenizer, load
from tokviz.formats.pretrained import PRETRAINED
from tokviz.live.views.token_view import TokenView

# The text and its tokens fill the window; on the page that greets, they leave room for what is around them.
HEIGHT = "max(18rem, calc(100dvh - 12.5rem))"
HEIGHT_ON_LANDING = "max(14rem, calc(100dvh - 26rem))"


def text_input(tokenizer: AnyTokenizer, allow_special: bool) -> Callable[[], PlaygroundResult]:
    """Show the shared text to type in, and its tokens."""
    is_greeting = greets()
    view = token_view(
        tokenizer,
        key="playground",
        allowed_special="all" if allow_special else (),
        height=HEIGHT_ON_LANDING if is_greeting else HEIGHT,
        counted=tuple((KNOWN_AS[name], load(name)) for name in PRETRAINED),
        big=is_greeting,
    )
    return partial(_text_result, tokenizer, view, allow_special)


def _text_result(tokenizer: AnyTokenizer, view: TokenView, allow_special: bool) -> PlaygroundResult:
    spans = view.spans()
    if view.problem:
        raise ValueError(view.problem)
    return PlaygroundResult(tokenizer, spans, "Text", base=tokenizer, text=spans.text, allow_special=allow_special)


def ids_input(tokenizer: AnyTokenizer, _: bool) -> Callable[[], PlaygroundResult]:
    """Show ids to paste, and the tokens and the text they stand for."""
    text_editor(
        "ids",
        key="ids",
        label="Token ids",
        placeholder="Paste ids, with any separators, or as a JSON list: [15339, 1917]",
        height=120,
    )
    view = ids_view(tokenizer, "ids", key="of ids", height="max(18rem, calc(100dvh - 25rem))")
    return lambda: PlaygroundResult(tokenizer, view.spans(), "Ids", base=tokenizer)


INPUTS = {"Text": text_input, "Chat": chat_input, "Ids": ids_input}
