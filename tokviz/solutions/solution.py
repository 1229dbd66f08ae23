"""The file of a solution, in the process that runs it: how it is imported, what is in it, and where it failed."""

import importlib
import importlib.util
import inspect
import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from tokviz.system.installation import ASSETS

TRAINING, TRAINED, GIVEN, READY = "training", "trained", "given", "ready"
STATS, MERGE, PATTERN, RECOVER, FUNCTIONS = "stats", "merge", "pattern", "recover", "functions"
_PATTERN_NAME = re.compile(r"PAT(?!H)|SPLIT|REGEX", re.IGNORECASE)
_MAGIC = re.compile(r"^(\s*)(?:([\w, ]+=\s*)?[%!?].*|[\w.]+\?+\s*$)", re.MULTILINE)  # what only a notebook understands


def import_file(path: str) -> ModuleType:
    """Return the module in a file, which may be a notebook; one in a package is imported as a part of it."""
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(ASSETS / "tiktoken"))  # tiktoken then needs no network
    if path.endswith(".ipynb"):
        return _import_notebook(path)
    folder, names = Path(path).parent, [Path(path).stem]
    while (folder / "__init__.py").exists():
        names.insert(0, folder.name)
        folder = folder.parent
    sys.path.append(str(folder))  # last: a file beside it must not pass for a library
    return _import_from_package(path, ".".join(names)) if len(names) > 1 else _import_alone(path)


def _import_from_package(path: str, name: str) -> ModuleType:
    module = importlib.import_module(name)
    if module.__file__ != path:
        raise ValueError(f"{name} is also an installed module, {module.__file__}: give its folder another name")
    return module


def _import_notebook(path: str) -> ModuleType:
    """Return a module of what the code cells define; those that fail are passed over, as people do in a notebook."""
    module = ModuleType("own_notebook")
    try:
        cells = json.loads(Path(path).read_text("utf-8"))["cells"]
    except (ValueError, KeyError, TypeError) as e:
        raise ValueError("it is not a notebook, or one of an old version: save it again in Jupyter") from e
    for cell in cells:
        source = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
        with suppress(Exception, SystemExit):
            try:
                code = compile(source, path, "exec")
            except SyntaxError:
                code = compile(_MAGIC.sub(r"\1pass", source), path, "exec")
            exec(code, vars(module))
    return module


def _import_alone(path: str) -> ModuleType:
    name = Path(path).stem.replace(".", "_")
    if name in sys.modules or getattr(importlib.util.find_spec(name), "origin", path) != path:
        name = f"own_{name}"  # a library of the same name would be imported instead
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a file of Python: its name must end in .py or .ipynb")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def failure_words_and_is_not_implemented(e: BaseException, path: str) -> tuple[str, bool]:
    """Return an exception in words, with the line of the file, and whether it is that something is not implemented."""
    words = f"{type(e).__name__}: {e}".rstrip(": ").splitlines()[0]
    lines = [frame.lineno for frame in traceback.extract_tb(e.__traceback__) if frame.filename == path]
    return f"{words} (line {lines[-1]})" if lines else words, isinstance(e, NotImplementedError)


def checkable_names_by_kind(module: ModuleType) -> dict[str, list[str]]:
    """Return what is in a module that can be checked: names by what they are, recognised by names and arguments."""
    found: dict[str, list[str]] = {}
    for name, value in vars(module).items():
        is_own = getattr(value, "__module__", None) == module.__name__
        kind = None
        if inspect.isclass(value) and is_own:
            kind = _checkable_kind_of_class(value)
        elif inspect.isfunction(value) and is_own:
            kind = _checkable_kind_of_function(name, needed_flags_by_argument(value))
        elif isinstance(value, str) and _PATTERN_NAME.search(name) and ("\\" in value or "|" in value):
            kind = PATTERN
        if kind:
            found.setdefault(kind, []).append(name)
    if vars(module).keys() >= {"encode", "decode", "merges"}:
        found[FUNCTIONS] = ["encode"]
    return found


def _checkable_kind_of_class(value: type) -> str | None:
    if not (callable(getattr(value, "encode", None)) and callable(getattr(value, "decode", None))):
        return None
    arguments = needed_flags_by_argument(value)
    if "merges" in arguments and "vocab" in arguments:
        return GIVEN
    if any(needed for needed in arguments.values()):
        return None
    return TRAINED if callable(getattr(value, "train", None)) else READY


def _checkable_kind_of_function(name: str, arguments: Mapping[str, bool]) -> str | None:
    n_needed = sum(arguments.values())
    if "vocab_size" in arguments and n_needed >= 2:
        return TRAINING
    if n_needed == 1 and ("stats" in name or ("pair" in name and "count" in name)):
        return STATS
    if n_needed == 3 and name.startswith("merge"):
        return MERGE
    return RECOVER if n_needed == 1 and "recover" in name and "merge" in name else None


def needed_flags_by_argument(value: Callable[..., Any]) -> dict[str, bool]:
    """Return the arguments of a function or a constructor, each with whether it must be given."""
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {
        each.name: each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        for each in found
        if each.name != "self"
    }
