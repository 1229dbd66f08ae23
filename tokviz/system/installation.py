"""Where the files around the package are: the app, its pages and its assets, in a checkout and installed."""

import hashlib
from importlib.util import find_spec
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_WITH_PACKAGE = _PACKAGE / "_app"  # where pyproject.toml puts them in a wheel
IS_CHECKOUT = not _WITH_PACKAGE.is_dir()
FOLDER = _PACKAGE.parent if IS_CHECKOUT else _WITH_PACKAGE
APP = FOLDER / "app.py"
ASSETS = FOLDER / "assets"
COMMAND = _PACKAGE / "server" / "streamlit_command.py"  # runs the app


def checked_asset(path: Path, sha256: str, what: str) -> bytes:
    """Return the content of a file of a folder in `assets`.

    Raises ValueError, with the file and the remedy, if it cannot be read or its SHA-256 is another.

    >>> checked_asset(ASSETS / "tiktoken" / "none", "", "the rank table of x")
    Traceback (most recent call last):
    ValueError: the rank table of x, ...none, cannot be read (...); restore it with `git checkout -- assets/tiktoken`
    """
    remedy = f"restore it with `git checkout -- assets/{path.parent.name}`" if IS_CHECKOUT else "install tokviz again"
    try:
        data = path.read_bytes()
    except OSError as e:
        raise ValueError(f"{what}, {path}, cannot be read ({e}); {remedy}") from e
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ValueError(f"{what}, {path}, is damaged; {remedy}")
    return data


def require(what: str, extra: str, *modules: str) -> None:
    """Raise ImportError, with what to install, if a module of an extra is missing that `what` needs.

    >>> require("compare", "notebook", "no_such_module")
    Traceback (most recent call last):
    ImportError: compare needs no_such_module, which is not installed: pip install '...[notebook]'
    """
    # Installed, pip finds this package under its name; from a checkout it would fetch another project's from PyPI.
    package = FOLDER if IS_CHECKOUT else "tokviz"
    for module in modules:
        if find_spec(module) is None:
            raise ImportError(f"{what} needs {module}, which is not installed: pip install '{package}[{extra}]'")
