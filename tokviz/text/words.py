"""Words of the pages: a number with its noun."""


def count_text(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> count_text(1, "token"), count_text(1_200, "token")
    ('1 token', '1,200 tokens')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
