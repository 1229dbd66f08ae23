"""What the inspector says of a token."""

import pytest
from each import quick
from hypothesis import given
from hypothesis import strategies as st
from live.edits import TEXTS
from live.naive_facts import naive_facts

import tokviz
from tokviz import load, text_spans
from tokviz.core import trace
from tokviz.live.document import Document
from tokviz.live.follower import FOLLOWED_MAX
from tokviz.live.look import Look
from tokviz.live.views.ids_view import IdsView
from tokviz.live.views.token_facts import TRACED_MAX, TREE_BYTES_MAX
from tokviz.live.views.token_view import TokenView

OWN = r"\p{L}+(?=\s)|(?<=a) |<s>|[0-9]+|\S"
TRAINED = {
    pattern: tokviz.train("the 123 'll ที่นี่ 你好 " * 9, vocab_size=272, split_pattern=pattern, special_tokens=["<s>"])
    for pattern in ("llama3", "none", OWN)
}


def facts(text: str, token: int, tokenizer: tokviz.Tokenizer, *, allowed_special: str | tuple[str, ...] = ()) -> dict:
    view = TokenView(Document(text), tokenizer, look=Look(allowed_special))
    return view.answer({"token": token, "revision": view.reply(whole=True)["revision"]})


def facts_of_ids(ids: list[int], token: int, tokenizer: tokviz.Tokenizer) -> dict:
    view = IdsView(Document(" ".join(map(str, ids))), tokenizer)
    return view.answer({"token": token, "revision": view.reply(whole=True)["revision"]})


def test_rank_pretoken_alternative_tree_and_neighbours():
    said = facts("so unbelievable", 1, load("cl100k_base"))
    assert said["pretoken"] == " unbelievable"
    assert said["alternative"]["name"] == "letters"
    assert said["rank"] == load("cl100k_base").encode(" unbelievable")[0] - 256
    assert bytes.fromhex(said["tree"]["bytes"]) == b" unbelievable"
    assert bytes.fromhex(said["tree"]["left"]["bytes"] + said["tree"]["right"]["bytes"]) == b" unbelievable"
    assert said["left"] == "another pretoken: merges never cross the boundary between two"
    assert said["right"] == "the text ends here"


def test_a_merge_that_lost_is_told():
    said = facts("unbelievable", 0, load("cl100k_base"))
    assert said["left"] == "the text begins here"
    assert said["right"].startswith("n + b is merge 18,316, but merge 104 came first and took its left side into un")


def test_special_tokens_and_pasted_ids():
    said = facts("a<|endoftext|>", 1, load("cl100k_base"), allowed_special="all")
    assert said["left"] == "a special token never merges"
    assert said["tree"] is None
    gpt2 = load("gpt2")
    # "ab" is one token of gpt2; these are its letters.
    said = facts_of_ids([*gpt2.encode("a"), *gpt2.encode("b")], 1, gpt2)
    assert said.keys() == {"revision", "index", "id", "rank"} and said["rank"] is None


def test_a_tree_that_no_screen_could_show_is_left_out_and_said():
    text = "a" * 4 * TREE_BYTES_MAX
    tokenizer = tokviz.train(text, vocab_size=266, split_pattern="none")
    said = facts(text, 0, tokenizer)
    n_bytes = len(tokenizer.token_bytes(tokenizer.encode(text)[0]))
    assert n_bytes > TREE_BYTES_MAX
    assert said["tree"] is None and f"{n_bytes:,} leaves" in said["no_tree"]


def test_every_token_of_a_text_has_facts():
    text = "Thai กำลังดี 你好 👩‍🍳 <b>\n\n"
    for name in ("gpt2", "o200k_base"):
        for token in range(len(load(name).encode(text))):
            assert facts(text, token, load(name))["pretoken"]


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", *TRAINED])
@given(text=TEXTS, special=st.booleans())
def test_facts_of_the_pretokens_around_a_token_are_those_of_the_whole_text(name, text, special):
    tokenizer = TRAINED.get(name) or load(name)
    allowed_special = "all" if special else ()
    view = TokenView(Document(text), tokenizer, look=Look(allowed_special))
    revision = view.reply(whole=True)["revision"]
    spans = text_spans(tokenizer, text, allowed_special=allowed_special)
    for token in range(len(spans)):
        wanted = naive_facts(tokenizer, spans, token, allowed_special)
        wanted |= {"revision": revision, "index": token, "id": int(spans.ids[token])}
        answer = view.answer({"token": token, "revision": revision})
        assert {name: value for name, value in answer.items() if name not in ("open", "ways")} == wanted


@pytest.mark.parametrize("name", ["cl100k_base", "llama3"])
def test_facts_of_ids_that_are_their_texts_own_are_those_of_the_text(name):
    tokenizer = TRAINED.get(name) or load(name)
    text = "the ที่นี่ 😀<s><|endoftext|> 123"
    ids = tokenizer.encode(text, allowed_special="all")
    spans = text_spans(tokenizer, text, allowed_special="all")
    for token in range(len(ids)):
        assert naive_facts(tokenizer, spans, token, "all").items() <= facts_of_ids(ids, token, tokenizer).items()


@pytest.mark.parametrize("n_ids", quick([500, 1_000, 10_000], 1_000))
def test_a_click_on_one_of_many_long_tokens_traces_and_encodes_only_so_much(monkeypatch, n_ids):
    gpt4 = load("cl100k_base")
    (spaces,) = gpt4.encode(" " * 128)
    traced, encoded = [], []
    ranks, encode = trace.closing_ranks, tokviz.Tokenizer.encode_pretoken

    def counted(piece, of, *, merged=None, late=None):
        if merged is None:  # else it is the tree of a short token
            traced.append(len(piece))
        return ranks(piece, of, merged=merged, late=late)

    monkeypatch.setattr(trace, "closing_ranks", counted)
    monkeypatch.setattr(
        tokviz.Tokenizer, "encode_pretoken", lambda self, piece: encoded.append(len(piece)) or encode(self, piece)
    )
    said = facts_of_ids([spaces] * n_ids, n_ids // 2, gpt4)
    assert said["rank"] == gpt4.merge_rank(spaces)
    assert sum(traced) == (128 * n_ids if 128 * n_ids <= TRACED_MAX else 0)
    assert sum(encoded) <= FOLLOWED_MAX
    assert bool(said.get("tree")) == (n_ids == 500)
    assert ("128,000 bytes, more than 100,000" in said.get("no_tree", "")) == (n_ids == 1_000)


def test_what_can_still_change_a_token_and_in_how_many_ways_it_can_be_cut():
    first, last = (facts("the cat", token, load("cl100k_base")) for token in (0, 1))
    assert "open" not in first and last["open"] == {"continuation": "ch", "then": [("20 63 61 74 63 68", 2339)]}
    assert (first["ways"], last["ways"]) == ("4", "8")
    assert "ways" not in facts("a", 0, load("gpt2"))
    assert facts("a<|endoftext|>", 1, load("gpt2"), allowed_special="all").keys().isdisjoint({"open", "ways"})
    assert "open" not in facts("the the", 1, TRAINED[OWN])  # of whose pattern nothing is proved
    assert "open" not in facts("cat " * 13_000 + "cat", 13_000, load("gpt2"))  # a long text
