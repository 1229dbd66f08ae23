"""tokviz: train, trace, explain and show byte pair encodings.

Everything public is here, and imported when it is first used: `import tokviz` alone takes a few milliseconds.
`__init__.pyi` says where it is, to this module as to editors and type checkers.
"""

from importlib import import_module

with open(f"{__file__}i", encoding="utf-8") as _stub:
    _IMPORTS = [line.split() for line in _stub if line.startswith("from ")]
_HOME_OF = {name: home for _, home, _, name, *_ in _IMPORTS}
__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> object:
    """Import what has this name, and keep it."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'tokviz' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
