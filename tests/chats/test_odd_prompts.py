"""The tokens of prompts that know their markers are placed in the text as typed, where texts are changed."""

import random

import pytest
from odd_tokenizers import NORMALIZERS, random_tokenizer

from tokviz import text_spans
from tokviz.chats.formats import ChatML
from tokviz.chats.messages import Message
from tokviz.chats.prompt import prompt_spans, token_owners_and_is_content

ALPHABET = "aA e\u0301É>/▁\n"


@pytest.mark.parametrize("name", NORMALIZERS)
def test_prompts_have_the_tokens_of_their_text(name):
    rng = random.Random(name)
    for pattern in ("sentencepiece", "o200k"):
        tokenizer = ChatML().tokenizer(random_tokenizer(rng, ALPHABET, pattern, NORMALIZERS[name], 20))
        for _ in range(8):
            texts = ("x" + "".join(rng.choices(ALPHABET, k=rng.randint(0, 9))) for _ in range(3))
            messages = [Message(role, text) for role, text in zip(("user", "assistant", "user"), texts, strict=True)]
            prompt = ChatML().prompt(messages)
            found, expected = prompt_spans(tokenizer, prompt), text_spans(tokenizer, prompt.text, allowed_special="all")
            assert found.text == expected.text == prompt.text
            assert found.ids.tolist() == expected.ids.tolist()
            assert found.byte_starts.tolist() == expected.byte_starts.tolist()
            assert found.byte_ends.tolist() == expected.byte_ends.tolist()
            owners, is_content = token_owners_and_is_content(prompt, found)
            assert {*owners[is_content].tolist()} == {0, 1, 2}
