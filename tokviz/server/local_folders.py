"""The folders in which other programs keep their models on this machine."""

import os
from collections.abc import Mapping
from pathlib import Path


def possible_model_folders_by_program(
    environment: Mapping[str, str] = os.environ, home: Path | None = None
) -> dict[str, tuple[Path, ...]]:
    """Return where each program keeps its models, by the names of the programs.

    The variables of the environment are those that these programs read.

    >>> possible_model_folders_by_program({"HF_HOME": "/data/hf"}, Path("/home/ada"))["Hugging Face"]
    (PosixPath('/data/hf/hub'),)
    """
    home = home or Path(os.path.expanduser("~"))

    def folder(name: str, *below: str) -> list[Path]:
        return [Path(os.path.expanduser(environment[name]), *below)] if environment.get(name) else []

    caches = [*folder("XDG_CACHE_HOME"), home / ".cache"]
    hub = [*folder("HF_HUB_CACHE"), *folder("HF_HOME", "hub"), caches[0] / "huggingface/hub"]
    ollama = (home / ".ollama/models", Path("/usr/share/ollama/.ollama/models"), Path("/var/lib/ollama"))
    llama = [*folder("LLAMA_CACHE"), caches[0] / "llama.cpp"]
    return {
        "Hugging Face": (hub[0],),
        "Ollama": (*folder("OLLAMA_MODELS"), *ollama, Path("/var/lib/ollama/models")),
        "LM Studio": (home / ".lmstudio/models", home / ".cache/lm-studio/models"),
        "llama.cpp": (llama[0], home / "Library/Caches/llama.cpp"),
    }


def path_with_tilde(path: Path, home: Path | None = None) -> str:
    """Return a path as text, with ~ for the user's own folder.

    >>> home = Path("/home/ada")
    >>> path_with_tilde(home / ".cache", home), path_with_tilde(Path("/usr/share"), home)
    ('~/.cache', '/usr/share')
    """
    home = home or Path(os.path.expanduser("~"))
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) and home != Path("/") else str(path)
