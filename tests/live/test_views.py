"""Views of more than one document or tokenizer: after any edits a browser holds what all of it gives at once."""

import json
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live.edits import EDITS, TEXTS, edit
from live.naive_facts import naive_facts
from live.receiver import ReceivedTokens

import tokviz
from tokviz.chats.chatml import chat_ids, chat_tokenizer
from tokviz.chats.formats import ChatML, Harmony, Template
from tokviz.chats.prompt import ROLES, Message, prompt_spans
from tokviz.chats.teaching import TEMPLATES
from tokviz.core.pretokens import well_formed_text
from tokviz.families.teaching import ListTokenizer
from tokviz.live import counts
from tokviz.live.counts import PIECE
from tokviz.live.document import Document
from tokviz.live.edit import Edit
from tokviz.live.look import Look
from tokviz.live.views.compare_view import COMPARED_MAX, CompareView
from tokviz.live.views.ids_view import IdsView
from tokviz.live.views.prompt_view import PromptView
from tokviz.live.views.token_view import TokenView

GPT2, CL100K = tokviz.load("gpt2"), tokviz.load("cl100k_base")
COLUMNS = (("one", GPT2), ("another", CL100K), ("words", ListTokenizer("words", "words", ["the", "strawberry"])))


def check(received: ReceivedTokens, spans: tokviz.TokenSpans) -> None:
    assert received.ids == spans.ids.tolist()
    assert received.sizes == (spans.byte_ends - spans.byte_starts).tolist()
    assert received.starts == spans.utf16_starts.tolist()
    assert received.widths == (spans.utf16_ends - spans.utf16_starts).tolist()


@given(text=TEXTS, edits=st.lists(st.lists(EDITS, max_size=3), max_size=5), allowed=st.sampled_from([(), "all"]))
def test_beside_the_tokens_stand_the_numbers_of_other_tokenizers(text, edits, allowed):
    document = Document(text)
    view = TokenView(document, CL100K, look=Look(allowed), counted=COLUMNS)
    for keys in [[], *edits]:
        edit(document, keys)
        now = well_formed_text(document.text)
        reply = view.reply(whole=False)
        assert reply["counted"] == [[name, len(each.encode(now))] for name, each in COLUMNS]
        assert reply["uncounted"] is None


@pytest.mark.parametrize("character", ["a", "👍"])
def test_a_long_text_is_counted_under_other_tokenizers_after_its_tokens_are_told(character):
    document = Document(f"the {character} " * (2 * PIECE // 5))
    view = TokenView(document, CL100K, counted=COLUMNS)
    reply = view.reply(whole=True)
    assert reply["counted"] == [["another", len(CL100K.encode(document.text))]]  # which are those on view
    assert reply["uncounted"] == "one, words: still counting."
    counted = []
    while view.has_more:
        view.prepare_more()
        if view.is_behind:
            counted.append(view.reply(whole=False)["counted"])
    assert [len(each) for each in counted] == [2, 3] and not view.is_behind
    assert counted[-1] == [[name, len(each.encode(document.text))] for name, each in COLUMNS]
    # A key is counted at once where the text can be cut again around it.
    document.edit(Edit(50_001, 0, "x"))
    reply = view.reply(whole=False)
    assert ["one", len(GPT2.encode(document.text))] in reply["counted"]
    assert reply["uncounted"] == "words: still counting."
    document.set_text("the")
    assert view.reply(whole=True)["counted"] == [["one", 1], ["another", 1], ["words", 1]]
    assert not view.has_more


@given(
    text=TEXTS,
    edits=st.lists(st.tuples(st.lists(EDITS, max_size=2), st.integers(0, 4)), max_size=5),
    allowed=st.sampled_from([(), "all"]),
)
def test_numbers_counted_in_pieces_between_edits_are_those_of_the_whole_text(text, edits, allowed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "PIECE", 8)
        patch.setattr(counts, "QUICK_EDIT", 2)
        document = Document(text)
        view = TokenView(document, CL100K, look=Look(allowed), counted=COLUMNS)
        for keys, n_pieces in [([], 0), *edits]:
            edit(document, keys)
            now = well_formed_text(document.text)
            wanted = {name: len(each.encode(now)) for name, each in COLUMNS}
            for _ in range(n_pieces):
                told = view.reply(whole=False)
                assert all(wanted[name] == n for name, n in told["counted"])
                view.prepare_more()
        assert view.complete_reply()["counted"] == [[name, n] for name, n in wanted.items()]


def test_a_tokenizer_that_cannot_take_the_text_says_so_and_the_others_are_counted(monkeypatch):
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.2)
    hostile = tokviz.Tokenizer("hostile", "(a|aa)+$", {bytes([i]): i for i in range(256)})
    document = Document("a" * 60 + "b")
    reply = TokenView(document, CL100K, counted=(("bad", hostile), ("good", GPT2))).reply(whole=True)
    assert reply["counted"] == [["good", len(GPT2.encode(document.text))]]
    assert reply["uncounted"].startswith("bad: ") and "did not end" in reply["uncounted"]


@given(text=TEXTS, edits=st.lists(st.lists(EDITS, max_size=3), max_size=5))
def test_every_column_of_a_comparison_is_of_the_whole_text(text, edits):
    document, received = Document(text), [ReceivedTokens() for _ in COLUMNS]
    view = CompareView(document, COLUMNS)
    for i, keys in enumerate([[], *edits]):
        edit(document, keys)
        reply = view.reply(whole=i == 0)
        json.dumps(reply)
        assert reply["state"] == [1, document.state.sequence]
        for tokens, column, (name, tokenizer) in zip(received, reply["columns"], COLUMNS, strict=True):
            tokens.take(column)
            assert column["name"] == name and column["problem"] is None
            check(tokens, tokviz.text_spans(tokenizer, document.text))
            assert len(view.spans()[name]) == len(tokens.ids)


def test_a_key_struck_while_columns_are_made_is_in_all_of_them_or_in_none():
    document = Document("one")
    view = CompareView(document, COLUMNS)
    view.reply(whole=True)
    key = Thread(target=document.edit, args=(Edit(4, 0, " two"),))
    document.edit(Edit(0, 0, "x"))
    _, second, _ = view.followers.values()
    state_and_change = second.state_and_change

    def late_state_and_change() -> object:
        key.start()
        key.join(0.1)
        return state_and_change()

    second.state_and_change = late_state_and_change
    columns = view.reply(whole=False)["columns"]
    key.join()
    assert {column["end"] for column in columns} == {4}
    assert document.text == "xone two"


@pytest.mark.parametrize("kind", ["tokens", "columns", "chat", "ids"])
def test_what_a_script_has_looked_at_first_is_still_told(kind):
    document = Document("1 2 3")
    view = {
        "tokens": lambda: TokenView(document, GPT2),
        "columns": lambda: CompareView(document, COLUMNS),
        "chat": lambda: PromptView((("user", document, "final", ""),), chat_tokenizer(GPT2), ChatML()),
        "ids": lambda: IdsView(document, GPT2),
    }[kind]()
    revision = view.reply(whole=True)["revision"]
    assert not view.is_behind
    document.edit(Edit(5, 0, " 4"))
    view.prompt_and_spans() if kind == "chat" else view.spans()
    assert view.is_behind
    if kind != "columns":
        assert view.answer({"token": 0, "revision": revision}) == {"revision": revision}
    reply = view.reply(whole=False)
    assert not view.is_behind
    received = ReceivedTokens()
    whole = view.reply(whole=True)
    received.take(whole["columns"][0] if kind == "columns" else whole)
    assert (reply["columns"][0] if kind == "columns" else reply)["counts"]["tokens"] == len(received.ids)


def test_a_view_is_behind_until_a_script_that_looks_at_it_has_seen_all(monkeypatch):
    document = Document("one")
    view, seen = TokenView(document, GPT2), []
    view.reply(whole=True)
    replace = view.follower.replace_data_of_pretokens
    monkeypatch.setattr(
        view.follower,
        "replace_data_of_pretokens",
        lambda *arguments: (seen.append(view.is_behind), replace(*arguments)),
    )
    document.edit(Edit(3, 0, " two"))
    view.spans()
    assert seen == [True] and view.is_behind


def test_a_long_text_is_compared_in_part_and_a_column_that_fails_says_so(monkeypatch):
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.2)
    slow = tokviz.Tokenizer("slow", "(a|aa)+$|b", {bytes([i]): i for i in range(256)})
    document = Document("a" * 40 + "!")
    reply = CompareView(document, (("slow", slow), ("gpt2", GPT2))).reply(whole=True)
    assert "did not end" in reply["columns"][0]["problem"] and reply["columns"][1]["problem"] is None
    document.set_text("ab " * COMPARED_MAX)
    reply = CompareView(document, COLUMNS[:2]).reply(whole=True)
    assert reply["notice"] == "The text has 600,000 characters; the columns and numbers cover the first 200,000."
    assert {column["counts"]["characters"] for column in reply["columns"]} == {COMPARED_MAX}


MESSAGES = st.lists(st.tuples(st.sampled_from(ROLES), TEXTS), max_size=3)
OWN = tokviz.train("the strawberry ", vocab_size=262, split_pattern=r"<[^>]*>|\w+|\s")
FORMATS = {"ChatML": ChatML(), "harmony": Harmony(), "template": Template("Tags", TEMPLATES["Tags"])}


