"""Commands run in this process."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from tokviz.cli import main


class Ran(NamedTuple):
    """How a command ended: its exit code, standard output and standard error."""

    code: int
    out: str
    err: str


@pytest.fixture
def ran(capsys) -> Callable[..., Ran]:
    """A function that runs a command."""
    return lambda *arguments: Ran(main([str(argument) for argument in arguments]), *capsys.readouterr())


@pytest.fixture
def printed(ran) -> Callable[..., str]:
    """A function that runs a command, which must succeed, and returns its standard output."""

    def printed(*arguments: object) -> str:
        code, out, err = ran(*arguments)
        assert code == 0, err
        return out

    return printed


@pytest.fixture
def refused(ran) -> Callable[..., str]:
    """A function that runs a command, which must be refused without a result, and returns the reason."""

    def refused(*arguments: object) -> str:
        code, out, err = ran(*arguments)
        assert (code, out) == (1, "") and err.startswith(f"tokviz {arguments[0]}: ") and "Traceback" not in err
        return err

    return refused
