"""Coloured text for documents: whatever a text holds, it can be read back, and nothing of it is taken for markup."""

import html
import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

import tokviz
from tokviz.display.ansi_text import n_terminal_colours
from tokviz.display.html_text import MarkedText, html_text
from tokviz.display.latex_text import ESCAPED, latex_text
from tokviz.display.markdown_text import markdown_text
from tokviz.display.palette import PALETTE
from tokviz.display.pieces import tokenized_text
from tokviz.display.snippets import SNIPPETS
from tokviz.display.visible import CONTROL_NAMES, visibility_runs, visible_text
from tokviz.text.hidden_text import KINDS, LOOK_ALIKE, STACK

HOSTILE = [
    "</div></style><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\x1b]0;title\x07\x1b[31mred\x9b1m",
    "\\end{document}\\input{/etc/passwd} % $x_1^2$ #&~",
    "`code` ``two`` ``` ` ` [ZWJ] ␣ ↵ → | [U+0041]",
    "--- '' `` << >> ,, ?` !` \"quotes\"",
    "\u202eabc\u202c \u2066x\u2069",
    "a\r\nb\rc\n\n\td\x0b\x0c\x85\u2028\u2029",
    "# head\n- list\n> quote\n1. one **bold** _it_",
    "<|endoftext|> and <b>",
]
TEXTS = [*ODD, *HOSTILE]
NUMBERS = {name: number for number, name in CONTROL_NAMES.items()}
written = pytest.mark.parametrize("text", TEXTS, ids=ascii)
any_text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)


@pytest.fixture(scope="module")
def gpt2() -> tokviz.Tokenizer:
    return tokviz.load("gpt2")


