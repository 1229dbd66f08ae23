"""Whatever edits a document takes, a browser that applies the replies of a view holds the tokens of the whole text."""

from itertools import accumulate
from unittest.mock import patch

import pytest
from each import quick
from hypothesis import example, given
from hypothesis import strategies as st
from live.edits import EDITS, TEXTS, edit
from live.kinds import NORMALIZERS, tokenizer_of_kind
from live.receiver import ReceivedTokens, unpacked
from tokenizers import Tokenizer, models

import tokviz
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import sample
from tokviz.families.library_training import train_sentencepiece, train_wordpiece
from tokviz.families.teaching import ListTokenizer
from tokviz.formats.huggingface.tokenizer import HFTokenizer
from tokviz.live.document import Document, units_of
from tokviz.live.edit import Edit
from tokviz.live.look import Look
from tokviz.live.recut import PIECE
from tokviz.live.views.token_view import TokenView

OWN = r"\p{L}+(?=\s)|(?<=a) |[0-9]+|\S"
NAMES = ["gpt2", "cl100k", "o200k", "llama3", "none", "own"]


@pytest.fixture(
    scope="module",
    params=quick(
        [*NAMES, *NORMALIZERS, "words", "characters", "wordpiece", "sentencepiece"],
        *["gpt2", "o200k", "own", "nfc", "gemma", "mistral", "words", "sentencepiece"],
    ),
)
def tokenizer(request) -> tokviz.AnyTokenizer:
    name, text = request.param, sample("mixed") + "the 123 'll ที่นี่ 你好 😀😀 AB " * 9
    if name in NORMALIZERS:
        return tokenizer_of_kind(name, text)
    if name in ("words", "characters"):
        return ListTokenizer(name, name, sorted(set(text.split() if name == "words" else text)))
    if name == "wordpiece":
        return train_wordpiece(text, vocab_size=500)
    if name == "sentencepiece":
        return train_sentencepiece(text, vocab_size=700)
    pattern = OWN if name == "own" else name
    return tokviz.train(text, vocab_size=500, split_pattern=pattern, special_tokens=["<|endoftext|>", "<s>", "<s>x"])


def check(received: ReceivedTokens, text: str, tokenizer: tokviz.AnyTokenizer, allowed_special, counts: dict) -> None:
    whole = tokviz.text_spans(tokenizer, text, allowed_special=allowed_special)
    assert received.ids == whole.ids.tolist()
    assert received.sizes == (whole.byte_ends - whole.byte_starts).tolist()
    assert received.starts == whole.utf16_starts.tolist()
    assert received.widths == (whole.utf16_ends - whole.utf16_starts).tolist()
    assert received.end == len(units_of(text)) // 2
    assert counts == {
        "tokens": len(whole),
        "characters": len(well_formed_text(text)),
        "bytes": len(whole.data),
        "distinct": len(set(whole.ids.tolist())),
    }


@given(
    text=TEXTS,
    edits=st.lists(st.tuples(EDITS, st.booleans()), max_size=12),
    special=st.booleans(),
    window=st.sampled_from([1, 10, 256]),
    piece=st.sampled_from([1, 10, PIECE]),
)
# Half a surrogate pair more or less; special tokens that come and go; what is read over white space, and behind it;
# and the same where the first window behind the edit ends amid it.
@example(
    text="\ud83d\ude00", edits=[((0.5, 0, "x"), True), ((0.4, 1, ""), True)], special=False, window=256, piece=PIECE
)
@example(
    text="<s>",
    edits=[((1, 0, "x"), True), ((1, 0, "<"), True), ((0, 1, ""), True)],
    special=True,
    window=256,
    piece=PIECE,
)
@example(text="a <|endoftext|", edits=[((1, 0, ">"), True), ((1, 1, ""), True)], special=True, window=256, piece=PIECE)
@example(text="x\n" + " " * 20 + "y", edits=[((0.957, 0, "\n"), True)], special=False, window=256, piece=PIECE)
@example(text="a" + " " * 30 + "\n b", edits=[((0.03, 0, "\n"), True)], special=False, window=10, piece=PIECE)
# o200k: capitals behind a letter without case, which a small letter joins to it, however far it is.
@example(
    text="กABCDEFGHIJKLMNOP", edits=[((1, 0, "c"), True), ((1, 1, ""), True)], special=False, window=256, piece=PIECE
)
@example(text="x กABCDEFGHIJKLMNOPQRSTUVWc", edits=[((0, 0, "y"), True)], special=False, window=3, piece=PIECE)
@example(text="4ll", edits=[((0.34, 0, "'"), True)], special=False, window=1, piece=PIECE)
def test_tokens_after_edits_are_those_of_the_whole_text(tokenizer, text, edits, special, window, piece):
    recut = "tokviz.live.recut"
    with patch(f"{recut}.WINDOW", window), patch(f"{recut}.PIECE", piece), patch(f"{recut}.PRETOKENS", piece):
        check_edits(tokenizer, text, edits, special)


