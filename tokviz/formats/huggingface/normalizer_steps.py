"""The normalizer of a tokenizer.json as a `Normalizer`, and back."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tokviz.core.normalizer import SPACE_MARK, Normalizer
from tokviz.core.patterns import short_repr

Json = Mapping[str, Any]
FORMS = ("NFC", "NFD", "NFKC", "NFKD")
MARKS = {"type": "Replace", "pattern": {"String": " "}, "content": SPACE_MARK}


def text_normalizer(given: Json | None) -> Normalizer:
    """Return the normalizer of a tokenizer.json; ValueError for one that changes texts in another way.

    >>> text_normalizer({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}]})
    Normalizer(form='NFD', lowercase=True, marks_are_spaces=False, prefix='', prefix_if_missing=False)
    """
    found = Normalizer()
    for step in given.get("normalizers", [given]) if given else ():
        kind = step.get("type")
        is_late = bool(found.prefix) or found.marks_are_spaces
        if kind in FORMS and found == Normalizer():
            found = replace(found, form=kind)
        elif kind == "Lowercase" and not is_late:
            found = replace(found, lowercase=True)
        elif kind == "Prepend" and not found.prefix and step["prepend"] in (" ", SPACE_MARK):
            found = replace(found, prefix="each")
        elif step == MARKS:
            found = replace(found, marks_are_spaces=True)
        else:
            raise ValueError(f"its normalizer {short_repr(kind)} changes the text first")
    if given and not found.marks_are_spaces and SPACE_MARK in str(given):
        raise ValueError(f"its normalizer puts a {SPACE_MARK} before a text, and leaves its spaces")
    return found


def normalizer_spec(normalizer: Normalizer) -> dict[str, Any] | None:
    """Return the normalizer for a tokenizer.json, but for a space that is put only where there is none.

    Raises ValueError for a space that is put before some stretches of a text alone.
    """
    steps: list[dict[str, Any]] = [{"type": normalizer.form}] if normalizer.form else []
    if normalizer.lowercase:
        steps.append({"type": "Lowercase"})
    if normalizer.prefix and not normalizer.prefix_if_missing:
        if normalizer.prefix != "each":
            raise ValueError(f"a tokenizer.json cannot hold this change of texts: {normalizer.words()}")
        steps.append({"type": "Prepend", "prepend": SPACE_MARK if normalizer.marks_are_spaces else " "})
    if normalizer.marks_are_spaces:
        steps.append(MARKS)
    return steps[0] if len(steps) == 1 else {"type": "Sequence", "normalizers": steps} if steps else None
