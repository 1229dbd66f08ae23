"""Files become the documents that are in them; every kind of bad line is left out and reported."""

import gzip
import io
import json
import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.corpus import corpus as module
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.counting import pretoken_counts


def documents(corpus):
    return [document if isinstance(document, str) else "".join(document) for document in corpus]


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    data = data.encode() if isinstance(data, str) else data
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return str(path)


@given(st.text(st.sampled_from("aก中😀\r\n ")), st.integers(1, 7), st.integers(1, 12))
def test_a_file_read_in_parts_is_the_file(text, read_bytes, line_bytes):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "READ_BYTES", read_bytes)
        patch.setattr(module, "LINE_BYTES", line_bytes)
        corpus = Corpus.of_bytes({"a.txt": text.encode()})
        assert documents(corpus) == [text] and not corpus.n_bad


def test_files_folders_and_globs_are_found_sorted(tmp_path):
    lines = "".join(json.dumps({"text": text}) + "\n" for text in ("one", "two\nlines", "ก"))
    write(tmp_path / "b" / "z.txt", "\ufeffz\r\n")
    write(tmp_path / "b" / "a" / "y.jsonl.gz", lines)
    write(tmp_path / "b" / "notes.md", "no corpus")
    last = write(tmp_path / "a.txt.gz", "first")
    assert documents(Corpus([tmp_path / "b", last])) == ["one", "two\nlines", "ก", "z\r\n", "first"]
    globbed = Corpus([f"{tmp_path}/**/*.txt*"])
    assert documents(globbed) == ["first", "z\r\n"]
    assert globbed.n_documents == 2 and globbed.n_read == globbed.n_bytes


BAD = [
    (b"\n", None),
    (b'{"text": "kept"}\n', None),
    (b'{"text": "cut of\n', "not JSON"),
    (b'{"text": "\xff"}\n', "not UTF-8: byte 255 at offset 10"),
    (b'{"body": "text"}\n', "lacks the key 'text'"),
    (b'{"text": 7}\n', "'text' is not a text: 7"),
    (b'["text"]\n', "not a JSON object"),
    (b"[" * 100_000 + b"\n", "not JSON"),
    (b'{"text": "last"}', None),
]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_every_kind_of_bad_line_is_reported_by_file_and_line(tmp_path, suffix):
    path = write(tmp_path / f"bad{suffix}", b"".join(line for line, _ in BAD))
    corpus = Corpus([path])
    assert documents(corpus) == ["kept", "last"]
    expected = [(path, i, reason) for i, (_, reason) in enumerate(BAD, 1) if reason]
    assert [(bad.file, bad.line) for bad in corpus.bad_lines] == [(file, i) for file, i, _ in expected]
    assert all(reason in bad.reason for bad, (_, _, reason) in zip(corpus.bad_lines, expected, strict=True))
    assert corpus.n_bad == len(expected)
    with pytest.raises(ValueError, match="line 3: not JSON"):
        documents(Corpus([path], strict=True))


def test_lines_of_text_that_are_no_utf8_are_left_out(tmp_path):
    path = write(tmp_path / "bad.txt", b"one\n\xe0\xb8\ntwo\r\nlatin-1 \xe9t\xe9\nthree")
    corpus = Corpus([path])
    assert documents(corpus) == ["one\ntwo\r\nthree"]
    assert [bad.line for bad in corpus.bad_lines] == [2, 4]
    with pytest.raises(ValueError, match="line 2: not UTF-8"):
        documents(Corpus([path], strict=True))


def test_a_damaged_gzip_file_is_reported(tmp_path):
    whole = gzip.compress(b"".join(b"line %d\n" % i for i in range(100_000)))
    for name, data in (("cut.txt.gz", whole[: len(whole) // 2]), ("no.jsonl.gz", b"not gzipped")):
        (tmp_path / name).write_bytes(data)
        corpus = Corpus([tmp_path / name])
        documents(corpus)
        assert corpus.n_bad == 1 and "damaged" in corpus.bad_lines[0].reason


def test_standard_input(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(b'{"text": "a"}\nno\n')

    monkeypatch.setattr(sys, "stdin", Stdin)
    corpus = Corpus(["-"], stdin="jsonl")
    assert documents(corpus) == ["a"]
    assert str(corpus.bad_lines[0]).startswith("standard input, line 2: not JSON")
    assert corpus.n_bytes is None


def test_what_is_not_there_is_named(tmp_path):
    (tmp_path / "empty").mkdir()
    write(tmp_path / "x.zip", b"PK\x03\x04\0")
    for path, message in (
        (tmp_path / "no.txt", "there is no file"),
        (tmp_path / "*.txt", "no file matches"),
        (tmp_path / "empty", "holds no file"),
        (tmp_path / "x.zip", "x.zip' is binary, not text: unpack or convert it"),
    ):
        with pytest.raises(ValueError, match=message):
            Corpus([path])


def test_a_corpus_counts_like_its_documents(tmp_path):
    text = "to be, or not to be: that is the question.\n" * 9_000
    path = write(tmp_path / "long.txt", text)
    other = write(tmp_path / "lines.jsonl.gz", "".join(json.dumps({"t": f"line {i}"}) + "\n" for i in range(500)))
    expected = pretoken_counts([text, *(f"line {i}" for i in range(500))])
    counts = pretoken_counts(Corpus([path, other], text_key="t"), workers=2)
    assert list(counts.items()) == list(expected.items())


def test_held_files_that_unpack_to_more_than_is_allowed_are_refused():
    files = {"a.txt": b"12345", "b.txt.gz": gzip.compress(b"67") + b"\0" * 9 + gzip.compress(b"890\n")}
    assert ["".join(document) for document in Corpus.of_bytes(files, unpacked_max=11)] == ["12345", "67890\n"]
    with pytest.raises(ValueError, match="too many bytes when unpacked"):
        ["".join(document) for document in Corpus.of_bytes(files, unpacked_max=10)]
    bomb = gzip.compress(b"a" * 10_000_000)
    tracemalloc.start()
    with pytest.raises(ValueError, match="too many bytes when unpacked"):
        list(Corpus.of_bytes({"a.jsonl.gz": bomb}, unpacked_max=100_000))
    assert tracemalloc.get_traced_memory()[1] < 3_000_000
    tracemalloc.stop()
