"""A report, lines of text under headings, as HTML: to put into a page, and as one that needs nothing else."""

from collections.abc import Iterable, Mapping
from html import escape

from tokviz.display.saved_page import csp_hash, html_document, page_sheet

STYLE = "h2 { font-size: 1.1rem; } h2, li { overflow-wrap: anywhere; unicode-bidi: plaintext; white-space: pre-wrap; }"


def report_html(sections: Mapping[str, Iterable[str]]) -> str:
    """Return headings with lists of lines, in which nothing is taken for markup.

    >>> report_html({"Ids": ["a < b"]})
    '<h2>Ids</h2><ul><li>a &lt; b</li></ul>'
    """
    lists = {title: "".join(f"<li>{escape(line)}</li>" for line in lines) for title, lines in sections.items()}
    return "".join(f"<h2>{escape(title)}</h2><ul>{lines}</ul>" for title, lines in lists.items())


def report_page(sections: Mapping[str, Iterable[str]]) -> str:
    """Return a page with a report, named by its first heading; it fetches nothing and runs no script."""
    sheet = page_sheet() + STYLE
    policy = f"default-src 'none'; style-src {csp_hash(sheet)}"
    return html_document(next(iter(sections)), policy, sheet, report_html(sections))
