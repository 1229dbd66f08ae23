"""The code, markup and style sheets of the pages' components, for the pages and for where no server brings them."""

import re
from dataclasses import dataclass

from tokviz.display.modules import exports_variable_name, script_of_modules_and_imports
from tokviz.display.palette import palette_css
from tokviz.system.installation import ASSETS


@dataclass(frozen=True)
class ComponentFiles:
    """The files of a component: its folder in `assets`, and the folders of its style sheets."""

    name: str
    styles: tuple[str, ...] = ()

    @property
    def markup(self) -> str:
        """The HTML that it draws into."""
        return (ASSETS / self.name / "component.html").read_text("utf-8")

    @property
    def style_sheet(self) -> str:
        """Its style sheets as one, with the colours of tokens."""
        files = ["controls.css", *(f"{folder}/component.css" for folder in self.styles)]
        return "\n".join([*((ASSETS / file).read_text("utf-8") for file in files), palette_css()])

    def place_style_sheet(self, place: str) -> str:
        """Return its style sheet for a place outside the app, which has a folder of its own in `assets`."""
        return shortened_sheet(f"{self.style_sheet}\n{(ASSETS / place / 'view.css').read_text('utf-8')}")

    def script_and_variable(self, place: str, *, without: tuple[str, ...] = ()) -> tuple[str, str]:
        """Return its code, bundled with a module for the place, and the variable of what that module exports.

        without: modules that are left out, as `script_of_modules_and_imports` does.
        """
        code = script_of_modules_and_imports(f"{self.name}/component.js", place, without=without)
        return code, exports_variable_name(place)

    @property
    def variable(self) -> str:
        """The variable that holds what its module exports."""
        return exports_variable_name(f"{self.name}/component.js")


TOKENS = ComponentFiles("token_view", ("token_view", "picture"))
COLUMNS = ComponentFiles("compare_view", ("token_view", "compare_view", "picture"))
HISTORY = ComponentFiles("time_machine", ("token_view", "time_machine", "picture"))
# What a script tells each of them, apart from the text, the tokenizers and who answers.
EDITING = {"restore": False, "rest": None, "seen": None}
LOOK_OF_TOKENS = {
    **EDITING, "label": "Text", "placeholder": "Type or paste text", "rows": None, "units_max": None, "big": False,
    "fills": False, "besides": [], "panes": ["counts", "tokens", "list", "inspector"],
}  # fmt: skip
LOOK_OF_HISTORY = {"step_version": 0, "predicting": False, "presenting": False}


def shortened_sheet(sheet: str) -> str:
    """Return a style sheet without comments and white space that means nothing; no string in it may have these.

    >>> shortened_sheet("/* Rows */\\n.a, .b > :is(i) { top: 0; left: 0.5px; }")
    '.a,.b>:is(i){top:0;left:.5px}'
    """
    return re.sub(r"/\*.*?\*/\s*|(?<=[:;,{}>])\s+|;?\s+(?=[{}])|\s+(?=>)|\b(?<!\.)0(?=\.)", "", sheet, flags=re.DOTALL)
