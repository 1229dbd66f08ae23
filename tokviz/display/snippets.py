"""The kinds of snippets: how coloured text is written for documents, sites and terminals."""

from collections.abc import Callable
from dataclasses import dataclass

from tokviz.display.ansi_text import ansi_text
from tokviz.display.html_text import html_text
from tokviz.display.latex_text import latex_text
from tokviz.display.markdown_text import markdown_text


@dataclass(frozen=True)
class Snippet:
    """One kind: `write` takes texts in pieces, and `captions` and `theme` as options. purpose: where it is for."""

    name: str
    suffix: str
    write: Callable[..., str]
    purpose: str


SNIPPETS = {
    each.name: each
    for each in (
        Snippet("ansi", ".ans", ansi_text, "a terminal"),
        Snippet("html", ".html", html_text, "a mail, a slide or a site"),
        Snippet("latex", ".tex", latex_text, "a paper"),
        Snippet("markdown", ".md", markdown_text, "a page in Markdown"),
    )
}
