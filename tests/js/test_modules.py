"""The modules that know no page, tested where Node is there; CI=true wants it."""

import subprocess
from pathlib import Path

from programs import node

HERE = Path(__file__).parent
ALL = "for (const file of process.argv.slice(1)) await import(file);"  # in one process


def test_modules():
    files = [file.as_uri() for file in sorted(HERE.glob("*.test.js"))]
    run = subprocess.run(
        [node(), "--input-type=module", "--eval", ALL, *files], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stdout + run.stderr
