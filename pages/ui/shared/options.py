"""Options whose values survive a change of page and a reload, and travel with a link.

Each is in the session state under its key, which is also the key of its widget. Every value is plain JSON. What comes
from a link or a tab must have the type of the default; what its page allows beyond that, the widget says that shows it.
"""

import uuid
from collections.abc import Callable, Collection, Mapping
from typing import Any

import streamlit as st

from tokviz.core.patterns import ends_its_process
from tokviz.core.pretokens import well_formed

OWN_PATTERN = "your own"
# Of every option; each page adds its own, in the `options.py` of its folder.
DEFAULTS: dict[str, Any] = {"own_pattern": r"\p{L}+|\p{N}+"}


def add_options(**defaults: Any) -> None:
    """Add options, each with the value it has before anybody sets it."""
    DEFAULTS.update(defaults)


def option_widget(key: str, widget: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Show a widget whose value survives a change of page, and return the value, which is kept under `key`.

    If the widget does not offer the value, it shows the default or the nearest.
    """
    value = _offered(option_value(key), DEFAULTS[key], options)
    # A widget disabled by the message that brings its value would go back to the value before.
    if options.get("disabled") or key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return widget(*args, key=key, persist_state="session", **options)


def option_value(key: str) -> Any:
    """Return a value, even if no widget shows it."""
    return st.session_state.get(key, DEFAULTS[key])


def widget_key(name: str) -> str:
    """Return the key of a widget that `reset_widget` empties; Streamlit has no other way to do that.

    A callback checks it: if a message was on its way, Streamlit calls the callback of a widget that is gone, with the
    value it had.
    """
    return f"_{name} {version_of(name)}"


def reset_widget(name: str) -> None:
    """Have the widget of this name shown again, empty, under a new key."""
    st.session_state[f"{name}:version"] = version_of(name) + 1


def version_of(name: str) -> int:
    """Return how often `set_option` or `reset_widget` was called for this name."""
    return st.session_state.get(f"{name}:version", 0)


def _offered(value: Any, default: Any, options: Mapping[str, Any]) -> Any:
    """Return the value, or the nearest one that a widget with these options takes."""
    choices = options.get("options")
    if isinstance(value, list):
        offered = [choice for choice in dict.fromkeys(value) if choice in choices]
        return offered[: options.get("max_selections")] if offered or not value else default
    if choices is not None:
        return value if value in choices else default if default in choices else choices[0]
    if "min_value" in options:
        return min(max(value, options["min_value"]), options["max_value"])
    return well_formed(value)[: options.get("max_chars")] if isinstance(value, str) else value


def set_option(key: str, value: Any) -> None:
    """Set an option; do so in a callback, or before its widget is shown."""
    st.session_state[key] = value
    reset_widget(key)


def changed_options() -> dict[str, Any]:
    """Return the values that are not defaults, by their keys, without a pattern that crashed its process."""
    values = {key: option_value(key) for key, default in DEFAULTS.items() if option_value(key) != default}
    if ends_its_process(values.get("own_pattern", "none")):
        del values["own_pattern"]
    return values


def restore_options(values: object, *, only: Collection[str] | None = None) -> None:
    """Take values from a browser or a link, leaving out those not in `only` and those of another type."""
    only = DEFAULTS.keys() & (DEFAULTS if only is None else only)
    for key, value in values.items() if isinstance(values, dict) else ():
        if key in only and isinstance(DEFAULTS[key], float) and type(value) is int:
            value = float(value)  # a browser writes 2.0 as 2
        same_type = key in only and type(value) is type(DEFAULTS[key])
        if same_type and (not isinstance(value, list) or all(isinstance(entry, str) for entry in value)):
            set_option(key, value)


def session_id() -> str:
    """Return the name by which the browser knows this session."""
    return st.session_state.setdefault("session_id", uuid.uuid4().hex)


def overridden_by_link() -> set[str]:
    """Return what a link or a page has set in this session, which the tab's memory must not replace.

    These are keys of options, names of documents, and "rows" for the messages of the chat.
    """
    return st.session_state.setdefault("overridden_by_link", set())
