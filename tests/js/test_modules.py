"""The modules that know no page, tested where Node is there; CI=true wants it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("file", sorted(HERE.glob("*.test.js")), ids=lambda file: file.name)
def test_modules(file: Path):
    node = shutil.which("node")
    if node is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no Node was found; install version 20.19 or later to test the modules")
        pytest.skip("no Node was found; install version 20.19 or later to test the modules")
    run = subprocess.run([node, "--test", file], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout
