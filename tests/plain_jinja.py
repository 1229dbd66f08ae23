"""Jinja as transformers sets it up for chat templates, where texts are plain: what ours is compared with."""

import json
from datetime import datetime

import jinja2
import jinja2.sandbox

NOW = datetime(2026, 11, 22, 18, 30)


def plain_environment() -> jinja2.Environment:
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = plain_json
    environment.globals |= {"strftime_now": NOW.strftime}
    return environment


def plain_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
