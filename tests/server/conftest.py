"""Servers for the tests that only ask them things."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tokviz.server.routes import routes


@pytest.fixture(scope="session")
def address(app_address: str) -> str:
    return app_address


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """A client of our own addresses, below a base path."""
    with TestClient(Starlette(routes=routes("/base/"))) as client:
        yield client
