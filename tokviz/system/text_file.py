"""A file as text: UTF-8, or another encoding that is marked, or can be guessed."""

import codecs
from dataclasses import dataclass

import charset_normalizer
import regex

GUESSED_BYTES = 200_000  # of a file that is not UTF-8; enough to guess its encoding by
# Half of the bytes of UTF-16 are control characters where its text is English or Thai; a text has hardly any.
CONTROL_SHARE = 0.2
TELLING_SHARE = 0.9
_CONTROL = bytes({*range(32), 127} - {*b"\t\n\r\f\x1b"})
_TELLING = regex.compile(r"[\p{L}\p{M}\p{N}\p{P}\p{S}\s]")
_MARKS = {
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}


def decoded_text(data: bytes) -> str:
    """Return the text of a file: UTF-8, or UTF-16 or UTF-32 with a byte order mark; ValueError for any other encoding.

    >>> decoded_text("สวัสดี".encode("utf-16")), decoded_text(b"\\xef\\xbb\\xbfa")
    ('สวัสดี', 'a')
    """
    # The mark of UTF-32 begins with that of UTF-16.
    for encoding, marks in _MARKS.items():
        if data.startswith(marks):
            return data.decode(encoding)
    return data.decode("utf-8-sig")


def guessed_encoding(data: bytes) -> str | None:
    """Return the most likely encoding of a file, None if nothing fits.

    >>> guessed_encoding("ภาษาไทยไม่เว้นวรรคระหว่างคำ และไม่มีตัวพิมพ์ใหญ่".encode("cp874"))
    'cp874'
    """
    beginning = data[:GUESSED_BYTES]
    if _has_many_controls(beginning):
        return _guessed_utf_16_encoding(beginning)
    if len(data) > GUESSED_BYTES:
        # A character cut in two would spoil the guess, and white space is never part of a longer character.
        beginning = beginning[: max(map(beginning.rfind, b" \n\t"))]
    best = charset_normalizer.from_bytes(beginning).best()
    return best.encoding if best else None


def _has_many_controls(data: bytes) -> bool:
    return len(data) - len(data.translate(None, _CONTROL)) > CONTROL_SHARE * len(data)


def _guessed_utf_16_encoding(data: bytes) -> str | None:
    """Return the byte order in which data is UTF-16 without a mark, None if it is not text in either."""
    for encoding in ("utf-16-le", "utf-16-be"):
        text = data[: len(data) // 2 * 2].decode(encoding, "replace").replace("\ufffd", "")
        if len(_TELLING.findall(text)) > TELLING_SHARE * len(data) / 2:
            return encoding
    return None


@dataclass(frozen=True)
class TextFile:
    """A file and its text, or what is wrong with its encoding and what that could be.

    text: None if the encoding is not certain. guess: the most likely encoding, None if nothing fits;
    guessed_text: the text in that encoding.
    """

    name: str
    text: str | None
    error: UnicodeDecodeError | None = None
    guess: str | None = None
    guessed_text: str = ""


def text_file(name: str, data: bytes) -> TextFile:
    """Return a file with its text, or with the encoding it could have.

    >>> text_file("a.txt", b"abc").text, text_file("b.txt", b"\\xff\\xfe\\xfd").text
    ('abc', None)
    >>> text_file("c.txt", "สวัสดีครับ".encode("utf-16-le")).guess
    'utf-16-le'
    """
    try:
        text = decoded_text(data)
        if _has_many_controls(text.encode()):  # valid UTF-8, but not text
            first = next(i for i, byte in enumerate(data) if byte in _CONTROL)
            raise UnicodeDecodeError("utf-8", data, first, first + 1, "control character")
        return TextFile(name, text)
    except UnicodeDecodeError as e:
        guess = guessed_encoding(data)
        return TextFile(name, None, e, guess, data.decode(guess, "replace") if guess else "")
