"""Lesson 8, Unicode: code points and their bytes, normal forms, joined emoji, and bytes that are not text."""

import sys

import regex

from tokviz.analysis.code_points import characters, encoded_sizes, graphemes, normal_forms
from tokviz.core.spans import token_spans
from tokviz.exercises.lesson import (
    Choice,
    Claim,
    Exercise,
    Lesson,
    Lines,
    Link,
    Number,
    Plain,
    Say,
    Scene,
    Table,
    usual_links,
)
from tokviz.exercises.lines import Line, n_tokens, token_line
from tokviz.formats.pretrained import PRETRAINED, load

JOINER = "\N{ZERO WIDTH JOINER}"
NO_TEXT = "nothing at all"
_HEX = regex.compile(r"(?:[0-9a-fA-F]{2}\s*)+")


def bytes_in_hex(text: str) -> bytes:
    """Return the bytes that a text in hex stands for; ValueError for any other text.

    >>> bytes_in_hex("e0 b8 81").decode()
    'ก'
    """
    if not _HEX.fullmatch(text.strip()):
        raise ValueError(
            f"{text!r} is not a list of bytes in hex; write two digits from 0 to f for each, such as e0 b8 81"
        )
    return bytes.fromhex(text)


def character_table(text: str) -> Table:
    """Return the code points of a text with their bytes in three encodings, lowest byte first."""
    rows = []
    for one in characters(text):
        shown = "◌" + one.text if one.category.startswith("M") else one.text
        encoded = (data.hex(" ") if data is not None else "–" for data in (one.utf8, one.utf16, one.utf32))
        rows.append((shown, one.code_point, one.name.lower(), *encoded))
    columns = ("", "code point", "name", "UTF-8", "UTF-16", "UTF-32")
    return Table(columns, tuple(rows), code=("code point", *columns[3:]))


def _encodings(text: str) -> Scene:
    sizes = {size.encoding: size for size in encoded_sizes(text)}
    return Scene(
        question=Number("How many bytes does it take in **UTF-8**?", sizes["UTF-8"].n_bytes),
        reveal=(
            character_table(text),
            Table(
                ("encoding", "bytes", "zero bytes"),
                tuple((name, size.n_bytes, size.n_zero) for name, size in sizes.items()),
            ),
            Say(
                f"{len(text):,} code points. UTF-8 spends one byte on the letters of English and up to four on others, "
                "and needs no zero bytes; UTF-16 and UTF-32 pad small numbers with zeros. Tokenizers "
                "therefore work on UTF-8."
            ),
        ),
        links=usual_links(text, compared=PRETRAINED, first=[Link("bytes", text)]),
    )


def _forms(text: str) -> Scene:
    forms = {form.form: form.text for form in normal_forms(text)}
    yes, no = "Yes", "No"
    both = forms["NFC"] + "\n" + forms["NFD"]
    same = load("cl100k_base").encode(forms["NFC"]) == load("cl100k_base").encode(forms["NFD"])
    return Scene(
        before=(
            Say(
                "Unicode can write it *composed* (NFC: letter and accent are one code point) or *decomposed* (NFD: "
                "first the letter, then the accent). On the screen both look the same."
            ),
        ),
        question=Choice("Are both the **same tokens** to cl100k_base?", (yes, no), frozenset({yes if same else no})),
        reveal=(
            Lines(
                (
                    token_line("cl100k_base", forms["NFC"], label="composed, NFC", show_ids=True),
                    token_line("cl100k_base", forms["NFD"], label="decomposed, NFD", show_ids=True),
                )
            ),
            Table(
                ("form", "code points", "bytes", "tokens of cl100k_base"),
                tuple(
                    (name, len(form), len(form.encode()), n_tokens("cl100k_base", form)) for name, form in forms.items()
                ),
            ),
            Say(
                "These tokenizers change nothing in a text before they cut it, so the two forms stay different. A "
                "search, or a training text, that mixes them has the same word under different ids."
            ),
        ),
        links=usual_links(both, first=[Link("bytes", both)]),
    )


def _emoji(text: str) -> Scene:
    n_graphemes = len(graphemes(text))
    return Scene(
        question=Number("How many code points is it made of?", len(text)),
        reveal=(
            character_table(text),
            Lines(tuple(token_line(name, text) for name in PRETRAINED)),
            Say(
                f"A reader sees {n_graphemes:,} {'character' if n_graphemes == 1 else 'characters'}; Unicode "
                f"{len(text):,} code points; UTF-8 {len(text.encode()):,} bytes; cl100k_base "
                f"{n_tokens('cl100k_base', text):,} tokens. " + _what_holds_together(text)
            ),
        ),
        links=usual_links(text, compared=PRETRAINED, first=[Link("bytes", text)]),
    )


