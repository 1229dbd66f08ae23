"""Tokens that always match, in files that say so and in files that cannot."""

import json

from hf_files import byte_level

from tokviz import Tokenizer
from tokviz.formats.files import read_tokenizer
from tokviz.formats.huggingface.tokenizer import HFTokenizer
from tokviz.formats.python_code import tiktoken_loading_code


def test_the_id_of_every_token_that_always_matches_is_compared_however_many_special_tokens_there_are():
    """The library gives an added token that is not in the vocabulary the next free id, whatever the file says."""
    spec = byte_level()
    n_vocab = len(spec["model"]["vocab"])
    flags = {key: value for key, value in spec["added_tokens"][0].items() if key not in ("id", "content")}
    more = [{"id": n_vocab + i, "content": f"<s{i}>", **flags} for i in range(120)]
    always = {"id": 2_000, "content": "<always>", **flags, "special": False}
    spec["added_tokens"] += [*more, always]
    tokenizer = read_tokenizer(json.dumps(spec).encode(), "x.json")
    assert isinstance(tokenizer, HFTokenizer) and "other ids in the library" in tokenizer.reason
    assert tokenizer.encode("<always>") == [n_vocab + 120]
    always["id"] = n_vocab + 120
    assert isinstance(read_tokenizer(json.dumps(spec).encode(), "x.json"), Tokenizer)


def test_the_lines_for_tiktoken_say_which_tokens_to_allow(tmp_path):
    special = {"<think>": 300, "<tool>": 301, "<s>": 302}
    tokenizer = Tokenizer("x", "gpt2", {bytes([i]): i for i in range(256)}, special, ["<think>", "<tool>"])
    tokenizer.save(tmp_path / "x.tiktoken")
    lines = tiktoken_loading_code(tokenizer, str(tmp_path / "x.tiktoken"))
    names = {"text": "a<think><s><tool>"}
    exec(lines, names)
    assert eval(lines.splitlines()[-1].removeprefix("# the same ids: "), names) == tokenizer.encode(names["text"])
    tokenizer = Tokenizer("x", "gpt2", tokenizer.mergeable_ranks, special)
    assert tiktoken_loading_code(tokenizer, "x").endswith("\n)\n")
