"""The tokenizers that other programs keep on this machine, found in the folders of those programs.

Only `search` looks at files, and only at their names and first bytes. `SameMachine` says for which pages a server may
do that.
"""

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from itertools import islice
from pathlib import Path

from tokviz.formats.huggingface.tokenizer_json import TOKENIZER_JSON
from tokviz.formats.sentencepiece import SENTENCEPIECE
from tokviz.formats.table import file_format_if_known, file_names

SECONDS = 10.0  # for a whole search
FOUND_MAX = 1_000
ENTRIES_MAX = 5_000  # of one folder
HEAD_BYTES = 131_072  # of a file; most name their family in there
MANIFEST_BYTES_MAX = 1_000_000

IN_PACKAGES = re.compile(
    r"(?!tokenizer_config)\w*tokenizer\w*(?:\.json|\.model[.\w]*)|tekken\w*\.json|[\w.]+\.tiktoken"
)
# Vision projectors have no tokenizer, and of a model in several files only the first has.
OTHER_GGUF = re.compile(r"mmproj.*|.*-(?!00001)\d{5}-of-\d{5}\.gguf")
# Which family a file says it is of: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md and the JSON of the
# tokenizers library. A string in GGUF is its type 8, its length in eight bytes, and itself.
GGUF_MODEL = re.compile(rb"tokenizer\.ggml\.model(?:\x08\0\0\0.\0{7}|\0\0\0\x08\0{7}.)(gpt2|llama|t5|bert)", re.DOTALL)
GGUF_FAMILIES = {b"gpt2": "BPE", b"llama": "SentencePiece BPE", b"t5": "Unigram", b"bert": "WordPiece"}
JSON_MODEL = re.compile(rb'"model"\s*:\s*\{\s*"type"\s*:\s*"(BPE|Unigram|WordPiece|WordLevel)"')
# How Ollama names what it stores: https://github.com/ollama/ollama/blob/main/docs/faq.md and its manifests.
OLLAMA_MODEL = "application/vnd.ollama.image.model"
OLLAMA_HOSTS = ("registry.ollama.ai", "ollama.com")
DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


@dataclass(frozen=True)
class LocalTokenizer:
    """A file with a tokenizer. family: empty if its first bytes do not say; n_bytes: of the file.

    path: where it was found; file: where that led, all links resolved.
    """

    name: str
    family: str
    n_bytes: int
    path: Path
    file: Path

    def checked_file(self) -> Path:
        """Return the file; ValueError if the path, or a folder on the way to the file, leads elsewhere by now."""
        try:
            is_same = self.path.resolve(strict=True) == self.file.resolve(strict=True) == self.file
        except (OSError, RuntimeError):
            is_same = False
        if not is_same:
            raise ValueError(f"{self.name} is no longer where it was found: search again")
        return self.file


@dataclass(frozen=True)
class SearchResult:
    """What a search has found; `is_complete` is false if it took too long, or found more than it takes."""

    tokenizers: tuple[LocalTokenizer, ...]
    is_complete: bool


def search_for_tokenizers(
    folders: Mapping[str, Sequence[Path]], *, packages: Sequence[str] | None = None, seconds: float = SECONDS
) -> SearchResult:
    """Return the tokenizers in these folders of programs, and in installed Python packages, none of which is imported.

    packages: the folders of the packages; None for those that Python imports from. Folders that cannot be read are
    left out. The search ends after `seconds`, or with `FOUND_MAX` tokenizers.
    """
    found: dict[Path, LocalTokenizer] = {}
    walk = _Search(time.monotonic() + seconds)
    with suppress(_Enough):
        for name, path in walk.named_candidate_files(folders, packages):
            walk.raise_if_out_of_time()
            with suppress(OSError):
                size, where = path.stat().st_size, path.resolve()
                if where not in found and path.is_file() and (family := _tokenizer_family(path)) is not None:
                    found[where] = LocalTokenizer(name, family, size, path, where)
            if len(found) == FOUND_MAX:
                raise _Enough
        return SearchResult(tuple(found.values()), walk.is_complete)
    return SearchResult(tuple(found.values()), is_complete=False)


