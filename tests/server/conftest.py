"""A server for the tests that only ask it things."""

import pytest


@pytest.fixture(scope="session")
def address(app_address: str) -> str:
    return app_address
