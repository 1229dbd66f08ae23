"""The code that a page shows gives, when it is run, what the page shows."""

from functools import cache
from itertools import product

import pytest
from foreign_files import sentencepiece_file, wordpiece_file
from tokenizers import Tokenizer as Library
from tokenizers import processors

import tokviz
from pages.ui.playground.result import PlaygroundResult
from tokviz.chats.chatml import chat_ids, chat_tokenizer
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import sample
from tokviz.core.spans import text_spans
from tokviz.formats.huggingface.tokenizer import HFTokenizer
from tokviz.formats.pretrained import PRETRAINED
from tokviz.formats.python_code import (
    INLINE_MAX,
    LIBRARY_FILE,
    Example,
    files_read_by_tokviz_and_tiktoken_code,
    tiktoken_code_if_equivalent,
    tokenizers_code_if_possible,
    tokenizers_file_bytes,
    tokviz_code,
)
from tokviz.formats.sentencepiece import SentencePieceTokenizer
from tokviz.live.look import Look

TEXT = "It's 3221+2334 = 5555, \"quoted\" 'twice'\n\tน้ำ 你好 👩‍🍳 \\n {x} <|endoftext|> <s> \ud83d\x00  "
MESSAGES = (("system", TEXT), ("user", "one\ntwo <|im_end|>"), ("assistant", ""))


def of_text(tokenizer: tokviz.Tokenizer, text: str, allow_special: bool = False) -> PlaygroundResult:
    look = Look("all" if allow_special else ())
    ids = tokenizer.encode(text, allowed_special=look.allowed_special)
    spans = tokviz.token_spans(tokenizer, ids)
    return PlaygroundResult(tokenizer, spans, Example(tokenizer, "text", spans.text, allow_special), look)


def as_example(tokenizer: tokviz.Tokenizer, text: str, allow_special: bool = False) -> Example:
    return of_text(tokenizer, text, allow_special).example


def of_chat(tokenizer: tokviz.Tokenizer, messages: tuple[tuple[str, str], ...] = MESSAGES) -> PlaygroundResult:
    derived = chat_tokenizer(tokenizer)
    value = [(role, well_formed_text(text)) for role, text in messages]
    spans = tokviz.token_spans(derived, chat_ids(derived, messages))
    return PlaygroundResult(derived, spans, Example(tokenizer, "messages", value))


def of_ids(tokenizer: tokviz.Tokenizer, ids: list[int]) -> PlaygroundResult:
    return PlaygroundResult(tokenizer, tokviz.token_spans(tokenizer, ids), Example(tokenizer, "ids", ids))


@cache
def trained(pattern: str) -> tokviz.Tokenizer:
    return tokviz.train(TEXT * 3, vocab_size=300, split_pattern=pattern, special_tokens=["<s>"], name="mine")


def what_code_gives(code: str, shown: PlaygroundResult, folder, monkeypatch) -> dict:
    files = files_read_by_tokviz_and_tiktoken_code(shown.example)
    if "import tokenizers" in code:
        files[LIBRARY_FILE] = tokenizers_file_bytes(shown.example.tokenizer)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    monkeypatch.chdir(folder)
    names: dict = {}
    exec(code, names)
    return names


CODES = [tokviz_code, tiktoken_code_if_equivalent, tokenizers_code_if_possible]
NAMES = ["gpt2", "cl100k_base", "o200k_base", "none", "gpt2's", "llama3"]
# Large tables, written and read.
LONG = [*((name, tokenizers_code_if_possible) for name in PRETRAINED), *(("o200k_base", code) for code in CODES)]


@pytest.mark.parametrize(
    ("tokenizer", "code"),
    [pytest.param(*each, marks=[pytest.mark.slow] * (each in LONG)) for each in product(NAMES, CODES)],
)
def test_the_code_gives_the_same_ids(tokenizer, code, tmp_path, monkeypatch):
    tokenizer = tokviz.load(tokenizer) if tokenizer in PRETRAINED else trained(tokenizer.removesuffix("'s"))
    ids = tokenizer.encode(TEXT)
    for shown in [
        of_text(tokenizer, ""),
        of_text(tokenizer, TEXT),
        of_text(tokenizer, TEXT, allow_special=True),
        of_text(tokenizer, sample("thai") + "\r\n" + sample("python")),
        of_chat(tokenizer),
        of_chat(tokenizer, (*MESSAGES, ("user", sample("chinese") + "\ud83d"))),
        of_ids(tokenizer, ids),
        of_ids(tokenizer, ids * 60),
    ]:
        names = what_code_gives(code(shown.example), shown, tmp_path, monkeypatch)
        assert names["ids"] == shown.spans.ids.tolist()
        if shown.example.name == "ids":
            assert names["text"] == shown.spans.text


