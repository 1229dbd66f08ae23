"""Parallel sentences of your own: a table with a column for each language, or a file for each, as FLORES has them."""

import io
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from tokviz.core.patterns import short_repr
from tokviz.languages.table import known_language
from tokviz.system.input_file import open_file
from tokviz.system.text_file import decoded_text

# The form of a language tag (BCP 47), with _ for -, as FLORES writes it: th, zh-Hant, tha_Thai.
_CODE = re.compile(r"[a-z]{2,3}([-_][a-z0-9]{2,8})*", re.IGNORECASE)
UNPACKED_MAX = 200_000_000  # bytes of all files in a zip file
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # zipfile cannot bound what the others unpack at a time
_ZIP = b"PK\x03\x04"


def language_code(name: str) -> str:
    """Return the code of a language, named as `known_language` takes it, or another code as it is; else ValueError.

    >>> [language_code(name) for name in ("Thai", "tha_Thai", "ace_Arab")]
    ['th', 'th', 'ace_Arab']
    """
    if known := known_language(name):
        return known.code
    if not _CODE.fullmatch(name):
        raise ValueError(f"{short_repr(name)} is not the code of a language, such as en, zh-Hant or tha_Thai")
    return name


def sentences_of_table(name: str, data: bytes) -> list[dict[str, str]]:
    r"""Return the sentences of a file of tab-separated values, each a dict of its texts by the codes of languages.

    The first line names the languages, each other one has a cell for each. Cells are taken as they are: a quotation
    mark is part of the text. name: of the file, for errors. Raises ValueError for a file that is empty or not UTF-8,
    a first line without a tab, a column without the code of a language, a language that has two columns, and a line
    with too few or too many cells.

    >>> sentences_of_table("own.tsv", "en\ttha_Thai\ntwo\tสอง\n".encode())
    [{'en': 'two', 'th': 'สอง'}]
    """
    lines = _text_lines(name, data)
    if "\t" not in lines[0]:  # values between commas, or the file of one language alone
        raise ValueError(f"{name}, line 1 has no tab: expected the codes of at least two languages, with tabs between")
    codes = _distinct_codes({f"{name}, column {i}": cell.strip() for i, cell in enumerate(lines[0].split("\t"), 1)})
    sentences = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if not line.strip():
            continue
        if len(cells) != len(codes):
            raise ValueError(
                f"{name}, line {number}: expected {len(codes)} cells between tabs, one for each language of the first "
                f"line, found {len(cells)}"
            )
        sentences.append(dict(zip(codes, cells, strict=True)))
    if not sentences:
        raise ValueError(f"{name} has a line with languages, but no sentences below it")
    return sentences


def sentences_of_files(files: Mapping[str, bytes]) -> list[dict[str, str]]:
    """Return the sentences of one file for each language, whose lines with the same number say the same.

    files: their contents, by their names, which begin with the code of a language and end after a dot, such as
    tha_Thai.dev. The sentences are dicts of texts by the codes of languages. Raises ValueError for another name, a file
    that is empty or not UTF-8, two of one language, a single file, and files that differ in their number of lines.

    >>> sentences_of_files({"eng_Latn.dev": b"two", "lo.txt": "ສອງ".encode()})
    [{'en': 'two', 'lo': 'ສອງ'}]
    """
    codes = _distinct_codes({name: name.partition(".")[0] for name in files})
    texts = {name: _text_lines(name, data) for name, data in files.items()}
    sizes = {name: len(lines) for name, lines in texts.items()}
    expected, _ = Counter(sizes.values()).most_common(1)[0]
    for name, size in sizes.items():
        if size != expected:
            other = next(name for name, size in sizes.items() if size == expected)
            raise ValueError(
                f"{name} has {size:,} {'line' if size == 1 else 'lines'} and {other} has {expected:,}: lines with the "
                "same number must say the same in every file, so all need as many"
            )
    return [dict(zip(codes, sentence, strict=True)) for sentence in zip(*texts.values(), strict=True)]


