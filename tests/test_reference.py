"""`tokviz` has everything public, imports it late, and docs/python.md describes all of it as it is."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from serving import ROOT
from signatures import public_lines

import tokviz

REFERENCE = (ROOT / "docs" / "python.md").read_text("utf-8")
BLOCKS = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Prints the modules that importing the package brings, but for Python's own.
IMPORTED = """
import sys
before = {*sys.modules}
import tokviz
print(*{name.partition(".")[0] for name in {*sys.modules} - before} - {*sys.stdlib_module_names})
"""


def documented() -> list[str]:
    lines = [line for block in BLOCKS.findall(REFERENCE) for line in block.splitlines()]
    return [line.partition("  #")[0].rstrip() for line in lines]


def test_the_reference_has_everything_public_as_it_is():
    lines = documented()
    assert sorted(lines) == sorted(public_lines())
    assert {line.split(".")[1].split("(")[0].split(":")[0] for line in lines if line.startswith("tokviz.")} == {
        *tokviz.__all__
    }


def test_every_name_is_imported_once_under_its_own_name():
    _, *imports = ast.parse((ROOT / "tokviz" / "__init__.pyi").read_text("utf-8")).body
    homes = {}
    for each in imports:
        assert isinstance(each, ast.ImportFrom)
        [alias] = each.names
        assert alias.asname == alias.name not in homes
        homes[alias.name] = each.module
    assert homes == tokviz._HOME_OF
    assert {*tokviz.__all__} <= {*dir(tokviz)}


def test_a_type_checker_knows_what_is_public_and_what_is_not(tmp_path):
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nmypy_path = {ROOT}\n")
    (tmp_path / "script.py").write_text("import tokviz\n\nn: str = tokviz.load('gpt2').n_vocab\ntokviz.trian('a')\n")
    command = [Path(sys.executable).parent / "zuban", "mypy", "--python-executable", sys.executable, "script.py"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
    assert re.findall(r"script\.py:(\d): error: (.*?)(?: \(.*)?  \[", found) == [
        ("3", "Incompatible types in assignment"),
        ("4", 'Module has no attribute "trian"'),
    ]


def test_the_import_alone_brings_no_other_module():
    done = subprocess.run([sys.executable, "-c", IMPORTED], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["tokviz"]


def test_another_name_is_refused():
    with pytest.raises(AttributeError, match="module 'tokviz' has no attribute 'trian'"):
        _ = tokviz.trian
    assert not hasattr(tokviz, "core_")