def test_a_long_text_does_not_stand_in_the_code():
    shown = of_text(tokviz.load("gpt2"), "x" * (INLINE_MAX + 1))
    assert len(tokviz_code(shown.example)) < 300
    assert files_read_by_tokviz_and_tiktoken_code(shown.example) == {"text.txt": b"x" * (INLINE_MAX + 1)}


def test_tiktoken_is_not_given_special_tokens_or_white_space_it_may_read_otherwise():
    text = "abab<s>b<s>x"
    tokenizer = tokviz.train(text, vocab_size=257, special_tokens=["<s>", "<s>x"], name="mine")
    assert tiktoken_code_if_equivalent(as_example(tokenizer, text)) is not None
    assert tiktoken_code_if_equivalent(as_example(tokenizer, text, allow_special=True)) is None
    assert tiktoken_code_if_equivalent(as_example(tokviz.load("gpt2"), " " * 20_000)) is None


@pytest.mark.parametrize("name", ["kimi-k2", "tekken"])
def test_tiktoken_is_not_asked_for_a_tokenizer_that_does_not_come_with_it(name):
    assert tiktoken_code_if_equivalent(as_example(tokviz.load(name), "ab")) is None


def test_a_tokenizer_is_known_by_itself_and_not_by_its_name():
    tokenizer = tokviz.train("abab", vocab_size=257, name="gpt2 + ChatML")
    assert 'read("tokenizer.model")' in tokviz_code(as_example(tokenizer, "ab"))
    assert "tokenizer.model" in files_read_by_tokviz_and_tiktoken_code(as_example(tokenizer, "ab"))


def test_a_tokenizer_with_the_name_of_a_pretrained_one_is_read_from_its_file(tmp_path, monkeypatch):
    tokenizer = tokviz.train("abab", vocab_size=257, split_pattern="gpt2", name="gpt2")
    for code in (tokviz_code, tiktoken_code_if_equivalent, tokenizers_code_if_possible):
        shown = of_text(tokenizer, "abab")
        assert what_code_gives(code(shown.example), shown, tmp_path, monkeypatch)["ids"] == [256, 256]


def test_tiktoken_is_not_given_a_pattern_it_may_read_otherwise():
    tokenizer = tokviz.train("aaab", vocab_size=257, split_pattern="a+", name="mine")
    assert tiktoken_code_if_equivalent(as_example(tokenizer, "ab")) is None


@pytest.mark.parametrize("allow_special", [False, True])
def test_the_tokenizers_library_runs_what_it_alone_can_run(allow_special, tmp_path, monkeypatch):
    tokenizer = HFTokenizer("berta", with_settings(wordpiece_file()))
    text = "The ferry [SEP] left, ☃ at noon. " * 3
    ids = tokenizer.encode(text, allowed_special="all" if allow_special else ())
    shown = PlaygroundResult(tokenizer, text_spans(tokenizer, text), Example(tokenizer, "text", text, allow_special))
    assert (tokenizer.special_tokens["[SEP]"] in ids) == allow_special
    names = what_code_gives(tokenizers_code_if_possible(shown.example), shown, tmp_path, monkeypatch)
    assert names["ids"] == ids


def with_settings(data: bytes) -> bytes:
    """Return a tokenizer.json that cuts off what is long, and adds tokens around a text."""
    library = Library.from_buffer(data)
    library.enable_truncation(5)
    library.enable_padding(length=50)
    library.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return library.to_str().encode()


def test_there_is_no_code_for_the_library_where_it_cuts_otherwise():
    tokenizer = tokviz.train("aaab b", vocab_size=257, split_pattern=r"\w+|\W", name="mine")
    assert tokenizers_code_if_possible(as_example(tokenizer, "ab")) is None
    assert (
        tokenizers_code_if_possible(Example(SentencePieceTokenizer("mine", sentencepiece_file()), "text", "ab")) is None
    )
