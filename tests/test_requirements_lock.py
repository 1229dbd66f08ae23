"""The locks have a version for everything that is asked for, and hashes for every version."""

import re
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
SYSTEMS = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def lines(name: str) -> list[str]:
    """Return the lines of a file of requirements without comments, a continued one as one."""
    text = (ROOT / name).read_text("utf-8").replace("\\\n", " ")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def asked_for() -> list[Requirement]:
    """Return what the two lists of requirements ask for."""
    return [
        Requirement(line)
        for name in ("requirements.txt", "requirements-dev.txt")
        for line in lines(name)
        if not line.startswith("-r ")
    ]


def locked(name: str = "requirements.lock") -> list[Requirement]:
    return [Requirement(line.partition("--hash")[0]) for line in lines(name)]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_each_requirement_has_one_version_that_it_takes(system, python):
    here = default_environment() | {
        "sys_platform": system,
        "platform_system": SYSTEMS[system],
        "python_version": python,
        "python_full_version": f"{python}.0",
    }

    def applies(requirement: Requirement) -> bool:
        return requirement.marker is None or requirement.marker.evaluate(here)

    versions: dict[str, str] = {}
    for pin in filter(applies, locked()):
        name = canonicalize_name(pin.name)
        assert name not in versions, f"{name} is locked twice for {system} and Python {python}"
        [only] = pin.specifier
        assert only.operator == "=="
        versions[name] = only.version
    for requirement in filter(applies, asked_for()):
        version = versions.get(canonicalize_name(requirement.name))
        assert version and version in requirement.specifier, f"run .ci/lock: it has {version} for {requirement}"


def test_the_image_gets_the_same_versions_of_what_the_app_needs():
    app = {canonicalize_name(pin.name): pin.specifier for pin in locked("requirements-app.lock")}
    everything = {canonicalize_name(pin.name): pin.specifier for pin in locked()}
    assert {canonicalize_name(Requirement(line).name) for line in lines("requirements.txt")} <= {*app}
    assert app.items() <= everything.items(), "run .ci/lock"
    assert "pytest" not in app


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-app.lock"])
def test_every_version_has_hashes_and_nothing_names_a_host_or_a_folder(name):
    for line in lines(name):
        pin, *hashes = line.split(" --hash=")
        assert hashes and all(re.fullmatch(r"sha256:[0-9a-f]{64}", each.strip()) for each in hashes), pin
    text = (ROOT / name).read_text("utf-8")
    assert "://" not in text and "--index" not in text and "--find-links" not in text and "/home" not in text
    assert not re.search(r"(^|\s)(/|file:)", text)
