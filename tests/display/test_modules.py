"""The browser's modules as one script."""

import re

import pytest

from tokviz.display.modules import module_function_code, script_of_modules_and_imports
from tokviz.system.installation import ASSETS


@pytest.mark.parametrize("name", ["token_view", "compare_view", "time_machine", "vocabulary", "cuts", "unicode_view"])
def test_every_module_that_is_needed_stands_before_those_that_need_it(name):
    script = script_of_modules_and_imports(f"{name}/component.js")
    declared = re.findall(r"^const (\$\w+)=\(\(\)=>\{$", script, re.M)
    assert len(declared) == len(set(declared)) > 5 and declared[-1] == f"${name}_component"
    imports = list(re.finditer(r"\bconst \{[^}]*\}=(\$\w+);", script))
    assert len(imports) > 5
    for match in imports:
        assert f"const {match[1]}=(()=>{{" in script[: match.start()]
    assert not re.search(r"(?:^|[;{])(?:import|export)\b", script, re.M)


def test_no_string_goes_on_in_the_next_line():
    for file in ASSETS.rglob("*.js"):
        lines = (line for line in file.read_text("utf-8").splitlines() if not re.match(r"\s*(//|/?\*)", line))
        assert not [line for line in lines if line.count("`") % 2], file


def test_what_is_imported_late_is_there():
    script = script_of_modules_and_imports("picture/button.js")
    assert "const { showPicture } = $picture_dialog;" in script and "const $picture_dialog=" in script
    assert "import(" not in script


@pytest.mark.parametrize(
    "line", ["import x from './x.js';", "export { a };", "export * from './b.js';", "export let a = 1;"]
)
def test_what_is_not_known_is_refused(line):
    with pytest.raises(ValueError, match=r"assets/a\.js: expected imports by name"):
        module_function_code("a.js", line + "\n")


def test_comments_and_nothing_else_are_left_out():
    code = "// one\n/**\n * two\n */\nexport const a = 'a // b'; // three\n"
    assert module_function_code("a.js", code) == "const $a=(()=>{\nconst a = 'a // b';return {a};\n})();\n"
    assert (ASSETS / "saved_page/page.js").exists()
