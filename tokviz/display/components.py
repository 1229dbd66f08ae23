"""The parts of the pages' components as texts: their code, markup and style sheets, for where no server brings them."""

import re
from dataclasses import dataclass
from functools import cache

from tokviz.display.modules import bundled, variable
from tokviz.display.palette import palette_css
from tokviz.system.installation import ASSETS


@dataclass(frozen=True)
class Component:
    """A component: its folder in `assets`, and those of its style sheets."""

    name: str
    styles: tuple[str, ...]

    @property
    def markup(self) -> str:
        """The HTML that it draws into."""
        return (ASSETS / self.name / "component.html").read_text("utf-8")

    def sheet(self, place: str) -> str:
        """Return its style sheet, with that of the folder of `assets` for the place where it is shown."""
        return _sheet(self.styles, place)

    def script(self, place: str, *, with_pictures: bool = True) -> tuple[str, str]:
        """Return its code together with that of a module for the place, and the variable of what that exports."""
        return _script(f"{self.name}/component.js", place, with_pictures), variable(place)

    @property
    def variable(self) -> str:
        """The variable that holds what its module exports."""
        return variable(f"{self.name}/component.js")


TOKENS = Component("token_view", ("token_view", "picture"))
COLUMNS = Component("compare_view", ("token_view", "compare_view", "picture"))
HISTORY = Component("time_machine", ("token_view", "time_machine", "picture"))
# What the pages' scripts say to each, apart from the text, the tokenizers and who answers.
EDITING = {"restore": False, "rest": None, "seen": None}
LOOK_OF_TOKENS = {
    **EDITING, "label": "Text", "placeholder": "Type or paste text", "rows": None, "units_max": None, "big": False,
    "panes": ["counts", "tokens", "list", "inspector"],
}  # fmt: skip
LOOK_OF_HISTORY = {"step_version": 0, "predicting": False, "presenting": False}


@cache
def _sheet(styles: tuple[str, ...], place: str) -> str:
    files = ["steps.css", *(f"{folder}/component.css" for folder in styles)]
    sheets = [(ASSETS / file).read_text("utf-8") for file in files]
    sheet = "\n".join([*sheets, palette_css(), (ASSETS / place / "view.css").read_text("utf-8")])
    return re.sub(r"/\*.*?\*/\n?|^ +", "", sheet, flags=re.DOTALL | re.MULTILINE)


@cache
def _script(module: str, place: str, with_pictures: bool) -> str:
    return bundled(module, place, with_later=with_pictures)
