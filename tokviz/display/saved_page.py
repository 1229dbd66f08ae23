"""One HTML file that needs no server: a view of the pages, with their code and all that it would ask for, or a report.

It fetches nothing: modules, style sheets and data stand in it, and its content security policy allows no other.
"""

import base64
import gzip
import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from html import escape
from typing import Any

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.display.components import HISTORY, LOOK_OF_TOKENS, TOKENS, ComponentFiles, shortened_sheet
from tokviz.display.palette import theme_css
from tokviz.display.snapshot import view_snapshot
from tokviz.display.view_spec import ViewSpec, columns_view_spec, history_view_spec, tokens_view_spec
from tokviz.live.document import Document, units_of
from tokviz.records.training import FromTraining
from tokviz.system.installation import ASSETS

TEXT_MAX = 200_000  # UTF-16 units
ANSWERS_MAX = 130_000  # characters of packed facts about tokens; a page's first tokenizer always has its own
HEIGHT = "max(18rem, calc(100vh - 15rem))"
REPORT_STYLE = (
    "h2 { font-size: 1.1rem; } h2, li { overflow-wrap: anywhere; unicode-bidi: plaintext; white-space: pre-wrap; }"
)
KEPT = {"token": "kept", "session": "kept", "document": "text"}


def tokens_page(
    tokenizers: Mapping[str, AnyTokenizer],
    text: str,
    *,
    allowed_special: str | Collection[str] = (),
    title: str = "",
    finds_hidden: bool = True,
) -> str:
    """Return a page with the tokens of a text under each tokenizer, to choose from; ValueError for a text too long.

    Special tokens are allowed where a tokenizer has them. finds_hidden: whether what hides in the text is marked.
    """
    document = Document(_checked_text(text))
    named = tuple(tokenizers.items())
    views: dict[str, Any] = {}
    room = ANSWERS_MAX
    for name, tokenizer in named:
        others = [(other, each) for other, each in named if other != name]
        spec = tokens_view_spec(tokenizer, allowed_special=allowed_special, counted=others, finds_hidden=finds_hidden)
        view = view_snapshot(spec.view(document, spec.of, **spec.options))
        size = len(base64_gzipped_json(view["answers"]))
        if views and size > room:
            view["answers"] = None
        else:
            room -= size
        views[name] = view
    said = {**LOOK_OF_TOKENS, **KEPT, "source": "text", "editable": False, "label_visible": False, "height": HEIGHT}
    return _page_html(TOKENS, title, document, views, {name: {**said, "view": name} for name in views})


def columns_page(
    tokenizers: Mapping[str, AnyTokenizer],
    text: str,
    *,
    reference: str | None = None,
    finds_hidden: bool = True,
) -> str:
    """Return a page with a text under two to six tokenizers side by side; ValueError for a text too long."""
    spec = columns_view_spec([*tokenizers.items()], reference=reference, finds_hidden=finds_hidden)
    return _single_view_page(spec, text, "")


def history_page(
    tokenizer: Tokenizer,
    text: str,
    *,
    step: int = 0,
    training: FromTraining | None = None,
    allow_special: bool = False,
    title: str = "",
    finds_hidden: bool = True,
) -> str:
    """Return a page with the merge history of a text, opened at a step; ValueError for a text too long.

    training: what is known about the training of the tokenizer.
    """
    spec = history_view_spec(
        tokenizer, step=step, training=training, allow_special=allow_special, finds_hidden=finds_hidden
    )
    return _single_view_page(spec, text, title or tokenizer.name)


def _single_view_page(spec: ViewSpec, text: str, title: str) -> str:
    """Return a page with one view."""
    document = Document(_checked_text(text))
    view = view_snapshot(spec.view(document, spec.of, **spec.options))
    name = spec.component.name
    return _page_html(spec.component, title, document, {name: view}, {name: {**spec.said, **KEPT, "view": name}})


