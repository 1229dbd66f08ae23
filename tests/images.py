"""The Dockerfile, followed without Docker: its steps run in a folder, and its command where only /tmp can be written.

What runs is what stands in the file. An environment of the Python that runs the tests stands for the base image, and
the port is another one, since several tests run at a time.
"""

import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from serving import ROOT

# Makes everything read-only but a new /tmp, has the image at /mnt, and becomes a user without any rights, who finds
# Python even in a folder that is closed to others. Arguments: the folder of the image, working directory, user, group,
# Python's folder, the closed one if any, and the command.
ALONE = """
set -e
image=$1 here=$2 user=$3 group=$4 python=$5 closed=$6
shift 6
mount --make-rprivate /
mount --bind "$image" /mnt
mount -o remount,bind,ro /mnt
mount -t tmpfs -o mode=1777 tmpfs /tmp
if test -n "$closed"; then
    mkdir /tmp/python
    mount --bind "$python" /tmp/python
    mount -t tmpfs -o mode=755 tmpfs "$closed"
    mkdir -p "$python"
    mount --move /tmp/python "$python"
    rmdir /tmp/python
    mount -o remount,bind,ro "$python"
    mount -o remount,bind,ro "$closed"
fi
mount -o remount,bind,ro /
cd "/mnt/$here"
exec setpriv --reuid "$user" --regid "$group" --clear-groups --no-new-privs --bounding-set=-all "$@"
"""


def instructions(dockerfile: str) -> Iterator[tuple[str, str]]:
    """Yield the instructions of a Dockerfile, each as its name and what follows."""
    text = re.sub(r"^\s*#.*\n", "", dockerfile, flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(str.strip, text.splitlines()):
        name, _, rest = line.strip().partition(" ")
        yield name, rest.strip()


class Image:
    """What the steps of a Dockerfile make of an empty folder. Those that are not known here are KeyErrors."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workdir = folder
        self.told: dict[str, str] = {}
        steps = {"FROM": self._from, "WORKDIR": self._workdir, "COPY": self._copy, "RUN": self._run}
        told = ("ENV", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT")
        for name, rest in instructions((ROOT / "Dockerfile").read_text("utf-8")):
            {**steps, **dict.fromkeys(told, lambda rest, name=name: self.told.update({name: rest}))}[name](rest)

    def _from(self, _base: str) -> None:
        subprocess.run([sys.executable, "-m", "venv", self.folder / "environment"], check=True)

    def _workdir(self, path: str) -> None:
        self.workdir = self.folder / path.strip("/")
        self.workdir.mkdir(parents=True)

    def _copy(self, arguments: str) -> None:
        *sources, target = arguments.split()
        allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").split() if line.startswith("!")}
        for source in sources:
            assert source in allowed, f".dockerignore keeps {source} out"
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, self.workdir / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, self.workdir / target)

    def _run(self, command: str) -> None:
        path = os.pathsep.join([str(self.folder / "environment/bin"), os.environ["PATH"]])
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment |= {"PATH": path}
        done = subprocess.run(command, shell=True, cwd=self.workdir, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"

    def start(self, port: int, log: Path, *more: str) -> subprocess.Popen:
        """Start what the image runs, with more arguments."""
        with open(log, "wb") as out:
            return subprocess.Popen(
                self._alone(self._command("ENTRYPOINT", port), *more), env=self.environment(), stdout=out, stderr=out
            )

    def is_healthy(self, port: int) -> bool:
        """Return whether its health check succeeds."""
        check = self._alone(self._command("HEALTHCHECK", port))
        return subprocess.run(check, env=self.environment(), capture_output=True).returncode == 0

    def environment(self) -> dict[str, str]:
        """Return the variables it runs with: a path, and its own."""
        return {"PATH": os.environ["PATH"]} | dict(pair.split("=", 1) for pair in shlex.split(self.told["ENV"]))

    def _command(self, name: str, port: int) -> list[str]:
        words = json.loads("[" + self.told[name].partition("[")[2])
        assert any(self.told["EXPOSE"] in word for word in words)
        return [word.replace(self.told["EXPOSE"], str(port)) for word in words]

    def _alone(self, command: list[str], *more: str) -> list[str]:
        python, *arguments = command
        assert python == "python"
        if not may_be_alone():
            return [str(self.folder / "environment/bin/python"), *arguments, *more]
        user, group = self.told["USER"].split(":")
        here, installed = self.workdir.relative_to(self.folder), Path(sys.base_prefix)
        closed = [folder for folder in installed.parents if not folder.stat().st_mode & stat.S_IXOTH]
        alone = ["unshare", "--mount", "sh", "-c", ALONE, "alone", self.folder, here, user, group, installed]
        alone += closed[-1:] or [""]
        return [*map(str, alone), "/mnt/environment/bin/python", *arguments, *more]


def may_be_alone() -> bool:
    """Return whether this process may give another one file systems of its own, and become another user."""
    if os.geteuid() or not shutil.which("setpriv") or not shutil.which("unshare"):
        return False
    return subprocess.run(["unshare", "--mount", "mount", "--make-rprivate", "/"], capture_output=True).returncode == 0
