"""The live views of a notebook: the widget's code in a page that does what anywidget's host does, and its kernel."""

import json

import pytest

pytest.importorskip("anywidget", reason="anywidget is optional")

from playwright.sync_api import Browser, Page, expect

import tokviz
from tokviz.display.show import Shown

HOST = """async ({ esm, shown }) => {
  const told = new Set();
  const model = {
    get: () => shown,
    on: (event, listener) => told.add(listener),
    off: (event, listener) => told.delete(listener),
    send: async (content) => {
      const messages = await window.kernel(JSON.stringify(content));
      for (const message of messages) for (const listener of told) listener({ message });
    },
  };
  const code = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
  const el = document.createElement("div");
  window.pressed = [];
  document.addEventListener("keydown", (event) => window.pressed.push(event.key));
  await (await import(code)).default.render({ model, el }); // a notebook draws before it puts an output on the page
  setTimeout(() => document.body.append(el), 100);
}"""


@pytest.fixture
def notebook(browser: Browser):
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert not wrong


def run(page: Page, shown: Shown) -> None:
    """Show a widget in a page, with its kernel in this process."""
    widget = shown.widget()

    def kernel(content: str) -> list[str]:
        told = json.loads(content)
        if "opens" in told:
            widget.kernel.reset_page()
            return []
        return list(widget.kernel.receive_and_respond(told["message"]))

    page.expose_function("kernel", kernel)
    page.evaluate(HOST, {"esm": widget._esm, "shown": widget.shown})


def test_a_picture_is_drawn_in_a_notebook(notebook):
    run(notebook, tokviz.show(tokviz.load("gpt2"), "low lower"))
    expect(notebook.locator(".t").first).to_be_visible()
    notebook.get_by_role("button", name="Picture").click()
    image = notebook.locator(".picture-dialog img")
    expect(image).to_be_visible()
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("image => image.naturalWidth") > 100


def test_typing_in_a_notebook_recolours(notebook):
    gpt2 = tokviz.load("gpt2")
    run(notebook, tokviz.show(gpt2, "low lower"))
    counts = notebook.get_by_role("group", name="Counts")
    expect(counts).to_contain_text("2 tokens")
    editor = notebook.get_by_role("textbox", name="Text")
    editor.press("End")
    editor.press_sequentially(" ภาษาไทย dd")
    expect(counts).to_contain_text(f"{len(gpt2.encode('low lower ภาษาไทย dd'))} tokens")
    assert notebook.evaluate("window.pressed") == []  # keys that a notebook would take for shortcuts
    notebook.get_by_role("listbox", name="Tokens").locator(".t", has_text="lower").click()
    expect(notebook.get_by_role("region", name="About the token")).to_contain_text("made by")


def test_a_comparison_in_a_notebook_is_alive(notebook):
    tokenizers = {name: tokviz.load(name) for name in ("gpt2", "o200k_base")}
    run(notebook, tokviz.show(tokenizers, "ภาษาไทย"))
    bars = notebook.get_by_role("list", name="Tokens under each tokenizer")
    notebook.get_by_role("textbox", name="Text").fill("low lower newest")
    for name, tokenizer in tokenizers.items():
        expect(bars).to_contain_text(f"{len(tokenizer.encode('low lower newest'))} tokens")
        expect(bars).to_contain_text(name)


def test_a_trace_in_a_notebook_is_scrubbed(notebook):
    trace = tokviz.trace(tokviz.load("gpt2"), "low lower newest widest")
    run(notebook, tokviz.show(trace, step=300))
    tokens = notebook.locator("[data-figure=tokens]")
    expect(tokens).to_have_text(str(len(trace.tokens_at(300))))
    notebook.get_by_role("slider", name="Merges made").press("End")
    expect(tokens).to_have_text(str(len(trace.ends)))
