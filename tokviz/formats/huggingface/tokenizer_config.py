"""tokenizer_config.json, the file beside a tokenizer.json that says what that lacks: added tokens, roles, class."""

from collections.abc import Mapping
from typing import Any

from tokviz.core.patterns import short_repr
from tokviz.formats.huggingface.bpe_spec import FLAGS, added_token_entry
from tokviz.formats.huggingface.tokenizer import parsed_json

CONFIG = "tokenizer_config.json"


def parsed_config(beside: Mapping[str, bytes], file_name: str = CONFIG) -> dict[str, Any]:
    """Return the JSON object of one of the files beside a tokenizer, empty without it; ValueError if it is damaged.

    >>> parsed_config({"tokenizer_config.json": b'{"eos_token": "<s>"}'}), parsed_config({})
    ({'eos_token': '<s>'}, {})
    """
    if file_name not in beside:
        return {}
    config = parsed_json(beside[file_name], file_name, f"a {file_name}")
    if not isinstance(config, dict):
        raise ValueError(f"{file_name}: JSON, but a {type(config).__name__}, not an object")
    return config


def tokens_by_role(config: Mapping[str, Any]) -> dict[str, str]:
    """Return the tokens of a config by their role, such as "bos_token"; each is a text there, or has a content.

    >>> tokens_by_role({"bos_token": {"content": "<s>"}, "eos_token": "</s>", "pad_token": None, "bos_token_id": 1})
    {'bos_token': '<s>', 'eos_token': '</s>'}
    """
    tokens = {}
    for role, token in config.items():
        content = token.get("content") if isinstance(token, dict) else token
        if role.endswith("_token") and isinstance(content, str):
            tokens[role] = content
    return tokens


def config_added_tokens(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the added tokens of a config, by ascending id, as a tokenizer.json has them; ValueError for damage.

    >>> decoder = {"7": {"content": "<tool>", "special": True}}
    >>> [(token["id"], token["content"]) for token in config_added_tokens({"added_tokens_decoder": decoder})]
    [(7, '<tool>')]
    """
    decoder = config.get("added_tokens_decoder") or {}
    if not isinstance(decoder, dict):
        raise ValueError(f"{CONFIG}: its added_tokens_decoder is {short_repr(decoder)}, not tokens by their ids")
    tokens = []
    for token_id, token in decoder.items():
        content = token.get("content") if isinstance(token, dict) else None
        if not isinstance(content, str) or not token_id.isascii() or not token_id.isdigit() or len(token_id) > 10:
            raise ValueError(
                f"{CONFIG}: expected an added token with its id and content, not {short_repr({token_id: token})}"
            )
        flags = {flag: bool(token.get(flag)) for flag in FLAGS}
        tokens.append(added_token_entry(content, int(token_id), special=bool(token.get("special")), **flags))
    return sorted(tokens, key=lambda token: token["id"])
