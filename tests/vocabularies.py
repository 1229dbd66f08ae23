"""The pretrained vocabularies as parameters of tests: the small one in `make test`, all of them in `make test-all`."""

import pytest

from tokviz.formats.pretrained import PRETRAINED

LARGE = [pytest.param(name, marks=pytest.mark.slow) for name in PRETRAINED if name != "gpt2"]
NAMES = ["gpt2", *LARGE]
EVERY = [pytest.param(("gpt2",), id="gpt2"), pytest.param(tuple(PRETRAINED), id="all", marks=pytest.mark.slow)]
