"""The wheel of this checkout, and environments in which nothing but it is installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from serving import ROOT

NO_INDEX = "Installing the wheel was not tried: no package index answers pip"


def pip(python: Path | str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [python, "-m", "pip", "--disable-pip-version-check", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def need_index(folder: Path) -> Path:
    """Return a Python with pip; skip the test where no index has what builds the wheel, and fail it under CI=true."""
    python = new_environment(folder / "tools") / "python"  # `make` leaves pip out of the environment of the tests
    if pip(python, "download", "--quiet", "--no-deps", "--dest", folder / "tools", "hatchling").returncode:
        pytest.fail(NO_INDEX) if os.environ.get("CI") == "true" else pytest.skip(NO_INDEX)
    return python


def built_wheel(folder: Path) -> Path:
    """Return the wheel of this checkout, as `need_index` allows."""
    done = pip(need_index(folder), "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
    assert done.returncode == 0, done.stderr
    [wheel] = folder.glob("*.whl")
    return wheel


def new_environment(folder: Path) -> Path:
    """Return the folder with the commands of a new environment, in which nothing is installed."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder / "bin"


def installed(folder: Path, wheel: Path) -> Path:
    """Return the folder with the commands of a new environment that has the wheel and nothing else."""
    commands = new_environment(folder)
    done = pip(commands / "python", "install", "--quiet", wheel)
    assert done.returncode == 0, done.stderr
    return commands


def of_user(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of somebody who has a home and knows nothing of this checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TIKTOKEN", "STREAM"))}
    return kept | {"HOME": str(home)} | more
