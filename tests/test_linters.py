"""What the linters find, beside the other tests; `make lint` runs these alone."""

import subprocess
import sys
from pathlib import Path

import pytest
from programs import from_npm

ROOT = Path(__file__).parents[1]
PROGRAMS = Path(sys.executable).parent
LINTERS = {
    "zuban": ["zuban", "mypy", "--python-executable", sys.executable],
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "oxlint": ["oxlint", "--deny-warnings", "assets", "tests/js"],
    "tsc": ["tsc", "--project", "assets"],
}


@pytest.mark.parametrize("linter", LINTERS)
def test_nothing_is_found_by(linter: str):
    program, *arguments = LINTERS[linter]
    folder = from_npm() / ".bin" if program == "tsc" else PROGRAMS
    run = subprocess.run([folder / program, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
