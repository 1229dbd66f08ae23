"""Coloured text as LaTeX: whatever a text holds, each TeX that is there takes it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from odd_texts import ODD
from serving import ROOT

import tokviz

LATIN = [
    "".join(map(chr, range(32, 127))),
    "it's `x` -- --- << >> ?` !` ,, '' \"a\" %\n\\end{document}",
    "naïve café “q” – —",
    "a\x07b\u200bc\x00 \ud800",
    "x" * 200,
    "tab\tend\n\n\nend ",
]
ENGINES = {
    "pdflatex": (r"\usepackage[T1]{fontenc}", LATIN),
    "xelatex": (r"\usepackage{fontspec}", LATIN + ODD),
    "lualatex": (r"\usepackage{fontspec}", LATIN + ODD),
}
DOCUMENT = re.compile(r"```latex\n(.*?)```", re.DOTALL)


def compiled(engine: str, source: str, folder: Path) -> str:
    """Compile a document, and return the log; without TeX the test is skipped."""
    if shutil.which(engine) is None:
        pytest.skip(f"LaTeX was not compiled: there is no {engine}")
    (folder / "document.tex").write_text(source, "utf-8")
    command = [engine, "-interaction=nonstopmode", "document.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL)
    log = (folder / "document.log").read_text("utf-8", "replace")
    assert done.returncode == 0 and not re.findall("^!.*", log, re.MULTILINE), log
    return log


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_every_text_compiles(engine, tmp_path):
    packages, texts = ENGINES[engine]
    tokenizers = [tokviz.load("gpt2"), tokviz.load("o200k_base")]
    snippets = [tokviz.show(tokenizers, text, allowed_special="all").snippet("latex") for text in texts]
    head = rf"\documentclass{{article}}\usepackage{{xcolor}}{packages}\begin{{document}}"
    compiled(engine, "\n".join([head, *snippets, r"\end{document}"]), tmp_path)


@pytest.mark.slow
def test_the_document_in_the_documents_has_every_character(tmp_path):
    """Thai, Chinese and emoji, by the fonts that the document names."""
    [source] = DOCUMENT.findall((ROOT / "docs/command-line.md").read_text("utf-8"))
    fonts = subprocess.run(["fc-list"], capture_output=True, text=True).stdout if shutil.which("fc-list") else ""
    if missing := [name for name in re.findall(r"[A-Z][\w ]+(?=:mode|\}\[)", source) if name not in fonts]:
        pytest.skip(f"LaTeX was not compiled: there is no {' and no '.join(missing)}")
    text = "Hello, that's 100% สวัสดี ที่นี่ 你好,世界 👋🏽 👩‍👩‍👧"
    snippet = tokviz.show(tokviz.load("o200k_base"), text).snippet("latex")
    (tmp_path / "tokens.tex").write_text(snippet, "utf-8")
    assert "Missing character" not in compiled("lualatex", source, tmp_path)
