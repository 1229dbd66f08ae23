"""The name of a model, from what its files say of themselves."""

import re
from collections.abc import Mapping
from typing import Any

from tokviz.formats.gguf.header import MAGIC, general_name
from tokviz.formats.huggingface.tokenizer_config import CONFIG, parsed_config
from tokviz.system import sandbox

SECONDS = 5.0


def model_name_if_any(data: bytes, file_name: str, beside: Mapping[str, bytes]) -> str:
    """Return the name of the model in a GGUF file, or in the files beside a tokenizer; "" if they do not say.

    Of the name of a repository, or a path, it is the last part. What cannot be read says nothing.

    >>> model_name_if_any(b"{}", "tokenizer.json", {"config.json": b'{"_name_or_path": "ada/small-2.5"}'})
    'small-2.5'
    """
    configs = {name: beside[name] for name in ("config.json", CONFIG) if name in beside}
    gguf = data if data.startswith(MAGIC) else None
    if gguf is None and not configs:
        return ""
    try:
        return sandbox.call(_last_part_of_name, gguf, configs, seconds=SECONDS, what=f"the name in {file_name}")
    except ValueError:
        return ""


def _last_part_of_name(gguf: bytes | None, configs: Mapping[str, bytes]) -> str:
    found: list[Any] = [general_name(gguf)] if gguf else []
    for file in configs:
        config = parsed_config(configs, file)
        found += [config.get("_name_or_path"), config.get("name_or_path")]
    names = (re.split(r"[\\/]", name.strip(" \\/."))[-1] for name in found if isinstance(name, str))
    return next(filter(None, names), "")
