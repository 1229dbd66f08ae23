"""What several tests need: tokenizers, tiktoken without a network."""

import os
from pathlib import Path

import pytest

os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(__file__).parents[1] / "assets" / "tiktoken")

from hypothesis import settings

import tokviz
from tokviz.core.samples import sample
from tokviz.formats.pretrained import PRETRAINED

# A shared machine is sometimes slow; a slow example is not a wrong one.
settings.register_profile("quick", deadline=None, max_examples=20)
settings.register_profile("long", deadline=None, max_examples=100)
settings.load_profile("quick")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the browser tests that are not journeys to `make test-all`."""
    for item in items:
        if Path(__file__).parent / "browser" in item.path.parents and not item.get_closest_marker("journey"):
            item.add_marker("slow")


@pytest.fixture(scope="session")
def trained() -> tokviz.Tokenizer:
    """A throwaway tokenizer, so that no test needs a file from outside."""
    return tokviz.train(sample("mixed"), vocab_size=600, special_tokens=["<s>", "<s>x"])


@pytest.fixture(params=[*PRETRAINED, "trained"])
def vocabulary(request, trained) -> tokviz.Tokenizer:
    """Every vocabulary that ships, and one trained here."""
    return trained if request.param == "trained" else tokviz.load(request.param)