def sentences_of_upload(files: Mapping[str, bytes], *, unpacked_max: int = UNPACKED_MAX) -> list[dict[str, str]]:
    """Return the sentences of one table, of a zip file with a table or a folder in it, or of a file for each language.

    files: their contents, by their names. unpacked_max: bytes that a zip file may have in it. Raises ValueError as
    `sentences_of_table` and `sentences_of_files` do, and for a zip file that is larger, damaged, or has several
    folders.

    >>> sentences_of_upload({"own.tsv": b"en\\tfi\\ntwo\\tkaksi\\n"})
    [{'en': 'two', 'fi': 'kaksi'}]
    """
    if len(files) == 1:
        ((name, data),) = files.items()
        if data.startswith(_ZIP):
            files = _files_of_zip(name, data, unpacked_max)
    if len(files) == 1:
        return sentences_of_table(*next(iter(files.items())))
    return sentences_of_files(files)


def read_sentences(path: str | Path) -> list[dict[str, str]]:
    """Return the sentences of a table, of a folder with a file for each language, or of either in a zip file.

    Hidden files are left out. Raises ValueError as `sentences_of_upload` does.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "own.tsv").write_text("en\\tfi\\ntwo\\tkaksi\\n")
    ...     read_sentences(Path(folder, "own.tsv"))
    [{'en': 'two', 'fi': 'kaksi'}]
    """
    if not Path(path).is_dir():
        return sentences_of_upload({Path(path).name: _file_bytes(path)})
    files = sorted(file for file in Path(path).iterdir() if not file.name.startswith("."))
    if not files or any(map(Path.is_dir, files)):
        found = "folders" if files else "nothing"
        raise ValueError(
            f"{str(path)!r} has {found} in it: name a folder with a file for each language, such as th.txt"
        )
    if of_json := next((file for file in files if file.suffix == ".jsonl"), None):
        raise ValueError(f"{of_json.name} has JSON: expected a file with a sentence on each line")
    return sentences_of_files({file.name: _file_bytes(file) for file in files})


def _file_bytes(path: str | Path) -> bytes:
    with open_file(path) as file:
        return file.read()


def _files_of_zip(name: str, data: bytes, unpacked_max: int) -> dict[str, bytes]:
    """Return the files in a zip file by their names, without hidden ones; ValueError if it cannot be taken."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            found = {PurePosixPath(info.filename): info for info in packed.infolist() if info.filename[-1:] != "/"}
            found = {path: info for path, info in found.items() if not _is_hidden(path)}
            folders = sorted({str(path.parent) for path in found})
            if len(folders) != 1:
                inside = f"files in several folders, {', '.join(map(short_repr, folders))}" if folders else "no files"
                raise ValueError(f"{name} has {inside}: pack one folder with a file for each language, such as th.txt")
            if any(info.compress_type not in _METHODS for info in found.values()):
                raise ValueError(f"{name} is compressed in an unusual way: pack it with the usual one, deflate")
            if sum(info.file_size for info in found.values()) > unpacked_max:
                raise ValueError(f"{name} has more than {unpacked_max:,} bytes in it, unpacked: leave languages out")
            unpacked = {}
            for path, info in found.items():
                with packed.open(info) as file:
                    unpacked[path.name] = file.read(info.file_size + 1)  # unpacks no more, whatever is in it
            return unpacked
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError) as e:
        raise ValueError(f"{name} cannot be unpacked: {e}") from e


def _is_hidden(path: PurePosixPath) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in path.parts)


def _distinct_codes(names: Mapping[str, str]) -> Sequence[str]:
    """Return the codes of languages named in several places; ValueError that says where one is wrong."""
    places: dict[str, str] = {}
    for place, name in names.items():
        try:
            code = language_code(name)
        except ValueError as e:
            raise ValueError(f"{place}: {e}") from e
        if code in places:
            raise ValueError(f"{place} is in the same language, {code}, as {places[code]}: leave one out")
        places[code] = place
    if len(places) < 2:
        raise ValueError(f"{', '.join(names)}: one language alone compares with nothing: give at least two")
    return [*places]


def _text_lines(name: str, data: bytes) -> list[str]:
    """Return the lines of a file; ValueError if it is empty or not UTF-8."""
    try:
        text = decoded_text(data)
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise ValueError(f"{name}, line {line}: not UTF-8: byte {data[e.start]} at offset {e.start}") from e
    if not text.strip():
        raise ValueError(f"{name} is empty: expected sentences, one on each line")
    # Not `splitlines`, for which some characters inside sentences end a line too.
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