class _Enough(Exception):
    """The search has taken all its time, or has found as many as it takes."""


class _Search:
    """Walks through folders until a deadline, at most a few levels deep, and yields names and paths."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.is_complete = True

    def raise_if_out_of_time(self) -> None:
        """End the search after its deadline."""
        if time.monotonic() > self.deadline:
            raise _Enough

    def named_candidate_files(
        self, folders: Mapping[str, Sequence[Path]], packages: Sequence[str] | None
    ) -> Iterator[tuple[str, Path]]:
        ways = {"Hugging Face": self.named_hugging_face_files, "Ollama": self.named_ollama_files}
        for program, each in folders.items():
            for folder in dict.fromkeys(each):
                yield from ways.get(program, self.named_tokenizer_files_in)(folder)
        yield from self.named_tokenizer_files_of_packages(packages)

    def limited_entries(self, folder: Path) -> list[Path]:
        """Return what is in a folder, at most `ENTRIES_MAX`, in order of names; nothing if it cannot be read."""
        self.raise_if_out_of_time()
        with suppress(OSError), os.scandir(folder) as entries:
            found = list(map(Path, islice(entries, ENTRIES_MAX + 1)))
            self.is_complete = self.is_complete and len(found) <= ENTRIES_MAX
            return sorted(found[:ENTRIES_MAX])
        return []

    def named_tokenizer_files_in(self, folder: Path, name: str = "", depth: int = 2) -> Iterator[tuple[str, Path]]:
        """Yield the tokenizer of a folder, each GGUF in it, and those of the folders below."""
        entries = {entry.name: entry for entry in self.limited_entries(folder)}
        if "merges.txt" not in entries:
            entries.pop("vocab.json", None)  # which is half a tokenizer
        if file := next((file for file in file_names() if file in entries), None):
            yield name or folder.name, entries[file]
        for file, path in entries.items():
            if path.suffix in (".gguf", ".tiktoken") and not OTHER_GGUF.fullmatch(file):
                yield (name or folder.name) if path.stem in ("model", "tokenizer") else path.stem, path
            elif depth and os.path.isdir(path):
                yield from self.named_tokenizer_files_in(path, f"{name}/{file}" if name else file, depth - 1)

    def named_hugging_face_files(self, hub: Path) -> Iterator[tuple[str, Path]]:
        """Yield what is in the newest snapshot of each repository."""
        for repository in self.limited_entries(hub):
            if not repository.name.startswith("models--"):
                continue
            snapshots = [path for path in self.limited_entries(repository / "snapshots") if os.path.isdir(path)]
            if snapshots:
                main = _first_bytes(repository / "refs/main", 100).decode("ascii", "replace").strip()
                newest = next((path for path in snapshots if path.name == main), None)
                name = repository.name.removeprefix("models--").replace("--", "/")
                yield from self.named_tokenizer_files_in(newest or max(snapshots, key=_mtime_or_zero), name, depth=1)

    def named_ollama_files(self, models: Path) -> Iterator[tuple[str, Path]]:
        """Yield the model that each manifest names: manifests/HOST/NAMESPACE/MODEL/TAG."""
        for folder in ("manifests", "manifests-v2"):
            manifests = [models / folder]
            for _ in range(4):
                manifests = [below for each in manifests for below in self.limited_entries(each)]
            for manifest in manifests:
                host, namespace, model, tag = manifest.parts[-4:]
                name = "/".join([host] * (host not in OLLAMA_HOSTS) + [namespace] * (namespace != "library") + [model])
                if digest := _model_digest(_first_bytes(manifest, MANIFEST_BYTES_MAX)):
                    yield f"{name}:{tag}", models / "blobs" / f"sha256-{digest}"

    def named_tokenizer_files_of_packages(self, paths: Sequence[str] | None) -> Iterator[tuple[str, Path]]:
        """Yield the tokenizers that installed packages list among their files; of a package installed twice, the first.

        A package with one has its name; of several, each has that of its file, or folder, too.
        """
        seen = set()
        for package in metadata.distributions() if paths is None else metadata.distributions(path=list(paths)):
            self.raise_if_out_of_time()
            files = []
            for path in _candidate_files_of_package(package):
                self.raise_if_out_of_time()
                files += [path] if _tokenizer_family(path) is not None else []
            name = re.sub(r"[-_.]+", "-", package.name or "").lower()
            if files and name not in seen:
                seen.add(name)
                labels = [""] if len(files) == 1 else [f": {label}" for label in _distinguishing_labels(files)]
                yield from ((name + label, path) for label, path in zip(labels, files, strict=True))


def _candidate_files_of_package(package: metadata.Distribution) -> list[Path]:
    """Return the files that a package lists, that have a tokenizer's name, and that lie where it is installed.

    Of copies under one name in several folders the first is returned, and none if the list cannot be read.
    """
    files: dict[tuple[str, str], Path] = {}
    with suppress(OSError, ValueError):
        root = os.path.realpath(str(package.locate_file("")))
        for line in (package.read_text("RECORD") or "").splitlines():
            name, digest = (*line.split(","), "")[:2]
            if IN_PACKAGES.fullmatch(name.rpartition("/")[2]):
                path = Path(str(package.locate_file(name)))
                if Path(real := os.path.realpath(path)).is_relative_to(root):
                    files.setdefault((path.name, digest or real), path)
    return list(files.values())


def _distinguishing_labels(paths: Sequence[Path]) -> list[str]:
    """Return what distinguishes files: their names, the names of their folders, or both and what is above.

    >>> names = ("m/llama3/tokenizer.model", "m/llama4/tokenizer.model", "m/tekken.json")
    >>> _distinguishing_labels([*map(Path, names)])
    ['llama3', 'llama4', 'tekken.json']
    """
    names, folders = Counter(path.name for path in paths), Counter(path.parent.name for path in paths)
    return [
        path.name
        if names[path.name] == 1
        else path.parent.name
        if folders[path.parent.name] == 1
        else "/".join(path.parts[-3:])
        for path in paths
    ]


def _mtime_or_zero(path: Path) -> float:
    """Return when a folder was changed, 0 if the system does not say."""
    with suppress(OSError):
        return path.stat().st_mtime
    return 0


def _first_bytes(path: Path, size: int) -> bytes:
    """Return the first bytes of a file; none if it cannot be read."""
    with suppress(OSError):
        if path.is_file():
            with path.open("rb") as file:
                return file.read(size)
    return b""


def _model_digest(manifest: bytes) -> str | None:
    """Return the digest of the model in a manifest of Ollama's, None if there is none."""
    try:
        layers = json.loads(manifest)["layers"]
        digests = (layer["digest"] for layer in layers if layer["mediaType"] == OLLAMA_MODEL)
        found = DIGEST.fullmatch(next(digests, ""))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return found and found[1]


def _tokenizer_family(path: Path) -> str | None:
    """Return the family that a file's first bytes name, "" if none; None if they are not a tokenizer's."""
    head = _first_bytes(path, HEAD_BYTES)
    if head.startswith(b"GGUF"):
        named = GGUF_MODEL.search(head)
        return GGUF_FAMILIES[named[1]] if named else ""
    if path.suffix == ".gguf" or not head:
        return None
    if named := JSON_MODEL.search(head):
        return named[1].decode()
    kind = file_format_if_known(head)
    if kind is SENTENCEPIECE:
        return kind.name
    if kind is TOKENIZER_JSON:
        return "" if b'"model"' in head or len(head) == HEAD_BYTES else None
    return "BPE" if kind else None
