"""Coloured text as LaTeX, with every macro it needs: the document only loads packages.

XeLaTeX and LuaLaTeX take any script that the font of `\\texttt` has; pdfLaTeX takes what its own encodings have.
"""

from collections.abc import Iterator, Sequence

from tokviz.display.palette import THEMES, tint_and_edge
from tokviz.display.pieces import Piece, Token, TokenizedText
from tokviz.display.visible import Run, control_name_or_code_point, visibility_runs

# Characters that are commands, or that LaTeX bends or joins with their like: ', --, <<, ?`.
ESCAPED = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "-": "{-}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}", '"': '{"}', ",": "{,}",
    "?": "{?}", "!": "{!}",
    "\ufffd": r"\tokvizname{FFFD}{U+FFFD}",  # LuaTeX takes it for damage
}  # fmt: skip
MACROS = r"""% Needs \usepackage{xcolor}, and with pdfLaTeX \usepackage[T1]{fontenc}.
% For other scripts than Latin take XeLaTeX or LuaLaTeX, with a \setmonofont that has them.
\providecommand\tokviztoken[2]{{\setlength\fboxsep{0.5pt}\fcolorbox{#1edge}{#1}{\strut\texttt{#2}}}\allowbreak\hspace{1pt}}
\providecommand\tokvizspecial[1]{{\setlength\fboxsep{0pt}\colorbox{tokviztext}{\strut\textcolor{tokvizground}{\texttt{\textbf{#1}}}}}\allowbreak\hspace{1pt}}
\providecommand\tokvizpart[2]{{\setlength\fboxsep{1pt}\colorbox{#1}{\tiny\texttt{#2}}}\allowbreak}
\providecommand\tokvizspace{\raisebox{0.35ex}{\kern0.15em\textperiodcentered\kern0.15em}}
\providecommand\tokviznewline{$\hookleftarrow$}
\providecommand\tokviztab{$\rightarrow$}
\providecommand\tokvizname[2]{{\setlength\fboxsep{1pt}\kern1pt\fbox{\tiny\texttt{#2}}\kern1pt}}
"""


def latex_text(texts: Sequence[TokenizedText], *, captions: bool = False, theme: str = "light") -> str:
    """Return texts as LaTeX, each under a caption if asked for. theme: "light" or "dark".

    >>> import tokviz
    >>> from tokviz.display.pieces import tokenized_text
    >>> print(latex_text([tokenized_text(tokviz.load("gpt2"), "my_")]).splitlines()[-2])
    \\tokviztoken{tokviz31}{my}\\tokviztoken{tokviz33}{\\_}\\par
    """
    used = {token.colour for each in texts for piece in each.pieces for token in piece.tokens}
    lines = [MACROS, *_colour_definitions(sorted(used), theme), r"{\raggedright\noindent"]
    for each in texts:
        if captions:
            lines.append(rf"\textbf{{{_escaped_text(each.caption)}}}\\")
        lines.append("".join(_piece_latex(piece) for piece in each.pieces) + r"\par")
    return "\n".join([*lines, "}"]) + "\n"


def _colour_definitions(used: Sequence[int], theme: str) -> Iterator[str]:
    """Yield what defines the colours that are used."""
    yield rf"\definecolor{{tokviztext}}{{HTML}}{{{THEMES[theme]['textColor'][1:].upper()}}}"
    yield rf"\definecolor{{tokvizground}}{{HTML}}{{{THEMES[theme]['backgroundColor'][1:].upper()}}}"
    for i in used:
        tint, edge = tint_and_edge(i, theme)
        yield rf"\definecolor{{tokviz{i}}}{{HTML}}{{{tint[1:].upper()}}}"
        yield rf"\definecolor{{tokviz{i}edge}}{{HTML}}{{{edge[1:].upper()}}}"


def _piece_latex(piece: Piece) -> str:
    inner = "".join(_run_latex(run) for run in visibility_runs(piece.text))
    if not piece.tokens:
        return rf"\texttt{{{inner}}}"
    parts = zip(piece.tokens, piece.parts, strict=False)
    shares = "".join(rf"\tokvizpart{{tokviz{token.colour}}}{{{part.hex(' ')}}}" for token, part in parts)
    return _token_latex(piece.tokens[0], inner) + shares + (r"\\" if piece.text.endswith("\n") else "")


def _token_latex(token: Token, inner: str) -> str:
    return rf"\tokvizspecial{{{inner}}}" if token.is_special else rf"\tokviztoken{{tokviz{token.colour}}}{{{inner}}}"


def _run_latex(run: Run) -> str:
    if run.kind == "text":
        return _escaped_text(run.text)
    if run.kind == "invisible":
        return rf"\tokvizname{{{ord(run.text):X}}}{{{control_name_or_code_point(run.text)}}}"
    return rf"\tokviz{run.kind}{{}}" * len(run.text)


def _escaped_text(text: str) -> str:
    """Return a text with no character that LaTeX would take for a command.

    >>> print(_escaped_text("100% of $x_1"))
    100\\% of \\$x\\_1
    """
    return "".join(ESCAPED.get(character, character) for character in text)
