"""Unicode: code points and their bytes, normal forms, joined emoji, and bytes that are not text."""

import sys

import regex

from tokviz import exercises as ex

JOINER = "\N{ZERO WIDTH JOINER}"
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
NO_TEXT = "nothing at all"
_HEX = regex.compile(r"(?:[0-9a-fA-F]{2}\s*)+")


def bytes_from_hex(text: str) -> bytes:
    """Return the bytes that a text in hex stands for; ValueError for any other text.

    >>> bytes_from_hex("e0 b8 81").decode()
    'ก'
    """
    if not _HEX.fullmatch(text.strip()):
        raise ValueError(
            f"{text!r} is not a list of bytes in hex; write two digits from 0 to f for each, such as e0 b8 81"
        )
    return bytes.fromhex(text)


def pairs_in_hex(data: bytes) -> str:
    """Return bytes in hex, of which a line holds at least two."""
    return " ".join(data[at : at + 2].hex(" ").replace(" ", NO_BREAK_SPACE) for at in range(0, len(data), 2))


def code_point_table(text: str, *, names: bool = True) -> ex.Table:
    """Return the code points of a text, perhaps with names, and their bytes in three encodings, lowest byte first."""
    rows = []
    for one in ex.characters(text):
        shown = "◌" + one.text if one.category.startswith("M") else one.text
        encoded = (pairs_in_hex(data) if data is not None else "–" for data in (one.utf8, one.utf16, one.utf32))
        rows.append((shown, one.code_point, *([one.name.lower()] if names else []), *encoded))
    encodings = ("UTF-8", "UTF-16", "UTF-32")
    columns = ("", "code point", *(["name"] if names else []), *encodings)
    return ex.Table(columns, tuple(rows), code=("code point", *encodings))


def _encodings_scene(text: str) -> ex.Scene:
    sizes = {size.encoding: size for size in ex.encoded_sizes(text)}
    return ex.Scene(
        ex.Number("How many bytes does this text take in **UTF-8**?", sizes["UTF-8"].n_bytes),
        code_point_table(text, names=False),
        ex.Table(
            ("encoding", "bytes", "zero bytes"),
            tuple((name, size.n_bytes, size.n_zero) for name, size in sizes.items()),
            asked="UTF-8",
        ),
        ex.Say(
            f"The text has {ex.quantity(len(text), 'code point')}. UTF-8 takes one byte for an English letter, up "
            "to four for other characters, and wastes none on zeros, as UTF-16 and UTF-32 do. So the tokenizers "
            "here work on UTF-8."
        ),
        links=ex.usual_links(text, ex.Link("Bytes", text), compared=ex.PRETRAINED),
    )


def _normal_forms_scene(text: str) -> ex.Scene:
    forms = {form.form: form.text for form in ex.normal_forms(text)}
    both = forms["NFC"] + "\n" + forms["NFD"]
    same = ex.load("cl100k_base").encode(forms["NFC"]) == ex.load("cl100k_base").encode(forms["NFD"])
    return ex.Scene(
        ex.Say(
            "Unicode can write this text *composed* (NFC: letter and accent are one code point) or *decomposed* "
            "(NFD: the letter, then the accent). On a screen they look the same."
        ),
        ex.yes_or_no_question("Does GPT-4 make the **same tokens** of both forms?", same),
        ex.Lines(
            ex.token_line("cl100k_base", forms["NFC"], label="composed, NFC", show_ids=True),
            ex.token_line("cl100k_base", forms["NFD"], label="decomposed, NFD", show_ids=True),
        ),
        ex.Table(
            ("form", "code points", "bytes", "tokens of GPT-4"),
            tuple(
                (name, len(forms[name]), len(forms[name].encode()), ex.n_tokens("cl100k_base", forms[name]))
                for name in ("NFC", "NFD")
            ),
        ),
        ex.Say(
            "These tokenizers do not change a text before they cut it, so the two forms stay different. Mix them "
            "in a training text, and the same word has different ids."
        ),
        links=ex.usual_links(both, ex.Link("Bytes", both)),
    )


def _emoji_scene(text: str) -> ex.Scene:
    n_seen = len(ex.graphemes(text))
    return ex.Scene(
        ex.Number("How many code points is this text made of?", len(text)),
        code_point_table(text),
        ex.pretrained_lines(text),
        ex.Say(
            f"What looks like {ex.quantity(n_seen, 'character')} is {ex.quantity(len(text), 'code point')} in "
            f"Unicode, {ex.quantity(len(text.encode()), 'byte')} in UTF-8, and "
            f"{ex.quantity(ex.n_tokens('cl100k_base', text), 'token')} in GPT-4. " + _joiner_text(text)
        ),
        links=ex.usual_links(text, ex.Link("Bytes", text), compared=ex.PRETRAINED),
    )


