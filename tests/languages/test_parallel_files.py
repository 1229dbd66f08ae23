"""Parallel files: what they hold, and what is wrong with them in words."""

import contextlib
import io
import struct
import tracemalloc
import zipfile

import pytest

from tokviz.languages.parallel_files import (
    language_code,
    read_sentences,
    sentences_of_files,
    sentences_of_table,
    sentences_of_upload,
)

TWO = [{"en": "two", "th": "สอง"}, {"en": 'a "b" c', "th": "ก\u2028ข"}]


def test_a_table_and_files_hold_the_same():
    table = 'English\ttha_Thai\r\ntwo\tสอง\r\n\r\na "b" c\tก\u2028ข\r\n'
    files = {"eng_Latn.dev": b'two\na "b" c\n', "th.txt": "สอง\r\nก\u2028ข".encode()}
    assert sentences_of_table("a.tsv", table.encode()) == TWO
    assert sentences_of_table("a.tsv", table.encode("utf-16")) == TWO
    assert sentences_of_table("a.tsv", b"\xef\xbb\xbf" + table.encode()) == TWO
    assert sentences_of_files(files) == TWO


def test_a_path_is_read_as_what_it_is(tmp_path):
    (tmp_path / "own.tsv").write_bytes("en\tth\ntwo\tสอง\n".encode())
    assert read_sentences(tmp_path / "own.tsv") == [{"en": "two", "th": "สอง"}]
    (tmp_path / "own.tsv").write_bytes(b"en\n")
    with pytest.raises(ValueError, match=r"^own\.tsv, line 1 has no tab"):
        read_sentences(str(tmp_path / "own.tsv"))
    with pytest.raises(FileNotFoundError):
        read_sentences(tmp_path / "none")


def test_a_folder_is_its_files_but_for_hidden_ones(tmp_path):
    for name, text in (("tha_Thai.dev", "สอง"), ("eng_Latn.dev", "two"), ("ace_Arab.dev", "x"), (".DS_Store", "\0")):
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    assert read_sentences(tmp_path) == [{"ace_Arab": "x", "en": "two", "th": "สอง"}]


@pytest.mark.parametrize("name", ["", "sentence number", "english1", "12", "../en", "e", "en_"])
def test_what_is_no_code_is_refused(name):
    with pytest.raises(ValueError, match="is not the code of a language, such as en, zh-Hant or tha_Thai"):
        language_code(name)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "own.tsv is empty: expected sentences"),
        (b" \n\t\n", "own.tsv is empty"),
        (b"en\tth\n\n", "a line with languages, but no sentences"),
        (b"en\tth\ntwo\n", "line 2: expected 2 cells between tabs, one for each language of the first line, found 1"),
        (b"en\tth\na\tb\nx\ty\tz\n", "line 3: expected 2 cells between tabs, .* found 3"),
        (b"en\tno such\n", "own.tsv, column 2: 'no such' is not the code of a language"),
        (b"en\tth\tEnglish\n", "column 3 is in the same language, en, as own.tsv, column 1"),
        (b"en\ntwo\n", "own.tsv, line 1 has no tab: expected the codes of at least two languages"),
        (b"en,th\ntwo,x\n", "own.tsv, line 1 has no tab: expected the codes of at least two languages"),
        (b"en\tth\ntwo\t\xff\n", "own.tsv, line 2: not UTF-8: byte 255 at offset 10"),
    ],
)
def test_what_is_wrong_with_a_table(data, message):
    with pytest.raises(ValueError, match=message):
        sentences_of_table("own.tsv", data)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"en.txt": b"a\nb\n", "th.txt": b"a\nb\nc\n", "lo.txt": b"a\nb"},
            "th.txt has 3 lines and en.txt has 2: lines with the same number must say the same in every file",
        ),
        ({"en.txt": b"a", "th.txt": b""}, "th.txt is empty"),
        ({"en.txt": b"a", "th.txt": b"\xe0"}, "th.txt, line 1: not UTF-8"),
        ({"en.dev": b"a", "en.devtest": b"a"}, "en.devtest is in the same language, en, as en.dev: leave one out"),
        ({"en.txt": b"a", "notes-for-all.txt": b"a"}, "notes-for-all.txt: 'notes-for-all' is not the code"),
        ({"en.txt": b"a"}, "en.txt: one language alone compares with nothing"),
        ({"en.txt": b"a", "th.txt": b"a", "lo.txt": b"a\nb"}, "lo.txt has 2 lines and en.txt has 1: lines"),
        ({"en.txt": b"a", "th.txt": b"a\nb", "lo.txt": b"a\nb"}, "en.txt has 1 line and th.txt has 2: lines"),
    ],
)
def test_what_is_wrong_with_files(files, message):
    with pytest.raises(ValueError, match=message):
        sentences_of_files(files)


