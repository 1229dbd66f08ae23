"""What the page of seams is told holds for the texts as they are, after any edits."""

import json

import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st
from live.edits import EDITS, TEXTS, edit
from odd_texts import ODD

import tokviz
from tokviz.core.pretokens import well_formed_text
from tokviz.families.teaching import ListTokenizer
from tokviz.live.document import Document
from tokviz.live.look import Look
from tokviz.live.views.seams import settled_view
from tokviz.live.views.seams.canonical_view import IDS_MAX, CanonicalView
from tokviz.live.views.seams.chunks_view import ChunksView
from tokviz.live.views.seams.cut_view import CutView
from tokviz.live.views.seams.seams_view import NAMED, SHOWN
from tokviz.live.views.seams.settled_view import EXAMPLES_MAX, SettledView
from tokviz.live.views.seams.two_texts_view import TwoTextsView
from tokviz.live.views.seams.ways_view import BYTES_MAX, WaysView

GPT2, CL100K = tokviz.load("gpt2"), tokviz.load("cl100k_base")
OWN = tokviz.train("low lower lowest " * 3, vocab_size=262, split_pattern=r"[a-z]+|\s+|.", special_tokens=["<s>"])
KEYS = st.lists(st.lists(EDITS, max_size=3), max_size=4)


def told(view, *, whole: bool = True) -> dict:
    """Return a reply as a browser reads it."""
    return json.loads(json.dumps(view.reply(whole=whole)))


def ids(tokens: list) -> list[int]:
    """Return the ids of tokens that a message names, whose bytes must be theirs."""
    return [token_id for _, token_id in tokens]


def bytes_of(tokens: list) -> bytes:
    return b"".join(bytes.fromhex(data) for data, _ in tokens)


def check_stretch(stretch: dict, tokenizer, text: str, allowed=()) -> None:
    """The tokens of a stretch are some of the text's, where they say."""
    spans = tokviz.text_spans(tokenizer, text, allowed_special=allowed)
    stop = stretch["first"] + len(stretch["ids"])
    assert stretch["ids"] == spans.ids[stretch["first"] : stop].tolist()
    assert stretch["behind"] == len(spans) - stop
    begin = int(spans.utf16_starts[stretch["first"]]) if stretch["first"] else 0
    units = spans.text.encode("utf-16-le")
    assert stretch["text"].encode("utf-16-le") == units[2 * begin : 2 * (begin + stretch["starts"][-1])]
    assert [start + begin for start in stretch["starts"][:-1]] == spans.utf16_starts[stretch["first"] : stop].tolist()


@pytest.mark.parametrize("allowed", [(), "all"])
@given(text=TEXTS, edits=KEYS)
def test_what_is_settled_follows_the_edits(allowed, text, edits):
    document = Document(text)
    view = SettledView(document, CL100K, look=Look(allowed))
    for keys in [[], *edits]:
        edit(document, keys)
        now = well_formed_text(document.text)
        reply, found = told(view, whole=False), tokviz.settled(CL100K, now, allowed_special=allowed)
        assert reply["state"] == [1, document.state.sequence] and not view.is_behind
        check_stretch(reply["stretch"], CL100K, now, allowed)
        n_tokens = len(CL100K.encode(now, allowed_special=allowed))
        if n_tokens:
            assert reply["settled"] == found.n_tokens and reply["open"] == [seam.token for seam in found.seams]
        for example in reply["examples"]:
            longer = CL100K.encode(now + example["continuation"], allowed_special=allowed)
            whole = CL100K.encode(now, allowed_special=allowed)
            n_kept = n_tokens - len(example["now"])
            assert longer == whole[:n_kept] + ids(example["then"]) and whole[n_kept:] == ids(example["now"])
            assert min(example["tokens"]) >= n_kept


def test_what_is_settled_is_said_in_words():
    def words(text: str) -> str:
        return told(SettledView(Document(text), CL100K))["words"]

    assert words("") == ""
    first = "Whatever follows, the first token stays, up to character 3 of 7."
    assert words("the cat") == f"{first} The last token can still change."
    assert words("a 123").startswith("Whatever follows, all 3 tokens stay.")
    assert words("cat").startswith("What follows can change even the first token")
    first = "Whatever follows, the first 4 of 5 tokens stay, up to character 20 of 22."
    assert words("Give me the trailing  ").startswith(first)
    own = told(SettledView(Document("lower low"), OWN))
    assert "Nothing that was tried changes" in own["words"] and "Whatever follows" not in own["words"]
    assert (
        "Nothing is proved" in own["proof"]
        and "This follows from" in told(SettledView(Document("cat"), CL100K))["proof"]
    )


