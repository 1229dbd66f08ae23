"""A computer that has tokenizers on it: a model of Ollama's, and nine of llama.cpp's."""

import json
from pathlib import Path

from gguf_files import byte_level_gguf

import tokviz
from tokviz.formats.files import tokenizer_file_text

TEXT = "The ferry left at noon"


def byte_level() -> tuple[tokviz.Tokenizer, bytes]:
    """Return a tokenizer, and a GGUF file that holds it."""
    tokenizer = tokviz.train(TEXT * 3, vocab_size=270, split_pattern="gpt2")
    return tokenizer, byte_level_gguf(json.loads(tokenizer_file_text(tokenizer, ".json")))


def computer(models: Path) -> dict[str, str]:
    """Write the models to a folder, and return the environment in which they are found."""
    _, gguf = byte_level()
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{'0' * 64}"}
    files = {f"blobs/sha256-{'0' * 64}": gguf} | {f"llama/{i}.gguf": gguf for i in range(9)}
    files["manifests/registry.ollama.ai/library/small/latest"] = json.dumps({"layers": [layer]}).encode()
    for name, data in files.items():
        (models / name).parent.mkdir(parents=True, exist_ok=True)
        (models / name).write_bytes(data)
    folders = {"OLLAMA_MODELS": models, "HF_HUB_CACHE": models / "none", "LLAMA_CACHE": models / "llama"}
    return {name: str(folder) for name, folder in folders.items()}
