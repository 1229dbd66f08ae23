"""The playground."""

from pages.ui.playground import options  # noqa: F401
