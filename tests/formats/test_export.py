"""What is exported gives identical ids in the library it is meant for, and when it is opened again."""

import json
import warnings

import pytest
import tiktoken
import tokenizers
from examples import times
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

import tokviz
from tokviz import SPLIT_PATTERNS, Tokenizer, load, train
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import SAMPLES, sample
from tokviz.formats.equivalence import probe_texts
from tokviz.formats.files import tokenizer_file_text
from tokviz.formats.python_code import tiktoken_loading_code

SPECIAL = ["<|endoftext|>", "<s>", "<s>x", "ที่ นี่"]
TEXTS = [*map(well_formed_text, ODD), *map(sample, SAMPLES), *probe_texts(), " <s><s>x ที่ นี่<|endoftext|>a<s"]
PATTERNS = [*SPLIT_PATTERNS, r"\p{L}+|[0-9]{2}", r"[a-z]+(?:'[a-z]+)?|\s+\S"]
any_text = st.text(max_size=40) | st.text("a1' \n\r\tſKẞéก็<s>x|LlSsTt²", max_size=40)


@pytest.fixture(scope="module")
def exports(tmp_path_factory) -> dict[str, tuple[Tokenizer, str]]:
    """A tokenizer for each split pattern, with the path of its files, without their suffix."""
    folder, made = tmp_path_factory.mktemp("exports"), {}
    for i, pattern in enumerate(PATTERNS):
        with warnings.catch_warnings(action="ignore"):
            tokenizer = train(
                sample("mixed"), vocab_size=400, split_pattern=pattern, special_tokens=SPECIAL, name=f"t{i}"
            )
        for suffix in (".json", ".tiktoken"):
            tokenizer.save(folder / f"t{i}{suffix}")
        made[pattern] = tokenizer, str(folder / f"t{i}")
    return made


def in_the_library(path: str, *, plain_special: bool) -> tokenizers.Tokenizer:
    library = tokenizers.Tokenizer.from_file(path)
    library.encode_special_tokens = plain_special
    return library


def in_tiktoken(tokenizer: Tokenizer, path: str) -> tiktoken.Encoding:
    """Run the lines that are shown to the user."""
    scope: dict[str, tiktoken.Encoding] = {}
    exec(tiktoken_loading_code(tokenizer, path), scope)
    return scope["encoding"]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.slow
def test_tokenizer_json_has_identical_ids_in_the_library_and_reopened(exports, pattern):
    tokenizer, stem = exports[pattern]
    reopened = Tokenizer.read(f"{stem}.json")
    assert reopened == tokenizer and reopened.name == tokenizer.name
    for plain in (True, False):
        library = in_the_library(f"{stem}.json", plain_special=plain)
        for text in TEXTS:
            ids = tokenizer.encode(text, allowed_special=() if plain else "all")
            assert library.encode(text).ids == ids
            assert library.decode(ids, skip_special_tokens=False) == text


@pytest.mark.parametrize("pattern", PATTERNS[:-2])
def test_the_rank_file_has_identical_ids_in_tiktoken_and_reopened(exports, pattern):
    tokenizer, stem = exports[pattern]
    special = tokenizer.special_tokens
    assert Tokenizer.read(f"{stem}.tiktoken", split_pattern=pattern, special_tokens=special) == tokenizer
    encoding = in_tiktoken(tokenizer, f"{stem}.tiktoken")
    for text in TEXTS:
        assert encoding.encode_ordinary(text) == tokenizer.encode(text)
    allowed = set(special) - {"<s>", "<s>x"}  # of these two tiktoken may take either
    for text in TEXTS:
        expected = tokenizer.encode(text, allowed_special=allowed)
        assert encoding.encode(text, allowed_special=allowed, disallowed_special=()) == expected


@times(3)
@given(text=any_text)
def test_any_text_has_identical_ids_in_every_export(exports, libraries, text):
    for pattern in SPLIT_PATTERNS:
        tokenizer = exports[pattern][0]
        library, encoding = libraries[pattern]
        assert library.encode(text).ids == tokenizer.encode(text, allowed_special="all")
        assert encoding.encode_ordinary(text) == tokenizer.encode(text)


