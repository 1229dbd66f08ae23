"""Words of the pages: a number with its noun."""


def quantity(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> quantity(1, "token"), quantity(1_200, "token")
    ('1 token', '1,200 tokens')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
