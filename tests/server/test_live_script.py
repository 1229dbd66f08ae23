"""The script of a page and the live socket share a session: each sees at once what the other did to a document."""

from collections.abc import Iterator
from functools import partial

import pytest
from bench.stream_client import Tab
from coroutines import run_coroutine
from live.browser import Browser
from serving import serving
from websockets.sync.client import connect

import tokviz

APP = "tests/server/apps/live_app.py"


def read(tab: Tab, text: str) -> bool:
    """Whether the page shows that its script read this text."""
    wanted = f"{len(tokviz.load('cl100k_base').encode(text))} tokens: {text}"
    return any(key.startswith("read") and getattr(e, "default", "") == wanted for key, e in tab.elements.items())


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(APP) as address:
        yield address


@pytest.mark.parametrize("n_clicks", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_a_script_reads_what_was_typed_before_the_click_and_the_page_shows_what_it_puts(address, n_clicks):
    async def visit(address: str) -> None:
        async with Tab(address) as tab:
            url = address.replace("http", "ws") + "/live"
            with connect(url, subprotocols=["tokviz", tab.elements["token"].default]) as socket:
                browser = Browser(socket.send, partial(socket.recv, timeout=20))
                browser.follow("text")
                browser.send("show", "view")
                browser.until_tokens("view", 1, 0)
                for n in range(n_clicks):
                    browser.type("text", 7 + n, 0, "abcde "[n % 6])
                    finished = tab.n_finished
                    await tab.press("read")
                    await tab.until(lambda before=finished: tab.n_finished > before, 20)
                    assert read(tab, browser.editors["text"].text), n
                await tab.press("clear")
                browser.until(lambda m: m[0] == "text")
                assert browser.editors["text"].text == ""
                browser.until_tokens("view", 2, 0)
                browser.type("text", 0, 0, "anew")
                await tab.set("tokenizer", string_value="gpt2")
                reply = browser.until(lambda m: m[0] == "tokens" and "tokenizer" in m[2])[2]
                assert reply["tokenizer"]["name"] == "gpt2"
                assert browser.tokens["view"].ids == tokviz.load("gpt2").encode("anew")

    run_coroutine(visit(address))


def test_two_tabs_have_documents_of_their_own(address):
    async def visit(address: str) -> None:
        async with Tab(address) as one, Tab(address) as other:
            tokens = [tab.elements["token"].default for tab in (one, other)]
            assert tokens[0] != tokens[1] and all(len(token) >= 32 for token in tokens)
            url = address.replace("http", "ws") + "/live"
            with connect(url, subprotocols=["tokviz", tokens[0]]) as socket:
                browser = Browser(socket.send, partial(socket.recv, timeout=20))
                browser.follow("text")
                browser.take()
                browser.type("text", 0, 7, "mine")
                browser.take()
                await other.press("read")
                await other.until(lambda: other.n_finished > 1)
                assert read(other, "one two")

    run_coroutine(visit(address))
