"""The notebook in docs, run by a kernel, and what a notebook is given to show."""

import ast
import json
from itertools import pairwise, starmap
from pathlib import Path

import pytest

import tokviz
from tokviz.display import show as show_module

NOTEBOOK = Path(__file__).parents[2] / "docs/notebook.ipynb"
WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def outputs(monkeypatch):
    """What is displayed, as a notebook gets it."""
    pytest.importorskip("IPython")
    found = []
    monkeypatch.setattr("IPython.display.display", lambda data, **_: found.append(data))
    return found


def holds_text_and_view(text: dict, view: dict) -> bool:
    """Whether of two outputs the first is the coloured text, for paper, and the second nothing but the live view."""
    return "<div" in text["text/html"] and WIDGET not in text and set(view) == {WIDGET}


def test_the_cells_of_the_notebook_run(outputs):
    pytest.importorskip("anywidget")
    names = {}
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        assert not cell.get("outputs")
        if cell["cell_type"] == "code":
            *statements, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(statements, []), NOTEBOOK.name, "exec"), names)
            value = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)
            if isinstance(value, show_module.Shown):
                value._ipython_display_()
    assert len(outputs) == 6 and all(starmap(holds_text_and_view, zip(outputs[::2], outputs[1::2], strict=True)))


@pytest.mark.slow
def test_the_notebook_runs():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parents[1])}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not [output for output in outputs if output["output_type"] == "error"]
    live = [pair for pair in pairwise(output.get("data", {}) for output in outputs) if WIDGET in pair[1]]
    assert len(live) == 3 and all(starmap(holds_text_and_view, live))


def test_without_anywidget_what_is_shown_stands_still(monkeypatch, outputs):
    monkeypatch.setattr(show_module, "find_spec", lambda name: None)
    tokviz.show(tokviz.load("gpt2"), "low lower")._ipython_display_()
    [text] = outputs
    assert set(text) == {"text/plain", "text/html", "text/latex"}
    assert text["text/plain"] == "<tokviz.show: gpt2: 2 tokens>"
    assert "script" not in text["text/html"] and "{low}" in text["text/latex"]


def test_the_live_view_names_the_text_that_it_takes_the_place_of(monkeypatch, outputs):
    pytest.importorskip("anywidget")
    shown = tokviz.show(tokviz.load("gpt2"), "low lower")
    widget = shown.widget()
    assert widget.still != shown.widget().still
    monkeypatch.setattr(show_module.Shown, "widget", lambda _: widget)
    shown._ipython_display_()
    assert f'class="{widget.shown["still"]}"' in outputs[0]["text/html"]
    assert outputs[1][WIDGET]["model_id"] == widget.model_id
