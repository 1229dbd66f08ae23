"""A server for the tests that only ask it things."""

from collections.abc import Iterator

import pytest
from serving import serving


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serving("app.py") as address:
        yield address
