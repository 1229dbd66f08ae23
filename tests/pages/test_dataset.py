"""Compare ▸ Corpus ▸ Documents: the tokens of a data set, and its longest documents in the playground."""

import gzip
import json
from functools import cache

import pytest
from opening import box, button, opened, part, text_of

import tokviz
from pages.ui.compare.dataset import document_length_histogram
from tokviz.chats.formats import ChatML
from tokviz.chats.prompt import Message, prompt_spans
from tokviz.formats.pretrained import full_name

PAGE = "pages/compare.py"
NAMES = ["gpt2", "cl100k_base"]
CHAT = [{"role": "system", "content": "Answer."}, {"role": "user", "content": "How many r's are in strawberry? " * 9}]
PAIR = {"prompt": "2+2=", "completion": "4"}
TEXTS = ["low", "low lower lowest", "<|endoftext|>", "\ud83d"]
LINES = [*({"text": text} for text in TEXTS), {"messages": CHAT}, PAIR, {"other": "low"}]


def jsonl(records) -> bytes:
    return "\n".join(map(json.dumps, records)).encode()


def section():
    from pages.ui.compare.corpus import show_corpus_section
    from pages.ui.options import option_value

    show_corpus_section(option_value("compared"))


def counted(files, page=None, **state):
    """Return the section, on a page or alone, once the files are counted."""
    state = {"compare_view": "Corpus", "corpus_look": "Documents", "compared": NAMES, "opened_files": files, **state}
    app = opened(page, "text", **state) if page else part(section, "text", **state)
    app = button(app, "Count the tokens").click().run()
    assert app.session_state["corpus_run"].wait(60)
    app = app.run()
    assert not app.exception
    return app


def tables(app):
    return [each.value for each in app.dataframe]


@cache
def lengths(name):
    """Return the tokens of each document of LINES and of b.txt, in order."""
    encode = tokviz.load(name).encode
    prompt = ChatML().prompt([Message(**each) for each in CHAT], reply=False)
    chat = len(prompt_spans(ChatML().tokenizer(tokviz.load(name)), prompt))
    return [*(len(encode(text)) for text in TEXTS), chat, len(encode("2+2=")) + len(encode("4")), len(encode("a b"))]


def test_the_documents_of_all_kinds_are_counted_under_each_tokenizer():
    app = counted({"a.jsonl.gz": gzip.compress(jsonl(LINES)), "b.txt": b"a b"}, window=9)
    found, parts, left_out = tables(app)
    for name, row, shares in zip(NAMES, found.to_dict("records"), parts.to_dict("records"), strict=True):
        expected = lengths(name)
        assert (row["tokenizer"], row["documents"], row["tokens"]) == (full_name(name), 7, sum(expected))
        assert (row["shortest"], row["median"]) == (min(expected), sorted(expected)[3])
        assert row["95%"] == row["longest"] == max(expected)
        assert row["over 9"] == sum(length > 9 for length in expected)
        assert row["lost"] == sum(max(0, length - 9) for length in expected)
        numbers = {key: shares[key] for key in ("text", "prompt", "completion", "system", "user", "scaffolding")}
        assert sum(numbers.values()) == sum(expected) and shares["chat format"] == "ChatML"
        assert shares["scaffolding share"] == shares["scaffolding"] / sum(expected)
    assert left_out.to_dict("records")[0]["line"] == 7 and "lacks the key" in left_out["reason"][0]
    bars = document_length_histogram(app.session_state["corpus_run"].documents).data
    assert (
        bars.groupby("tokenizer")["documents"].sum().to_dict() == {"GPT-2": 7, "GPT-4": 7}
        and len(app.get("vega_lite_chart")) == 1
    )
    places = [each.value for each in app.text if " tokens: " in each.value]
    assert places[0] == f"{max(lengths('gpt2')):,} tokens: a.jsonl.gz, line 5" and len(places) == 7


def test_another_window_needs_no_other_count():
    app = counted({"a.jsonl": jsonl({"text": "a " * n} for n in range(1, 50))})
    run = app.session_state["corpus_run"]
    app = box(app.number_input, "Context window").set_value(10).run()
    expected = [len(tokviz.load("gpt2").encode("a " * n)) for n in range(1, 50)]
    row = tables(app)[0].to_dict("records")[0]
    assert row["over 10"] == sum(length > 10 for length in expected)
    assert row["lost"] == sum(max(0, length - 10) for length in expected)
    assert app.session_state["corpus_run"] is run and len(tables(app)) == 1  # of texts alone there are no parts


def test_a_text_is_opened_in_the_playground():
    app = counted({"a.jsonl": jsonl([{"text": "low"}, {"text": "low lower lowest of all"}, PAIR])}, PAGE, input="Chat")
    app = button(app, "Open document 1").click().run()
    assert not app.exception and text_of(app) == "low lower lowest of all"
    assert (app.session_state["input"], app.session_state["tokenizer"]) == ("Text", "gpt2")


@pytest.mark.slow
def test_a_chat_is_opened_in_the_playground_in_its_format():
    long = [{"role": "developer", "content": "no"}] + [{"role": "user", "content": "low"}] * 60
    app = counted({"a.jsonl": jsonl([{"messages": long}, {"messages": CHAT}])}, PAGE, corpus_format="Tags")
    assert set(tables(app)[1]["chat format"]) == {"Tags"}
    app = button(app, "Open document 2").click().run()
    assert not app.exception and (app.session_state["input"], app.session_state["chat_format"]) == ("Chat", "Tags")
    rows = app.session_state["rows"]
    assert [(row.role, text_of(app, row.name)) for row in rows] == [(each["role"], each["content"]) for each in CHAT]
    app.switch_page(PAGE).run()
    app = button(app, "Open document 1").click().run()
    assert len(app.session_state["rows"]) == 50
    assert any("shows 50 of the 61 messages" in each.value for each in app.code)


def test_chats_that_a_format_refuses_are_left_out_and_named():
    app = counted({"a.jsonl": jsonl([{"text": "low"}, {"messages": [{"role": "assistant", "content": "Hi!"}]}])},
                  corpus_format="Strict turns")  # fmt: skip
    found, left_out = tables(app)
    assert list(found["not counted"]) == [1, 1] and list(left_out["line"]) == [2, 2]


def test_figures_of_another_format_are_out_of_date():
    app = counted({"a.jsonl": jsonl([{"messages": CHAT}])})
    app = box(app.selectbox, "Format of chats").set_value("Headings").run()
    assert any("Count again" in info.value for info in app.info)


def test_a_data_set_without_tokens_is_counted():
    app = counted({"a.jsonl": b"", "b.jsonl": b"\n\n", "c.jsonl": b'{"text": ""}', "d.txt": b""})
    assert list(tables(app)[0]["tokens"]) == [0, 0]
