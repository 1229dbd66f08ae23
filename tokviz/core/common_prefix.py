"""How far two texts are the same from their beginning, or from their end."""


def common_length(one: str, other: str) -> int:
    """Return how many characters two texts share at their beginning.

    >>> common_length("tokenizer", "token"), common_length("tokens", "tokenize")
    (5, 5)
    """
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def differing_stretches(one: str, other: str) -> tuple[str, str, int]:
    """Return what is left of two texts without what they share at both ends, and how much they share at the beginning.

    >>> differing_stretches("a <b> c", "a <bb> c")
    ('', 'b', 4)
    """
    begin = common_length(one, other)
    one, other = one[begin:], other[begin:]
    n_last = common_length(one[::-1], other[::-1])
    return one[: len(one) - n_last], other[: len(other) - n_last], begin
