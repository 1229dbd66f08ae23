"""Every way to start the server serves the pages, and our addresses beside them."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import urllib.request
from threading import Event

import pytest
from serving import ROOT, free_port, started

from tokviz.server import start
from tokviz.system.installation import COMMAND

COMMANDS = {
    "streamlit run app.py": ["-m", "streamlit", "run", "app.py"],
    "python app.py": ["app.py"],
    "uvicorn app:app": ["-m", "uvicorn", "app:app", "--port"],
    "tokviz serve": ["-m", "tokviz", "serve"],
}


@pytest.mark.parametrize("base", ["", "tools/tokviz"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.slow
def test_every_command_serves_below_its_base_path(command, base, tmp_path):
    port = free_port()
    home = tmp_path / ".streamlit" / "config.toml"
    home.parent.mkdir()
    home.write_text(f'[server]\nport = {port}\nbaseUrlPath = "{base}"\n')
    address = f"http://127.0.0.1:{port}/{base}".rstrip("/")
    with started([*command, str(port)] if "uvicorn" in command else command, address, HOME=str(tmp_path)):
        assert b"Disallow" in urllib.request.urlopen(f"{address}/robots.txt").read()
        assert b'<div id="root">' in urllib.request.urlopen(f"{address}/vocabulary").read()


# Prints the modules of libraries that the pages' scripts need and that a warm server has not imported.
NOT_WARMED = """
import ast, asyncio, importlib, pathlib, sys, threading
import app
from tokviz.server.start import WARMING
async def serve():
    async with app.app.lifespan()(app.app):
        next(thread for thread in threading.enumerate() if thread.name == WARMING).join()
asyncio.run(serve())
known = {*sys.modules}
for page in pathlib.Path("pages").glob("*.py"):
    for line in ast.parse(page.read_text()).body:
        if isinstance(line, ast.ImportFrom):
            importlib.import_module(line.module)
print(*(name for name in sys.modules if name not in known and name.partition(".")[0] not in ("tokviz", "pages")))
"""


@pytest.mark.slow
def test_no_page_waits_for_a_library_once_the_server_is_warm():
    done = subprocess.run([sys.executable, "-c", NOT_WARMED], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.split() == []


def test_a_server_stops_though_it_is_still_warming(monkeypatch):
    may_end, ended = Event(), Event()

    def warm(_modules):
        may_end.wait(30)
        ended.set()

    async def serve():
        async with start.warmed(lambda: None, (), {}.get)(None):
            pass

    monkeypatch.setattr(start, "warm", warm)
    monkeypatch.setattr(sys, "setswitchinterval", lambda _seconds: None)
    monkeypatch.delenv(start.OPEN, raising=False)
    try:
        asyncio.run(serve())
        assert not ended.is_set()
    finally:
        may_end.set()
        gc.unfreeze()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize(
    "command, imported", [(["-m", "tokviz"], "argparse.py"), (["-P", str(COMMAND)], "streamlit/__init__.py")]
)
def test_an_interrupt_while_modules_are_imported_leaves_no_traceback(command, imported, tmp_path):
    module = tmp_path / imported
    module.parent.mkdir(exist_ok=True)
    module.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")