def test_what_is_wrong_with_a_folder(tmp_path):
    with pytest.raises(ValueError, match="has nothing in it: name a folder with a file for each language"):
        read_sentences(tmp_path)
    (tmp_path / "en.jsonl").write_text('{"text": "two"}\n')
    with pytest.raises(ValueError, match=r"en\.jsonl has JSON: expected a file with a sentence on each line"):
        read_sentences(tmp_path)
    (tmp_path / "dev").mkdir()
    with pytest.raises(ValueError, match="has folders in it: name a folder with a file for each language"):
        read_sentences(tmp_path)


def zipped(files: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return data.getvalue()


def test_a_zip_file_is_the_table_or_the_folder_in_it(tmp_path):
    table = 'en\tth\ntwo\tสอง\na "b" c\tก\u2028ข\n'
    folder = {"dev/eng_Latn.dev": 'two\na "b" c\n', "dev/tha_Thai.dev": "สอง\nก\u2028ข\n", "dev/.DS_Store": b"\0\xff",
              "__MACOSX/dev/._eng_Latn.dev": b"\0\xff"}  # fmt: skip
    assert sentences_of_upload({"a.zip": zipped({"own.tsv": table})}) == TWO
    assert sentences_of_upload({"a.zip": zipped(folder)}) == TWO
    (tmp_path / "flores.zip").write_bytes(zipped(folder))
    assert read_sentences(tmp_path / "flores.zip") == TWO


def test_files_are_one_table_or_one_for_each_language():
    assert sentences_of_upload({"own.tsv": b"en\tfi\ntwo\tkaksi\n"}) == [{"en": "two", "fi": "kaksi"}]
    assert sentences_of_upload({"en.txt": b"two\n", "fi.txt": b"kaksi\n"}) == [{"en": "two", "fi": "kaksi"}]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (zipped({"dev/en.txt": "a", "devtest/en.txt": "a"}), "a.zip has files in several folders, 'dev', 'devtest'"),
        (zipped({".hidden/en.txt": "a"}), "a.zip has no files"),
        (zipped({"en.txt": "a" * 1_001, "fi.txt": "b"}), "a.zip has more than 1,000 bytes in it"),
        (zipped({"en.txt": "a", "fi.txt": "b"})[:-30], "a.zip cannot be unpacked: File is not a zip file"),
        (b"PK\x03\x04", "a.zip cannot be unpacked"),
        (zipped({"en.txt": "a", "fi.txt": "b"}, zipfile.ZIP_BZIP2), "a.zip is compressed in an unusual way"),
        (zipped({"en.txt": "a", "fi.txt": "b"}, zipfile.ZIP_LZMA), "a.zip is compressed in an unusual way"),
    ],
)
def test_a_zip_file_that_holds_no_sentences_is_refused(data, message):
    with pytest.raises(ValueError, match=message):
        sentences_of_upload({"a.zip": data}, unpacked_max=1_000)


def test_a_zip_file_that_belies_its_size_is_not_unpacked_whole():
    n_bytes = 30_000_000
    data = zipped({"en.txt": bytes(n_bytes), "fi.txt": b"b"}).replace(struct.pack("<L", n_bytes), struct.pack("<L", 9))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"a\.zip cannot be unpacked"):
            sentences_of_upload({"a.zip": data})
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < n_bytes / 10


def test_a_damaged_zip_file_is_refused_wherever_the_damage_is():
    data = zipped({"en.txt": "two words\n" * 20, "fi.txt": "kaksi sanaa\n" * 20})
    for place in range(4, len(data)):
        for byte in (0, 255, data[place] ^ 1):
            damaged = data[:place] + bytes([byte]) + data[place + 1 :]
            with contextlib.suppress(ValueError):
                sentences_of_upload({"a.zip": damaged})
