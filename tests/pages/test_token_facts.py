"""What the inspector says of a token."""

import tokviz
from pages.ui.token_facts import TREE_BYTES_MAX, token_facts
from tokviz import load, token_spans


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
