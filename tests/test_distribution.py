"""What pip installs: the versions it asks for, what the package needs without extras, and the wheel."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from serving import ROOT
from test_requirements_lock import asked_for, lines, locked
from wheels import built_wheel, installed, of_user, pip

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = {name: {*map(Requirement, extra)} for name, extra in PROJECT["optional-dependencies"].items()}
CORE = {*map(Requirement, PROJECT["dependencies"])}

# Imports every module but those of the server and of the HTTP interface, while no library of the extras can be
# imported.
WITHOUT_EXTRAS = """
import pathlib, sys
from importlib import import_module
sys.modules |= dict.fromkeys(sys.argv[1:])
for file in sorted(pathlib.Path("tokviz").rglob("*.py")):
    parts = file.with_suffix("").parts
    if parts[:2] not in (("tokviz", "server"), ("tokviz", "api")):
        import_module(".".join(parts).removesuffix(".__init__"))
"""
OF_EXTRAS = (
    *("streamlit", "starlette", "uvicorn", "anyio", "pandas", "altair", "segno", "vl_convert"),
    *("fastapi", "dask", "spacy"),
)


def test_the_app_runs_with_versions_that_the_package_allows():
    pinned = {*map(Requirement, lines("requirements.txt"))}
    of_extras = EXTRAS["app"] | EXTRAS["api"]
    assert of_extras <= pinned and EXTRAS["dask"] <= {*asked_for()}
    versions = {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in locked()}
    assert {each.name for each in pinned - of_extras} == {each.name for each in CORE}
    for each in CORE | EXTRAS["notebook"]:
        assert versions[canonicalize_name(each.name)] in each.specifier, each


# What people have in one environment with a tokenizer: current ones of Hugging Face, of Mistral and of vLLM.
BESIDE = [["transformers>=5", "mistral-common>=1.13", "datasets>=5"], ["vllm>=0.33", "datasets>=5"]]


@pytest.mark.slow
@pytest.mark.parametrize("others", BESIDE, ids=" ".join)
def test_the_wheel_fits_beside(others, wheel, tmp_path):
    asked = tmp_path / "asked.txt"
    asked.write_text("\n".join([f"tokviz[notebook] @ {wheel.as_uri()}", *others]))
    command = ["uv", "pip", "compile", "--no-config", "--quiet", "--python-version", "3.12", asked]
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "regex==2025.7" not in done.stdout  # which is too old for current transformers


@pytest.mark.slow
def test_all_but_the_server_imports_without_the_extras():
    subprocess.run([sys.executable, "-c", WITHOUT_EXTRAS, *OF_EXTRAS], cwd=ROOT, check=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return built_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.mark.slow
def test_the_wheel_has_the_app_and_puts_nothing_beside_the_package(wheel):
    names = ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"tokviz", f"tokviz-{PROJECT['version']}.dist-info"}
    files = {"py.typed", "_app/app.py", "_app/pages/merges.py", "_app/.streamlit/config.toml"}
    assert {f"tokviz/{file}" for file in files} <= {*names}
    tracked = subprocess.run(["git", "ls-files", "assets"], cwd=ROOT, check=True, capture_output=True, text=True)
    assert {f"tokviz/_app/{name}" for name in tracked.stdout.split()} <= {*names}
    assert not [name for name in names if name.endswith(".pyc")]


@pytest.mark.slow
def test_without_extras_the_commands_work_in_an_empty_folder(wheel, tmp_path):
    commands = installed(tmp_path / "environment", wheel)
    (tmp_path / "here").mkdir()

    def ran(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=tmp_path / "here", env=of_user(tmp_path), capture_output=True, text=True, input="low lower\n"
        )

    tokviz, python = str(commands / "tokviz"), str(commands / "python")
    assert ran(tokviz, "encode", "gpt2").stdout == "9319 2793 198\n"
    assert ran(tokviz, "train", "-", "--vocab-size", "258", "-o", "a.json", "--json").returncode == 0
    assert json.loads(ran(python, "-m", "tokviz", "inspect", "a.json", "--json").stdout)["n_merges"] == 2
    listed = ran(python, "-m", "pip", "list", "--format", "json").stdout
    assert not {"pandas", "streamlit", "altair"} & {each["name"] for each in json.loads(listed)}
    assert pip(commands / "python", "install", "--quiet", "uv").returncode == 0
    uvx = re.search(r"`(uvx --from '\.\[app\]' tokviz)`", (ROOT / "README.md").read_text("utf-8"))[1]
    name, _, source, *command = shlex.split(uvx)
    run = ran(str(commands / name), "--from", source.replace(".[app]", str(wheel)), *command, "encode", "gpt2")
    assert run.stdout == "9319 2793 198\n", run.stderr
    for command in ([tokviz], [tokviz, "serve"]):
        refused = ran(*command)
        assert refused.returncode == 1 and "pip install 'tokviz[app]'" in refused.stderr


USER_SCRIPT = """\
import tokviz

tokenizer = tokviz.load("gpt2")
ids: list[int] = tokenizer.encode("two words")
table = tokviz.compare("two words", {"gpt2": tokenizer})
columns: list[str] = list(table.columns)
gaps = tokviz.trace(tokenizer, "two words").gaps.tolist()
tokviz.nonexistent
tokenizer.encode(3)
tokviz.show(tokenizer, "two words").nonexistent
"""


@pytest.mark.slow
def test_type_checkers_know_the_types_of_the_wheel(wheel, tmp_path):
    commands = installed(tmp_path / "environment", wheel)
    done = pip(commands / "python", "install", "--quiet", "mypy", "pyright", "pandas-stubs")
    assert done.returncode == 0, done.stderr
    script = tmp_path / "script.py"
    script.write_text(USER_SCRIPT)
    for checker, *options in (["mypy", "--strict"], ["pyright", "--pythonpath", str(commands / "python")]):
        run = [str(commands / checker), *options, script.name]
        said = subprocess.run(run, cwd=tmp_path, env=of_user(tmp_path), capture_output=True, text=True).stdout
        assert sorted({*map(int, re.findall(r":(\d+):.*error", said))}) == [8, 9, 10], said
