"""Chat templates and the tokens that they name, from a GGUF header and from the files beside a tokenizer."""

import json

import pytest
from gguf_files import byte_level_gguf, gguf_file
from hf_files import byte_level

from tokviz.core.chat_settings import ChatSettings
from tokviz.formats.chat_settings_file import TEMPLATES_MAX, chat_settings_if_any

JSON = b'{"model": {}}'


def of_files(**files: object) -> ChatSettings | None:
    """Return the settings of a tokenizer.json beside which these files stand; text, or JSON of anything else."""
    beside = {
        name.replace("__", "."): (value if isinstance(value, str) else json.dumps(value)).encode()
        for name, value in files.items()
    }
    return chat_settings_if_any(JSON, "tokenizer.json", beside)


def test_a_gguf_file_has_templates_by_name_and_tokens_by_their_roles():
    values = {
        "tokenizer.chat_templates": ["tool_use"],
        "tokenizer.chat_template.tool_use": "tools",
        "tokenizer.chat_template": "{{ messages }} ก",
        "tokenizer.ggml.bos_token_id": 0,
        "tokenizer.ggml.eos_token_id": 1,
        "tokenizer.ggml.padding_token_id": 99_999,
        "tokenizer.ggml.add_bos_token": True,
    }
    data = byte_level_gguf(byte_level(special=("<|bos|>", "<|eos|>")), values=values)
    settings = chat_settings_if_any(data, "x.gguf")
    assert list(settings.templates.items()) == [("default", "{{ messages }} ก"), ("tool_use", "tools")]
    assert settings.tokens == {"bos_token": "<|bos|>", "eos_token": "<|eos|>"}


def test_a_file_that_says_nothing_of_chats_has_no_settings():
    assert chat_settings_if_any(gguf_file("gpt2", ["a"], [1], merges=["a a"]), "x.gguf") is None
    assert of_files() is None
    assert of_files(tokenizer_config__json={"model_max_length": 9, "chat_template": None}) is None


def test_the_config_has_a_template_or_several_with_names():
    config = {"chat_template": "a", "bos_token": "<s>", "eos_token": {"content": "</s>", "lstrip": False}}
    expected = ChatSettings({"default": "a"}, {"bos_token": "<s>", "eos_token": "</s>"})
    assert of_files(tokenizer_config__json=config) == expected
    assert chat_settings_if_any(json.dumps(config).encode(), "tokenizer_config.json") == expected
    several = [{"name": "rag", "template": "r"}, {"name": "default", "template": "d"}]
    assert list(of_files(tokenizer_config__json={"chat_template": several}).templates) == ["default", "rag"]
    assert of_files(tokenizer_config__json={"chat_template": {"rag": "r"}}).templates == {"rag": "r"}


def test_a_file_of_its_own_wins_over_the_config():
    config = {"chat_template": [{"name": "default", "template": "old"}, {"name": "rag", "template": "r"}]}
    settings = of_files(tokenizer_config__json=config, chat_template__jinja="{{ new }}\n")
    assert settings.templates == {"default": "{{ new }}\n", "rag": "r"}
    settings = of_files(tokenizer_config__json=config, chat_template__json={"chat_template": "newer"})
    assert settings.templates["default"] == "newer"
    tokens = of_files(tokenizer_config__json={"eos_token": "a"}, special_tokens_map__json={"eos_token": "b"}).tokens
    assert tokens == {"eos_token": "b"}


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        ({"tokenizer_config.json": b"{"}, "tokenizer_config.json, line 1: not JSON"),
        ({"tokenizer_config.json": b"[]"}, "tokenizer_config.json: JSON, but a list, not an object"),
        ({"tokenizer_config.json": b'{"chat_template": 1}'}, "its chat_template is 1, neither a text nor some with"),
        ({"tokenizer_config.json": b'{"chat_template": [{"name": "a"}]}'}, "neither a text nor some with names"),
        ({"tokenizer_config.json": b'{"chat_template": {"a": 1}}'}, "neither a text nor some with names"),
        ({"chat_template.jinja": b"\xff"}, "chat_template.jinja: not UTF-8 at byte 0"),
        ({"chat_template.jinja": b"a" * (TEMPLATES_MAX + 1)}, "tokenizer.json: its chat templates have over 1,000,000"),
    ],
)
def test_damage_is_refused_in_words(beside, words):
    with pytest.raises(ValueError, match=rf"^{words}|: .*{words}"):
        chat_settings_if_any(JSON, "tokenizer.json", beside)
