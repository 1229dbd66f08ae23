import pytest
from odd_texts import ODD

import tokviz
from tokviz import Tokenizer
from tokviz.formats.files import tokenizer_file_text
from tokviz.formats.minbpe import VERSIONS

TOY = b"minbpe v1\n\n1\n<s> 300\n97 97\n256 98\n"


def test_round_trip(trained, tmp_path):
    trained.save(tmp_path / "my.model")
    again = Tokenizer.read(tmp_path / "my.model")
    assert again == trained
    assert again.name == "my"
    for text in ODD:
        assert again.encode(text, allowed_special="all") == trained.encode(text, allowed_special="all")


def test_an_own_pattern_and_none_survive(tmp_path):
    for pattern in ("none", "[a-z]+|.", "gpt2"):
        tokenizer = tokviz.train("abab abab", vocab_size=258, split_pattern=pattern)
        tokenizer.save(tmp_path / "x.model")
        assert Tokenizer.read(tmp_path / "x.model") == tokenizer


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("pattern", [b"", b"{}"])
def test_versions_and_missing_patterns(version, pattern, tmp_path):
    data = version.encode() + b"\n" + pattern + b"\n1\n<s> 300\n97 97\n256 98\n"
    for lines in (data, data.replace(b"\n", b"\r\n")):
        (tmp_path / "x.model").write_bytes(lines)
        model = Tokenizer.read(tmp_path / "x.model")
        assert model.split_pattern == "none"
        assert [*model.merges] == [(97, 97), (256, 98)]
        assert model.special_tokens == {"<s>": 300}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "x.model: the file is empty; fetch it again"),
        (b"minbpe v2\n\n0\n", "line 1: 'minbpe v2'"),
        (b"minbpe v1\n", "line 2: missing"),
        (b"minbpe v1\n(a\n0\n", "line 2: the split pattern"),
        (b"minbpe v1\n\nx\n", "line 3: expected the number"),
        (b"minbpe v1\n\n99999999\n", "line 3: expected the number"),
        (b"minbpe v1\n\n2\n<s> 300\n", "line 5: expected a special token and its id, not the end"),
        (b"minbpe v1\n\n1\n<s> 257\n97 97\n256 98\n", "line 4: the id 257 .* inside"),
        (b"minbpe v1\n\n2\n<s> 300\n<s> 301\n", "line 5: .* twice"),
        (TOY[:-1], "line 6: the line does not end"),
        (TOY[:-3] + b"\n", "line 6: expected two ids"),
        (TOY + b"97 97\n", "line 7: .* already"),
        (TOY + b"97 400\n", "line 7: .* names the id 400"),
        (TOY + b"-1 97\n", "line 7: expected two ids"),
        (TOY + b"97 b\n", "line 7: expected two ids"),
        (TOY + b"97 1_0\n", "line 7: expected two ids"),
        (TOY + b"98 99\n97 258\n97 98\n260 99\n", "line 10: .* already"),
        (TOY + b"\n", "line 7: expected two ids"),
        (TOY + b"\xff\n", "line 7: not UTF-8"),
    ],
)
def test_damaged_files_are_refused_by_line(data, words, tmp_path):
    (tmp_path / "x.model").write_bytes(data)
    with pytest.raises(ValueError, match=words):
        Tokenizer.read(tmp_path / "x.model")


def test_pattern_and_special_tokens_can_be_replaced(tmp_path):
    (tmp_path / "x.model").write_bytes(TOY)
    tokenizer = Tokenizer.read(tmp_path / "x.model", split_pattern="gpt2", special_tokens=["<end>"])
    assert tokenizer.split_pattern == "gpt2"
    assert tokenizer.special_tokens == {"<end>": 258}


def test_what_the_format_cannot_express_is_refused(trained, tmp_path):
    ranks = trained.mergeable_ranks
    for tokenizer, words in (
        (tokviz.load("gpt2"), "byte ids"),
        (Tokenizer("x", "a\n|b", ranks), "split pattern"),
        (Tokenizer("x", "a| ", ranks), "split pattern"),
        (Tokenizer("x", "none", ranks, {"two words": 900}), "white space"),
    ):
        with pytest.raises(ValueError, match=words):
            tokenizer.save(tmp_path / "x.model")
    assert list(tmp_path.iterdir()) == []


def test_the_listing_for_people(tmp_path):
    tokenizer = tokviz.train("a\na\nกก", vocab_size=258, split_pattern="none", special_tokens=["<s>"])
    tokenizer.save(tmp_path / "x.vocab")
    lines = (tmp_path / "x.vocab").read_text("utf-8").splitlines()
    assert len(lines) == 259
    assert lines[97] == "[a] 97"
    assert lines[10] == "[\\u000a] 10"
    assert lines[256] == "[a][\\u000a] -> [a\\u000a] 256"
    assert lines[258] == "[<s>] 258"
    assert lines[0xE0] == "[\ufffd] 224"


@pytest.mark.parametrize(
    "character, shown",
    [
        *((c, c) for c in " \u00a0\u1680\u2007\u2028\u2029\u202f\u3000"),  # separators, of category Z
        ("\x00", "\\u0000"),
        ("\x85", "\\u0085"),
        ("\u00ad", "\\u00ad"),
        ("\u200d", "\\u200d"),
        ("\ue000", "\\ue000"),
        ("\u0378", "\\u0378"),  # not assigned
        ("\U000e0001", "\\ue0001"),
    ],
)
def test_the_listing_escapes_category_c_alone_as_minbpe_does(character, shown):
    token = f"x{character}".encode()
    sizes = {"vocab_size": 255 + len(token), "split_pattern": "none"}  # the last merge makes the token
    tokenizer = tokviz.train(token.decode() * 9, **sizes, special_tokens=[f"<{character}>"])
    *_, merged, special, end = tokenizer_file_text(tokenizer, ".vocab").split("\n")
    assert merged.endswith(f" -> [x{shown}] {254 + len(token)}")
    assert (special, end) == (f"[<{shown}>] {255 + len(token)}", "")


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(trained, tmp_path, monkeypatch):
    path = tmp_path / "x.model"
    trained.save(path)
    before = path.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("no space")))
    with pytest.raises(OSError, match="no space"):
        trained.truncated(3).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
