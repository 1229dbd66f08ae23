"""The notebook in docs, run by a kernel, and what a notebook is given to show."""

import ast
import json
import sys
from pathlib import Path

import pytest

import tokviz
from tokviz.display import show as show_module

NOTEBOOK = Path(__file__).parents[2] / "docs/notebook.ipynb"
WIDGET = "application/vnd.jupyter.widget-view+json"


def test_the_cells_of_the_notebook_run():
    pytest.importorskip("anywidget")
    names, live = {}, []
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        assert not cell.get("outputs")
        if cell["cell_type"] == "code":
            *statements, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(statements, []), NOTEBOOK.name, "exec"), names)
            value = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)
            if isinstance(value, show_module.Shown):
                bundle = value._repr_mimebundle_()
                live.append(bundle[0] if isinstance(bundle, tuple) else bundle)
    assert len(live) == 3 and all(WIDGET in data and "<div" in data["text/html"] for data in live)


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
    live = [output["data"] for output in outputs if WIDGET in output.get("data", {})]
    assert len(live) == 3 and all("<div" in data["text/html"] for data in live)


def test_without_anywidget_what_is_shown_stands_still(monkeypatch):
    monkeypatch.setattr(show_module, "find_spec", lambda name: None)
    bundle = tokviz.show(tokviz.load("gpt2"), "low lower")._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"] == "<tokviz.show: gpt2: 2 tokens>"
    assert "script" not in bundle["text/html"]


def test_with_it_the_same_html_goes_along():
    pytest.importorskip("anywidget")
    bundle = tokviz.show(tokviz.load("gpt2"), "low lower")._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "text/html" in data
    assert "anywidget" in sys.modules
