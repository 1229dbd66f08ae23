import importlib.util

import pytest

from tokviz.system import fast_engine


@pytest.fixture(scope="module", params=["tiktoken", "gigatoken"])
def each_engine(request):
    """What a test finds holds with gigatoken, where that is installed, and without."""
    if request.param == "gigatoken" and importlib.util.find_spec("gigatoken") is None:
        pytest.skip("gigatoken is optional: pip install -r requirements-fast.txt")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "tiktoken":
            patch.setattr(fast_engine, "PATTERNS", frozenset())
        patch.setattr("tokviz.core.engine.CUTS_AFTER", 0)
        patch.setattr("tokviz.core.engine.GIGATOKEN_AFTER", 0)
        yield request.param
