"""Streamlit is used as it is: through its public interface, and nothing of it is replaced."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py")), *sorted((ROOT / "tokviz").rglob("*.py"))]
PRIVATE = ("streamlit.runtime", "streamlit.proto", "streamlit.web")
# Whether a script of Streamlit's runs, which app.py is told by nothing else: it is the script and its server.
ALLOWED = ["streamlit.runtime.exists"]


def breaches(code: str) -> list[str]:
    """Return what a module takes of Streamlit beyond its public interface, and what of it is assigned to.

    >>> breaches("import streamlit as st; from streamlit.runtime import scriptrunner; st.App.run = st._config")
    ['streamlit.runtime.scriptrunner', 'streamlit.App.run =', 'streamlit._config']
    """
    tree = ast.parse(code)
    names = dict(_imported(tree))
    found = [path for path in dict.fromkeys(names.values()) if _is_private(path)]
    for node in ast.walk(tree):
        path = _path(node, names) if isinstance(node, ast.Attribute) else None
        if path is None:
            continue
        if _is_private(path) and not path.startswith(tuple(f"{one}." for one in found)):
            found.append(path)
        elif isinstance(node.ctx, ast.Store | ast.Del) and not path.startswith("streamlit.session_state."):
            found.append(f"{path} =")
    found += [
        f"setattr({_path(node.args[0], names)})"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("setattr", "delattr")
        if _path(node.args[0], names)
    ]
    return [one for one in found if one not in ALLOWED]


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that stand for Streamlit or a part of it, and what they stand for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                if one.name.split(".")[0] == "streamlit":
                    yield one.asname or "streamlit", one.name
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "streamlit":
            for one in node.names:
                yield one.asname or one.name, f"{node.module}.{one.name}"


def _path(node: ast.AST, names: dict[str, str]) -> str | None:
    """Return the dotted path of what a node stands for, where that is Streamlit's."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    inner = _path(node.value, names) if isinstance(node, ast.Attribute) else None
    return inner and f"{inner}.{node.attr}"


def _is_private(path: str) -> bool:
    is_hidden = any(part.startswith("_") and not part.startswith("__") for part in path.split("."))
    return is_hidden or any(f"{path}.".startswith(f"{one}.") and path != one for one in PRIVATE)


def test_no_module_reaches_behind_streamlits_public_interface():
    of_streamlit = {file: code for file in FILES if "streamlit" in (code := file.read_text())}
    assert {file.name: found for file, code in of_streamlit.items() if (found := breaches(code))} == {}


@pytest.mark.parametrize(
    "code",
    [
        "from streamlit.runtime.scriptrunner import get_script_run_ctx",
        "from streamlit import runtime\nruntime.get_instance()",
        "import streamlit.web.bootstrap",
        "from streamlit.proto.ClientState_pb2 import ClientState as C",
        "import streamlit as st\nst.runtime.get_instance()",
        "import streamlit as st\nst.session_state._state",
        "from streamlit import session_state as state\nstate._state",
        "import streamlit as st\nst.App.run = print",
        "from streamlit.testing.v1 import AppTest\nAppTest.run = print",
        "import streamlit as st\nsetattr(st.App, 'run', print)",
        "import streamlit as st\ndel st.App",
    ],
)
def test_what_is_not_allowed_is_found(code: str):
    assert breaches(code) != []


def test_what_is_allowed_is_not_found():
    assert breaches("import streamlit as st\nst.session_state.text = st.query_params['a']\nst.runtime.exists()") == []