def _what_holds_together(text: str) -> str:
    """Return in words what makes several code points one picture."""
    if JOINER in text:
        return "An invisible joiner glues the pictures together; cut next to it, and they fall apart."
    return "A code point can change the one before it; cut between the two, and the picture changes."


def _alone(text: str) -> Scene:
    data = bytes_in_hex(text)
    decoded = data.decode("utf-8", "replace")
    options = dict.fromkeys((data.decode("cp1252", "replace"), data.decode("latin-1"), decoded, NO_TEXT))
    tokenizer = load("cl100k_base")
    ids = [tokenizer.mergeable_ranks[data[i : i + 1]] for i in range(len(data))]
    return Scene(
        before=(Plain(f"In decimal: {', '.join(map(str, data))}"),),
        question=Choice(
            "What do these bytes decode to, as UTF-8?",
            tuple(option if option.isprintable() and option.strip() else repr(option)[1:-1] for option in options),
            frozenset({decoded if decoded.isprintable() and decoded.strip() else repr(decoded)[1:-1]}),
        ),
        reveal=(
            Lines((Line("each byte as a token", token_spans(tokenizer, ids), tokenizer, show_ids=True),)),
            Say(
                "A byte from 80 on (128 in decimal) is never a character by itself. Most of them are parts of one; "
                "c0, c1 and those from f5 to ff never occur in UTF-8 at all. If bytes are not UTF-8, decoders show "
                "`�`, the replacement character. All 256 bytes are tokens, so byte-level BPE can encode any text, "
                "or any other file, and give it back: it never needs an unknown token."
            ),
        ),
        links=usual_links(decoded, first=[Link("bytes", decoded)]),
    )


def _all_bytes_are_tokens() -> bool:
    return all(bytes([i]) in load(name).mergeable_ranks for name in PRETRAINED for i in range(256))


def _bytes_of_all_characters() -> set[int]:
    return set("".join(map(chr, range(sys.maxunicode + 1))).encode("utf-8", "ignore"))  # except lone surrogates


LESSON = Lesson(
    slug="unicode",
    title="Unicode",
    intro="A computer stores numbers. **Unicode** gives every character a number, its *code point*; an **encoding** "
    "writes that number as bytes. Tokenizers see only the bytes.",
    exercises=(
        Exercise(
            "encodings",
            "One text, three encodings",
            "A Latin letter, one with an accent, a Thai letter, a Chinese character and an emoji.",
            ("aéก你👍", "hello", "สวัสดี", "你好"),
            _encodings,
        ),
        Exercise(
            "forms", "é, two ways", "An accent can be part of its letter, or a character of its own that follows it.",
            ("é", "café", "Việt Nam", "น้ำ"), _forms,
        ),
        Exercise(
            "emoji", "A cook is not one character", "Many emoji are made of several others.",
            ("👩‍🍳", "👨‍👩‍👧‍👦", "🇹🇭", "👍🏽"), _emoji,
        ),
        Exercise(
            "alone",
            "The byte 128, all by itself",
            "A token may hold part of a character. Here are bytes, written in hex; 80 is 128.",
            ("80", "e0 b8", "e0 b8 81", "ff", "41"),
            _alone,
        ),
    ),
    takeaway="A model writes tokens, and a token can end in the middle of a character. A program that shows each token "
    "as it comes must wait for the rest of the character, or show `�`. Texts that look the same may be stored "
    "differently: bring texts to one normal form before you compare or train. And nothing is ever unknown, since "
    "all 256 bytes are in the vocabulary.",
    claims=(
        Claim("The byte 128, all by itself", lambda: bytes([128]).decode("utf-8", "replace") == "\ufffd"),
        Claim("80 is 128", lambda: int("80", 16) == 128),
        Claim("All 256 bytes are tokens", _all_bytes_are_tokens),
        Claim("all 256 bytes are in the vocabulary", _all_bytes_are_tokens),
        Claim("from 80 on (128 in decimal) is never a character by itself",
              lambda: all(bytes([i]).decode("utf-8", "replace") == "\ufffd" for i in range(128, 256))),
        Claim("c0, c1 and those from f5 to ff never occur in UTF-8 at all",
              lambda: set(range(256)) - _bytes_of_all_characters() == {0xC0, 0xC1, *range(0xF5, 0x100)}),
    ),
)  # fmt: skip
