"""What is known of a tokenizer.json from its merges alone, without loading them into the library."""

import json
import random

import pytest
from hf_files import byte_level, every_way

from tokviz.formats.files import read_tokenizer
from tokviz.formats.huggingface import tokenizer_json
from tokviz.formats.huggingface.byte_level import names_every_way


def all_ways(tokens):
    return [(one[:i], one[i:]) for one in tokens for i in range(1, len(one)) if one[:i] in tokens and one[i:] in tokens]


def are_all_ways(pairs, tokens):
    return names_every_way(pairs, {token: i for i, token in enumerate(tokens)})


def test_every_way_is_known_from_all_but_one():
    rng = random.Random(3)
    n_named = 0
    for _ in range(40):
        tokens = {"".join(rng.choices("aab\ud800😀▁", k=rng.randint(1, 3))) for _ in range(rng.randint(2, 40))}
        ways = all_ways(tokens)
        rng.shuffle(ways)
        n_named += len(ways)
        assert are_all_ways(ways, tokens)
        assert not are_all_ways([*ways, ("a", "not a token")], tokens)
        assert not are_all_ways([*ways, ("", min(tokens))], tokens)
        if ways:
            assert not are_all_ways(ways[1:], tokens)
            assert not are_all_ways([*ways[1:], ways[0][::-1] if ways[0][0] != ways[0][1] else ("x", "y")], tokens)
            assert not are_all_ways([*ways[1:], ways[-1]], tokens) or len(ways) == 1
            assert not are_all_ways([*ways[1:], (*ways[0], "")], tokens)
    assert n_named > 100, n_named


@pytest.mark.parametrize(("leaves_one_out", "n_loaded"), [(False, 0), (True, 1)])
def test_a_file_that_names_every_way_is_read_without_its_merges_in_the_library(leaves_one_out, n_loaded, monkeypatch):
    loaded = []
    library = tokenizer_json.Library
    monkeypatch.setattr(tokenizer_json, "Library", lambda spec: loaded.append(spec) or library(spec))
    monkeypatch.setattr("tokviz.system.sandbox.inside", True)
    spec = every_way(byte_level(ignore_merges=True))
    if leaves_one_out:
        spec["model"]["merges"].pop()
    read_tokenizer(json.dumps(spec).encode(), "x.json")
    assert len(loaded) == n_loaded
