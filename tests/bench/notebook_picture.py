"""Takes the picture of docs/notebook.ipynb in JupyterLab, light and dark, and writes it to docs.

Run `python tests/bench/notebook_picture.py JUPYTER` from the top of the repository, where JUPYTER is the `jupyter` of
an environment with jupyterlab and anywidget; the kernel is this Python.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from harness import ROOT
from playwright.sync_api import Browser, Page, expect, sync_playwright
from programs import chromium
from serving import CHROMIUM_FLAGS, free_port

DOCS = ROOT / "docs"
SIZE = {"width": 1090, "height": 990}
KERNEL = {
    "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
    "display_name": "Python 3",
    "language": "python",
    "env": {"PYTHONPATH": str(ROOT)},
}
SETTINGS = {  # what would lie over the picture
    "apputils-extension/notification.jupyterlab-settings": {"fetchNews": "false"},
    "apputils-extension/themes.jupyterlab-settings": {"adaptive-theme": True},
}


@contextmanager
def jupyter_lab(jupyter: str) -> Iterator[str]:
    """Start JupyterLab with the notebook in a folder of its own; yield the notebook's address."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "kernels/python3").mkdir(parents=True)
        (home / "kernels/python3/kernel.json").write_text(json.dumps(KERNEL))
        for name, values in SETTINGS.items():
            file = home / ".jupyter/lab/user-settings/@jupyterlab" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(values))
        (home / "work").mkdir()
        shutil.copy(DOCS / "notebook.ipynb", home / "work")
        port = free_port()
        options = [f"--port={port}", "--no-browser", "--allow-root", "--ServerApp.token=", "--ServerApp.password="]
        environment = os.environ | {"HOME": folder, "JUPYTER_PATH": folder}
        lab = subprocess.Popen([jupyter, "lab", *options, f"--notebook-dir={home / 'work'}"], env=environment)
        try:
            yield f"http://127.0.0.1:{port}/doc/tree/notebook.ipynb"
        finally:
            lab.terminate()
            lab.wait(20)


def opened(page: Page, address: str) -> None:
    """Open the notebook once the server answers, and run it."""
    for _ in range(300):
        with suppress(OSError):
            urllib.request.urlopen(address).close()
            break
        time.sleep(0.1)
    page.goto(address)
    expect(page.get_by_text("Python 3 | Idle")).to_be_visible(timeout=60_000)  # a cell that is run earlier gets lost
    page.locator(".jp-CodeCell .cm-content").first.click(timeout=60_000)
    for _ in range(3):  # two cells of code, and words between them
        page.keyboard.press("Shift+Enter")
        page.wait_for_timeout(1_000)


def picture(browser: Browser, jupyter: str, scheme: str, file: Path) -> None:
    """Take the picture in a theme, with a kernel of its own."""
    with jupyter_lab(jupyter) as address:
        page = browser.new_context(viewport=SIZE, color_scheme=scheme).new_page()
        opened(page, address)
        expect(page.get_by_role("list", name="Tokens under each tokenizer")).to_be_visible(timeout=60_000)
        page.mouse.move(SIZE["width"] / 2, SIZE["height"] / 2)
        page.mouse.wheel(0, -10_000)
        page.mouse.move(5, 5)
        page.wait_for_timeout(3_000)
        page.screenshot(path=file)
        page.context.close()


def main() -> None:
    """Take the picture in both themes."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        picture(browser, sys.argv[1], "light", DOCS / "notebook.png")
        picture(browser, sys.argv[1], "dark", DOCS / "notebook-dark.png")
        browser.close()


if __name__ == "__main__":
    main()
