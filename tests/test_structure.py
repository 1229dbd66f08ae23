"""What holds for the product as a whole: no circles of imports, and folders that can be looked over."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("tokviz", "pages")
DOORS = {
    *(("tokviz.core.tokenizer", f"Tokenizer.{name}") for name in ("read", "save", "to_tiktoken", "to_huggingface")),
    ("tokviz.core.protocol", "as_tokenizer"),
}
NOT_RUN = {"TYPE_CHECKING", "__name__ == '__main__'"}  # when a module is imported


@cache
def modules() -> dict[str, ast.Module]:
    """Return the syntax trees of all modules of the product, by their names."""
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
            path.read_text("utf-8")
        )
        for path in paths
    }


def imports(node: ast.AST, scope: str = "") -> Iterator[tuple[str, str]]:
    """Yield each module of the product that is imported, after the name of the function that does, "" outside any."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((scope, alias.name) for alias in child.names if alias.name in modules())
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"an import relative to {child.module}: name the module in full"
            inner = [f"{child.module}.{alias.name}" for alias in child.names]
            found = {name if name in modules() else child.module for name in inner}
            yield from ((scope, name) for name in found if name in modules())
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from imports(child, f"{scope}.{child.name}".lstrip("."))
        elif isinstance(child, ast.expr) or (isinstance(child, ast.If) and ast.unparse(child.test) in NOT_RUN):
            continue  # an expression holds no import
        else:
            yield from imports(child, scope)


@cache
def all_imports() -> dict[str, list[tuple[str, str]]]:
    """Return what `imports` yields for each module of the product."""
    return {name: [*imports(tree)] for name, tree in modules().items()}


@cache
def imported() -> dict[str, set[str]]:
    """Return which modules of the product each of them imports when it is imported itself."""
    return {name: {to for scope, to in found if not scope} for name, found in all_imports().items()}


def reached(name: str) -> set[str]:
    """Return this module and all that it imports, directly or not."""
    found, rest = {name}, [name]
    while rest:
        new = imported()[rest.pop()] - found
        found |= new
        rest += new
    return found


def test_modules_are_imported_in_no_circle():
    assert len(modules()) > 200
    TopologicalSorter(imported()).prepare()  # raises CycleError, with the circle


def test_only_the_doors_import_what_stands_above_them():
    late = {
        (name, scope) for name, found in all_imports().items() for scope, to in found if scope and name in reached(to)
    }
    assert late == DOORS


def test_pages_need_no_command_line():
    assert not [it for name, found in imported().items() for it in found if name[:5] == "pages" and ".cli" in it]


def test_a_room_imports_only_from_those_below_it_and_beside_it():
    table = re.findall(r"(?m)^    (pages|tokviz\.\w+)(.*)$", (ROOT / "docs" / "design.md").read_text("utf-8"))
    height = {
        room: -line for line, (first, rest) in enumerate(table) for room in [first, *re.findall(r"tokviz\.\w+", rest)]
    }

    def room_of(name: str) -> str:
        return name if "." not in name else ".".join(name.split(".")[: 1 if name.startswith("pages") else 2])

    rooms = {name: room_of(name) for name in modules() if room_of(name) not in ("tokviz", "tokviz.__main__")}
    assert {*rooms.values()} == {*height}
    upwards = {
        (name, to)
        for name, found in all_imports().items()
        for scope, to in found
        if name in rooms and to in rooms and (name, scope) not in DOORS and height[rooms[name]] < height[rooms[to]]
    }
    assert upwards == set()
