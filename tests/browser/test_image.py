"""The image: Docker or Podman builds and starts it; where neither answers, the steps of the Dockerfile are followed."""

import shutil
import subprocess
from collections.abc import Iterator

import pytest
from images import Image, instructions
from playwright.sync_api import Page, expect
from processes import until
from serving import ROOT, free_port
from wheels import need_index

NAME = "tokviz-of-the-tests"


def engine() -> str | None:
    """Return the command of an engine that answers, and has the image to begin with or can get it."""
    base = dict(instructions((ROOT / "Dockerfile").read_text("utf-8")))["FROM"]
    return next((name for name in ("docker", "podman") if shutil.which(name) and has(name, base)), None)


def has(command: str, image: str) -> bool:
    return 0 in (run(command, *ask, image).returncode for ask in (("image", "inspect"), ("pull",)))


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a healthy image with a read-only file system, which belongs to a user without rights."""
    port = free_port()
    if command := engine():
        of_docker = ["--format", "docker"] if command == "podman" else []  # its own format has no health check
        built = run(command, "build", *of_docker, "--tag", NAME, str(ROOT))
        assert built.returncode == 0, built.stderr
        options = ["--rm", "--detach", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"]
        started = run(command, "run", *options, "--publish", f"127.0.0.1:{port}:8501", NAME)
        assert started.returncode == 0, started.stderr
        container = started.stdout.strip()
        health = (command, "inspect", "--format", "{{.State.Health.Status}}", container)
        until(lambda: run(*health).stdout.strip() == "healthy")
        yield f"http://127.0.0.1:{port}"
        run(command, "stop", container)
        return
    folder = tmp_path_factory.mktemp("image")
    need_index(folder)
    image = Image(folder / "root")
    log = folder / "log"
    server = image.start(port, log)
    until(lambda: image.is_healthy(port) or server.poll() is not None)
    assert server.poll() is None, log.read_text()
    yield f"http://127.0.0.1:{port}"
    server.terminate()
    server.wait(10)
    assert "Traceback" not in log.read_text(), log.read_text()


@pytest.mark.slow
def test_the_pages_open_and_train(page: Page, address: str):
    page.goto(f"{address}/vocabulary")
    expect(page.get_by_role("heading", name="Vocabulary", exact=True)).to_be_visible(timeout=60_000)
    page.goto(f"{address}/train")
    page.get_by_role("button", name="Train on the English sample").click()
    expect(page.get_by_text("Learned 256 merges.")).to_be_visible(timeout=60_000)