def _checked_text(text: str) -> str:
    """Return a text; ValueError if it is too long for a page that is a single file."""
    if (length := len(units_of(text)) // 2) > TEXT_MAX:
        raise ValueError(f"a page takes a text of at most {TEXT_MAX:,} UTF-16 units, and this one has {length:,}")
    return text


def _page_html(
    kind: ComponentFiles, title: str, document: Document, views: dict[str, Any], data: dict[str, Any]
) -> str:
    """Return the file: `data` is what the pages' script would say to the component, by the names to choose from."""
    without_answers = {name: view | {"answers": None} for name, view in views.items()}
    answers = _answers_by_field({name: view["answers"] for name, view in views.items() if view["answers"]})
    kept = {"documents": {"text": document.text}, "views": without_answers, "answers": answers, "data": data}
    sheet, outer_sheet, script = kind.place_style_sheet("saved_page"), page_sheet(), _page_script(kind)
    policy = (
        f"default-src 'none'; script-src {csp_hash(script)}; style-src {csp_hash(outer_sheet)} {csp_hash(sheet)}; "
        "img-src blob:; "  # the pictures that it draws
        "base-uri 'none'; form-action 'none'"
    )
    heading = f"<h1>{escape(title)}</h1>\n" if title else ""
    body = (
        f'{heading}<main id="view"><template shadowrootmode="open"><style>{sheet}</style>'
        f'<fieldset id="choices" class="modes" aria-label="Tokenizer"></fieldset>\n{kind.markup}</template></main>\n'
        "<noscript>This page shows tokens by JavaScript, which is switched off here.</noscript>\n"
        "<footer>Saved with tokviz. Nothing on this page is sent or fetched.</footer>\n"
        f'<script type="text/plain" id="kept">{base64_gzipped_json(kept)}</script>\n'
        f'<script type="module">{script}</script>'
    )
    return html_document(title or "Tokens", policy, outer_sheet, body)


def html_document(title: str, policy: str, sheet: str, body: str) -> str:
    """Return a page as one file, with a content security policy and a style sheet."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{sheet}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def report_html(sections: Mapping[str, Iterable[str]]) -> str:
    """Return headings with lists of lines, in which nothing is taken for markup.

    >>> report_html({"Ids": ["a < b"]})
    '<h2>Ids</h2><ul><li>a &lt; b</li></ul>'
    """
    lists = {title: "".join(f"<li>{escape(line)}</li>" for line in lines) for title, lines in sections.items()}
    return "".join(f"<h2>{escape(title)}</h2><ul>{lines}</ul>" for title, lines in lists.items())


def report_page(sections: Mapping[str, Iterable[str]]) -> str:
    """Return a page with a report, named by its first heading; it fetches nothing and runs no script."""
    sheet = page_sheet() + REPORT_STYLE
    policy = f"default-src 'none'; style-src {csp_hash(sheet)}"
    return html_document(next(iter(sections)), policy, sheet, report_html(sections))


def _answers_by_field(answers: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the answers of views field by field: those of one field resemble each other, and gzip looks 32 kB back.

    >>> _answers_by_field({"gpt2": {"rank": [1]}, "cl100k_base": {"rank": [2]}})
    {'rank': {'gpt2': [1], 'cl100k_base': [2]}}
    """
    fields = dict.fromkeys(field for each in answers.values() for field in each)
    return {field: {name: each[field] for name, each in answers.items() if field in each} for field in fields}


def base64_gzipped_json(data: object) -> str:
    """Return plain data as JSON, compressed by gzip, in base64: no character of it means anything to HTML."""
    text = json.dumps(data, separators=(",", ":"))  # in ASCII, which lone surrogates survive
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def csp_hash(text: str) -> str:
    """Return the source expression that allows exactly this inline script or style sheet."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _page_script(kind: ComponentFiles) -> str:
    # A text of 5 kB is to be a file of less than 300 kB.
    without = ("picture/dialog.js",) if kind is HISTORY else ("token_view/beside.js",)
    code, page = kind.script_and_variable("saved_page/page.js", without=without)
    script = f"{code}{page}.showKept({kind.variable}.default);\n"
    if "</script" in script.lower() or "<!--" in script:
        raise ValueError(f"assets/{kind.name}: its code would end the script that holds it")
    return script


def page_sheet() -> str:
    """Return the style sheet around the view."""
    return shortened_sheet(theme_css(":root") + (ASSETS / "saved_page/page.css").read_text("utf-8"))


def iframe_html(name: str) -> str:
    """Return the line of HTML that puts a saved page into another one.

    >>> iframe_html("tokens.html")
    '<iframe src="tokens.html" width="100%" height="640" loading="lazy" title="Tokens" style="border:0"></iframe>'
    """
    look = 'width="100%" height="640" loading="lazy" title="Tokens" style="border:0"'
    return f'<iframe src="{escape(name)}" {look}></iframe>'
