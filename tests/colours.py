"""The colour of a token, as the browser's code chooses it."""

N_COLOURS = 10


def colour_index(token_id: int) -> int:
    """Return which colour of the palette a token id has, on every page.

    >>> [colour_index(i) for i in range(6)]
    [6, 2, 8, 4, 0, 7]
    """
    return ((token_id + 1) * 0x9E3779B1 % 2**32) * N_COLOURS // 2**32