@pytest.mark.parametrize("finds_hidden", [True, False])
def test_what_hides_is_told_of_every_stretch(finds_hidden):
    text = "pass\u200bword \u0430pple"
    document = Document(text)
    look = Look(finds_hidden=finds_hidden)
    two = TwoTextsView(document, Document("other"), CL100K, look=look)
    ways = WaysView(document, CL100K, look=look)
    first, second = (line["stretch"] for line in told(two)["lines"])
    marked = [told(SettledView(document, CL100K, look=look))["stretch"], first, told(ways)["stretch"]]
    marked.append(ways.answer({"piece": [0, len(text)], "revision": ways.revision})["stretch"])
    for stretch in marked:
        assert ("hidden" in stretch) == finds_hidden
        found = [what for what, *_ in stretch["hidden"]["found"]] if finds_hidden else []
        assert found == ["1 zero-width character", "1 look-alike letter"][: 2 * finds_hidden]
    assert not second.get("hidden")


def test_a_space_at_the_end_is_explained_where_a_word_takes_it_up():
    shown = told(SettledView(Document("Say yes or no: "), CL100K))
    space, example = shown["space"], shown["examples"][-1]
    assert (example["continuation"], ids(example["now"]), ids(example["then"])) == ("yes", [220], [10035])
    assert (ids(space["now"]), space["whole"], ids(space["alone"])) == ([220], ["20 79 65 73", 10035], [9891])
    for text in ("Say yes or no:", "Say yes or no:\n", "", "say "):
        tokenizer = OWN if text == "say " else CL100K  # which has learned no word with a space
        assert told(SettledView(Document(text), tokenizer))["space"] is None


def test_of_a_long_text_the_end_is_shown_and_of_one_too_long_only_the_beginning_is_meant(monkeypatch):
    reply = told(SettledView(Document("one two three " * 500), CL100K))
    assert len(reply["stretch"]["ids"]) == SHOWN and reply["stretch"]["behind"] == 0 and reply["notice"] is None
    monkeypatch.setattr(settled_view, "UNITS_MAX", 100)
    reply = told(SettledView(Document("one two three " * 500), CL100K))
    assert reply["notice"] == "The text has 7,000 characters; this page is about the first 100."


def test_many_examples_are_counted():
    tokenizer = tokviz.Tokenizer("bytes", "none", GPT2.mergeable_ranks)
    reply = told(SettledView(Document("Sunday, " * 3 + "th"), tokenizer))
    assert len(reply["examples"]) <= EXAMPLES_MAX and reply["more"] >= 0


@pytest.mark.parametrize("tokenizer", [CL100K, ListTokenizer("words", "words", ["the", "strawberry"])])
@given(texts=st.tuples(TEXTS, TEXTS), edits=KEYS, block=st.sampled_from([1, 2, 16]))
def test_what_two_texts_share_follows_the_edits_of_both(tokenizer, texts, edits, block):
    documents = [Document(text) for text in texts]
    view = TwoTextsView(*documents, tokenizer, block=block)
    for i, keys in enumerate([[], *edits]):
        edit(documents[i % 2], keys)
        before, after = (well_formed_text(document.text) for document in documents)
        reply = told(view, whole=False)
        assert not view.is_behind
        assert view.shared_prefix() == tokviz.shared_prefix(tokenizer, before, after, block=block)
        for line, text in zip(reply["lines"], (before, after), strict=True):
            check_stretch(line["stretch"], tokenizer, text)
        assert bool(reply["words"]) == (len(tokenizer.encode(before)) > 0 and len(tokenizer.encode(after)) > 0)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (
            "the cat",
            "the cat",
            "Both texts are the same: 2 tokens. A prompt cache that holds the first text saves 2 tokens",
        ),
        ("cat", "dog", "The texts differ from their first character on, so they share no token."),
        ("cats", "cattle", "The texts begin with the same 3 characters, but share no token."),
        (
            "the cat",
            "the cattle",
            "The texts begin with the same 7 characters, but share only 1 token, which ends at character 3. The next",
        ),
        ("the cat", "the cat!", "The texts begin with the same 7 characters, in 2 tokens."),
    ],
)
def test_what_two_texts_share_is_said_in_words(before, after, words):
    unknown = TwoTextsView(Document("a"), Document("😀"), ListTokenizer("words", "words", ["the"]))
    assert told(unknown)["words"][0].startswith(
        "The texts share 0 characters, but 1 token: everything that is not in the vocabulary"
    )
    assert " ".join(told(TwoTextsView(Document(before), Document(after), CL100K))["words"]).startswith(words)


