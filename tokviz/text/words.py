"""Words of the pages: a number with its noun, words joined as in a sentence."""

from collections.abc import Iterable


def quantity(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> quantity(1, "token"), quantity(1_200, "token")
    ('1 token', '1,200 tokens')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def joined_with_and(words: Iterable[str]) -> str:
    """Return words joined as in a sentence.

    >>> joined_with_and(["a"]), joined_with_and(["a", "b"]), joined_with_and(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def unbroken(name: str) -> str:
    """Return a name with hyphens after which no line breaks.

    >>> unbroken("GPT-2").encode()
    b'GPT\xe2\x80\x912'
    """
    return name.replace("-", "\N{NON-BREAKING HYPHEN}")