def clean(text: str) -> str:
    """A text as tokenizers read it: lone surrogates have become U+FFFD."""
    return re.sub(r"[\ud800-\udfff]", "\ufffd", text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def character(name: str) -> str:
    """The character that a short name stands for."""
    return chr(int(name[2:], 16) if name.startswith("U+") else NUMBERS[name])


def read_visible(text: str) -> str:
    named = re.sub(r"\[(U\+[0-9A-F]{4,6}|[A-Z0-9 ]+)\]", lambda match: f"\ue000{character(match[1])}\ue001", text)
    parts = re.split("\ue000(.)\ue001", named, flags=re.S)
    signs = str.maketrans("␣↵→", " \n\t")
    return "".join(part if i % 2 else part.translate(signs) for i, part in enumerate(parts))


class Elements(HTMLParser):
    """What a browser reads in HTML: the text, and which elements and attributes there are."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text, self.names, self.attributes, self.is_style = "", set(), set(), False
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.is_style = tag == "style"

    def handle_endtag(self, tag):
        self.is_style = False

    def handle_data(self, data):
        self.text += "" if self.is_style else data


def read_markdown(source: str) -> str:
    """The text in the code marks of Markdown, as CommonMark reads them."""
    found, rest = "", source
    while match := re.search(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", rest, re.S):
        code = match[2].replace("\n", " ")
        if code.startswith(" ") and code.endswith(" ") and code.strip(" "):
            code = code[1:-1]
        found += read_visible(code)
        rest = rest[match.end() :]
    return found


def read_ansi(source: str) -> str:
    """The text of what is written for a terminal, without colours and without what is dim."""
    named = re.sub(r"\x1b\[2m\[([^\]]+)\]\x1b\[22m", lambda match: f"\ue000{ord(character(match[1])):X}\ue001", source)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", re.sub(r"\x1b\[2m.*?\x1b\[22m", "", named))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", plain)
    return re.sub("\ue000([0-9A-F]+)\ue001", lambda match: chr(int(match[1], 16)), plain).removesuffix("\n")


def read_latex(source: str) -> str:
    """The text of LaTeX, by the macros that every document defines."""
    body = source.split("\\noindent\n", 1)[1].removesuffix("\\par\n}\n")
    body = re.sub(r"\\tokvizpart\{\w+\}\{[0-9a-f ]*\}", "", body)
    body = re.sub(r"\\tokviztoken\{\w+\}|\\tokvizspecial|\\texttt|\\\\(?=\\tokviz|$|\\texttt)", "", body)
    meanings = {escaped: plain for plain, escaped in ESCAPED.items()} | {
        "\\tokvizspace{}": " ", "\\tokviznewline{}": "\n", "\\tokviztab{}": "\t", "{": "", "}": "",
    }  # fmt: skip
    found = "|".join(map(re.escape, sorted(meanings, key=len, reverse=True)))
    name = r"\\tokvizname\{([0-9A-F]+)\}\{[^}]*\}"
    return re.sub(f"{name}|{found}", lambda match: chr(int(match[1], 16)) if match[1] else meanings[match[0]], body)


@written
def test_what_is_written_can_be_read_back(text, gpt2, trained):
    for tokenizer in (gpt2, trained):
        shown = tokviz.show(tokenizer, text, allowed_special="all")
        assert shown.texts[0].text == clean(text)
        assert Elements(shown.snippet("html")).text.replace("\u2400", "\0") == clean(text)
        assert Elements(shown._repr_html_()).text.endswith(clean(text).replace("\0", "\u2400"))
        assert read_markdown(shown.snippet("markdown")) == clean(text)
        assert read_latex(shown.snippet("latex")) == clean(text)
        assert [read_ansi(shown.snippet("ansi", colours=n)) for n in (256, 2**24)] == [clean(text)] * 2


@given(any_text)
def test_so_can_any_text(text):
    shown = tokviz.show(tokviz.load("gpt2"), text)
    assert Elements(shown.snippet("html")).text == text
    assert read_markdown(shown.snippet("markdown")) == text
    assert read_latex(shown.snippet("latex")) == text
    assert read_ansi(shown.snippet("ansi", colours=256)) == text
    assert read_visible(visible_text(text)) == text
    assert "".join(run.text for run in visibility_runs(text)) == text


@written
def test_html_holds_no_element_and_no_attribute_but_its_own(text, gpt2):
    for source in (
        html_text([tokenized_text(gpt2, text, title=text)], captions=True, with_style=n) for n in (False, True)
    ):
        elements = Elements(source)
        assert elements.names <= {"div", "span", "style", "details", "summary"}
        assert elements.attributes <= {"class", "style", "title", "dir"}
        assert "url(" not in source and "http" not in html.unescape(source)


def test_every_token_is_a_piece_that_says_its_id(gpt2):
    text = "naïve ภาษา 你好 👩‍👩‍👧‍👦 e\u0301 <|endoftext|>"
    tokens = [each for piece in tokenized_text(gpt2, text).pieces if piece.begins for each in piece.tokens[:1]]
    in_order = [each.id for piece in tokenized_text(gpt2, text).pieces for each in piece.tokens]
    ids = gpt2.encode(text)
    assert [each for i, each in enumerate(in_order) if i == 0 or each != in_order[i - 1]] == ids
    assert {each.id for each in tokens} <= set(ids)


def test_a_character_that_tokens_share_is_drawn_once_with_the_bytes_of_each(gpt2):
    (piece,) = tokenized_text(gpt2, "你").pieces
    assert (piece.text, b"".join(piece.parts)) == ("你", "你".encode())
    assert len(piece.tokens) == len(piece.parts) == len(gpt2.encode("你")) == 2
    assert "e4 bd" in SNIPPETS["html"].write([tokenized_text(gpt2, "你")])


def test_special_tokens_are_marked(gpt2):
    plain, special = tokenized_text(gpt2, "a<|endoftext|>", allowed_special="all").pieces
    assert not plain.tokens[0].is_special and special.tokens[0].is_special
    assert len(tokenized_text(gpt2, "a<|endoftext|>").pieces) > 2


def test_what_hides_is_marked_and_said_under_the_caption(gpt2):
    tags = "".join(chr(0xE0000 + ord(c)) for c in "obey")
    shown = tokviz.show(gpt2, f"Hi{tags} p\u0430ypal")
    marked = re.findall(r'<span class="hides"[^>]*>(.*?)</span>', shown.snippet("html"), re.DOTALL)
    assert "\u0430" in marked and len(marked) >= 2
    words = Elements(shown._repr_html_()).text
    assert "4 tag characters, 1 look-alike letter. It spells “obey”." in words and KINDS[LOOK_ALIKE] in words
    for plain in (shown.snippet("html"), tokviz.show(gpt2, "Hi paypal")._repr_html_()):
        assert "Hidden in the text" not in plain


@given(st.text(st.sampled_from("a\u0430p\u0301\u200b\u202e \U000e0041\U0001f600"), max_size=20), st.data())
def test_every_character_is_in_one_stretch_marked_as_its_mark_says(text, data):
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)))))
    marked, marks = MarkedText(text), tokviz.hidden(text)
    found = [each for start, end in pairwise([0, *cuts, len(text)]) for each in marked.stretches(start, end)]
    assert "".join(part for part, _ in found) == text and all(part for part, _ in found)
    kinds = [kind for part, kind in found for _ in part]
    for mark in marks:
        assert kinds[mark.char_start : mark.char_end] == [mark.kind] * (mark.char_end - mark.char_start)
    n_marked = sum(mark.char_end - mark.char_start for mark in marks)
    assert n_marked <= sum(map(bool, kinds)) <= n_marked + sum(mark.kind == STACK for mark in marks)


def test_the_colours_are_those_of_the_palette(gpt2):
    for theme, other in (("light", "dark"), ("dark", "light")):
        source = html_text([tokenized_text(gpt2, "low lower newest widest")], theme=theme)
        used = set(re.findall(r"#[0-9a-f]{6}(?![0-9a-f])", source))
        assert len(used & set(PALETTE[theme])) >= 3 and not used & set(PALETTE[other])


def test_two_tokens_of_one_colour_are_still_told_apart_in_a_terminal(gpt2):
    looks = re.findall(r"\x1b\[[0-9;]*m(?:\x1b\[4m)?", tokviz.show(gpt2, " a a a").snippet("ansi", colours=256))
    tints = [look for look in looks if "48;5" in look]
    assert len(tints) == 3 and all(one != next_ for one, next_ in pairwise(tints))


@pytest.mark.parametrize(
    ("environment", "is_terminal", "colours"),
    [
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, True, 2**24),
        ({"TERM": "xterm-256color"}, True, 256),
        ({"TERM": "xterm-256color"}, False, 0),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, True, 0),
        ({"TERM": "dumb"}, True, 0),
        ({"FORCE_COLOR": "1"}, False, 256),
        ({"FORCE_COLOR": "3", "COLORTERM": "truecolor"}, False, 2**24),
        ({"TERM": "xterm", "FORCE_COLOR": "0"}, False, 0),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, 0),
        ({}, True, 0),
    ],
)
def test_colours_follow_the_terminal(environment, is_terminal, colours):
    assert n_terminal_colours(environment, is_terminal=is_terminal) == colours


def test_names_of_invisible_characters_are_those_of_the_pages():
    source = (Path(__file__).parents[2] / "assets/shared/text.js").read_text()
    table = source.split("CONTROL_NAMES = {")[1].split("}")[0]
    assert {int(number, 16): name for number, name in re.findall(r'0x([0-9a-f]+): "([^"]+)"', table)} == CONTROL_NAMES


def test_what_cannot_be_shown_says_what_can(gpt2):
    with pytest.raises(TypeError, match="not int"):
        tokviz.show(3, "text")
    with pytest.raises(ValueError, match="a text is missing"):
        tokviz.show(gpt2)
    with pytest.raises(ValueError, match="there is no tokenizer"):
        tokviz.show([], "text")
    with pytest.raises(ValueError, match="a step is of a trace"):
        tokviz.show(gpt2, "text", step=3)
    with pytest.raises(KeyError, match="there are ansi, html, latex, markdown"):
        tokviz.show(gpt2, "text").snippet("pdf")


def test_a_step_shows_the_tokens_after_so_many_merges(gpt2):
    history = tokviz.trace(gpt2, "low lower 你")
    for step in (0, 100, 20_000, None):
        (text,) = tokviz.show(history, step=step).texts
        n_merges = len(gpt2.merge_tokens) if step is None else step
        assert text.n_tokens == len(history.tokens_at(n_merges)) and text.text == "low lower 你"


TEX = [name for name in ("lualatex", "xelatex", "pdflatex") if shutil.which(name)]


@pytest.mark.skipif(not TEX, reason="no LaTeX was found")
def test_latex_compiles(gpt2, tmp_path):
    texts = [text for text in HOSTILE if TEX[0] != "pdflatex" or text.isascii()]
    bodies = "\n".join(latex_text([tokenized_text(gpt2, text)], captions=True) for text in texts)
    source = "\\documentclass{article}\\usepackage{xcolor}\\begin{document}\n" + bodies + "\\end{document}\n"
    (tmp_path / "snippet.tex").write_text(source)
    run = subprocess.run(
        [TEX[0], "-interaction=nonstopmode", "-halt-on-error", "snippet.tex"], cwd=tmp_path, capture_output=True
    )
    assert run.returncode == 0, run.stdout[-2000:].decode("utf-8", "replace")


def test_markdown_keeps_lines(gpt2):
    assert markdown_text([tokenized_text(gpt2, "a\nb")]) == "`a` `↵`  \n`b`\n"
