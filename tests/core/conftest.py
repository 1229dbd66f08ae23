import pytest


@pytest.fixture(scope="module")
def cut_by_tiktoken():
    """What a test finds holds from the first character where tiktoken cuts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokviz.core.engine.CUTS_AFTER", 0)
        yield
