"""`tokviz.show`: a text with its tokens in colour, in a notebook or as text for somewhere else."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from tokviz.core.protocol import AnyTokenizer, named_tokenizers
from tokviz.core.trace import MergeTrace
from tokviz.display.html_text import html_text
from tokviz.display.pieces import TokenizedText, allowed_names_of, tokenized_text, tokenized_text_at
from tokviz.display.saved_page import history_page, tokens_page
from tokviz.display.snippets import SNIPPETS

Named = tuple[tuple[str, AnyTokenizer], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Shown:
    """A text under one tokenizer or several, or at a step of a history. A notebook shows it in colour.

    tokenizers: pairs of a name and a tokenizer. step: how many merges of `history` are made, if it is of one.
    """

    tokenizers: Named
    text: str
    allowed_special: str | Collection[str] = ()
    history: MergeTrace | None = None
    step: int | None = None

    @cached_property
    def texts(self) -> tuple[TokenizedText, ...]:
        """The text in pieces, under each tokenizer."""
        return tuple(self._tokenized_texts())

    def _tokenized_texts(self) -> Iterator[TokenizedText]:
        if self.history is not None:
            n_merges = len(self.history.tokenizer.merge_tokens)
            yield tokenized_text_at(self.history, n_merges if self.step is None else self.step)
            return
        for name, tokenizer in self.tokenizers:
            special = allowed_names_of(tokenizer, self.allowed_special)
            yield tokenized_text(tokenizer, self.text, allowed_special=special, title=name)

    def snippet(self, kind: str = "html", *, captions: bool | None = None, **options: Any) -> str:
        """Return the text for a document: "html", "latex", "markdown" or "ansi"; KeyError for anything else.

        captions: whether each text has its tokenizer's name and number of tokens above it, by default if there are
        several. theme: "light" or "dark". "ansi" also takes `colours`: 2 ** 24, 256 or 0.

        >>> import tokviz
        >>> show(tokviz.load("gpt2"), "low lower").snippet("markdown")
        '`low` `␣lower`\\n'
        """
        if kind not in SNIPPETS:
            raise KeyError(f"there is no snippet {kind!r}; there are {', '.join(SNIPPETS)}")
        captions = len(self.texts) > 1 if captions is None else captions
        return SNIPPETS[kind].write(self.texts, captions=captions, **options)

    def page(self, *, title: str = "") -> str:
        """Return a page of HTML that is as live as the app, and needs no server and no network.

        It has the tokens under each tokenizer, to switch between, or the merges of a trace. ValueError for a text of
        more than 200,000 UTF-16 units.
        """
        if self.history is not None:
            tokenizer, is_special = self.history.tokenizer, bool(self.history.special_ends)
            step = len(tokenizer.merge_tokens) if self.step is None else self.step
            return history_page(tokenizer, self.text, step=step, allow_special=is_special, title=title)
        return tokens_page(dict(self.tokenizers), self.text, allowed_special=self.allowed_special, title=title)

    def widget(self) -> Any:
        """Return the live view for a notebook; ImportError without anywidget, which `tokviz[notebook]` installs."""
        return import_module("tokviz.display.widget").LiveWidget(self)

    def _ipython_display_(self) -> None:
        """Show the coloured text in a notebook and, with anywidget, the live view below it.

        They are two outputs, since a page that was made from a notebook shows only one format of each, and prefers the
        view, which is empty there. Where a kernel answers, the view hides the text (`assets/notebook`).
        """
        display = import_module("IPython.display").display
        still = {"text/plain": repr(self), "text/html": self._repr_html_(), "text/latex": self.snippet("latex")}
        if find_spec("anywidget") is None:
            display(still, raw=True)
            return
        widget = self.widget()
        display(still | {"text/html": f'<div class="{widget.still}">{still["text/html"]}</div>'}, raw=True)
        data, metadata = widget.view_bundle()
        display(data, metadata=metadata, raw=True)

    def _display_(self) -> Any:
        """Return what marimo shows."""
        return self.widget() if find_spec("anywidget") else import_module("marimo").Html(self._repr_html_())

    def __repr__(self) -> str:
        return f"<tokviz.show: {'; '.join(text.caption for text in self.texts)}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: no script, and light or dark as the page around."""
        return html_text(self.texts, captions=True, with_style=True)


def show(
    what: Any, text: str | None = None, *, step: int | None = None, allowed_special: str | Collection[str] = ()
) -> Shown:
    """Return a text with its tokens in colour, which a notebook shows.

    what: a tokenizer, several in a list or by names in a dict, or a table that `tokviz.compare` made, which brings its
    own text; or what `tokviz.trace` returned, with how many merges are made as `step`. Raises ValueError for a text
    too much or too little, and TypeError for anything else.

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> print(show(gpt2, "low lower").snippet("ansi", colours=0), end="")
    low|␣lower
    >>> print(show(tokviz.trace(gpt2, "low lower"), step=300).snippet("ansi", colours=0), end="")
    l|ow|␣l|ow|er
    """
    if isinstance(what, MergeTrace):
        if text is not None:
            raise ValueError("a trace has its own text: leave the other one out")
        return Shown(((what.tokenizer.name, what.tokenizer),), what.data.decode(), history=what, step=step)
    if step is not None:
        raise ValueError("a step is of a trace: give show(tokviz.trace(tokenizer, text), step=…)")
    compared = getattr(what, "attrs", {})
    if "tokenizers" in compared and "text" in compared:
        what, text = compared["tokenizers"], compared["text"] if text is None else text
    if text is None:
        raise ValueError("a text is missing: give show(tokenizer, text)")
    return Shown(tuple(named_tokenizers(what).items()), text, allowed_special)