@pytest.mark.parametrize(
    ("tokenizer", "chat_format"),
    [
        pytest.param(tokenizer, chat_format, id=f"{tokenizer.name}-{name}", marks=[pytest.mark.slow] * is_slow)
        for name, chat_format in FORMATS.items()
        for tokenizer, is_slow in ((OWN, name != "template"), (COLUMNS[2][1], False), (GPT2, True), (CL100K, True))
        if tokenizer is not COLUMNS[2][1] or name == "template"
    ],
)
@given(messages=MESSAGES, edits=st.lists(st.lists(st.tuples(st.integers(0, 2), EDITS), max_size=3), max_size=5))
def test_a_chat_has_the_tokens_of_its_prompt(tokenizer, chat_format, messages, edits):
    tokenizer, received = chat_format.tokenizer(tokenizer), ReceivedTokens()
    rows = [(role, Document(text), "final", "") for role, text in messages]
    view = PromptView(tuple(rows), tokenizer, chat_format)
    for i, keys in enumerate([[], *edits]):
        for which, key in keys if rows else ():
            edit(rows[which % len(rows)][1], [key])
        reply = view.reply(whole=i == 0)
        received.take(json.loads(json.dumps(reply)))
        prompt = chat_format.prompt([Message(role, each.text) for role, each, *_ in rows])
        spans = prompt_spans(tokenizer, prompt)
        check(received, spans)
        assert received.text == spans.text and received.end == len(spans.text.encode("utf-16-le")) // 2
        assert reply["counts"]["distinct"] == len(set(received.ids))
        runs = reply["parts"]["runs"]
        assert [end for end, *_ in runs] == sorted({end for end, *_ in runs})
        assert [end for end, *_ in runs][-1:] == [len(spans)] * bool(runs)
        told = [share for _, _, share, _ in reply["parts"]["messages"] if share]
        assert sum(n for n, _ in told) == len(spans)
    answered = [view.answer({"token": token, "revision": reply["revision"]}) for token in range(len(spans))]
    assert [answer["id"] for answer in answered] == received.ids
    typed = "".join(well_formed_text(each.text) for _, each, *_ in rows)
    if chat_format is FORMATS["ChatML"] and "<|im" not in typed:
        for token, answer in enumerate(answered):
            wanted = naive_facts(tokenizer, spans, token, ["<|im_start|>", "<|im_end|>"])
            assert wanted.items() <= answer.items()


def test_a_chat_that_cannot_be_shown_says_why_until_it_can(monkeypatch):
    monkeypatch.setattr("tokviz.chats.formats.CHARACTERS_MAX", 40)
    document, received = Document("a" * 20), ReceivedTokens()
    view = PromptView((("user", document, "final", ""),), chat_tokenizer(CL100K), ChatML())
    received.take(view.reply(whole=True))
    assert received.ids
    document.edit(Edit(0, 0, "b" * 60))
    reply = view.reply(whole=False)
    received.take(reply)
    assert received.ids == [] and received.text == "" and "too many to show" in reply["notice"]
    with pytest.raises(ValueError, match="too many to show"):
        view.prompt_and_spans()
    document.edit(Edit(0, 60, ""))
    received.take(view.reply(whole=False))
    assert received.ids == chat_ids(view.tokenizer, [("user", "a" * 20)])


def test_the_parts_of_a_chat_say_what_each_message_has():
    rows = (("system", Document("Be brief."), "final", ""), ("user", Document("Hi there!"), "final", ""))
    view = PromptView(rows, chat_tokenizer(CL100K), ChatML())
    parts = view.reply(whole=True)["parts"]
    assert [name for name, *_ in parts["messages"]] == ["1 system", "2 user", "beginning of the answer"]
    runs, begin, said = parts["runs"], 0, {}
    for end, owner, is_content in runs:
        if is_content:
            said[owner] = CL100K.decode(view._spans.ids[begin:end].tolist())
        begin = end
    assert said == {0: "Be brief.", 1: "Hi there!"}
    assert parts["messages"][1][2] == [8, 5]  # <|im_start|> user ↵, three tokens, <|im_end|> ↵


IDS = st.lists(st.sampled_from(["15339", "220", "0", "163", "2375", "nonsense", "999999", ",", " ", "\n"]), max_size=20)


@given(text=IDS.map(" ".join), edits=st.lists(st.tuples(st.floats(0, 1), st.just(3), IDS.map(" ".join)), max_size=5))
def test_ids_are_shown_with_the_text_they_stand_for(text, edits):
    document, received = Document(text), ReceivedTokens()
    view = IdsView(document, CL100K)
    for i in range(len(edits) + 1):
        edit(document, edits[i - 1 : i])
        reply = view.reply(whole=i == 0)
        received.take(json.loads(json.dumps(reply)))
        entries = document.text.replace(",", " ").split()
        spans = tokviz.token_spans(CL100K, [int(e) for e in entries if e.isdigit() and int(e) in CL100K])
        check(received, spans)
        assert received.text == spans.text
        for token in range(len(spans)):
            assert view.answer({"token": token, "revision": reply["revision"]})["id"] == received.ids[token]
    assert ("left out" in (reply["notice"] or "")) == any(not (e.isdigit() and int(e) in CL100K) for e in entries)
