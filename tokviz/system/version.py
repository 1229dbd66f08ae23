"""The version of tokviz, which `tokviz.__version__` is."""

import tomllib
from importlib.metadata import PackageNotFoundError, version

from tokviz.system.installation import FOLDER, IS_CHECKOUT


def _version() -> str:
    """Return the version of a checkout, as far as it says one, or of what is installed."""
    project = FOLDER / "pyproject.toml"
    if IS_CHECKOUT and project.exists():
        return f"{tomllib.loads(project.read_text('utf-8'))['project']['version']}+checkout"
    try:
        return version("tokviz")
    except PackageNotFoundError:  # as in the image, which has only the folders
        return "0+unknown"


__version__ = _version()
