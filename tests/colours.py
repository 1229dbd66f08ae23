"""The colours of tokens, as the browser's code chooses them."""

from collections.abc import Collection, Iterable

N_COLOURS = 10


def colour_index(token_id: int) -> int:
    """Return which colour of the palette a token id has.

    >>> [colour_index(i) for i in range(6)]
    [6, 2, 8, 4, 0, 7]
    """
    return ((token_id + 1) * 0x9E3779B1 % 2**32) * N_COLOURS // 2**32


def opposite(colour: int) -> int:
    """Return the colour that a token takes if its left neighbour has its own one."""
    return (colour + N_COLOURS // 2) % N_COLOURS


def colours_of(ids: Iterable[int], special: Collection[int] = ()) -> list[int | None]:
    """Return the colours of tokens in a row, settled from left to right; special tokens have none.

    >>> colours_of([5, 5, 5, 0, 99, 0], special={99})
    [7, 2, 7, 6, None, 6]
    """
    colours: list[int | None] = []
    for token_id in ids:
        own = None if token_id in special else colour_index(token_id)
        clashes = own is not None and colours and colours[-1] == own
        colours.append(opposite(own) if clashes else own)
    return colours
