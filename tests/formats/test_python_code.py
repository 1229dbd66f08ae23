"""The code that a page shows gives, when it is run, what the page shows."""

import pytest

import tokviz
from pages.ui.playground.result import PlaygroundResult
from tokviz.chats.chatml import chat_ids, chat_tokenizer
from tokviz.core.samples import sample
from tokviz.formats.python_code import INLINE_MAX, Example, code_files, tiktoken_code, tokviz_code

TEXT = "It's 3221+2334 = 5555, \"quoted\" 'twice'\n\tน้ำ 你好 👩‍🍳 \\n {x} <|endoftext|> <s> \ud83d\x00  "
MESSAGES = (("system", TEXT), ("user", "one\ntwo <|im_end|>"), ("assistant", ""))


def of_text(tokenizer: tokviz.Tokenizer, text: str, allow_special: bool = False) -> PlaygroundResult:
    ids = tokenizer.encode(text, allowed_special="all" if allow_special else ())
    return PlaygroundResult(
        tokenizer, tokviz.token_spans(tokenizer, ids), "Text", base=tokenizer, text=text, allow_special=allow_special
    )


def as_example(tokenizer: tokviz.Tokenizer, text: str, allow_special: bool = False) -> Example:
    return of_text(tokenizer, text, allow_special).example()


def of_chat(tokenizer: tokviz.Tokenizer, messages: tuple[tuple[str, str], ...] = MESSAGES) -> PlaygroundResult:
    derived = chat_tokenizer(tokenizer)
    return PlaygroundResult(
        derived, tokviz.token_spans(derived, chat_ids(derived, messages)), "Chat", base=tokenizer, messages=messages
    )


def of_ids(tokenizer: tokviz.Tokenizer, ids: list[int]) -> PlaygroundResult:
    return PlaygroundResult(tokenizer, tokviz.token_spans(tokenizer, ids), "Ids", base=tokenizer)


def tokenizers() -> list[tokviz.Tokenizer]:
    some = [tokviz.load(name) for name in ("gpt2", "cl100k_base", "o200k_base")]
    for pattern in ("none", "gpt2", "llama3"):
        some.append(tokviz.train(TEXT * 3, vocab_size=300, split_pattern=pattern, special_tokens=["<s>"], name="mine"))
    return some


def what_code_gives(code: str, shown: PlaygroundResult, folder, monkeypatch) -> dict:
    for name, data in code_files(shown.example()).items():
        (folder / name).write_bytes(data)
    monkeypatch.chdir(folder)
    names: dict = {}
    exec(code, names)
    return names


@pytest.mark.parametrize("code", [tokviz_code, tiktoken_code])
@pytest.mark.parametrize("number", [0, 1, pytest.param(2, marks=pytest.mark.slow), 3, 4, 5])
def test_the_code_gives_the_same_ids(code, number, tmp_path, monkeypatch):
    tokenizer = tokenizers()[number]
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
        names = what_code_gives(code(shown.example()), shown, tmp_path, monkeypatch)
        assert names["ids"] == shown.spans.ids.tolist()
        if shown.source == "Ids":
            assert names["text"] == shown.spans.text


def test_a_long_text_does_not_stand_in_the_code():
    shown = of_text(tokviz.load("gpt2"), "x" * (INLINE_MAX + 1))
    assert len(tokviz_code(shown.example())) < 300
    assert code_files(shown.example()) == {"text.txt": b"x" * (INLINE_MAX + 1)}


def test_tiktoken_is_not_given_special_tokens_or_white_space_it_may_read_otherwise():
    text = "abab<s>b<s>x"
    tokenizer = tokviz.train(text, vocab_size=257, special_tokens=["<s>", "<s>x"], name="mine")
    assert tiktoken_code(as_example(tokenizer, text)) is not None
    assert tiktoken_code(as_example(tokenizer, text, allow_special=True)) is None
    assert tiktoken_code(as_example(tokviz.load("gpt2"), " " * 20_000)) is None


def test_a_tokenizer_is_known_by_itself_and_not_by_its_name():
    tokenizer = tokviz.train("abab", vocab_size=257, name="gpt2 + ChatML")
    assert 'read("tokenizer.model")' in tokviz_code(as_example(tokenizer, "ab"))
    assert "tokenizer.model" in code_files(as_example(tokenizer, "ab"))


def test_a_tokenizer_with_the_name_of_a_pretrained_one_is_read_from_its_file(tmp_path, monkeypatch):
    tokenizer = tokviz.train("abab", vocab_size=257, split_pattern="gpt2", name="gpt2")
    for code in (tokviz_code, tiktoken_code):
        shown = of_text(tokenizer, "abab")
        assert what_code_gives(code(shown.example()), shown, tmp_path, monkeypatch)["ids"] == [256, 256]


def test_tiktoken_is_not_given_a_pattern_it_may_read_otherwise():
    tokenizer = tokviz.train("aaab", vocab_size=257, split_pattern="a+", name="mine")
    assert tiktoken_code(as_example(tokenizer, "ab")) is None
