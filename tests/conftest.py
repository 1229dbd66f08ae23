"""What several tests need: the app on a server, tokenizers, tiktoken without a network."""

import gc
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(__file__).parents[1] / "assets" / "tiktoken")

import budget
import vocabularies
from hypothesis import settings
from programs import NO_CHROMIUM, NO_FIREFOX, NO_NODE, NO_NPM
from serving import serving

import tokviz
from tokviz.core.samples import sample

# A shared machine is sometimes slow; a slow example is not a wrong one.
settings.register_profile("quick", deadline=None, max_examples=10)
settings.register_profile("long", deadline=None, max_examples=100)
settings.load_profile("quick")


ID_MAX = 60  # characters or bytes of a value in the name of a test


def pytest_addoption(parser: pytest.Parser) -> None:
    budget.add_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all modules are loaded; for good in the controller of xdist, which collects no tests
    budget.measure(config)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a long value by its beginning and length: otherwise the name of a test can have millions of characters.

    Bytes are named by their length alone: a compressed file holds the time, and all workers must have the same names.
    """
    match val:
        case bytes() if len(val) > ID_MAX:
            return f"{len(val)} bytes"
        case str() if len(val) > ID_MAX:
            return f"{val[:ID_MAX]}… of {len(val)}".encode("unicode_escape").decode("ascii")
    return None


TESTS = Path(__file__).parent
SLOW_EXAMPLES = {"tokviz.corpus.corpus_counts.dask_counts"}  # those of docstrings that take seconds
LONGEST = (
    "browser",
    "pages",
    "formats",
    "test_linters.py",
    "server",
    "cli",
    "solutions",
    "js",
    "live",
    "training",
    "corpus",
    "core",
)  # started first, so that no worker is idle at the end


@pytest.hookimpl(tryfirst=True)  # before xdist asks for the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the browser tests that are not journeys to `make test-all`, and keep the tests of a folder together.

    What several of them need, such as a browser or the rank tables, is then made by one worker only.
    """
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0] if TESTS in item.path.parents else "doctests"
        if (folder == "browser" and not item.get_closest_marker("journey")) or item.name in SLOW_EXAMPLES:
            item.add_marker("slow")
        item.add_marker(pytest.mark.xdist_group(folder))
    items.sort(key=lambda item: LONGEST.index(folder) if (folder := group_of(item)) in LONGEST else len(LONGEST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: Sequence[str]) -> None:
    """Stop if xdist ignored the groups: each worker would start a browser and read all vocabularies."""
    if node.config.getoption("dist") == "loadgroup" and not all("@" in name for name in ids):
        pytest.exit(
            "pytest-xdist ignored the groups of tests: install the versions of requirements-dev.txt", returncode=1
        )


def pytest_collection_finish() -> None:
    """Collect garbage rarely, and never look at the modules, which stay loaded: it would take a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remove the group that xdist adds to the name of a test, so that `--last-failed` finds the test."""
    name, _, group = report.nodeid.rpartition("@")
    if name and "]" not in group and "PYTEST_XDIST_WORKER" not in os.environ:
        report.nodeid = name


def group_of(item: pytest.Item) -> str:
    """Return the name of the group of tests that one worker runs."""
    return item.get_closest_marker("xdist_group").args[0]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in the last lines what a missing program has left out, and how to install it."""
    reasons = {str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ())}
    for program in (NO_CHROMIUM, NO_FIREFOX, NO_NODE, NO_NPM):
        if any(program in reason for reason in reasons):
            terminalreporter.write_line(program, yellow=True)


@pytest.fixture(scope="session", autouse=True)
def merged_by_tiktoken() -> Iterator[None]:
    """What a test finds holds from the first pretoken for tiktoken, not for what merges until that is ready."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokviz.core.engine.MERGES_AFTER", 0)
        yield


@pytest.fixture(scope="session")
def app_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app on a server of its own."""
    from computer import computer  # which loads what writes GGUF

    with serving("app.py", **computer(tmp_path_factory.mktemp("models"))) as address:
        yield address


@pytest.fixture(scope="session")
def trained() -> tokviz.Tokenizer:
    """A throwaway tokenizer, so that no test needs a file from outside."""
    return tokviz.train(sample("mixed"), vocab_size=600, special_tokens=["<s>", "<s>x"])


@pytest.fixture(params=[*vocabularies.NAMES, "trained"])
def vocabulary(request, trained) -> tokviz.Tokenizer:
    """Every vocabulary that is compared at first, the large ones where there is time, and one trained here."""
    return trained if request.param == "trained" else tokviz.load(request.param)
