"""Every way to start the server serves the pages, and our addresses beside them."""

import subprocess
import sys
import urllib.request

import pytest
from serving import ROOT, free_port, started

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
import ast, asyncio, importlib, pathlib, sys
import app
async def serve():
    async with app.app.lifespan()(app.app):
        pass
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
