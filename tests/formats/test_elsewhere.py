"""Models whose tokenizer is not included: each of their names gets the reason."""

import pytest

from tokviz import load
from tokviz.formats.elsewhere import ELSEWHERE, reason_not_included, reason_not_included_of_family
from tokviz.formats.pretrained import ENCODINGS, MODELS


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("llama 2", "Llama"),
        ("meta-llama/Llama-2-70b", "Llama"),
        ("codellama", "Llama"),
        ("gemma 2 27b", "Gemma"),
        ("google/gemini-2.5-pro", "Gemini"),
        ("Qwen1.5-7B", "Qwen"),
        ("DeepSeek-R1-Distill-Qwen-7B", "DeepSeek"),
        ("Mixtral-8x7B", "Mistral"),
        ("claude-3-5-sonnet", "Claude"),
        ("Claude Sonnet", "Claude"),
        ("Opus 4.1", "Claude"),
        ("x-ai/grok-4", "Grok"),
        *zip(*[[family for family, it in ELSEWHERE.items() if not it.is_partly_included]] * 2, strict=True),
    ],
)
def test_a_name_is_refused_with_the_reason(name, family):
    assert reason_not_included(name) == reason_not_included_of_family(family)
    with pytest.raises(ValueError, match=f"^{family} is "):
        load(name)


@pytest.mark.parametrize(
    ("name", "relative"),
    [
        ("Phi-4", "cl100k_base"),
        ("microsoft/Phi-4-reasoning", "cl100k_base"),
        ("phi4:14b", "cl100k_base"),
        ("Phi-4-mini-instruct", "o200k_base"),
        ("OLMo 2", "cl100k_base"),
        ("allenai/Olmo-3-7B", "cl100k_base"),
        ("Qwen 2.5", "qwen3"),
    ],
)
def test_a_model_with_other_special_tokens_is_led_to_the_tokenizer_with_its_merges(name, relative):
    assert f"has the merges of {relative} and other special tokens" in reason_not_included(name)


def test_what_is_here_or_unknown_is_never_said_to_be_elsewhere():
    for name in (*ENCODINGS, *MODELS, "my tokenizer", "corpus", "OLMo-7B", "gpt-9000", "", "x" * 999 + "claude"):
        assert reason_not_included(name) == "", name
