"""Are the ids of tokenizer files those of llama.cpp? A second judge beside `real_files.py`, by hand.

`npm install node-llama-cpp` in some folder brings llama.cpp, built. Then run, from the top of the repository,
`python tests/bench/llama_cpp.py FOLDER [PRE=]FILE ...`: each file, a tokenizer.json of byte-level BPE with the name of
its pre-tokenizer there (qwen2, llama-bpe, gpt-4o), or a .model of SentencePiece, is written as a GGUF file without
weights, which llama.cpp and tokviz read. Strings are compared as texts without special tokens.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from gguf_files import byte_level_gguf, sentencepiece_gguf
from real_files import random_texts
from sentencepiece import sentencepiece_model_pb2

import tokviz
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import SAMPLES, sample

N_TEXTS = 5_000
# llama.cpp takes a file for a model only with these; there are no weights, and no layer is computed.
VALUES = {
    "llama.block_count": 1,
    "llama.context_length": 8,
    "llama.embedding_length": 8,
    "llama.attention.head_count": 1,
}
SCRIPT = """
import { readFileSync, writeFileSync } from "node:fs";
import { getLlama, LlamaLogLevel } from "node-llama-cpp";
const llama = await getLlama({ build: "never", gpu: false, logLevel: LlamaLogLevel.disabled });
const model = await llama.loadModel({ modelPath: process.argv[2], vocabOnly: true });
const texts = JSON.parse(readFileSync(process.argv[3], "utf8"));
writeFileSync(process.argv[3], JSON.stringify(texts.map((text) => [...model.tokenize(text, false)])));
process.exit(0);
"""


def gguf_of(path: Path, pre: str) -> bytes:
    """Return a GGUF file of a tokenizer.json with the name of its pre-tokenizer, or of a .model."""
    data = path.read_bytes()
    if path.suffix == ".json":
        return byte_level_gguf(json.loads(data), pre, padding=0, values=VALUES)
    is_unigram = sentencepiece_model_pb2.ModelProto.FromString(data).trainer_spec.model_type == 1
    return sentencepiece_gguf(data, "t5" if is_unigram else "llama", values=VALUES)


def ids_of_llama_cpp(folder: Path, gguf: Path, texts: Sequence[str]) -> list[list[int]]:
    """Return the ids that llama.cpp, installed in a folder, gives for texts."""
    script, file = folder / "tokviz_ids.mjs", gguf.with_suffix(".json")
    script.write_text(SCRIPT)
    file.write_text(json.dumps(texts))
    subprocess.run(["node", script, gguf, file], cwd=folder, check=True)
    return json.loads(file.read_text())


def try_file(folder: Path, path: Path, pre: str) -> None:
    """Print how many strings have other ids in llama.cpp than tokviz reads from the file, and from the GGUF file."""
    texts = [well_formed_text(text) for text in (*random_texts(N_TEXTS), *map(sample, SAMPLES))]
    with tempfile.TemporaryDirectory() as made:
        gguf = Path(made, "vocabulary.gguf")
        gguf.write_bytes(gguf_of(path, pre))
        expected = ids_of_llama_cpp(folder, gguf, texts)
        for name, tokenizer in ((str(path), tokviz.read(path)), ("  as GGUF", tokviz.read(gguf))):
            pairs = zip(texts, map(tokenizer.encode, texts), expected, strict=True)
            different = [text for text, ids, theirs in pairs if ids != theirs]
            shown = f", such as {min(different, key=len)!r}" if different else ""
            print(
                f"{name}: {tokenizer.kind}, {len(texts):,} strings, {len(different):,} with other ids{shown}",
                flush=True,
            )


def main() -> None:
    """Try every file that is named."""
    for named in sys.argv[2:]:
        pre, _, path = named.rpartition("=")
        try_file(Path(sys.argv[1]), Path(path), pre)


if __name__ == "__main__":
    main()
