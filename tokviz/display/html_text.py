"""Coloured text as HTML: no script, no file from elsewhere, and every colour written where it is used.

So it survives a mail, a slide or a content management system. With a style sheet of its own, which a notebook keeps, it
also follows the dark theme around it, and shows spaces, line ends and invisible characters.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from tokviz.display.palette import EDGES, PALETTE, THEMES, TINTS
from tokviz.display.pieces import Piece, Token, TokenizedText
from tokviz.display.visible import Run, control_name_or_code_point, visibility_runs
from tokviz.live.hidden_marks import HiddenMarks
from tokviz.text.hidden_text import LOOK_ALIKE, NOT_NFC, STACK, hidden

MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Noto Sans Mono',monospace"
UNDERLINE = "text-decoration:underline"
FAINT = "75"  # the opacity of signs for spaces
# Notebooks and sites that have a theme of their own, which may differ from the system's.
DARK_AROUND = (
    "[data-jp-theme-light=false]", "body.vscode-dark", "body.vscode-high-contrast", "[theme=dark]", "[data-theme=dark]",
    "body.dark",
)  # fmt: skip
LIGHT_AROUND = ("[data-jp-theme-light=true]", "body.vscode-light", "[theme=light]", "[data-theme=light]", "body.light")


def html_text(
    texts: Sequence[TokenizedText], *, captions: bool = False, theme: str = "light", with_style: bool = False
) -> str:
    """Return texts as HTML, each under a caption if asked for.

    theme: "light" or "dark", for the colours that are written where they are used. with_style: whether a style sheet
    follows the theme around instead, where it is kept.

    >>> import tokviz
    >>> from tokviz.display.pieces import tokenized_text
    >>> print(html_text([tokenized_text(tokviz.load("gpt2"), "low")]))
    <div ...><div dir="auto" ...><span title="id 9319, bytes 6c 6f 77" style="background:#...">low</span></div></div>
    """
    colours = Colours(theme, with_style=with_style)
    parts = []
    for each in texts:
        if captions:
            look = f'style="margin:.4em 0 .1em;font:600 .85em/1.5 sans-serif;color:{colours.text}"'
            parts.append(f"<div {look}>{escape(each.caption)}</div>")
        marked = MarkedText(each.text)
        if captions and marked.words:
            look = f'style="margin:.1em 0;font:.85em/1.5 sans-serif;color:{colours.text}"'
            reasons = "".join(f"<div>{escape(reason)}</div>" for reason in marked.reasons)
            parts.append(f"<details {look}><summary>{escape(marked.words)}</summary>{reasons}</details>")
        inner = "".join(_html_of_each_piece(each.pieces, marked, colours))
        parts.append(f'<div dir="auto" style="{_FLOW};color:{colours.text}">{inner}</div>')
    sheet = f"<style>{style_sheet()}</style>" if with_style else ""
    ground = f"padding:.3em .5em;background:{colours.ground}"
    return f'<div class="tokviz" style="{ground}">{sheet}{"".join(parts)}</div>'


# An inline block is a paragraph of its own, so that what turns the direction of text turns nothing else.
_BOX = (
    "display:inline-block;overflow:hidden;width:.5em;height:1em;vertical-align:-.15em;outline:1px dotted;"
    "unicode-bidi:isolate"
)
_FLOW = f"font:.95em/1.85 {MONO};white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4;unicode-bidi:plaintext"


class Colours:
    """The colours of a theme as CSS; with a style sheet they are variables of it, with those of the theme behind."""

    def __init__(self, theme: str, *, with_style: bool) -> None:
        self.theme, self.with_style = theme, with_style
        self.text = self._css_value("text", THEMES[theme]["textColor"])
        self.ground = self._css_value("ground", THEMES[theme]["backgroundColor"])

    def _css_value(self, name: str, value: str) -> str:
        return f"var(--tokviz-{name},{value})" if self.with_style else value

    def background_of(self, token: Token) -> str:
        """Return the background of a token."""
        if token.is_special:
            return self.text
        tint = token.colour % TINTS
        return self._css_value(str(tint), PALETTE[self.theme][tint])

    def edge_of(self, token: Token) -> str:
        """Return the colour of the edge around a token."""
        edge = 0 if token.is_special else token.colour // TINTS
        return self._css_value(f"edge{edge}", EDGES[self.theme][edge])


class MarkedText:
    """A text with what hides in it. words: what that is, "" if nothing hides. reasons: what each kind of it does.

    >>> text = MarkedText("p\\u0430ypal")
    >>> text.words, [*text.stretches(0, 3)]
    ('Hidden in the text: 1 look-alike letter.', [('p', ''), ('а', 'look-alikes'), ('y', '')])
    """

    def __init__(self, text: str) -> None:
        self.text = text
        marks = HiddenMarks.of_text(text)
        told = marks.take_update_to_send(whole=True) or {"found": [], "messages": []}
        self.reasons = [f"{what}: {reason}" for what, reason, _ in told["found"]]
        self.words = f"Hidden in the text: {', '.join(what for what, *_ in told['found'])}." if self.reasons else ""
        if told["messages"]:
            self.words += f" It spells {' and '.join(f'“{message}”' for message in told['messages'])}."
        self._kinds = [""] * len(text)  # of each character
        for mark in hidden(text) if len(marks) else ():
            start = mark.char_start
            if mark.kind == STACK and start and not self._kinds[start - 1]:
                start -= 1  # a stack of marks is marked together with the letter below it
            self._kinds[start : mark.char_end] = [mark.kind] * (mark.char_end - start)

    def stretches(self, start: int, end: int) -> Iterator[tuple[str, str]]:
        """Yield the characters start..end-1 in stretches, each with the kind of what it hides, "" for nothing."""
        for kind, places in groupby(range(start, end), self._kinds.__getitem__):
            first, *others = places
            yield self.text[first : first + 1 + len(others)], kind


def _html_of_each_piece(pieces: Sequence[Piece], marked: MarkedText, colours: Colours) -> Iterator[str]:
    at = 0
    for piece in pieces:
        yield _piece_html(piece, colours, [*marked.stretches(at, at + len(piece.text))])
        at += len(piece.text)


def _piece_html(piece: Piece, colours: Colours, stretches: Sequence[tuple[str, str]]) -> str:
    """Return a piece as a span; one that several tokens share has a stripe for each of them.

    stretches: its text, and of each part the kind of what hides there, "" for nothing.
    """
    inner = "".join(_stretch_html(text, kind, colours) for text, kind in stretches)
    if not piece.tokens:
        return f'<span style="opacity:.7">{inner}</span>'
    first, *others = piece.tokens
    look = [f"background:{colours.background_of(first)}"]
    if others:
        share = 100 / len(piece.tokens)
        stripes = [
            f"{colours.background_of(each)} {share * i:.0f}% {share * (i + 1):.0f}%"
            for i, each in enumerate(piece.tokens)
        ]
        look.append(f"background:linear-gradient(to right,{','.join(stripes)})")
    look.append("border-radius:4px")
    if piece.begins:
        look.append(f"box-shadow:inset 0 0 0 1px {colours.edge_of(first)};margin-right:2px;padding:.1em 2px")
    if first.is_special:
        look.append(f"color:{colours.ground};font-weight:600")
    if first.is_unknown:
        look.append("text-decoration:underline dotted")
    if not piece.text:
        look.append("padding:0 .25em;border:1px dashed")
    return f'<span title="{_piece_title(piece)}" style="{";".join(look)}">{inner}</span>'


def _piece_title(piece: Piece) -> str:
    """Return what is said of a piece: ids and bytes, and of a shared character who has which bytes."""
    if not piece.parts:
        token = piece.tokens[0]
        held = f"bytes {token.data.hex(' ')}" if token.data else "no text"
        if token.is_unknown:
            held = "which is not in the vocabulary"
        return f"id {token.id}, {held}" if token.written is None else f"id {token.id}, {escape(token.written)}, {held}"
    shares = [f"{part.hex(' ')} in id {each.id}" for each, part in zip(piece.tokens, piece.parts, strict=True)]
    return f"{len(shares)} tokens share this character: {'; '.join(shares)}"


def _stretch_html(text: str, kind: str, colours: Colours) -> str:
    """Return a stretch of text that hides something, or nothing."""
    inner = "".join(_run_html(run, colours) for run in visibility_runs(text))
    if not kind:
        return inner
    look = {LOOK_ALIKE: f"{UNDERLINE} wavy", STACK: f"{UNDERLINE} wavy", NOT_NFC: f"{UNDERLINE} dotted"}
    return f'<span class="hides" style="{look.get(kind, "outline:1px dashed")}">{inner}</span>'


def _run_html(run: Run, colours: Colours) -> str:
    """Return a stretch of text, in an element of its own if it would not be seen."""
    text = escape(run.text)
    if run.kind == "invisible":
        text = {"\0": "\u2400", "\r": "&#13;"}.get(run.text, text)  # HTML has no NUL, and takes a bare CR for an LF
        return f'<span class="k" title="{control_name_or_code_point(run.text)}" style="{_BOX}">{text}</span>'
    if run.kind == "newline" and not colours.with_style:
        return f'<span style="padding-left:.5em">{text}</span>'
    if run.kind != "text" and colours.with_style:
        return f'<span class="{run.kind}">{text}</span>'
    return text


def style_sheet() -> str:
    """Return the style sheet that follows the theme around and shows what is otherwise unseen."""
    light, dark = THEMES["light"], THEMES["dark"]
    pairs = {
        "text": (light["textColor"], dark["textColor"]),
        "ground": (light["backgroundColor"], dark["backgroundColor"]),
        "faint": (light["textColor"] + FAINT, dark["textColor"] + FAINT),
        **{str(i): pair for i, pair in enumerate(zip(PALETTE["light"], PALETTE["dark"], strict=True))},
        **{f"edge{i}": pair for i, pair in enumerate(zip(EDGES["light"], EDGES["dark"], strict=True))},
    }
    variables = "".join(f"--tokviz-{name}:light-dark({','.join(pair)});" for name, pair in pairs.items())
    faint = "var(--tokviz-faint,gray)"
    dot = f"radial-gradient(circle at .5ch 56%,{faint} .075em,#0000 .095em) 0 0/1ch 100%"
    return (
        f".tokviz{{color-scheme:light dark}}"
        f":is({','.join(DARK_AROUND)}) .tokviz{{color-scheme:dark}}"
        f":is({','.join(LIGHT_AROUND)}) .tokviz{{color-scheme:light}}"
        f"@supports(color:light-dark(red,red)){{.tokviz{{{variables}}}}}"
        # JupyterLab's words for a live view without a kernel, which is the output after this one.
        f".jp-OutputArea-child:has(.tokviz)+*>.jupyter-widgets:not(:has(*)){{display:none}}"
        f".tokviz .space{{background:{dot}}}"
        f".tokviz .newline::before{{content:'↵';color:{faint}}}"
        f".tokviz .tab{{position:relative}}"
        f".tokviz .tab::before{{content:'→';position:absolute;color:{faint}}}"
        f".tokviz .k{{width:auto!important;height:auto!important;outline:none!important;font-size:0}}"
        f".tokviz .k::before{{content:attr(title);padding:0 3px;border:1px solid {faint};border-radius:3px}}"
        f".tokviz .k::before{{font-size:10px}}"
    )
