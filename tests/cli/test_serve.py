"""`tokviz serve`: how it starts Streamlit, and what it says without it."""

import os
import sys
from importlib.util import find_spec

import pytest
from serving import ROOT

import tokviz
from tokviz import api
from tokviz.cli import main
from tokviz.server import FRAMES, OPEN
from tokviz.system import installation


class Became(Exception):
    """In place of becoming another program: its arguments after the name of Python's, and its environment."""


@pytest.fixture
def become(monkeypatch):
    def execve(path, arguments, environment):
        assert path == arguments[0] == sys.executable
        raise Became(arguments[1:], environment)

    monkeypatch.setattr(os, "execve", execve)
    monkeypatch.delenv(OPEN, raising=False)

    def becomes(*arguments):
        with pytest.raises(Became) as became:
            main(arguments)
        return became.value.args

    return becomes


LOCAL = ["--server.address", "127.0.0.1", "--browser.serverAddress", "127.0.0.1"]
RUN = ["-P", str(ROOT / "tokviz/server/streamlit_command.py"), "run", str(ROOT / "app.py")]


def test_alone_it_serves_to_this_machine_and_opens_the_pages(become):
    arguments, environment = become()
    assert arguments == RUN + LOCAL and environment[OPEN] == "1"


def test_a_host_a_port_and_names_are_passed_on(become):
    arguments, environment = become("serve", "--host", "0.0.0.0", "--port", "86", "--name", "a.org", "--name", "b.org")
    assert arguments == [
        *RUN, "--server.address", "0.0.0.0", "--browser.serverAddress", "127.0.0.1",
        "--server.allowedHosts", "a.org", "--server.allowedHosts", "b.org", "--server.port", "86",
    ]  # fmt: skip
    assert OPEN not in environment
    assert become("serve", "--host", "192.168.7.9")[0][-4:] == [
        "--server.address", "192.168.7.9", "--browser.serverAddress", "192.168.7.9",
    ]  # fmt: skip


def test_only_the_sites_that_are_named_may_frame_the_pages(capsys, become):
    assert FRAMES not in become("serve")[1]
    sites = ["https://a.org", "http://*.b.org:8080"]
    arguments, environment = become("serve", "--frame", sites[0], "--frame", sites[1])
    assert environment[FRAMES] == " ".join(sites)
    # The cookie that Streamlit asks for with an upload is not sent from there.
    assert arguments[-2:] == ["--server.enableXsrfProtection", "false"]
    for wrong in ("a.org", "https://a.org; script-src *", "https://a.org https://b.org", "'none'"):
        with pytest.raises(SystemExit):
            main(["serve", "--frame", wrong])
        assert "is not a site" in capsys.readouterr().err


def test_the_server_has_two_arenas_unless_the_environment_says_otherwise(become, monkeypatch):
    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    assert become("serve")[1]["MALLOC_ARENA_MAX"] == "2"
    monkeypatch.setenv("MALLOC_ARENA_MAX", "4")
    assert become("serve")[1]["MALLOC_ARENA_MAX"] == "4"


def test_without_streamlit_it_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setattr(installation, "find_spec", lambda name: None if name == "streamlit" else find_spec(name))
    assert main(["serve"]) == 1
    reason = f"tokviz serve: the app needs streamlit, which is not installed: pip install '{ROOT}[app]'\n"
    assert capsys.readouterr().err == reason


def test_files_and_origins_for_the_http_interface_are_passed_on(become, tmp_path, capsys):
    assert not {api.TOKENIZERS, api.CORS} & {*become("serve", "--api")[1]}
    file = tmp_path / "toy.model"
    tokviz.save(tokviz.train("low lower", vocab_size=258), file)
    named, origins = [str(file), f"other={file}"], ["https://a.org", "http://localhost:3000"]
    options = [f"--tokenizer={each}" for each in named] + [f"--cors={each}" for each in origins]
    environment = become("serve", "--api", *options)[1]
    assert environment[api.TOKENIZERS] == os.pathsep.join(named) and environment[api.CORS] == " ".join(origins)
    assert main(["serve", *options]) == 1 and "add --api" in capsys.readouterr().err
    assert main(["serve", "--api", "--tokenizer", "none"]) == 1 and "no file 'none'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["serve", "--api", "--cors", "https://*.a.org"])
    assert "is not an origin" in capsys.readouterr().err
