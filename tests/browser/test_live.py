"""The live socket in a browser: no key is lost, whatever becomes of the connection, and a script sees them all."""

import time
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from panels import show_tokens_as
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from polling import wait_until, wait_until_idle
from serving import ROOT, free_port, serving, started
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

import tokviz
from tokviz.records.packing import pack

APP = "tests/browser/apps/token_view_app.py"
NEVER = 1_000  # seconds; the page's script is then told of no rest


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(APP) as address:
        yield address


def opened(page: Page, address: str, **options: object) -> Locator:
    page.goto(f"{address}/?{urllib.parse.urlencode(options)}")
    editor = page.locator("textarea#editor")
    expect(editor).to_be_visible(timeout=30_000)
    return editor


def shows(page: Page, text: str) -> None:
    ids = tokviz.load("o200k_base").encode(text)
    expect(page.locator("textarea#editor")).to_have_value(text)
    show_tokens_as(page, "ids")
    expect(page.locator("#list .flow .t")).to_have_text(list(map(str, ids)), timeout=20_000)
    show_tokens_as(page, "colour")


def test_a_script_sees_every_key_before_the_click_fifty_times(page: Page, address: str):
    editor = opened(page, address, rest=NEVER)
    shown = page.get_by_test_id("stCode").locator("code")
    button = page.get_by_role("button", name="Rerun")
    text = ""
    for number in range(50):
        editor.focus()
        word = f"{number} "
        page.keyboard.type(word)
        text += word
        button.click()
        expect(shown).to_have_text(text, use_inner_text=False)


def test_the_page_hears_of_the_text_once_the_typing_rests(page: Page, address: str):
    editor = opened(page, address, text="a", rest=2)
    expect(page.get_by_text("runs: 1", exact=True)).to_be_visible()
    editor.press("End")
    page.keyboard.type("bcdefghij", delay=60)
    expect(page.get_by_test_id("stCode").locator("code")).to_have_text("abcdefghij")
    expect(page.get_by_text("runs: 2", exact=True)).to_be_visible()


@pytest.mark.own_context
@pytest.mark.journey
def test_what_is_typed_while_the_connection_is_cut_arrives_when_it_is_back(page: Page, app_address: str):
    routes: list[WebSocketRoute] = []
    refused: list[WebSocketRoute] = []
    is_cut = False

    def connect(route: WebSocketRoute) -> None:
        if is_cut:
            route.close(code=1001)
            refused.append(route)
            return
        route.connect_to_server()
        routes.append(route)

    page.route_web_socket(lambda url: url.endswith("/live"), connect)
    packed = pack({"tokenizer": "o200k_base", "text": "start"})
    page.goto(f"{app_address}/?s={packed}")
    shows(page, "start")
    page.get_by_label("Text", exact=True).press("End")
    page.keyboard.type(" before")
    shows(page, "start before")
    is_cut = True
    routes[-1].close(code=1001)
    page.keyboard.type(" and meanwhile", delay=20)
    # What waits for its tokens is on view all the same.
    expect(page.locator("#tokens .flow")).to_have_text("start before and meanwhile")
    wait_until(page, lambda: len(refused) >= 3)
    page.keyboard.type(" ที่นี่ 👩‍🍳")
    is_cut = False
    shows(page, "start before and meanwhile ที่นี่ 👩‍🍳")
    assert len(routes) == 2


