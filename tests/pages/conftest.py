"""What the pages' tests share."""

import importlib.metadata
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def no_components_of_other_packages() -> Iterator[None]:
    """Every new AppTest looks for components in all installed packages, which takes longer than most pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib.metadata, "distributions", lambda **_: ())
        yield
