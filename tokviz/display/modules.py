"""The browser's modules as one script: pages fetch it whole; files and notebooks, which have no server, contain it.

Each becomes a function that is called once and returns what the module exports, in an order in which every import is
there. The modules of `assets` import each other by name and export declarations, which is all that is known here.
"""

import posixpath
import re
from functools import cache
from graphlib import TopologicalSorter

from tokviz.system.installation import ASSETS

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[^"]+)";\n', re.MULTILINE)
_LATER = re.compile(r'\bawait import\("(\.{1,2}/[^"]+)"\)')  # imported when it is first used
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) ([A-Za-z]\w*))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT = re.compile(r"^ *//.*\n|^ */\*\*(?:.|\n)*?\*/\n|(?<=[;{},)(\]]) // .*$", re.MULTILINE)
# Nothing depends on these: no string here has code in it or goes on in the next line, and no comment is left at the end
# of a line.
_SPACE = re.compile(
    r"^ +|^\n| (?=(?:=>|[=!]==|&&|\|\||\?\?) )|(?:(?<==>)|(?<=[=!]==)|(?<=&&)|(?<=\|\|)|(?<=\?\?)) |(?<=\)) (?=\{)",
    re.MULTILINE,
)
_LINE_END = re.compile(r"(?<=[;{,(])\n")


def exports_variable_name(name: str) -> str:
    """Return the variable that holds what a module exports.

    >>> exports_variable_name("token_view/component.js")
    '$token_view_component'
    """
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


@cache
def script_of_modules_and_imports(*names: str, without: tuple[str, ...] = ()) -> str:
    """Return modules, named by their paths in `assets`, and all they import, as one script.

    It has no comments or indents, and few line ends. What each exports is in its `exports`, under its name or
    "default". without: modules that are left out, each imported only when it is first used, and nothing may use it.
    ValueError for an import or export of a form that is not known here, CycleError for modules that import each other
    in a circle.
    """
    sources: dict[str, str] = {}
    needs: dict[str, list[str]] = {}  # in an order, so that every process makes the same script
    rest = list(names)
    while rest:
        name = rest.pop()
        if name not in sources:
            sources[name] = (ASSETS / name).read_text("utf-8")
            paths = [path for _, path in _IMPORT.findall(sources[name])]
            later = [_resolved_path(name, path) for path in _LATER.findall(sources[name])]
            needs[name] = [
                *(_resolved_path(name, path) for path in paths),
                *(each for each in later if each not in without),
            ]
            rest += needs[name]
    return "".join(module_function_code(name, sources[name]) for name in TopologicalSorter(needs).static_order())


def module_function_code(name: str, source: str) -> str:
    """Return a module as a function that is called once, and the variable that holds its exports.

    >>> print(module_function_code("a/b.js", 'import { c as d } from "../e.js";\\nexport const f = d;\\n'), end="")
    const $a_b=(()=>{
    const {c:d}=$e;const f = d;return {f};
    })();
    """
    exports = _EXPORT.findall(source)
    code = _IMPORT.sub(
        lambda match: _import_declaration(match[1], _resolved_path(name, match[2])),
        _SPACE.sub("", _COMMENT.sub("", source)),
    )
    code = _LATER.sub(lambda match: exports_variable_name(_resolved_path(name, match[1])), code)
    code, n_defaults = _DEFAULT.subn("const $default = ", _EXPORT.sub("", code))
    if left := _LEFT.search(code):
        raise ValueError(f"assets/{name}: expected imports by name and exported declarations, not {left[0]!r}")
    returned = [*exports, *["default:$default"] * n_defaults]
    body = _LINE_END.sub("", f"{code}return {{{','.join(returned)}}};")
    return f"const {exports_variable_name(name)}=(()=>{{\n{body}\n}})();\n"


def _import_declaration(names: str, path: str) -> str:
    """Return the declaration of the names that are imported."""
    return f"const {{{names.replace(' as ', ':').replace(' ', '')}}}={exports_variable_name(path)};\n"


def _resolved_path(name: str, relative: str) -> str:
    """Return the path of a module that another imports.

    >>> _resolved_path("editor/rest.js", "../shared/text.js"), _resolved_path("editor/rest.js", "./own.js")
    ('shared/text.js', 'editor/own.js')
    """
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), relative))
