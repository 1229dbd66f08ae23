"""The modules that know no page, tested where Node is there; CI=true wants it."""

import subprocess
from pathlib import Path

import pytest
from programs import node

HERE = Path(__file__).parent


@pytest.mark.parametrize("file", sorted(HERE.glob("*.test.js")), ids=lambda file: file.name)
def test_modules(file: Path):
    run = subprocess.run([node(), "--test", file], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout
