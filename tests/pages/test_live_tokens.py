"""Token spans that follow an edit against those of the whole text."""

import random

import numpy as np
import pytest

import tokviz
from pages.ui.live_tokens import LiveTokens

EDITS = ["a", " ", "  ", "   \n", "\n\n", "\r\n", "'s", "'ll", "123", "4", "ก", "ั", "你", "😀", "\u200d", "!", "...",
         "/", "\t", "\u3000", "\x85", "A", "AB", "e\u0301", " the", "(x", "\u00a0", "\ud83d", ""]  # fmt: skip


def llama3() -> tokviz.Tokenizer:
    return tokviz.train("the 123 'll ที่นี่ 你好 " * 9, vocab_size=280, split_pattern="llama3")


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", "trained", "llama3"])
def test_spans_after_edits_are_those_of_the_whole_text(name: str, trained: tokviz.Tokenizer, monkeypatch):
    monkeypatch.setattr("pages.ui.live_tokens.SHORT_TEXT", 0)
    tokenizer = trained if name == "trained" else llama3() if name == "llama3" else tokviz.load(name)
    generator = random.Random(7)
    for _ in range(150):
        live = LiveTokens()
        text = "".join(generator.choices(EDITS, k=generator.randrange(1, 120)))
        live.of(tokenizer, text, ())
        for _ in range(8):
            place = generator.randrange(len(text) + 1)
            insert = "".join(generator.choices(EDITS, k=generator.choice([0, 1, 1, 5])))
            text = text[:place] + insert + text[place + generator.choice([0, 0, 1, 4, 30]) :]
            found = live.of(tokenizer, text, ())
            wanted = tokviz.token_spans(tokenizer, tokenizer.encode(text))
            for field, value in vars(wanted).items():
                same = np.array_equal(getattr(found, field), value)
                assert same, f"{field} of {text!r}"
