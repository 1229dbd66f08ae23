"""Signs for what would not be seen in a text, as the pages draw them: spaces, line ends, invisible characters."""

from collections.abc import Iterator
from typing import NamedTuple

import regex

# Short names of characters that have no picture; `assets/shared/text.js` has the same.
CONTROL_NAMES = {
    0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x0B: "VT", 0x0C: "FF", 0x0D: "CR", 0x1B: "ESC", 0x7F: "DEL",
    0x85: "NEL", 0xA0: "NBSP", 0xAD: "SHY", 0x034F: "CGJ", 0x061C: "ALM", 0x180E: "MVS",
    0x2002: "EN SP", 0x2003: "EM SP", 0x2009: "THIN SP", 0x200A: "HAIR SP", 0x200B: "ZWSP",
    0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM", 0x200F: "RLM", 0x2028: "LS", 0x2029: "PS",
    0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO", 0x202F: "NNBSP",
    0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xFE0E: "VS15",
    0xFE0F: "VS16", 0xFEFF: "BOM",
}  # fmt: skip

_INVISIBLE = (
    r"[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00a0\u034f\u115f\u1160\u2000-\u200a\u202f\u205f\u3000\u3164\uffa0]"
)
# Joiners, selectors and tags that do their visible work inside an emoji keep doing it.
_EMOJI = r"\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?"
_SEQUENCE = rf"{_EMOJI}(?:\u200d{_EMOJI})+|\U0001f3f4[\U000e0020-\U000e007f]+"
_RUNS = regex.compile(
    rf"(?P<space> +)|(?P<newline>\n)|(?P<tab>\t)|(?P<text>{_SEQUENCE})|(?P<invisible>{_INVISIBLE})"
    rf"|(?P<text>(?:(?!{_SEQUENCE}|{_INVISIBLE})[^ \n\t])+)"
)
_SIGN_OF = {"space": "␣", "newline": "↵", "tab": "→"}
_AMBIGUOUS = regex.compile(r"[␣↵→]|\[(?=[A-Z])")  # what would be read back as something else


class Run(NamedTuple):
    """A stretch of text of one kind: "text", "space", "newline", "tab", or "invisible", a single character."""

    kind: str
    text: str


def visibility_runs(text: str) -> Iterator[Run]:
    """Yield a text in stretches of what can be seen and what cannot.

    >>> [(run.kind, run.text) for run in visibility_runs("a  b\\u200d")]
    [('text', 'a'), ('space', '  '), ('text', 'b'), ('invisible', '\\u200d')]
    """
    for match in _RUNS.finditer(text):
        assert match.lastgroup is not None
        yield Run(match.lastgroup, match[0])


def control_name_or_code_point(character: str) -> str:
    """Return the short name of a character that has no picture.

    >>> control_name_or_code_point("\\u200d"), control_name_or_code_point("\\x01")
    ('ZWJ', 'U+0001')
    """
    return CONTROL_NAMES.get(ord(character), f"U+{ord(character):04X}")


def visible_text(text: str) -> str:
    """Return a text with a sign or a name for what would not be seen; it can be read back.

    >>> visible_text(" two\\u200d\\n"), visible_text("␣ [ZWJ]")
    ('␣two[ZWJ]↵', '[U+2423]␣[U+005B]ZWJ]')
    """
    return "".join(_visible_run(run) for run in visibility_runs(text))


def _visible_run(run: Run) -> str:
    if run.kind == "invisible":
        return f"[{control_name_or_code_point(run.text)}]"
    if run.kind in _SIGN_OF:
        return _SIGN_OF[run.kind] * len(run.text)
    return _AMBIGUOUS.sub(lambda match: f"[U+{ord(match[0]):04X}]", run.text)
