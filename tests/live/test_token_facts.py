"""What the inspector says of a token."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live.edits import TEXTS

import tokviz
from tokviz import load, text_spans, token_spans
from tokviz.live.document import Document
from tokviz.live.views.token_facts import TREE_BYTES_MAX, token_facts
from tokviz.live.views.token_view import TokenView

LLAMA3 = tokviz.train("the 123 'll ที่นี่ 你好 " * 9, vocab_size=276, split_pattern="llama3", special_tokens=["<s>"])


def facts(text: str, token: int, name: str = "cl100k_base", **options) -> dict:
    tokenizer = load(name)
    ids = tokenizer.encode(text, allowed_special=options.get("allowed_special", ()))
    return token_facts(tokenizer, token_spans(tokenizer, ids), token, **options)


def test_rank_pretoken_alternative_tree_and_neighbours():
    said = facts("so unbelievable", 1)
    assert said["pretoken"] == " unbelievable"
    assert said["alternative"]["name"] == "letters"
    assert said["rank"] == load("cl100k_base").encode(" unbelievable")[0] - 256
    assert said["tree"]["text"] == "·unbelievable"
    assert said["tree"]["left"]["text"] + said["tree"]["right"]["text"] == "·unbelievable"
    assert said["left"] == "another pretoken: merges never cross the boundary between two"
    assert said["right"] == "the text ends here"


def test_a_merge_that_lost_is_told():
    said = facts("unbelievable", 0)
    assert said["left"] == "the text begins here"
    assert said["right"].startswith("n + b is merge 18,315, but merge 103 came first and took its left side into un")


def test_special_tokens_and_pasted_ids():
    said = facts("a<|endoftext|>", 1, allowed_special="all")
    assert said["left"] == "a special token never merges"
    assert said["tree"] is None
    gpt2 = load("gpt2")
    # "ab" is one token of gpt2; these are its letters.
    assert token_facts(gpt2, token_spans(gpt2, gpt2.encode("a") + gpt2.encode("b")), 1) == {"rank": None}


def test_a_tree_that_no_screen_could_show_is_left_out_and_said():
    text = "a" * 4 * TREE_BYTES_MAX
    tokenizer = tokviz.train(text, vocab_size=266, split_pattern="none")
    said = token_facts(tokenizer, token_spans(tokenizer, tokenizer.encode(text)), 0)
    n_bytes = len(tokenizer.token_bytes(tokenizer.encode(text)[0]))
    assert n_bytes > TREE_BYTES_MAX
    assert said["tree"] is None and f"{n_bytes:,} leaves" in said["no_tree"]


def test_every_token_of_a_text_has_facts():
    text = "Thai กำลังดี 你好 👩‍🍳 <b>\n\n"
    for name in ("gpt2", "o200k_base"):
        for token in range(len(load(name).encode(text))):
            assert facts(text, token, name)["pretoken"]


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", "llama3"])
@given(text=TEXTS, special=st.booleans())
def test_facts_amid_a_few_pretokens_are_those_of_the_whole_text(name, text, special):
    tokenizer = LLAMA3 if name == "llama3" else load(name)
    allowed_special = "all" if special else ()
    view = TokenView(Document(text), tokenizer, allowed_special=allowed_special)
    made = view.reply(whole=True)["made"]
    spans = text_spans(tokenizer, text, allowed_special=allowed_special)
    for token in range(len(spans)):
        wanted = token_facts(tokenizer, spans, token, allowed_special=allowed_special)
        wanted |= {"made": made, "index": token, "id": int(spans.ids[token])}
        assert view.answer({"token": token, "made": made}) == wanted
