"""What a command takes in memory, in a process of its own: by the byte of its input, or none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tokviz
from tokviz.core.samples import sample

ROOT = Path(__file__).parents[2]
SIZES = (3_000_000, 11_000_000)
# How many bytes of memory a byte of text may take: encode without --output, decode and compare hold text and ids.
MOST = {
    ("count", "TEXT"): 6,
    ("inspect", "gpt2", "--text", "TEXT"): 10,
    ("trim", "gpt2", "TEXT", "-o", "out.json"): 10,
    ("train", "TEXT", "--vocab-size", "300", "-o", "out.model"): 10,
    ("encode", "gpt2", "TEXT"): 40,
    ("encode", "gpt2", "TEXT", "-o", "ids.bin"): 10,
    ("compare", "gpt2", "--text", "TEXT"): 40,
    ("decode", "gpt2", "IDS"): 40,
}


# A new process begins with the most memory of the one that starts it, so a small one stands between.
LAUNCHER = """\
import os, sys
with open(os.devnull, "w") as null:
    redirected = [(os.POSIX_SPAWN_DUP2, null.fileno(), 1)]
    command = [sys.executable, "-m", "tokviz", *sys.argv[1:]]
    child = os.posix_spawn(sys.executable, command, os.environ, file_actions=redirected)
_, status, used = os.wait4(child, 0)
print(used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def peak(arguments, *folders):
    """Return the most memory that a command has held, in bytes, without its children's; folders hold modules."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [*folders, ROOT]))}
    run = subprocess.run(
        [sys.executable, "-S", "-c", LAUNCHER, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return int(run.stdout) * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.slow
@pytest.mark.parametrize("command", MOST, ids=" ".join)
def test_memory_for_each_byte_of_input(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    peaks, sizes = [], []
    for size in SIZES:
        data = (sample("mixed").encode() * (size // len(sample("mixed").encode()) + 1))[:size]
        Path("text.txt").write_text(text := data.decode(errors="ignore"), newline="")
        Path("ids").write_text(" ".join(map(str, tokviz.load("gpt2").encode(text))) if "IDS" in command else "")
        name = "ids" if "IDS" in command else "text.txt"
        sizes.append(Path(name).stat().st_size)
        peaks.append(peak([name if part in ("TEXT", "IDS") else part for part in command]))
    n_bytes = (peaks[1] - peaks[0]) / (sizes[1] - sizes[0])
    print(command[0], [f"{one / 1e6:.0f} MB" for one in peaks], f"{n_bytes:.1f} bytes for a byte")
    assert n_bytes <= MOST[command]
    if command[0] == "count":
        assert max(peaks) < 300_000_000


@pytest.mark.slow
def test_the_memory_of_a_data_set_does_not_grow_with_its_documents(tmp_path):
    peaks = []
    for n in (20_000, 200_000):
        lines = (f'{{"text": "the {i}th document: {"low " * (i % 20)}"}}\n' for i in range(n))
        (tmp_path / "a.jsonl").write_text("".join(lines))
        peaks.append(peak(["count", str(tmp_path / "a.jsonl"), "--tokenizer", "gpt2"], tmp_path))
    print([f"{one / 1e6:.0f} MB" for one in peaks])
    assert peaks[1] - peaks[0] < 10_000_000
