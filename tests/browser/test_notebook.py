"""The live views of a notebook: the widget's code in a page that does what anywidget's host does, and its kernel.

Before the view, the page has the coloured text, as a notebook has it in an output of its own.
"""

import json
from collections.abc import Sequence

import pytest

pytest.importorskip("anywidget", reason="anywidget is optional")

from playwright.sync_api import Browser, Page, expect

import tokviz
from tokviz.display.show import Shown
from tokviz.formats.pretrained import ENCODINGS, full_name

HOST = """async ({ esm, shown, still }) => {
  document.body.innerHTML = still;
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

# What lies over something else, or leaves the output, in words. What scrolls counts as one thing.
OVERLAPS = """() => {
  const host = document.body.lastElementChild;
  const area = host.getBoundingClientRect();
  const scrolling = ".table, .scroller";
  const isDrawn = (element) => {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    return (hasText || element.matches(`button, select, input, textarea, .plot, .track, ${scrolling}`))
      && element.checkVisibility({ visibilityProperty: true })
      && !element.closest(".hidden, .plot *, .track *, option") && !element.parentElement.closest(scrolling);
  };
  const seen = (element, { left, top, right, bottom }) => {
    for (let around = element.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflow === "visible") continue;
      const edge = around.getBoundingClientRect();
      [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
      [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
    }
    return { element, left, top, right, bottom };
  };
  const boxes = [...host.shadowRoot.querySelectorAll("*")].filter(isDrawn)
    .flatMap((element) => [...element.getClientRects()].map((box) => seen(element, box)))
    .filter((box) => box.right > box.left && box.bottom > box.top);
  const words = ({ element }) => `${element.localName} ${element.className} ${element.textContent.trim().slice(0, 30)}`;
  const isOutside = (box) => box.left < area.left - 1 || box.right > area.right + 1
    || box.top < area.top - 1 || box.bottom > area.bottom + 1;
  const isOver = (one, other) => !one.element.contains(other.element) && !other.element.contains(one.element)
    && Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
  return [
    ...boxes.filter(isOutside).map((box) => `outside: ${words(box)}`),
    ...boxes.flatMap((one, i) => boxes.slice(i + 1).filter((other) => isOver(one, other))
      .map((other) => `${words(one)} over ${words(other)}`)),
  ];
}"""
SHOWN = {
    "tokens": lambda: tokviz.show(tokviz.load("gpt2"), "p\u0430ypal: how many r's are in strawberry?"),
    "columns": lambda: tokviz.show([tokviz.load(name) for name in list(ENCODINGS)[:6]], "3221 + 2334 = 5555, ภาษาไทย"),
    "merges": lambda: tokviz.show(tokviz.trace(tokviz.train(RHYME, vocab_size=280), RHYME), step=13),
}
RHYME = "Whatever the weather, my mother and father went out on the heather"


@pytest.fixture
def notebook(browser: Browser):
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert not wrong


def run(page: Page, shown: Shown, *, answers: bool = True) -> None:
    """Show a widget in a page, with its kernel in this process, or one that never answers."""
    widget = shown.widget()

    def kernel(content: str) -> list[str]:
        told = json.loads(content)
        if not answers:
            return []
        if "opens" in told:
            widget.kernel.reset_page()
            return []
        return list(widget.kernel.receive_and_respond(told["message"]))

    page.expose_function("kernel", kernel)
    still = f'<div class="{widget.still}">{shown._repr_html_()}</div>'
    page.evaluate(HOST, {"esm": widget._esm, "shown": widget.shown, "still": still})


def overlaps(page: Page, widths: Sequence[int]) -> list[str]:
    """Return what lies over something else in a view of these widths in pixels, once it is drawn."""
    view = page.locator("body > div").last
    expect(view.locator(".t").first).to_be_visible()
    found = []
    for width in widths:
        view.evaluate("(view, width) => { view.style.width = `${width}px`; }", width)
        page.evaluate("new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))")
        found += [f"{width}: {words}" for words in page.evaluate(OVERLAPS)]
    return found


@pytest.mark.journey
def test_the_merges_fit_into_their_output(notebook):
    run(notebook, SHOWN["merges"]())
    expect(notebook.locator(".tokviz")).to_be_hidden()
    assert overlaps(notebook, (500, 1030)) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", SHOWN)
def test_views_fit_into_outputs_of_every_width(notebook, name, scheme):
    notebook.emulate_media(color_scheme=scheme)
    run(notebook, SHOWN[name]())
    assert not overlaps(notebook, (500, 640, 768, 900, 1000, 1200, 1400, 1600))


def test_where_no_kernel_answers_the_coloured_text_stays(notebook):
    run(notebook, SHOWN["tokens"](), answers=False)
    expect(notebook.locator("body > div")).to_have_count(2)
    notebook.wait_for_function("document.body.lastElementChild.shadowRoot.querySelector('.counts')")
    expect(notebook.locator(".tokviz")).to_be_visible()
    expect(notebook.locator("body > div").last).to_be_hidden()


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
        expect(bars).to_contain_text(full_name(name))


def test_a_trace_in_a_notebook_is_scrubbed(notebook):
    trace = tokviz.trace(tokviz.load("gpt2"), "low lower newest widest")
    run(notebook, tokviz.show(trace, step=300))
    tokens = notebook.locator("[data-figure=tokens]")
    expect(tokens).to_have_text(str(len(trace.tokens_at(300))))
    notebook.get_by_role("slider", name="Merges made").press("End")
    expect(tokens).to_have_text(str(len(trace.ends)))