@given(st.lists(st.one_of(st.integers(0, 300), st.sampled_from([198, 220, 271, 100257, 10**6])), max_size=20))
def test_ids_stand_beside_those_of_their_text(given_ids):
    document = Document(f"{given_ids}, junk")
    view = CanonicalView(document, CL100K)
    reply = told(view)
    known = [each for each in given_ids if each in CL100K]
    found = tokviz.canonical(CL100K, known)
    assert [ids(row["tokens"]) for row in reply["rows"]] == [found.ids, found.canonical]
    assert [row["marks"] for row in reply["rows"]] == [
        [[each.start, each.end] for each in found.differences],
        [[each.canonical_start, each.canonical_end] for each in found.differences],
    ]
    assert "junk" in reply["notice"] and reply["words"].startswith("Canonical") == bool(known and found.is_canonical)
    for shown, difference in zip(reply["differences"], found.differences, strict=False):
        assert ids(shown["given"]) == found.ids[difference.start : difference.end]
        assert bytes_of(shown["given"]) == b"".join(CL100K.tokens_bytes(ids(shown["given"])))


@pytest.mark.parametrize(
    ("given_ids", "words"),
    [
        ([64, 198, 198], "[198, 198] spells ↵↵. The tokenizer writes that as [271]: it merges ↵ with ↵."),
        (
            [64, 222],
            "[222] has bytes that are not valid UTF-8. They become � (U+FFFD), which the tokenizer writes as [5809].",
        ),
        (
            [100257],
            "[100257] spells <|endoftext|>. The tokenizer writes that as [27, 91, 8862, 728, 428, 91, 29]: in a text, "
            "the name",
        ),
        ([15339, 220, 1820], "[220, 1820] spells ·the. The tokenizer writes that as [279]: it merges"),
        ([90, 92], "[90, 92] spells {}. The tokenizer writes that as [6390]: it merges { with }."),
    ],
)
def test_the_reason_of_a_difference_is_said_in_words(given_ids, words):
    (difference,) = told(CanonicalView(Document(str(given_ids)), CL100K))["differences"]
    assert difference["words"].startswith(words)


def test_of_many_ids_those_around_the_first_difference_are_shown():
    given_ids = [279] * 500 + [198, 198] + [279] * 500
    reply = told(CanonicalView(Document(str(given_ids)), CL100K))
    (row, again), (difference,) = reply["rows"], reply["differences"]
    assert row["first"] < row["marks"][0][0] < row["first"] + len(row["tokens"]) and difference["words"]
    assert len(row["tokens"]) + row["first"] + row["behind"] == 1_002 and again["first"] <= again["marks"][0][0]
    for n in (IDS_MAX + 1, 200_001):  # of more than 200,000, other pages say how many they show
        many = told(CanonicalView(Document("64 " * n), GPT2))
        assert many["notice"] == f"There are {n:,} ids; this page is about the first {IDS_MAX:,}."
    assert told(CanonicalView(Document(""), GPT2))["words"] == ""


@given(TEXTS, st.data())
def test_a_cut_has_the_ids_of_both_parts(text, data):
    view = CutView(Document(text), CL100K)
    shown = told(view)["text"]
    assert shown == well_formed_text(text)
    cut = data.draw(st.integers(0, len(shown)))
    answer = view.answer({"cut": cut, "revision": view.revision})
    left, right, whole = (CL100K.encode(part) for part in (shown[:cut], shown[cut:], shown))
    assert answer["extra"] == len(left) + len(right) - len(whole)
    assert ids(answer["left"]) == left[len(left) - len(answer["left"]) :]
    assert ids(answer["right"]) == right[: len(answer["right"])]
    parts, (start, stop) = ids(answer["left"]) + ids(answer["right"]), answer["changed"]
    behind = len(parts) - stop
    assert parts[:start] == ids(answer["whole"])[:start]
    assert not behind or parts[stop:] == ids(answer["whole"])[-behind:]
    assert (start == stop == len(parts) - behind) or parts != ids(answer["whole"])
    (before, after), (before_parts, after_parts) = answer["left_out"]
    assert ids(answer["whole"]) == whole[before : len(whole) - after]
    assert parts == [*left, *right][before_parts : len(left) + len(right) - after_parts]


def test_what_changes_is_marked_among_the_tokens_that_are_named():
    pairs = tokviz.Tokenizer("pairs", "a+b|a", {bytes([i]): i for i in range(256)} | {b"aa": 256})
    view = CutView(Document("a" * 50 + "b"), pairs)  # cut before b, every pair falls apart
    view.reply(whole=True)
    answer = view.answer({"cut": 50, "revision": view.revision})
    assert (len(answer["left"]), len(answer["right"]), answer["changed"]) == (NAMED, 1, [0, NAMED])


