"""The lines that load a .model file give identical ids in a class made as minbpe's, in every version."""

import sys
import warnings
from types import ModuleType

import minbpe_class
import pytest
from each import quick
from odd_texts import ODD

from tokviz import SPLIT_PATTERNS, Tokenizer, train
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import sample
from tokviz.formats.equivalence import probe_texts
from tokviz.formats.minbpe import VERSIONS
from tokviz.formats.python_code import minbpe_loading_code

PATTERNS = [*SPLIT_PATTERNS, r"\p{L}+|[^\p{L}]", r"(?i)([a-z]+|\P{L}|.)", r"[^\r\n]+|\s"]
QUICK = ("cl100k", PATTERNS[-2])  # one that has a name, and one that has none
SPECIAL = {"<s>": 1_101, "<s>x": 1_105}  # of both that match, the longer
TEXTS = [
    *filter(None, map(well_formed_text, [text for text in ODD if len(text) < 2_000])),
    *probe_texts(),
    "a<s>x<s> y",
]


def in_the_class(code: str, version: str, monkeypatch: pytest.MonkeyPatch) -> minbpe_class.RegexTokenizer:
    """Run the lines that are shown to the user, where minbpe is, or the class of a tutorial."""
    made = type("Made", (minbpe_class.RegexTokenizer,), {"version": version})
    minbpe = ModuleType("minbpe")
    minbpe.RegexTokenizer = made
    monkeypatch.setitem(sys.modules, "minbpe", minbpe)
    scope = {} if "from minbpe import" in code else {"RegexTokenizer": made, "ThaiTokenizer": made}
    exec(code, scope)
    return scope["tokenizer"]


def trained_on_all(pattern: str, special_tokens: dict[str, int]) -> Tokenizer:
    with warnings.catch_warnings(action="ignore"):
        return train(sample("mixed"), vocab_size=500, split_pattern=pattern, special_tokens=special_tokens)


@pytest.mark.parametrize("special", [pytest.param({}, marks=pytest.mark.slow), SPECIAL], ids=["", "special"])
@pytest.mark.parametrize("pattern", quick(PATTERNS, *QUICK))
def test_the_file_has_identical_ids_in_minbpe(pattern, special, tmp_path, monkeypatch):
    tokenizer, path = trained_on_all(pattern, special), tmp_path / "x.model"
    tokenizer.save(path)
    loaded = in_the_class(minbpe_loading_code(tokenizer, str(path)), VERSIONS[0], monkeypatch)
    for text in TEXTS:
        ids = tokenizer.encode(text, allowed_special="all")
        assert loaded.encode(text) == ids
        assert loaded.encode_ordinary(text) == tokenizer.encode(text)
        assert loaded.decode(ids) == text


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("pattern", quick(["gpt2", "none"], "gpt2"))
def test_a_class_that_checks_its_version_loads_that_version_alone(version, pattern, tmp_path, monkeypatch):
    tokenizer, path = trained_on_all(pattern, SPECIAL), tmp_path / "x.model"
    code = minbpe_loading_code(tokenizer, str(path), version=version)
    for written in VERSIONS:
        tokenizer.save(path, version=written)
        assert Tokenizer.read(path) == tokenizer
        if written == version:
            text = sample("english")
            assert in_the_class(code, version, monkeypatch).encode(text) == tokenizer.encode(text)
        else:
            with pytest.raises(AssertionError):
                in_the_class(code, version, monkeypatch)


@pytest.mark.parametrize("pattern", ["[a-z]+", r"(\w)\w*|\W", r"(a)(b)|(?s:.)"])
def test_there_are_no_lines_for_a_pattern_that_minbpe_cuts_otherwise(pattern):
    with pytest.raises(ValueError, match="minbpe cuts otherwise by the split pattern"):
        minbpe_loading_code(train("abc 123", vocab_size=257, split_pattern=pattern), "x.model")


def test_other_versions_and_files_without_a_version_are_refused(trained, tmp_path):
    with pytest.raises(ValueError, match=r"one of minbpe v1, bpe v1, thai tokenizer v1\.0, not 'minbpe v2'"):
        trained.save(tmp_path / "x.model", version="minbpe v2")
    with pytest.raises(ValueError, match=r"a \.json file has no version 'bpe v1': only a \.model file has one"):
        trained.save(tmp_path / "x.json", version="bpe v1")
    assert not list(tmp_path.iterdir())
