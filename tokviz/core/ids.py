"""Token ids pasted from a program, a log or a JSON file, with any separators."""

import re

# Whatever people put between and around numbers, including the full-width comma and the Chinese list comma.
_ENTRY = re.compile(r"[^\s,;:|/\[\](){}<>\"'`，、；]+")
_INTEGER = re.compile(r"[0-9]{1,12}")


def ids_and_other_entries(text: str) -> tuple[list[int], list[str]]:
    """Return the ids in a text, in order, and the entries that are not ids, in order.

    An id is a run of ASCII digits between separators: white space, commas, brackets, quotes and the like.

    >>> ids_and_other_entries("[15339, 1917]"), ids_and_other_entries("15339;1917\\n-1 0x1f")
    (([15339, 1917], []), ([15339, 1917], ['-1', '0x1f']))
    """
    entries: list[str] = _ENTRY.findall(text)
    ids = [int(entry) for entry in entries if _INTEGER.fullmatch(entry)]
    return ids, [entry for entry in entries if not _INTEGER.fullmatch(entry)]