@pytest.fixture(scope="module")
def libraries(exports):
    return {
        pattern: (in_the_library(f"{stem}.json", plain_special=False), in_tiktoken(tokenizer, f"{stem}.tiktoken"))
        for pattern, (tokenizer, stem) in exports.items()
        if pattern in SPLIT_PATTERNS
    }


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base"])
@pytest.mark.slow
def test_the_shipped_tokenizers_come_back(name, tmp_path):
    # Their special tokens have gaps between their ids, and gpt2's bytes are not 0 to 255.
    tokenizer = load(name)
    tokenizer.save(tmp_path / "x.json")
    library = in_the_library(str(tmp_path / "x.json"), plain_special=False)
    text = "".join(f"{token} the 1234567 ที่ WE'LL\n" for token in tokenizer.special_tokens)
    assert library.encode(text).ids == tokenizer.encode(text, allowed_special="all")
    if name == "gpt2":  # the other takes some seconds more, and is no different
        assert Tokenizer.read(tmp_path / "x.json") == tokenizer


@pytest.mark.parametrize(
    "pattern",
    [r"\w+|\W", r"(?:\p{L}|\p{N}{1,3}+\p{N})+|.", r"^.|\S+|\s+", r"[\p{L}--[a-z]]+|.", "(?m)a|.", r"(?:b|ab)+|\X"],
)
def test_a_pattern_that_the_library_cuts_otherwise_is_refused(pattern, tmp_path):
    with warnings.catch_warnings(action="ignore"):
        tokenizer = train(sample("english"), vocab_size=280, split_pattern=pattern)
    with pytest.raises(ValueError, match="cannot hold the split pattern"):
        tokenizer.save(tmp_path / "x.json")
    assert not list(tmp_path.iterdir())


def test_tiktoken_gets_no_code_for_a_pattern_it_cuts_otherwise():
    tokenizer = train("abc 123", vocab_size=258, split_pattern="[a-z]+")  # what it does not match tiktoken drops
    with pytest.raises(ValueError, match=r"tiktoken cuts otherwise by the split pattern '\[a-z\]\+': "):
        tiktoken_loading_code(tokenizer, "x.tiktoken")
    assert "pat_str='[a-z]+|[^a-z]'" in tiktoken_loading_code(
        train("abc 123", vocab_size=258, split_pattern="[a-z]+|[^a-z]"), "x.tiktoken"
    )


def test_a_special_token_that_is_written_like_a_token_is_refused():
    ranks = train("the the", vocab_size=258).mergeable_ranks
    with_both = Tokenizer("x", "none", ranks, {"th": 400})
    with pytest.raises(ValueError, match="cannot hold the special token 'th': the token 256 has that name"):
        tokenizer_file_text(with_both, ".json")


def test_no_other_suffix_is_taken(trained, tmp_path):
    with pytest.raises(ValueError, match=r"'\.bin' is not one of \.model, \.vocab, \.tiktoken, \.json"):
        trained.save(tmp_path / "x.bin")
    assert json.loads(tokenizer_file_text(tokviz.train("", vocab_size=256), ".json"))["model"]["merges"] == []


@pytest.fixture(scope="module", params=[pytest.param("cl100k_base", marks=pytest.mark.slow), "trained"])
def continued(request, trained) -> Tokenizer:
    """A tokenizer that continued from another, whose ids have gaps."""
    start = trained if request.param == "trained" else load(request.param)
    size = len(start.mergeable_ranks) + 60
    return train(sample("thai"), vocab_size=size, special_tokens=["<pad>"], start=start, name="more")


def test_the_files_of_a_tokenizer_that_continued_have_identical_ids(continued, tmp_path):
    for suffix in (".json", ".tiktoken"):
        continued.save(tmp_path / f"more{suffix}")
    special, pattern = continued.special_tokens, continued.split_pattern
    assert Tokenizer.read(tmp_path / "more.json") == continued
    assert Tokenizer.read(tmp_path / "more.tiktoken", split_pattern=pattern, special_tokens=special) == continued
    library = in_the_library(str(tmp_path / "more.json"), plain_special=True)
    encoding = in_tiktoken(continued, str(tmp_path / "more.tiktoken"))
    for text in TEXTS:
        ids = continued.encode(text)
        assert library.encode(text).ids == encoding.encode_ordinary(text) == ids
    text = "<|endoftext|><pad>a<|fim_prefix|>"
    allowed = set(special) - {"<s>", "<s>x"}  # of these two tiktoken may take either
    ids = continued.encode(text, allowed_special="all")
    assert encoding.encode(text, allowed_special=allowed, disallowed_special=()) == ids
    assert max(ids) == special["<pad>"] == continued.n_vocab - 1


def test_a_model_file_refuses_the_ids_of_a_tokenizer_that_continued(continued, tmp_path):
    reason = "its ids have gaps" if "<s>x" in continued.special_tokens else "its byte ids are not 0 to 255 in order"
    with pytest.raises(ValueError, match=f"a .model file cannot hold this tokenizer: {reason}"):
        continued.save(tmp_path / "more.model")
