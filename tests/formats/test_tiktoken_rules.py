""".tiktoken files that are known by their ranks get the split pattern and special tokens of their makers."""

import importlib.util
from pathlib import Path

import pytest
import tiktoken
from hf_files import QWEN2
from many_texts import many_texts
from vocabularies import NAMES

import tokviz
from tokviz import Tokenizer
from tokviz.formats import tiktoken_rules
from tokviz.formats.files import read_tokenizer
from tokviz.formats.format import Source
from tokviz.formats.tiktoken import parse_ranks, ranks_text
from tokviz.formats.tiktoken_rules import RankRules, rules_if_known, whisper_special_tokens

GPT2_PATTERN = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""  # as in Whisper


def same_ids(tokenizer: Tokenizer, pattern: str, ranks: dict[bytes, int], special: dict[str, int]) -> None:
    library = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)
    for text in many_texts():
        assert tokenizer.encode(text) == library.encode_ordinary(text)
    marked = "".join(f"{token} the{token}" for token in list(special)[::37])
    assert tokenizer.encode(marked, allowed_special="all") == library.encode(marked, allowed_special="all")
    assert tokenizer.special_tokens == special


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
def test_openais_own_need_no_rules(name):
    expected = tokviz.load(name)
    assert read_tokenizer(ranks_text(expected.mergeable_ranks).encode(), "mine.tiktoken") == expected


def test_openais_ranks_have_openais_rules():
    gpt2 = tokviz.load("gpt2")
    rules = rules_if_known(dict(gpt2.mergeable_ranks), "mine.tiktoken")
    assert rules == RankRules("OpenAI, gpt2", "gpt2", gpt2.special_tokens)
    assert rules_if_known(gpt2.mergeable_ranks, "gpt2.tiktoken").special_tokens == whisper_special_tokens(50256)


def test_rules_that_are_known_are_taken_but_what_is_given_wins(monkeypatch):
    ranks = tokviz.train("low lower lowest " * 9, vocab_size=260).mergeable_ranks
    rules = RankRules("somebody", "gpt2", {"<a>": 260})
    monkeypatch.setattr(
        tiktoken_rules, "rules_if_known", lambda found, name: rules if (found, name) == (ranks, "x.t") else None
    )

    def made(**given) -> tuple[str, dict[str, int]]:
        tokenizer = tiktoken_rules.read_tiktoken(Source(ranks_text(ranks).encode(), "x.t", "x", **given))
        return tokenizer.split_pattern, tokenizer.special_tokens

    assert made() == ("gpt2", {"<a>": 260})
    assert made(split_pattern="none") == ("none", {"<a>": 260})
    assert made(special_tokens={"<s>": 261}) == ("gpt2", {"<s>": 261})


@pytest.mark.slow
def test_a_split_pattern_that_is_given_wins_and_leaves_the_special_tokens():
    expected = tokviz.load("gpt2")
    data = ranks_text(expected.mergeable_ranks).encode()
    other = read_tokenizer(data, "mine.tiktoken", split_pattern="none")
    assert other.split_pattern == "none" and other.special_tokens == expected.special_tokens


@pytest.mark.slow
def test_whispers_english_ranks_are_known_by_the_name_of_the_file():
    ranks = tokviz.load("gpt2").mergeable_ranks
    tokenizer = read_tokenizer(ranks_text(ranks).encode(), "gpt2.tiktoken")
    assert len(tokenizer.special_tokens) == 1 + 1 + 99 + 6 + 1501
    same_ids(tokenizer, GPT2_PATTERN, ranks, whisper_special_tokens(50256))
    assert tokenizer.special_tokens["<|notimestamps|>"] == 50362


def test_llama3_is_known_by_its_first_ranks():
    """Its own file is not shipped: here its other 27,744 tokens are made of the first."""
    ranks = dict(tokviz.load("cl100k_base").mergeable_ranks)
    ordered = iter(list(ranks))
    while len(ranks) < 128_000:
        ranks.setdefault(b"~~~~~~~~" + next(ordered), len(ranks))
    rules = rules_if_known(ranks)
    assert (rules.maker, rules.split_pattern, len(rules.special_tokens)) == ("Llama 3", "llama3", 256)
    assert rules.special_tokens["<|eot_id|>"] == 128009
    assert rules.special_tokens["<|reserved_special_token_245|>"] == 128255
    ranks[b"!"], ranks[b'"'] = ranks[b'"'], ranks[b"!"]
    assert rules_if_known(ranks) is None


def changed_by_one(ranks: dict[bytes, int]) -> dict[bytes, int]:
    last, before = sorted(ranks, key=ranks.__getitem__)[-1:-3:-1]
    return ranks | {last: ranks[before], before: ranks[last]}


@pytest.mark.parametrize("name", NAMES)
def test_ranks_that_differ_in_one_place_are_not_known(name):
    assert rules_if_known(changed_by_one(tokviz.load(name).mergeable_ranks)) is None


def resource(package: str, path: str) -> bytes:
    """Return a file of a package that may not be installed, without importing it."""
    spec = importlib.util.find_spec(package)
    if spec is None:
        pytest.skip(f"{package}, which has {Path(path).name}, is not installed")
    return Path(spec.submodule_search_locations[0], path).read_bytes()


def test_qwens_own_file_has_the_ids_of_tiktoken():
    tokenizer = read_tokenizer(resource("dashscope", "resources/qwen.tiktoken"), "mine.tiktoken")
    special = {"<|endoftext|>": 151643, "<|im_start|>": 151644, "<|im_end|>": 151645}
    special |= {f"<|extra_{i}|>": 151646 + i for i in range(205)}
    same_ids(tokenizer, QWEN2, tokenizer.mergeable_ranks, special)


def test_whispers_multilingual_file_has_the_ids_of_tiktoken():
    tokenizer = read_tokenizer(resource("whisper", "assets/multilingual.tiktoken"), "mine.tiktoken")
    same_ids(tokenizer, GPT2_PATTERN, tokenizer.mergeable_ranks, whisper_special_tokens(50257))
    assert tokenizer.special_tokens["<|startoftranscript|>"] == 50258


def test_the_empty_token_at_the_end_of_whispers_file_is_left_out():
    ranks = tokviz.train("low lower lowest " * 9, vocab_size=260).mergeable_ranks
    data = ranks_text(ranks).encode()
    assert parse_ranks(data + b"= 260\n") == ranks
    with pytest.raises(ValueError, match="no token has the rank 260"):
        parse_ranks(data + b"= 260\nbG93bG93 261\n")
