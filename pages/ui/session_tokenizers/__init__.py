"""The tokenizers of a session: chosen, trained, opened, and carried by a link."""

from pages.ui.session_tokenizers import options  # noqa: F401