def _joiner_text(text: str) -> str:
    """Return in words what makes several code points one picture."""
    if JOINER in text:
        return "An invisible joiner glues the pictures together. Cut beside it, and they fall apart."
    return "A code point can change the one before it. Cut between the two, and the picture changes."


def _decoded_bytes_scene(text: str) -> ex.Scene:
    data = bytes_from_hex(text)
    decoded = data.decode("utf-8", "replace")
    options = dict.fromkeys((data.decode("cp1252", "replace"), data.decode("latin-1"), decoded, NO_TEXT))
    tokenizer = ex.load("cl100k_base")
    ids = [tokenizer.mergeable_ranks[data[i : i + 1]] for i in range(len(data))]
    return ex.Scene(
        ex.Plain(f"In decimal: {', '.join(map(str, data))}"),
        ex.Choice(
            "What do these bytes decode to, as UTF-8?",
            tuple(option if option.isprintable() and option.strip() else repr(option)[1:-1] for option in options),
            frozenset({decoded if decoded.isprintable() and decoded.strip() else repr(decoded)[1:-1]}),
        ),
        ex.Lines(ex.Line("each byte as a token", ex.token_spans(tokenizer, ids), tokenizer, show_ids=True)),
        ex.Say(
            "A byte from 80 on (128 in decimal) is never a character by itself. All 256 bytes are tokens, so "
            "byte-level BPE can encode any text or file, and never has to say “unknown”."
        ),
        ex.Say(
            "Most such bytes are parts of a character; c0, c1 and those from f5 to ff never occur in UTF-8 at all. "
            "Where bytes are not valid UTF-8, programs show `�`, the replacement character.",
            detail=True,
        ),
        links=ex.usual_links(decoded, ex.Link("Bytes", decoded)),
    )


def _all_bytes_are_tokens() -> bool:
    return all(bytes([i]) in ex.load(name).mergeable_ranks for name in ex.PRETRAINED for i in range(256))


def _bytes_of_all_characters() -> set[int]:
    return set("".join(map(chr, range(sys.maxunicode + 1))).encode("utf-8", "ignore"))  # except lone surrogates


LESSON = ex.Lesson(
    slug="unicode",
    title="Unicode",
    intro="Computers store only numbers. **Unicode** gives every character a number, its *code point*, and an "
    "**encoding** such as UTF-8 writes that number as bytes. The tokenizers here see only the bytes.",
    cover=lambda: ex.token_line("gpt2", "é👍"),
    aim="tell apart what you see, a code point, a byte and a token",
    terms=("code point", "byte", "UTF-8", "round trip", "byte fallback"),
    exercises=(
        ex.Exercise(
            "encodings",
            "One text, three encodings",
            "A Latin letter, one with an accent, a Thai letter, a Chinese character and an emoji.",
            ("aéก你👍", "hello", "สวัสดี", "你好"),
            _encodings_scene,
        ),
        ex.Exercise(
            "forms", "é, two ways", "An accent can be part of its letter, or a separate character after it.",
            ("é", "café", "Việt Nam", "น้ำ"), _normal_forms_scene,
        ),
        ex.Exercise(
            "emoji", "A cook is not one character", "Many emoji are built from several others.",
            ("👩‍🍳", "👨‍👩‍👧‍👦", "🇹🇭", "👍🏽"), _emoji_scene,
        ),
        ex.Exercise(
            "alone",
            "The byte 128 on its own",
            "A token can be a part of a character. Here are bytes, written in hex: 80 is 128.",
            ("80", "e0 b8", "e0 b8 81", "ff", "41"),
            _decoded_bytes_scene,
        ),
    ),
    takeaway="A token can end in the middle of a character, so a program has to wait for the rest. Texts that look "
    "the same can have different bytes.",
    more="A program that shows each token at once shows `�` until the rest of the character is there. Bring texts to "
    "one normal form before you compare them or train on them. And nothing is ever unknown, since all 256 bytes are "
    "in the vocabulary.",
    picture=lambda: ex.pretrained_lines("é👍"),
    claims={
        "The byte 128 on its own": lambda: bytes([128]).decode("utf-8", "replace") == "\ufffd",
        "80 is 128": lambda: int("80", 16) == 128,
        "All 256 bytes are tokens": _all_bytes_are_tokens,
        "all 256 bytes are in the vocabulary": _all_bytes_are_tokens,
        "from 80 on (128 in decimal) is never a character by itself": lambda: (
            all(bytes([i]).decode("utf-8", "replace") == "\ufffd" for i in range(128, 256))
        ),
        "c0, c1 and those from f5 to ff never occur in UTF-8 at all": lambda: (
            set(range(256)) - _bytes_of_all_characters() == {0xC0, 0xC1, *range(0xF5, 0x100)}
        ),
    },
)  # fmt: skip
