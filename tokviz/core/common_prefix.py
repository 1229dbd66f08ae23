"""How far two texts are the same from their beginning."""


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
