"""What other programs keep on a machine is found where they keep it, and nothing else is."""

import json
import os
import struct
from pathlib import Path
from types import SimpleNamespace

import pytest

from tokviz.server import local_tokenizers
from tokviz.server.local_folders import possible_model_folders_by_program
from tokviz.server.local_tokenizers import SearchResult, search_for_tokenizers

HASH = "0123456789abcdef" * 4


def string(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()


def gguf(model: str) -> bytes:
    pairs = {"general.architecture": "llama", "tokenizer.ggml.model": model}
    written = b"".join(string(key) + struct.pack("<I", 8) + string(value) for key, value in pairs.items())
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + written


def put(path: Path, data: bytes | str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def facts(found: SearchResult) -> dict[str, str]:
    return {one.name: one.family for one in found.tokenizers}


def look(program: str, folder: Path, **options) -> SearchResult:
    return search_for_tokenizers({program: [folder]}, packages=[], **options)


def manifest(digest: str, media_type: str = local_tokenizers.OLLAMA_MODEL) -> str:
    layers = [{"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:" + "0" * 64}]
    return json.dumps({"layers": [*layers, {"mediaType": media_type, "digest": digest}]})


def test_of_each_repository_the_snapshot_of_main_counts_or_the_newest(tmp_path):
    repository = tmp_path / "models--ada--small"
    put(repository / "refs/main", "b" * 40)
    put(repository / f"snapshots/{'b' * 40}/tokenizer.json", '{"version": "1.0", "model": {"type": "WordPiece"}}')
    put(repository / f"snapshots/{'a' * 40}/tokenizer.model", b"\n")
    other = tmp_path / "models--gpt2/snapshots"
    os.utime(put(other / "old/tokenizer.json").parent, (1, 1))
    put(other / "new/vocab.json", '{"a": 0, "b": 1}')
    put(other / "new/merges.txt")
    put(tmp_path / "models--empty/refs/main", "c")
    put(tmp_path / "datasets--ada--texts/snapshots/a/tokenizer.json")
    found = look("Hugging Face", tmp_path)
    assert facts(found) == {"ada/small": "WordPiece", "gpt2": "BPE"} and found.is_complete
    assert found.tokenizers[1].path == other / "new/vocab.json"


def test_a_folder_gives_one_tokenizer_and_each_gguf_that_has_one(tmp_path):
    for file in ("tokenizer.json", "tokenizer.model", "tekken.json", "config.json", "model.safetensors"):
        put(tmp_path / "ada/small" / file, '{"model": {}}')
    for file in ("a-00001-of-00002.gguf", "a-00002-of-00002.gguf", "mmproj-a.gguf"):
        put(tmp_path / "ada/small" / file, gguf("llama"))
    put(tmp_path / "ada/other/model.gguf", gguf("bert"))
    put(tmp_path / "ada/small/none.gguf", "no such file")
    put(tmp_path / "ada/small/empty.gguf", b"")
    put(tmp_path / "one/two/three/too-deep.gguf", gguf("bert"))
    assert facts(look("LM Studio", tmp_path)) == {
        "ada/small": "", "a-00001-of-00002": "SentencePiece BPE", "ada/other": "WordPiece"
    }  # fmt: skip


@pytest.mark.parametrize("model, family", [("gpt2", "BPE"), ("t5", "Unigram"), ("bert", "WordPiece"), ("rwkv", "")])
def test_the_first_bytes_of_a_gguf_tell_its_family_and_the_file_its_size(tmp_path, model, family):
    path = put(tmp_path / "mine.gguf", gguf(model) + b"\0" * 1_000)
    [one] = look("llama.cpp", tmp_path).tokenizers
    assert (one.name, one.family, one.n_bytes, one.path) == ("mine", family, path.stat().st_size, path)


def test_what_was_listed_is_what_is_opened(tmp_path):
    other = put(tmp_path / "other/secret", "words")
    blob = put(tmp_path / "blobs/0", gguf("gpt2"))
    for folder in ("models/linked", "models/plain"):
        (tmp_path / folder).mkdir(parents=True)
    (link := tmp_path / "models/linked/a.gguf").symlink_to(blob)
    plain = put(tmp_path / "models/plain/b.gguf", gguf("t5"))
    linked, alone = look("LM Studio", tmp_path / "models").tokenizers
    assert (linked.path, linked.checked_file(), alone.checked_file()) == (link, blob, plain)
    link.unlink()
    for leads_to in (other, tmp_path / "gone", link):
        link.symlink_to(leads_to)
        with pytest.raises(ValueError, match="a is no longer where it was found: search again"):
            linked.checked_file()
        link.unlink()
    link.symlink_to(blob)
    assert linked.checked_file() == blob
    blob.unlink()
    blob.symlink_to(other)  # the link leads there as before, and then further
    plain.parent.rename(tmp_path / "moved")
    plain.parent.symlink_to(other.parent)
    put(other.with_name("b.gguf"))
    for one in (linked, alone):
        with pytest.raises(ValueError, match="no longer where it was found"):
            one.checked_file()


def test_a_manifest_of_ollama_names_a_blob(tmp_path):
    blob = put(tmp_path / f"blobs/sha256-{HASH}", gguf("gpt2"))
    manifests = tmp_path / "manifests/registry.ollama.ai"
    put(manifests / "library/small/latest", manifest(f"sha256:{HASH}"))
    put(manifests / "library/small/7b", manifest(f"sha256:{HASH}"))  # the same file again
    put(manifests / "ada/gone/latest", manifest("sha256:" + "1" * 64))
    put(manifests / "ada/outside/latest", manifest(f"sha256:{HASH[:-9]}/../../../"))
    put(manifests / "ada/adapter/latest", manifest(f"sha256:{HASH}", "application/vnd.ollama.image.adapter"))
    for i, damaged in enumerate(("", "[]", '{"layers": 1}', '{"layers": [{}]}', "[" * 99_999, b"\xff")):
        put(manifests / f"ada/damaged/{i}", damaged)
    [one] = look("Ollama", tmp_path).tokenizers
    assert (one.name, one.path) == ("small:7b", blob)
    put(tmp_path / f"blobs/sha256-{HASH[::-1]}", gguf("gpt2") + b"\0")
    put(tmp_path / "manifests/hf.co/ada/other/Q4", manifest(f"sha256:{HASH[::-1]}"))
    assert {one.name for one in look("Ollama", tmp_path).tokenizers} == {"small:7b", "hf.co/ada/other:Q4"}


def test_packages_are_searched_by_their_lists_of_files_and_none_is_imported(tmp_path):
    info = tmp_path / "ada-1.0.dist-info"
    files = ("ada/data/tekken_1.json", "ada/tokenizer_config.json", "ada/tokenizer.model.v1", "ada/my_tokenizer.json")
    contents = {".tiktoken": "YQ== 0\n", ".json": '{"config": {"default_vocab_size": 9}}', ".v1": "\n"}
    for file in (*files, "ada/ranks.tiktoken", "ada/tokenizer.py", "ada/unlisted.tiktoken"):
        put(tmp_path / file, contents.get(Path(file).suffix, ""))
    put(tmp_path / "ada/my_tokenizer.json", '{"model": {}}')
    put(tmp_path / "ada/__init__.py", "raise SystemExit")
    put(info / "METADATA", "Metadata-Version: 2.1\nName: ada\nVersion: 1.0\n")
    put(
        info / "RECORD", "".join(f"{file},sha256=x,1\n" for file in (*files, "ada/ranks.tiktoken", "ada/gone.tiktoken"))
    )
    found = search_for_tokenizers({}, packages=[str(tmp_path)])
    assert facts(found) == {
        "ada: tekken_1.json": "BPE",
        "ada: tokenizer.model.v1": "SentencePiece",
        "ada: my_tokenizer.json": "",
        "ada: ranks.tiktoken": "BPE",
    }
    assert found.tokenizers[0].path == tmp_path / "ada/data/tekken_1.json"


def installed(folder: Path, name: str, files: dict[str, str]) -> None:
    info = folder / f"{name}-1.dist-info"
    put(info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    for file, content in files.items():
        put(folder / file, content)
    put(info / "RECORD", "".join(f"{file},sha256={hash(content)},9\n" for file, content in files.items()))


def test_a_file_of_a_package_is_listed_once_under_a_name_that_says_which_it_is(tmp_path):
    first, later = tmp_path / "first", tmp_path / "later"
    models = {f"{of}/ada{i}/tokenizer.model": f"YQ== {i}\n" for of in ("ada", "models") for i in (3, 4)}
    same = {f"{of}/data/tokenizer.json": f'{{"model": {{}}, "x": "{of}"}}' for of in ("a", "b")}
    for folder in (first, later):
        installed(folder, "Ada_Models", models)
    installed(first, "bob.tokenizer", {"bob/tokenizer.json": '{"model": {}}', "bob/no_tokenizer.json": "{}"})
    installed(first, "cleo", same)
    found = search_for_tokenizers({}, packages=[str(first), str(later)])
    assert {one.name: one.path for one in found.tokenizers} == {
        "ada-models: ada3": first / "ada/ada3/tokenizer.model",
        "ada-models: ada4": first / "ada/ada4/tokenizer.model",
        "bob-tokenizer": first / "bob/tokenizer.json",
        "cleo: a/data/tokenizer.json": first / "a/data/tokenizer.json",
        "cleo: b/data/tokenizer.json": first / "b/data/tokenizer.json",
    }


def test_a_package_is_left_out_if_its_list_cannot_be_read_and_files_outside_it_are(tmp_path):
    outside = put(tmp_path / "outside/tokenizer.model", b"\n")
    packages = tmp_path / "packages"
    put(packages / "ada/tokenizer.model", b"\n")
    (packages / "ada/loop.tiktoken").symlink_to("loop.tiktoken")
    (packages / "ada/linked.tiktoken").symlink_to(put(tmp_path / "outside/ranks", b"YQ== 0\n"))
    for name, record in (
        ("ada", "ada/loop.tiktoken,,\nada/tokenizer.model,,\nada/linked.tiktoken,,\n"),
        ("bad", b"\xff/tokenizer.model,,\n"),
    ):
        put(packages / f"{name}-1.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        put(packages / f"{name}-1.dist-info/RECORD", record)
    with open(packages / "ada-1.dist-info/RECORD", "a") as file:
        file.write(f"../outside/tokenizer.model,,\n{outside},,\n")
    found = search_for_tokenizers({}, packages=[str(packages)])
    assert [one.path for one in found.tokenizers] == [packages / "ada/tokenizer.model"] and found.is_complete


@pytest.mark.parametrize(
    "content, family",
    [("{}", None), ("words", None), ('{"model": {}}', ""), ("minbpe v1\n\n0\n", "BPE"), ("YQ== 0\n", "BPE")],
)
def test_a_file_of_no_kind_is_left_out(tmp_path, content, family):
    put(tmp_path / "ada/tokenizer.json", content)
    assert facts(look("LM Studio", tmp_path)) == ({} if family is None else {"ada": family})


def test_loops_pipes_and_folders_that_cannot_be_read_do_no_harm(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/loop").symlink_to(tmp_path)
    (tmp_path / "self.gguf").symlink_to(tmp_path / "self.gguf")
    os.mkfifo(tmp_path / "pipe.gguf")
    put(tmp_path / "a/mine.gguf", gguf("gpt2"))
    (tmp_path / "closed").mkdir(mode=0)
    (tmp_path / "long").symlink_to("a" * 300)  # which is refused even when one only asks what it is
    (tmp_path / "models--ada--small/snapshots").mkdir(parents=True)
    (tmp_path / "models--ada--small/snapshots/long").symlink_to("a" * 300)
    assert look("Hugging Face", tmp_path) == SearchResult((), True)
    assert facts(look("LM Studio", tmp_path)) == {"mine": "BPE"}
    assert look("Ollama", put(tmp_path / "file")) == look("Hugging Face", tmp_path / "none") == SearchResult((), True)


def test_a_search_ends_in_time_and_with_a_limited_number(tmp_path, monkeypatch):
    for i in range(4):
        put(tmp_path / f"{i}.gguf", gguf("gpt2"))
    assert look("llama.cpp", tmp_path, seconds=-1) == SearchResult((), is_complete=False)
    monkeypatch.setattr(local_tokenizers, "FOUND_MAX", 3)
    found = look("llama.cpp", tmp_path)
    assert len(found.tokenizers) == 3 and not found.is_complete
    monkeypatch.setattr(local_tokenizers, "FOUND_MAX", 5)
    for most, n_found in ((3, 3), (4, 4)):
        monkeypatch.setattr(local_tokenizers, "ENTRIES_MAX", most)
        found = look("llama.cpp", tmp_path)
        assert len(found.tokenizers) == n_found and found.is_complete == (n_found == 4)


def test_many_files_in_one_folder_do_not_outlast_the_search(tmp_path, monkeypatch):
    for i in range(4):
        put(tmp_path / f"{i}.gguf", gguf("gpt2"))
    times = iter(range(10))
    monkeypatch.setattr(local_tokenizers, "time", SimpleNamespace(monotonic=lambda: next(times)))
    found = look("llama.cpp", tmp_path, seconds=3.5)  # one look at the clock to begin with, one for the folder
    assert len(found.tokenizers) == 2 and not found.is_complete


def test_variables_of_the_environment_say_where_to_look(tmp_path):
    home = tmp_path
    plain = possible_model_folders_by_program({}, home)
    assert plain["Hugging Face"] == (home / ".cache/huggingface/hub",)
    assert plain["llama.cpp"][0] == home / ".cache/llama.cpp" and plain["Ollama"][0] == home / ".ollama/models"
    given = {"HF_HUB_CACHE": "/1", "HF_HOME": "/2", "XDG_CACHE_HOME": "/3", "OLLAMA_MODELS": "/4", "LLAMA_CACHE": "/5"}
    named = possible_model_folders_by_program(given, home)
    assert named["Hugging Face"] == (Path("/1"),) and named["Ollama"][0] == Path("/4")
    assert named["llama.cpp"][0] == Path("/5")
    assert not possible_model_folders_by_program({"HF_HOME": "~nobody-of-that-name/hf"}, home)["Hugging Face"][
        0
    ].exists()
    assert possible_model_folders_by_program({"XDG_CACHE_HOME": "/3"}, home)["Hugging Face"] == (
        Path("/3/huggingface/hub"),
    )
