"""The command line with tokenizers of every family, and with .tiktoken files, which hold ranks only."""

import json

import pytest
from foreign_files import sentencepiece_file, sentencepiece_model, wordpiece_file
from gguf_files import byte_level_gguf
from hf_files import byte_level, normalizers

import tokviz
from tokviz.core.samples import sample
from tokviz.formats.tiktoken import ranks_text

UNKNOWN = "Zażółć gęślą jaźń 中文 low"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tokenizer of each family that is not a `Tokenizer`, and a text."""
    folder = tmp_path_factory.mktemp("families")
    (folder / "wordpiece.json").write_bytes(wordpiece_file())
    (folder / "unigram.model").write_bytes(sentencepiece_file())
    (folder / "normal.json").write_text(json.dumps(byte_level(normalizer=normalizers.Strip())))
    (folder / "text.txt").write_text(UNKNOWN + "\n" + sample("english"))
    return folder


FAMILIES = ["wordpiece.json", "unigram.model", "normal.json"]


@pytest.mark.parametrize("file", FAMILIES)
def test_every_command_works_for_every_family(ran, printed, folder, tmp_path, file):
    path, text = folder / file, (folder / "text.txt").read_text()
    tokenizer = tokviz.Tokenizer.read(path)
    assert not isinstance(tokenizer, tokviz.Tokenizer)
    out = printed("encode", path, folder / "text.txt")
    assert list(map(int, out.split())) == tokenizer.encode(text)
    (tmp_path / "ids").write_text(out)
    assert ran("decode", path, tmp_path / "ids")[:2] == (0, tokenizer.decode(tokenizer.encode(text)))
    code, out, err = ran("inspect", path, "--text", folder, "--json")
    result = json.loads(out)
    assert (code, err, result["n_merges"], result["kind"]) == (0, "", None, tokenizer.kind)
    assert result["usage"]["n_tokens"] == len(tokenizer.encode(text)) and result["usage"]["n_chars"] == len(text)
    out = printed("inspect", path, "--text", folder)
    assert f"({tokenizer.kind}): merges not known" in out and "Tokens by script" in out


@pytest.mark.slow
def test_a_space_put_before_a_text_is_dropped_where_the_library_drops_it(printed, tmp_path):
    model = sentencepiece_model(normalization_rule_name="identity", remove_extra_whitespaces=False)
    (tmp_path / "a.model").write_bytes(model)
    ranks, put = (
        tokviz.train("low", vocab_size=258).mergeable_ranks,
        tokviz.Normalizer(prefix="each", prefix_if_missing=True),
    )
    tokviz.Tokenizer("b", "gpt2", ranks, normalizer=put).save(tmp_path / "b.json")
    for name, text, expected in (("a.model", "low", "low"), ("a.model", " low", " low"), ("b.json", "low", " low")):
        tokenizer = tokviz.read(tmp_path / name)
        assert isinstance(tokenizer, tokviz.Tokenizer) and tokenizer.normalizer.prefix
        (tmp_path / "ids").write_text(str(tokenizer.encode(text)))
        assert printed("decode", tmp_path / name, tmp_path / "ids") == expected
        assert json.loads(printed("decode", tmp_path / name, tmp_path / "ids", "--json"))["text"] == expected


def test_the_unknown_share_stands_beside_the_tokens(printed, folder, tmp_path):
    (tmp_path / "odd.txt").write_text(UNKNOWN)
    arguments = ["compare", "gpt2", folder / "wordpiece.json", "--text", tmp_path / "odd.txt"]
    gpt2, wordpiece = json.loads(printed(*arguments, "--json"))
    assert wordpiece["n_tokens"] < gpt2["n_tokens"] and gpt2["unknown_share"] == 0
    assert wordpiece["unknown_share"] == pytest.approx(17 / 20)  # all but the three letters of low
    head, first, second = printed(*arguments).splitlines()
    assert head.endswith("unknown") and first.endswith(" 0.0%") and second.endswith(" 85.0%")
    (tmp_path / "odd.txt").write_text("low")
    assert "unknown" not in printed(*arguments)
    (tmp_path / "odd.txt").write_text(UNKNOWN)
    usage = json.loads(printed("inspect", folder / "wordpiece.json", "--text", tmp_path, "--json"))["usage"]
    assert usage["unknown_share"] == wordpiece["unknown_share"]


@pytest.fixture
def ranks(tmp_path):
    """The ranks of a trained tokenizer, whose special tokens and split pattern the file does not hold."""
    tokenizer = tokviz.train(sample("mixed"), vocab_size=400, split_pattern="gpt2", special_tokens=["<s>", "</s>"])
    tokenizer.save(tmp_path / "x.tiktoken")
    return tmp_path / "x.tiktoken", tokenizer


def test_a_tiktoken_file_is_read_with_its_pattern_and_special_tokens(printed, tmp_path, ranks):
    path, tokenizer = ranks
    (tmp_path / "chat.txt").write_text("<s>don't 1234</s>")
    options = ["--split-pattern", "gpt2", "--special", "<s>", "--special", "</s>"]
    with_ids = ["--split-pattern", "gpt2", "--special", "<s>=400", "--special", "</s>=401"]
    expected = tokenizer.encode("<s>don't 1234</s>", allowed_special="all")
    for given in (options, with_ids):
        out = printed("encode", path, tmp_path / "chat.txt", "--allow-special", "all", *given)
        assert list(map(int, out.split())) == expected
    (tmp_path / "ids").write_text(out)
    assert printed("decode", path, tmp_path / "ids", *options) == "<s>don't 1234</s>"
    result = json.loads(printed("inspect", path, *options, "--text", tmp_path / "chat.txt", "--json"))
    assert result["special_tokens"] == {"<s>": 400, "</s>": 401}
    row, _ = json.loads(printed("compare", path, "gpt2", *options, "--text", tmp_path / "chat.txt", "--json"))
    assert (row["n_vocab"], row["n_tokens"]) == (402, len(tokenizer.encode("<s>don't 1234</s>")))


def test_a_folder_with_one_tiktoken_file_is_read_like_the_file(printed, refused, tmp_path, ranks):
    path, _ = ranks
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / path.name).write_bytes(path.read_bytes())
    (tmp_path / "text.txt").write_text("low")
    assert "a .tiktoken file holds no split pattern" in refused("encode", folder, tmp_path / "text.txt")
    options = ["--split-pattern", "gpt2", "--special", "<s>", "--text", tmp_path / "text.txt", "--json"]
    assert json.loads(printed("compare", folder, *options))[0]["n_vocab"] == 401


def test_several_tiktoken_files_have_a_pattern_each(printed, refused, tmp_path, ranks):
    path, _ = ranks
    (tmp_path / "text.txt").write_text("12345 IT'S")
    names = [path, "gpt2", path]
    patterns = ["--split-pattern", "cl100k", "--split-pattern", "none"]
    rows = json.loads(printed("compare", *names, *patterns, "--text", tmp_path / "text.txt", "--json"))
    expected = [
        len(tokviz.Tokenizer.read(path, split_pattern=pattern).encode("12345 IT'S")) for pattern in ("cl100k", "none")
    ]
    assert [row["n_tokens"] for row in rows][::2] == expected
    reason = refused("compare", *names, *patterns, "--split-pattern", "gpt2", "--text", tmp_path / "text.txt")
    assert "--split-pattern is given 3 times for 2 files that lack one" in reason


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ["x.tiktoken"],
            "holds no split pattern: give --split-pattern, one of none, sentencepiece, gpt2",
        ),
        (["x.tiktoken", "--split-pattern", "gpt2", "--split-pattern", "gpt2"], "given 2 times for one tokenizer"),
        (["x.tiktoken", "--split-pattern", "gpt2", "--special", "<s>=3"], "id 3 is given to"),
        (["x.tiktoken", "--split-pattern", "gpt2", "--special", "a=500", "--special", "b"], "'b' has no id"),
        (["x.tiktoken", "--split-pattern", "gpt2", "--special", "a=500", "--special", "a=501"], "given twice"),
        (["x.tiktoken", "--split-pattern", "gpt2", "--special", "a=500", "--special", "b=500"], "given twice"),
        (["gpt2", "--split-pattern", "gpt2"], "gpt2 has a split pattern and special tokens of its own"),
        (["wordpiece.json", "--special", "<s>"], "whose split pattern and special tokens are its own"),
    ],
)
def test_options_that_do_not_fit_are_refused(refused, monkeypatch, folder, ranks, arguments, reason):
    monkeypatch.chdir(folder)
    (folder / "x.tiktoken").write_bytes(ranks[0].read_bytes())
    assert reason in refused("encode", arguments[0], "text.txt", *arguments[1:])


@pytest.mark.slow
def test_a_split_pattern_goes_to_the_files_that_lack_one(printed, refused, tmp_path, ranks):
    (tmp_path / "text.txt").write_text("12345 IT'S")
    (tmp_path / "gpt2.tiktoken").write_text(ranks_text(tokviz.load("gpt2").mergeable_ranks))
    unknown = tmp_path / "x.gguf"
    unknown.write_bytes(byte_level_gguf(byte_level(), "next-year"))
    names = [tmp_path / "gpt2.tiktoken", ranks[0], unknown]
    options = ["--split-pattern", "none", "--split-pattern", "cl100k", "--text", tmp_path / "text.txt", "--json"]
    rows = json.loads(printed("compare", *names, *options))
    patterns = (None, "none", "cl100k")
    expected = [tokviz.Tokenizer.read(name, split_pattern=one) for name, one in zip(names, patterns, strict=True)]
    assert [row["n_tokens"] for row in rows] == [len(one.encode("12345 IT'S")) for one in expected]
    reason = refused("encode", unknown, tmp_path / "text.txt")
    assert "x.gguf: the split pattern of this GGUF file is not known: give --split-pattern, one of" in reason
    with_special = ["compare", "gpt2", unknown, "--split-pattern", "gpt2", "--text", tmp_path / "text.txt"]
    assert "which hold no special tokens: name one, or leave it out" in refused(*with_special, "--special", "<s>")
    reason = refused("compare", "gpt2", unknown.parent / "none.json", *options)
    assert "--split-pattern and --special are for files that lack them" in reason
