"""How many examples a property is tried on: some more than the profile says, in `make test` and in `make test-all`."""

from hypothesis import settings


def times(factor: int) -> settings:
    """Return the settings of a property that is worth this many times the examples of the profile."""
    return settings(max_examples=factor * settings.default.max_examples)