@pytest.mark.own_context
def test_a_connection_that_nobody_says_is_lost_is_given_up(page: Page, address: str):
    dead: list[bool] = []

    def connect(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        if not dead:
            dead.append(False)
            route.on_message(lambda message: None if dead[0] else server.send(message))
            server.on_message(lambda message: None if dead[0] else route.send(message))

    page.route_web_socket(lambda url: url.endswith("/live"), connect)
    editor = opened(page, address, text="start")
    shows(page, "start")
    dead[0] = True
    editor.press("End")
    page.keyboard.type(" and on", delay=20)
    shows(page, "start and on")


@pytest.mark.own_context
def test_a_slow_network_shows_what_is_typed_and_colours_all_of_it_in_the_end(page: Page, address: str):
    held: list[str | bytes] = []
    routes: list[WebSocketRoute] = []

    def connect(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        routes.append(route)
        server.on_message(lambda message: held.append(message) if is_slow else route.send(message))

    is_slow = False
    page.route_web_socket(lambda url: url.endswith("/live"), connect)
    editor = opened(page, address, text="")
    editor.focus()
    is_slow = True
    text = "the quick brown fox jumps over it"
    for word in text.split(" "):
        page.keyboard.type(f"{word} ", delay=15)
        # The typed text is on view before its tokens come; then some of them do, of a text that is older.
        expect(page.locator("#tokens .flow")).to_have_text(text[: text.index(word) + len(word)] + " ")
        for message in held[: len(held) // 2]:
            routes[-1].send(message)
        del held[: len(held) // 2]
    is_slow = False
    for message in held:
        routes[-1].send(message)
    shows(page, text + " ")
    assert page.locator(".pending").count() == 0


def server(port: int, app: str = "tests/browser/apps/served.py") -> AbstractContextManager:
    arguments = ["-m", "streamlit", "run", app, "--server.port", str(port)]
    return started(arguments, f"http://127.0.0.1:{port}", SCRIPT=str(ROOT / APP))


def test_a_server_that_is_killed_and_started_again_gets_the_text_of_the_tab(page: Page):
    port = free_port()
    with server(port) as process:
        editor = opened(page, f"http://127.0.0.1:{port}", text="first")
        editor.press("End")
        page.keyboard.type(" ที่นี่")
        shows(page, "first ที่นี่")
        # The browser has by now fetched the code that shows it, which it could not from a server that is gone.
        expect(page.get_by_test_id("stCode").locator("code")).to_have_text("first ที่นี่")
        process.kill()
    page.keyboard.type(" typed while it was gone")
    with server(port):
        expect(page.get_by_test_id("stCode").locator("code")).to_have_text(
            "first ที่นี่ typed while it was gone", timeout=60_000
        )
        page.keyboard.type(", and after")
        shows(page, "first ที่นี่ typed while it was gone, and after")


def test_whoever_types_on_while_the_server_is_killed_and_started_again_loses_no_key_and_never_clicks(page: Page):
    typed = ""

    def type_until(holds: Callable[[], bool]) -> None:
        nonlocal typed
        until = time.monotonic() + 60
        while not holds():
            assert time.monotonic() < until
            word = f"word{len(typed)} "
            page.keyboard.type(word, delay=60)
            typed += word

    port = free_port()
    with server(port, "app.py") as process:
        page.goto(f"http://127.0.0.1:{port}/?s={pack({'tokenizer': 'o200k_base', 'text': 'start '})}")
        shows(page, "start ")
        page.get_by_label("Text", exact=True).press("End")
        process.kill()
    dialog = page.get_by_role("dialog")
    type_until(dialog.is_visible)
    before = typed
    type_until(lambda: len(typed) > len(before) + 100)
    assert dialog.is_visible()
    with server(port, "app.py"):
        type_until(page.get_by_text("The connection is back.").is_visible)
        expect(dialog).to_have_count(0)
        type_until(lambda: len(typed) > len(before) + 300)
        shows(page, f"start {typed}")


@pytest.mark.own_context
def test_an_editor_that_the_page_redraws_keeps_its_caret_and_what_is_typed_meanwhile(page: Page, address: str):
    is_dropped = False

    def connect(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(lambda message: None if is_dropped and is_of_fragment(message) else route.send(message))

    page.route_web_socket(lambda url: url.endswith("/_stcore/stream"), connect)
    editor = opened(page, address, text="ที่ left")
    shows(page, "ที่ left")
    editor.focus()
    editor.evaluate("area => area.setSelectionRange(4, 6)")
    is_dropped = True
    rerun = page.get_by_role("button", name="Rerun")
    rerun.dispatch_event("click")
    expect(editor).to_have_count(0)
    page.keyboard.type("cart")  # c and r are shortcuts of Streamlit
    is_dropped = False
    rerun.dispatch_event("click")
    expect(editor).to_be_focused()
    page.keyboard.type("s, ")
    shows(page, "ที่ carts, ft")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.own_context
def test_a_page_that_is_left_while_the_typing_rests_does_not_come_back_empty(page: Page, address: str):
    held: list[str | bytes] | None = None
    routes: list[WebSocketRoute] = []

    def connect(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        routes.append(route)
        server.on_message(lambda message: route.send(message) if held is None else held.append(message))

    page.route_web_socket(lambda url: url.endswith("/_stcore/stream"), connect)
    editor = opened(page, address, rest=1, delay=2)
    editor.press_sequentially("typed, and ")
    # For three seconds the network is slow; the other page takes longer than the typing rests.
    held, until = [], time.monotonic() + 3
    page.get_by_role("link", name="Other").dispatch_event("click")
    wait_until(page, lambda: time.monotonic() > until)
    for message in held:
        routes[-1].send(message)
    held = None
    expect(page.get_by_text("Nothing here.")).to_be_visible()
    wait_until_idle(page)
    expect(page.get_by_text("Nothing here.")).to_be_visible()
    page.get_by_role("link", name="View").click()
    expect(editor).to_have_value("typed, and ")


def is_of_fragment(message: bytes) -> bool:
    """Whether a message of Streamlit shows something of a fragment, or repeats what is kept in the browser."""
    kind = (parsed := ForwardMsg.FromString(message)).WhichOneof("type")
    is_block = parsed.delta.WhichOneof("type") == "add_block"
    return kind == "ref_hash" or (kind == "delta" and bool(parsed.delta.fragment_id) and not is_block)


def test_a_paste_of_three_hundred_thousand_characters(page: Page, address: str):
    editor = opened(page, address, text="<>")
    paste = ("ภาษาไทย and English, 今天 👩‍🍳\n" * 12_000)[:300_000]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", paste)
    editor.evaluate("e => { e.focus(); e.setSelectionRange(1, 1); }")
    page.keyboard.press("Control+v")
    expect(page.locator("[data-count=characters]")).to_have_text("300,002", timeout=60_000)
    assert editor.input_value() == f"<{paste}>"
    page.keyboard.type("x")
    expect(page.locator("[data-count=characters]")).to_have_text("300,003", timeout=20_000)
    expect(page.locator(".pending")).to_have_count(0)


def test_a_text_too_long_for_the_tab_survives_a_reload(page: Page, address: str, tmp_path: Path):
    path = tmp_path / "long.txt"
    path.write_text("a line of a long text\n" * 50_000)
    opened(page, address, file=path, n=path.stat().st_size)
    page.get_by_role("button", name="Open").click()
    notice = page.locator(".notice[role=status]")
    expect(notice).to_contain_text("survives a reload", timeout=60_000)
    page.goto(address)
    expect(notice).to_contain_text("survives a reload", timeout=60_000)


@pytest.mark.own_context
def test_a_page_whose_socket_is_not_passed_on_says_so_until_it_is(page: Page, address: str):
    page.route_web_socket("**/live", lambda socket: socket.close())
    page.goto(f"{address}/?text=here")
    late = page.get_by_text("The server is not answering")
    expect(late).to_be_visible(timeout=30_000)
    page.route_web_socket("**/live", lambda socket: socket.connect_to_server())
    expect(page.get_by_label("Text", exact=True)).to_have_value("here", timeout=30_000)
    expect(late).to_have_count(0)
