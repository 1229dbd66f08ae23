"""Every way to start the server serves the pages, and our addresses beside them."""

import gc
import os
import signal
import subprocess
import sys
import urllib.request
from threading import Event

import pytest
from coroutines import run_coroutine
from serving import ROOT, free_port, started

from tokviz.api import SWITCH
from tokviz.formats.pretrained import LOADED
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


# What a warm server does not make a reader wait for: prints the modules of libraries that the pages' scripts need and
# that it has not imported, and how much of what is loaded the garbage collector still walks through; then counts texts.
WARM = """
import ast, asyncio, gc, importlib, pathlib, sys, threading
import tiktoken
import app, tokviz
from tokviz.server.start import WARMING
async def serve():
    async with app.app.lifespan()(app.app):
        next(thread for thread in threading.enumerate() if thread.name == WARMING).join()
asyncio.run(serve())
known = {*sys.modules}
walked = len(gc.get_objects()) / gc.get_freeze_count()
for page in pathlib.Path("pages").glob("*.py"):
    for line in ast.parse(page.read_text()).body:
        if isinstance(line, ast.ImportFrom):
            importlib.import_module(line.module)
print(*(name for name in sys.modules if name not in known and name.partition(".")[0] not in ("tokviz", "pages")))
print(walked)
tiktoken.Encoding = None
print([[*tokviz.load(name).count_iter([" a" * 40_000] * 3)] for name in ("gpt2", "cl100k_base", "o200k_base")])
"""


@pytest.mark.slow
def test_nobody_waits_for_what_a_warm_server_has_loaded():
    environment = os.environ | {SWITCH: "1"}
    done = subprocess.run(
        [sys.executable, "-c", WARM], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    not_imported, walked, counts = done.stdout.splitlines()
    assert not_imported == ""
    assert float(walked) < 0.1
    assert counts == str([[40_000] * 3] * 3)


def test_a_server_bounds_what_it_keeps_and_stops_though_it_is_still_warming(monkeypatch):
    may_end, ended = Event(), Event()

    def warm(_modules):
        may_end.wait(30)
        ended.set()

    async def serve():
        async with start.lifespan(lambda: None, (), {}.get)(None):
            pass

    monkeypatch.setattr(LOADED, "tokens_max", None)
    monkeypatch.setattr(start, "warm_up", warm)
    monkeypatch.setattr(sys, "setswitchinterval", lambda _seconds: None)
    monkeypatch.delenv(start.OPEN, raising=False)
    try:
        run_coroutine(serve())
        assert not ended.is_set() and LOADED.tokens_max == start.TOKENS_MAX
    finally:
        may_end.set()
        gc.unfreeze()


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
