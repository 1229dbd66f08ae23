"""Every way to start the server serves the pages, and our addresses beside them."""

import urllib.request

import pytest
from serving import free_port, started

COMMANDS = {
    "streamlit run app.py": ["-m", "streamlit", "run", "app.py"],
    "python app.py": ["app.py"],
    "uvicorn app:app": ["-m", "uvicorn", "app:app", "--port"],
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
