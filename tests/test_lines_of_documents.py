"""The lines of the README and of docs that people copy, run where nothing but the wheel is installed."""

import gzip
import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import until
from serving import ROOT, free_port
from wheels import built_wheel, new_environment, of_user, pip

import tokviz

DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
NAMES = "tokviz|pip|uvx|make|mkdir|curl|docker|TOKVIZ_NAME|lualatex"
COMMAND = re.compile(rf"^    ((?:{NAMES})(?![.\w])(?:.*\\\n)*.*)", re.MULTILINE)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NOT_RUN = {  # commands and blocks of Python
    "make": "runs these tests itself",
    "pip install": "tests/browser/test_installed.py installs by it",
    "lualatex": "tests/display/test_latex.py compiles the document",
    "tokviz completion zsh": "its shell knows the folder",
    "tokviz completion fish": "its shell has made the folder",
    "docker": "tests/browser/test_image.py builds and starts the image",
    "TOKVIZ_NAME": "needs a name that leads here, and Docker",
    "docs/cluster.md": "needs a cluster",
    "docs/command-line.md": "the solution that `tokviz check` reads",
}
EXPECTED = {  # exit codes that are not 0: the solution there differs, and ChatML refuses an image
    "tokviz check solution.py": 1,
    'tokviz chat -t "Qwen 3" --trials': 1,
}


def commands(document: Path) -> list[str]:
    """Return the commands in a document, without the remark at the end of each line."""
    found = COMMAND.findall(document.read_text("utf-8"))
    return [re.sub(r" {2,}#.*$", "", line, flags=re.MULTILINE).replace("\\\n", " ").strip() for line in found]


def blocks(document: Path, language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(document.read_text("utf-8")) if name == language]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The search path of somebody who has installed the wheel with all that the documents use."""
    folder = tmp_path_factory.mktemp("installed")
    wheel = built_wheel(folder)
    found = new_environment(folder / "environment")
    done = pip(found / "python", "install", "--quiet", f"{wheel}[app,api,notebook]")
    assert done.returncode == 0, done.stderr
    return os.pathsep.join([str(found), os.environ["PATH"]])


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with the files that the lines name."""
    english, thai = tokviz.sample("english"), tokviz.sample("thai")
    documents = english.split("\n\n")
    texts = {
        "books/one.txt": english, "books/two.txt": thai, "held-out/three.txt": documents[0], "story.txt": documents[1],
        "english.txt": english, "thai.txt": thai, "thai/one.txt": thai,
        "more.jsonl.gz": json_lines("text", documents), "posts/a.jsonl": json_lines("content", documents),
        "chats.jsonl.gz": json_lines("messages", [[{"role": "user", "content": text}] for text in documents]),
    }  # fmt: skip
    answer = {"role": "assistant", "content": "Hello!", "token_ids": tokviz.load("qwen3").encode("Hello!")}
    texts["rollouts.jsonl"] = json_lines("messages", [[{"role": "user", "content": "Hi!"}, answer]])
    for language, code in (("en", "eng_Latn"), ("th", "tha_Thai")):
        sentences = tokviz.parallel_sentences([language])
        texts[f"flores200_dataset/dev/{code}.dev"] = "".join(f"{each[language]}\n" for each in sentences)
    [texts["solution.py"]] = blocks(ROOT / "docs/command-line.md", "python")
    for name, text in texts.items():
        file = tmp_path / "here" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    for file in ("converted/tokenizer.json", "my.json", "models/other.json"):
        (tmp_path / "here" / file).parent.mkdir(exist_ok=True)
        tokviz.save(tokviz.load("gpt2"), tmp_path / "here" / file)
    return tmp_path / "here"


def json_lines(key: str, values: list) -> str:
    return "".join(json.dumps({key: value}) + "\n" for value in values)


class Shell:
    """Runs lines one after another in a folder; servers listen at ports of their own, and go on until the end."""

    def __init__(self, folder: Path, path: str) -> None:
        self.folder, self.port = folder, 8501
        self.environment = of_user(folder.parent, PATH=path, TOKVIZ_API="0")
        self.servers: list[subprocess.Popen] = []

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        command = ["bash", "-c", line.replace(":8501", f":{self.port}")]
        return subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)

    def serve(self, line: str) -> None:
        self.port = free_port()
        environment = self.environment | {"STREAMLIT_SERVER_PORT": str(self.port)}
        words = re.sub(r"--port \d+", f"--port {self.port}", line).split()
        self.servers.append(subprocess.Popen(words, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL))
        health = f"http://127.0.0.1:{self.port}/_stcore/health"
        until(lambda: self.run(f"curl --silent --fail {health}").returncode == 0)

    def end(self) -> None:
        for server in self.servers:
            server.terminate()
            server.wait(30)


@pytest.fixture
def shell(here: Path, path: str) -> Iterator[Shell]:
    shell = Shell(here, path)
    yield shell
    shell.end()


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_command_works(shell, document):
    for line in commands(document):
        if line.startswith(tuple(NOT_RUN)):
            continue
        if line == "tokviz" or line.startswith("tokviz serve"):
            shell.serve(line)
            continue
        done = shell.run(line)
        assert done.returncode == EXPECTED.get(line, 0), f"{line}\n{done.stdout}{done.stderr}"
        if line.startswith("curl"):  # the answer is the next line
            assert done.stdout.strip() in document.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("document", [each for each in DOCUMENTS if blocks(each, "python")], ids=lambda each: each.name)
def test_the_python_of_documents_works_with_the_wheel(shell, document):
    done = shell.run(f"python -m doctest -o ELLIPSIS -o IGNORE_EXCEPTION_DETAIL '{document}'")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_nothing_is_left_out_in_silence(document):
    for code in blocks(document, "python"):
        assert ">>> " in code or str(document.relative_to(ROOT)) in NOT_RUN
    assert not blocks(document, ""), "a block without a language"
    assert not {*BLOCK.findall(document.read_text("utf-8"))} & {("bash", ""), ("console", "")}
