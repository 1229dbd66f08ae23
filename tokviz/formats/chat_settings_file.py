"""The chat templates in a file, or in those beside it, and the special tokens that they name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokviz.chats.formats import Template
from tokviz.core.chat_settings import DEFAULT, ChatSettings
from tokviz.core.patterns import short_repr
from tokviz.core.pretokens import well_formed_text
from tokviz.formats.folders import COMPANIONS, read_tokenizer_file
from tokviz.formats.gguf.header import MAGIC, tokenizer_values
from tokviz.formats.huggingface.tokenizer_config import CONFIG, parsed_config, tokens_by_role
from tokviz.formats.wrong_files import BOM
from tokviz.system import sandbox

SECONDS = 20.0
TEMPLATES_MAX = 1_000_000  # characters together; those in use have some ten thousand
_GGUF_TEMPLATE = "tokenizer.chat_template"
# The ids in a GGUF file, and what Hugging Face calls those tokens; the key of one of them is misspelled.
_GGUF_ROLES = {
    "bos": "bos_token", "eos": "eos_token", "unknown": "unk_token", "padding": "pad_token", "seperator": "sep_token",
    "separator": "sep_token", "cls": "cls_token", "mask": "mask_token", "eot": "eot_token", "eom": "eom_token",
}  # fmt: skip


def chat_settings_if_any(
    data: bytes,
    file_name: str,
    beside: Mapping[str, bytes] = {},
) -> ChatSettings | None:
    """Return chat templates and the tokens they name; None for a file that says nothing of either.

    They come from a GGUF file or its header, or from the files `beside` a tokenizer: tokenizer_config.json,
    special_tokens_map.json, chat_template.json and chat_template.jinja, of which a later one wins. Each may also be
    `data` itself, under its name. Raises ValueError for a file that is damaged.

    >>> config = b'{"chat_template": "{{ bos_token }}", "bos_token": "<s>"}'
    >>> chat_settings_if_any(b"{}", "tokenizer.json", {"tokenizer_config.json": config})
    ChatSettings(templates={'default': '{{ bos_token }}'}, tokens={'bos_token': '<s>'})
    """
    is_gguf = data.startswith(MAGIC)
    files = {name: one for name, one in {**beside, file_name: data}.items() if name in COMPANIONS}
    if not is_gguf and not files:
        return None
    gguf, what = data if is_gguf else None, f"the chat template of {file_name}"
    settings = sandbox.call(_chat_settings_within_limit, gguf, file_name, files, seconds=SECONDS, what=what)
    return settings if settings.templates or settings.tokens else None


def chat_templates(path: str | Path) -> dict[str, Template]:
    """Return the chat templates in a GGUF file, or in the files beside a tokenizer or in its folder, by their names.

    The one for plain chats is "default". Raises ValueError for a file that is damaged.
    """
    file = read_tokenizer_file(Path(path))
    settings = chat_settings_if_any(file.data, file.name, file.beside) or ChatSettings()
    tokens = tuple(settings.tokens.items())
    return {name: Template(name, source, tokens) for name, source in settings.templates.items()}


def _chat_settings_within_limit(gguf: bytes | None, file_name: str, files: Mapping[str, bytes]) -> ChatSettings:
    settings = _settings_of_files(files) if gguf is None else _settings_of_gguf(tokenizer_values(gguf, file_name))
    templates, tokens = (_well_formed_templates(each) for each in (settings.templates, settings.tokens))
    settings = ChatSettings(templates, tokens)
    if sum(map(len, templates.values())) > TEMPLATES_MAX:
        raise ValueError(f"{file_name}: its chat templates have over {TEMPLATES_MAX:,} characters")
    return settings


def _well_formed_templates(texts: Mapping[str, str]) -> dict[str, str]:
    return {well_formed_text(name): well_formed_text(text) for name, text in texts.items()}


def _settings_of_gguf(values: Mapping[str, Any]) -> ChatSettings:
    templates = {}
    for key, value in values.items():
        if isinstance(value, str) and (key == _GGUF_TEMPLATE or key.startswith(f"{_GGUF_TEMPLATE}.")):
            templates[key.removeprefix(_GGUF_TEMPLATE).removeprefix(".") or DEFAULT] = value
    found = values.get("tokenizer.ggml.tokens")
    tokens = {}
    for name, role in _GGUF_ROLES.items():
        token_id = values.get(f"tokenizer.ggml.{name}_token_id")
        if type(token_id) is int and isinstance(found, list) and 0 <= token_id < len(found):
            tokens[role] = str(found[token_id])
    return ChatSettings(templates, tokens)


def _settings_of_files(files: Mapping[str, bytes]) -> ChatSettings:
    config, names = parsed_config(files), parsed_config(files, "special_tokens_map.json")
    templates = _templates_by_name(config.get("chat_template"), CONFIG)
    templates |= _templates_by_name(
        parsed_config(files, "chat_template.json").get("chat_template"), "chat_template.json"
    )
    if "chat_template.jinja" in files:
        try:
            templates[DEFAULT] = files["chat_template.jinja"].removeprefix(BOM).decode()
        except UnicodeDecodeError as e:
            raise ValueError(f"chat_template.jinja: not UTF-8 at byte {e.start:,}") from e
    return ChatSettings(templates, tokens_by_role(config) | tokens_by_role(names))


def _templates_by_name(given: Any, file_name: str) -> dict[str, str]:
    """Return templates by name: one without a name, or a list of some with names."""
    if not given:
        return {}
    entries = [{"name": DEFAULT, "template": given}] if isinstance(given, str) else given
    if isinstance(given, dict):  # by name, as in some files of 2024
        entries = [{"name": name, "template": template} for name, template in given.items()]
    try:
        templates = {entry["name"]: entry["template"] for entry in entries}
    except (TypeError, KeyError):
        templates = {}
    if not templates or not all(isinstance(text, str) for pair in templates.items() for text in pair):
        raise ValueError(f"{file_name}: its chat_template is {short_repr(given)}, neither a text nor some with names")
    return templates