def check_edits(tokenizer: tokviz.AnyTokenizer, text: str, edits: list, special: bool) -> None:
    allowed_special = "all" if special and tokenizer.special_tokens else ()
    document, received = Document(text), ReceivedTokens()
    view = TokenView(document, tokenizer, look=Look(allowed_special))
    received.take(view.reply(whole=True))
    for each, is_answered in edits:
        edit(document, [each])
        if is_answered:
            reply = view.reply(whole=False)
            received.take(reply)
            check(received, document.text, tokenizer, allowed_special, reply["counts"])
            if isinstance(tokenizer, tokviz.Tokenizer):  # tokens may be right where pretokens are not
                lengths = [
                    len(units_of(piece)) // 2
                    for piece, _ in tokenizer.pieces(document.text, allowed_special=allowed_special)
                ]
                columns, cuts, units = view.follower.normalized_tokens_cuts_and_units()
                assert cuts.tolist() == [0, *accumulate(lengths)]
                data = [tokenizer.token_bytes(i) for i in received.ids]
                assert columns.sizes.tolist() == [len(token) for token in data]
                assert units.decode("utf-16-le", "replace") == b"".join(data).decode()
    reply = view.reply(whole=False)
    received.take(reply)
    check(received, document.text, tokenizer, allowed_special, reply["counts"])
    assert reply["state"] == [document.state.version, document.state.sequence] == [1, len(edits)]


@pytest.mark.parametrize("units_max", [1, 2, 7, 20])
@given(text=TEXTS, edits=st.lists(EDITS, max_size=8))
def test_of_a_text_over_the_limit_the_beginning_is_followed(trained, units_max, text, edits):
    document, received = Document(text), ReceivedTokens()
    view = TokenView(document, trained, look=Look(units_max=units_max))
    received.take(view.reply(whole=True))
    for each in edits:
        edit(document, [each])
        reply = view.reply(whole=False)
        received.take(reply)
        units = units_of(document.text)
        covered = units[: 2 * units_max].decode("utf-16-le", "surrogatepass")
        if covered and "\ud800" <= covered[-1] <= "\udbff" and len(units) > 2 * units_max:
            follows = units[2 * units_max : 2 * units_max + 2].decode("utf-16-le", "surrogatepass")
            covered = covered[:-1] if "\udc00" <= follows <= "\udfff" else covered
        check(received, covered, trained, (), reply["counts"])
        assert (reply["notice"] is None) == (len(units) // 2 == reply["end"])


@given(text=TEXTS, more=TEXTS, key=EDITS)
def test_a_text_from_outside_replaces_the_one_there_is(trained, text, more, key):
    document, received = Document(text), ReceivedTokens()
    view = TokenView(document, trained)
    received.take(view.reply(whole=True))
    document.set_text(more)
    edit(document, [key])
    reply = view.reply(whole=False)
    received.take(reply)
    check(received, document.text, trained, (), reply["counts"])


def test_a_key_amid_a_long_text_changes_a_token_or_two():
    text = sample("english") * 50
    document = Document(text)
    view = TokenView(document, tokviz.load("cl100k_base"))
    view.reply(whole=True)
    document.edit(Edit(len(text) // 2, 0, "x"))
    reply = view.reply(whole=False)
    assert reply["removed"] <= 3 and len(unpacked(reply["ids"])) <= 3


def test_a_pattern_that_does_not_end_is_told_and_its_end_is_too(monkeypatch):
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.2)
    document, received = Document("a" * 40), ReceivedTokens()
    view = TokenView(document, tokviz.Tokenizer("slow", "(a|aa)+$|b", {bytes([i]): i for i in range(256)}))
    received.take(view.reply(whole=True))
    assert len(received.ids) == 40
    document.edit(Edit(40, 0, "!"))
    reply = view.reply(whole=False)
    received.take(reply)
    assert received.ids == [] and "did not end" in reply["notice"]
    document.edit(Edit(0, 39, ""))
    reply = view.reply(whole=False)
    received.take(reply)
    assert received.ids == [97, 33] and reply["notice"] is None


def test_characters_that_are_in_no_token_are_counted_in_the_notice():
    library = Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]))
    document, received = Document("xyzab cab"), ReceivedTokens()
    view = TokenView(document, HFTokenizer("dropping", library.to_str().encode()))
    reply = view.reply(whole=True)
    received.take(reply)
    assert received.starts == [3, 7] and received.widths == [2, 2]
    assert reply["notice"].startswith("4 of 8 characters, not counting white space, are in no token")
    document.edit(Edit(0, 3, ""))
    assert view.reply(whole=False)["notice"].startswith("1 of 5 characters, not counting white space, is in no token")
    document.edit(Edit(3, 1, ""))
    assert document.text == "ab ab" and view.reply(whole=False)["notice"] is None
