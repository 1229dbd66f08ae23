"""What several tests need: odd texts, tokenizers, tiktoken without a network."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for `naive`
os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(__file__).parents[1] / "assets" / "tiktoken")

from hypothesis import settings

import tokviz
from tokviz.samples import sample

# A shared machine is sometimes slow; a slow example is not a wrong one.
settings.register_profile("tokviz", deadline=None)
settings.load_profile("tokviz")

ODD = [
    "",
    " ",
    "   \n\t\r\n  ",
    "trailing space ",
    "👩‍👩‍👧‍👦 🇹🇭 👍🏽",
    "น้ำเปล่า ที่นี่ กำลังดี",
    "வணக்கம் நண்பர்களே",
    "你好，世界。今天天气很好",
    "שלום مرحبا \u202eabc\u202c",
    "a\ud83d b",
    "\ud83d\ude00 pair",
    "\ufeffbom",
    "nul\x00nul",
    "<script>alert('x')</script><|endoftext|>",
    "It's IT'S we'll WE'LL",
    "3221 + 2334 = 5555, 1234567",
    "e\u0301 \u200b\u200d \ufffd",
]


@pytest.fixture(scope="session")
def trained() -> tokviz.Tokenizer:
    """A throwaway tokenizer, so that no test needs a file from outside."""
    return tokviz.train(sample("mixed"), vocab_size=600, special_tokens=["<s>", "<s>x"])
