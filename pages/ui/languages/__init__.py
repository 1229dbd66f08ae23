"""The page of languages: what each costs, and what a mix of them in training changes."""

from pages.ui.languages import options  # noqa: F401
