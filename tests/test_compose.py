"""compose.yaml: what holds tokviz in, and what Caddy is told."""

import os
import shutil
import subprocess
import sys

import pytest
import yaml
from images import Image, instructions
from serving import ROOT

import tokviz
from tokviz.cli import parser_and_commands

COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
NAME = "tokviz.example.org"


def test_the_service_may_write_nothing_but_temporary_files_and_has_limits():
    service = COMPOSE["services"]["tokviz"]
    assert (
        service["read_only"] and service["cap_drop"] == ["ALL"] and "no-new-privileges:true" in service["security_opt"]
    )
    assert [each.partition(":")[0] for each in service["tmpfs"]] == ["/tmp"]
    assert service["mem_limit"] and service["pids_limit"]
    assert "ports" not in service  # Caddy alone is reached from outside


def test_what_is_told_by_content_can_be_written_into_the_container():
    told = {name for name, each in COMPOSE["configs"].items() if "content" in each}
    for service in COMPOSE["services"].values():
        assert not (service.get("read_only") and told & {each["source"] for each in service.get("configs", ())})


def test_the_command_is_one_that_the_image_takes():
    told = dict(instructions((ROOT / "Dockerfile").read_text("utf-8")))
    entrypoint = yaml.safe_load(told["ENTRYPOINT"])
    first, name = COMPOSE["services"]["tokviz"]["command"]
    assert name.startswith("${TOKVIZ_NAME:?")
    options = parser_and_commands()[0].parse_args([*entrypoint[3:], first, NAME])
    assert (options.host, options.port, options.name) == ("0.0.0.0", int(told["EXPOSE"]), [NAME])


def test_caddy_takes_what_it_is_told(tmp_path):
    if shutil.which("caddy") is None:
        pytest.skip("What Caddy is told was not tried: there is no caddy")
    told = COMPOSE["configs"]["caddyfile"]["content"].replace("${TOKVIZ_NAME}", NAME)
    assert "$" not in told  # nothing else is filled in
    (tmp_path / "Caddyfile").write_text(told)
    command = ["caddy", "adapt", "--config", tmp_path / "Caddyfile", "--adapter", "caddyfile"]
    adapted = subprocess.run(command, capture_output=True, text=True)
    assert adapted.returncode == 0, adapted.stderr
    assert "tokviz:8501" in adapted.stdout and NAME in adapted.stdout


class Files(Image):
    """The files of the image alone."""

    def _from(self, _base):
        """Leave the base image out."""

    def _run(self, _command):
        """Run nothing."""


def test_the_image_knows_the_version(tmp_path):
    command = [sys.executable, "-m", "tokviz", "--version"]
    environment = {"PATH": os.environ["PATH"]}
    told = subprocess.check_output(command, cwd=Files(tmp_path).workdir, env=environment, text=True)
    assert told.split()[-1] == tokviz.__version__
