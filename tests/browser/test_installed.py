"""The app as the README says to install it: `tokviz`, given in an empty folder, opens the pages."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from processes import until
from serving import ROOT, free_port
from wheels import need_index, new_environment, of_user

LINES = re.compile(
    r"^## Install\n\n    (pip install .*?) +# in this folder: .*\n    (tokviz) +# in any folder", re.MULTILINE
)


@pytest.fixture(scope="module")
def opened_address(tmp_path_factory):
    """The address that `tokviz` opens in a browser, which is a script that writes it down."""
    folder = tmp_path_factory.mktemp("installed")
    need_index(folder)
    commands = new_environment(folder / "environment")
    path = os.pathsep.join([str(commands), os.environ["PATH"]])
    install, command = LINES.search((ROOT / "README.md").read_text("utf-8")).groups()
    subprocess.run(install, shell=True, cwd=ROOT, env=of_user(folder, PATH=path), check=True, capture_output=True)
    here, opened = folder / "here", folder / "opened"
    here.mkdir()
    browser = folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    (here / "pages.py").write_text("raise SystemExit('not the pages')")  # must not pass for a module of the app
    environment = of_user(folder, PATH=path, BROWSER=f"{browser} %s", STREAMLIT_SERVER_PORT=str(free_port()))
    with open(folder / "log", "wb") as log:
        server = subprocess.Popen([commands / command], cwd=here, env=environment, stdout=log, stderr=log)
    until(lambda: opened.exists() or server.poll() is not None)
    yield opened.read_text().strip() if opened.exists() else pytest.fail((folder / "log").read_text())
    server.terminate()
    server.wait(10)
    assert [*map(Path, here.iterdir())] == [here / "pages.py"]


def test_the_command_alone_opens_the_pages(page: Page, opened_address):
    page.goto(opened_address)
    expect(page.get_by_role("option").first).to_be_visible(timeout=30_000)
    # What the settings beside the app say holds in any folder.
    expect(page.get_by_test_id("stApp")).to_have_css("color", "rgb(22, 33, 31)")


def test_a_page_is_found_by_its_address(page: Page, opened_address):
    page.goto(f"{opened_address}/vocabulary")
    expect(page.get_by_role("heading", name="What it is made of")).to_be_visible(timeout=30_000)