def test_a_cut_of_another_text_and_outside_is_not_answered(monkeypatch):
    document = Document("abc")
    view = CutView(document, GPT2)
    view.reply(whole=True)
    edit(document, [(0, 0, "x")])
    with view.locked_up_to_date():
        assert view.answer({"cut": 1, "revision": 1}) == {"revision": 1}
    view.reply(whole=False)
    with pytest.raises(ValueError, match="cannot be cut at 5"):
        view.answer({"cut": 5, "revision": 2})
    with pytest.raises(KeyError):
        view.answer({"revision": 2})
    monkeypatch.setattr(CutView, "characters_max", 5)
    assert (
        told(CutView(Document("😀" * 6), GPT2))["notice"] == "The text is long; its first 5 characters can be cut here."
    )


@given(TEXTS, st.data())
def test_every_piece_has_its_ways(text, data):
    view = WaysView(Document(text), GPT2)
    reply = told(view)
    units = reply["stretch"]["text"].encode("utf-16-le")
    start = data.draw(st.integers(0, len(units) // 2))
    stop = data.draw(st.integers(start, len(units) // 2))
    answer = view.answer({"piece": [start, stop], "revision": view.revision, "way": "draw"})
    piece = well_formed_text(units[2 * start : 2 * stop].decode("utf-16-le", "surrogatepass"))
    if not piece:
        assert "count" not in answer
        return
    ways = tokviz.Segmentations(GPT2, piece)
    assert answer["count"] == str(ways.count) and answer["stretch"]["text"] == piece
    assert ways.nth(int(answer["number"])) == answer["stretch"]["ids"]
    known = {name: (int(number), n_tokens) for name, number, n_tokens in answer["known"]}
    assert known["own"] == (ways.number(GPT2.encode(piece)), len(GPT2.encode(piece)))
    assert known["bytes"] == (0, len(piece.encode())) and known["shortest"][1] <= known["greedy"][1]
    nth = view.answer({"piece": [start, stop], "revision": view.revision, "way": str(ways.count + 5)})
    assert nth["number"] == str(ways.count - 1)


def test_the_longest_pretoken_is_chosen_and_a_piece_too_long_refused_in_words(monkeypatch):
    view = WaysView(Document("How many strawberries?"), GPT2)
    assert told(view)["longest"] == [8, 21]
    assert (
        view.answer({"piece": [8, 21], "revision": 1})["number"]
        == view.answer({"piece": [8, 21], "revision": 1})["known"][0][1]
    )
    long = WaysView(Document("a" * BYTES_MAX + " ab " + "é" * BYTES_MAX), GPT2)
    assert told(long)["longest"] == [0, BYTES_MAX]
    assert "1,001 bytes" in long.answer({"piece": [0, BYTES_MAX + 1], "revision": 1})["words"]
    assert long.answer({"piece": [0, BYTES_MAX], "revision": 1})["count"] == str(
        tokviz.Segmentations(GPT2, "a" * BYTES_MAX).count
    )
    monkeypatch.setattr(WaysView, "characters_max", 5)
    assert (
        told(WaysView(Document("one two"), GPT2))["notice"]
        == "The text is long; its first 5 characters are shown here."
    )


@pytest.mark.parametrize("tokenizer", [pytest.param(CL100K, marks=pytest.mark.slow), OWN])
@each("text", ODD)
def test_odd_texts_are_told(tokenizer, text):
    for make in (SettledView, CanonicalView, CutView, WaysView):
        assert told(make(Document(text), tokenizer))["section"] == make.section
    assert told(TwoTextsView(Document(text), Document(text + "a"), tokenizer))["section"] == "two texts"


@pytest.mark.parametrize("tokenizer", [GPT2, ListTokenizer("words", "words", ["the", "cat"])], ids=["gpt2", "words"])
def test_chunks_are_those_of_the_text_with_what_they_repeat(tokenizer, monkeypatch):
    document = Document("the cat, the cat. " * 4)
    view = ChunksView(document, tokenizer, tokens=8, overlap=2)
    reply = told(view)
    chunks = list(tokviz.split(document.text, tokenizer, tokens=8, overlap=2))
    assert len(chunks) > 2 and reply["notice"] is None
    assert [chunk["stretch"]["text"] for chunk in reply["chunks"]] == [chunk.text for chunk in chunks]
    assert [chunk["repeated"] for chunk in reply["chunks"]] == [0, *[2] * (len(chunks) - 1)]
    assert reply["words"].startswith(f"{len(chunks)} chunks of ")
    monkeypatch.setattr(ChunksView, "characters_max", 9)
    edit(document, [(0.0, 0, "!")])
    assert told(view)["notice"] == "The text is long; its first 9 characters are cut into chunks here."


def test_a_character_too_large_for_a_chunk_is_named():
    reply = told(ChunksView(Document("a👍"), GPT2, tokens=1, overlap=0))
    assert "takes" in reply["notice"] and not reply["chunks"] and not reply["words"]
