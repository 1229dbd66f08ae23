"""The vocabulary in a browser: what a search finds, against the same search in Python."""

import csv
import re
from collections.abc import Callable
from io import StringIO

import pytest
from downloads import downloaded
from navigation import go_to
from playwright.sync_api import Page, WebSocket, expect
from polling import wait_until

import tokviz
from tokviz.core.relatives import tokens_made_directly_from
from tokviz.records.packing import pack
from tokviz.vocabulary.audit import audit
from tokviz.vocabulary.audit_report import as_csv
from tokviz.vocabulary.facts import KINDS, SCRIPTS, VocabularyFacts, vocabulary_facts
from tokviz.vocabulary.findings import stored_findings

TEXT = "the cat, the <script>window.hit = 1</script> ingredients of ก"
TOKENIZER = "gpt2"


@pytest.fixture
def opened(page: Page, app_address) -> Page:
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{app_address}/vocabulary/?s={pack({'tokenizer': TOKENIZER, 'text': TEXT})}")
    expect(page.locator(".entry").first).to_be_visible(timeout=60_000)
    yield page
    assert not errors
    assert page.evaluate("window.hit") is None
    assert page.get_by_test_id("stException").count() == 0


def search(page: Page, **fields: object) -> None:
    """Fill in the search; what is not named is as at first, but in the order of ids."""
    page.locator("form.search").evaluate("(form) => form.reset()")
    if page.get_by_role("button", name="More filters").get_attribute("aria-expanded") == "false":
        page.get_by_role("button", name="More filters").click()
    for name, value in ({"order": "id"} | fields).items():
        field = page.locator(f"form [name={name}]")
        if name == "caseless":
            field.set_checked(value)
        elif name in ("query", "from", "to", "shortest", "longest"):
            field.fill(value)
        else:
            field.select_option(value)


def found(facts: VocabularyFacts, keep: Callable[[int, bytes, str], bool]) -> list[int]:
    """Return the indexes of the tokens for which something holds, of their index, bytes and text."""
    return [i for i, token in enumerate(facts.tokens) if keep(i, token, facts.texts[i] or "")]


TOKENS = re.compile(r'\["answer","vocabulary",\d+,\{"columns"')


def test_the_rest_of_the_page_comes_once_the_tokens_are_there(page: Page, app_address: str):
    told: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: told.extend(["tokens"] * bool(TOKENS.match(str(frame)))))
        socket.on("framesent", lambda frame: told.extend(["painted"] * ('["painted","vocabulary"' in str(frame))))

    page.on("websocket", listen)
    page.goto(f"{app_address}/vocabulary")
    for _ in range(2):  # the second time, the tab has them
        expect(page.locator(".entry").first).to_be_visible(timeout=60_000)
        expect(page.get_by_role("button", name="Present")).to_be_visible(timeout=30_000)
        wait_until(page, lambda: told and told[-1] == "painted")
        go_to(page, "Train")
        go_to(page, "Vocabulary")
    wait_until(page, lambda: len(told) == 4)
    assert told == ["tokens", "painted", "painted", "painted"]


SEARCHES = [
    ({"query": "ING", "where": "end"}, lambda facts: lambda i, token, text: text.lower().endswith("ing")),
    ({"query": "ing", "caseless": False}, lambda facts: lambda i, token, text: "ing" in text),
    ({"query": " The"}, lambda facts: lambda i, token, text: " the" in text.lower()),
    ({"query": "the", "where": "whole"}, lambda facts: lambda i, token, text: text.lower() in ("the", " the")),
    ({"query": "the", "where": "begin", "space": "without"},
     lambda facts: lambda i, token, text: text.lower().startswith("the")),
    ({"query": "e0 b8", "how": "hex"}, lambda facts: lambda i, token, text: b"\xe0\xb8" in token),
    ({"query": "0x20 0x6", "how": "hex", "where": "begin"}, lambda facts: lambda i, token, text: token[0] == 0x20),
    ({"query": "262, 50256", "how": "id"}, lambda facts: lambda i, token, text: facts.ids[i] in (262, 50256)),
    ({"script": "Greek"}, lambda facts: lambda i, token, text: facts.script(i) == "Greek"),
    ({"kind": "digits", "from": "1000", "to": "20000", "shortest": "3"},
     lambda facts: lambda i, token, text: facts.kind(i) == "digits" and i in range(1000, 20001) and len(text) > 2),
    ({"query": "é", "caseless": True}, lambda facts: lambda i, token, text: "é" in text.lower()),
    ({"query": "no such token"}, lambda facts: lambda i, token, text: False),
]  # fmt: skip


def test_a_search_finds_what_the_same_search_in_python_finds(opened: Page):
    facts = vocabulary_facts(tokviz.load(TOKENIZER))
    offered = opened.locator("form [name=kind] option").evaluate_all("(nodes) => nodes.map((node) => node.value)")
    assert set(offered[1:]) == {KINDS[kind] for kind in facts.kinds}
    for fields, keep in SEARCHES:
        search(opened, **fields)
        expected = found(facts, keep(facts))
        expect(opened.locator(".found b")).to_have_text(f"{len(expected):,}")
        rows = opened.locator(".entry .id").all_text_contents()
        assert rows == [str(facts.ids[i]) for i in expected[: len(rows)]]
        assert bool(rows) == bool(expected)
        scripts = opened.locator(".entry .script").all_text_contents()
        assert scripts == [SCRIPTS[facts.scripts[i]] for i in expected[: len(rows)]]
    search(opened, query="zz", how="hex")
    expect(opened.locator(".found")).to_contain_text("Bytes in hex are written with")


def test_a_finding_of_the_audit_is_searched_for_and_told_of_its_tokens(opened: Page):
    found = stored_findings(TOKENIZER)
    search(opened, finding="only in context")
    wanted = found.ids_with("only in context").tolist()
    expect(opened.locator(".found b")).to_have_text(f"{len(wanted):,}")
    rows = opened.locator(".entry .id").all_text_contents()
    assert rows == [str(token_id) for token_id in wanted[: len(rows)]]
    opened.locator(".entry .id").first.click()
    context = found.reach_if_not_alone(tokviz.load(TOKENIZER), wanted[0]).context
    expect(opened.locator(".vocabulary .facts")).to_contain_text(f"only in context, as in {context}", timeout=15_000)
    opened.get_by_test_id("stButtonGroup").get_by_text("Audit", exact=True).click()
    opened.get_by_role("button", name="13 · never").click()
    expect(opened.locator(".found b")).to_have_text("13", timeout=15_000)
    expect(opened.locator(".found b")).to_be_in_viewport()
    opened.get_by_role("button", name="Report").click()
    file = downloaded(opened, opened.get_by_role("button", name="CSV", exact=True).click)
    assert file.path().read_bytes() == as_csv(audit(tokviz.load(TOKENIZER))).encode()


def test_the_longest_come_first_and_scrolling_shows_the_last(opened: Page):
    facts = vocabulary_facts(tokviz.load(TOKENIZER))
    search(opened, order="long")
    lengths = sorted(facts.n_chars.tolist(), reverse=True)
    opened.locator(".list-of-tokens").press("End")
    expect(opened.locator(".entry.active")).to_have_attribute("aria-posinset", str(len(facts)))
    assert opened.locator(".entry .length").last.text_content() == str(lengths[-1])
    opened.locator(".list-of-tokens").press("Home")
    expect(opened.locator(".entry .length").first).to_have_text(str(lengths[0]))


@pytest.mark.slow
@pytest.mark.journey
def test_a_token_opens_to_its_relatives_and_its_places_and_is_open_after_a_reload(opened: Page):
    tokenizer = tokviz.load(TOKENIZER)
    the = tokenizer.encode(" the")[0]
    search(opened, query=str(the), how="id")
    opened.locator(".entry").click()
    facts = opened.locator(".facts")
    expect(facts.locator("dt", has_text="children")).to_be_visible(timeout=15_000)
    shown = facts.locator(".relatives").nth(1).locator("button").all_text_contents()
    assert shown == [child.decode() for child in tokens_made_directly_from(tokenizer, b" the")]
    assert facts.locator(".places .t").all_text_contents() == [" the"] * tokenizer.encode(TEXT).count(the)
    expect(facts.locator(".tree")).to_be_visible()
    facts.locator(".relatives").nth(0).locator("button").first.click()  # a parent
    expect(facts.locator(".nth")).to_have_text(f"id {tokenizer.encode(' t')[0]}")
    opened.reload()
    expect(opened.locator(".facts .nth")).to_have_text(f"id {tokenizer.encode(' t')[0]}", timeout=30_000)
    expect(opened.locator(".entry")).to_have_count(1)


@pytest.mark.own_context
def test_the_use_of_a_token_follows_the_typing_and_says_when_it_is_old(page: Page, app_address):
    answers: list[str] = []
    is_slow = False

    def connect(route) -> None:
        server = route.connect_to_server()

        def tell(message) -> None:
            if is_slow and message.startswith('["answer"'):
                answers.append(message)
            else:
                route.send(message)

        server.on_message(tell)
        routes.append(route)

    routes = []
    page.route_web_socket(lambda url: url.endswith("/live"), connect)
    page.goto(f"{app_address}/vocabulary/?s={pack({'tokenizer': TOKENIZER, 'text': '<|endoftext|> the'})}")
    tokenizer = tokviz.load(TOKENIZER)
    facts, uses = page.locator(".vocabulary .facts"), page.locator(".vocabulary .uses")
    for token, n_uses in ((50256, "0 times"), (tokenizer.encode(" the")[0], "1 time")):
        expect(page.locator(".entry").first).to_be_visible(timeout=60_000)
        search(page, query=str(token), how="id")
        page.locator(".entry").click()
        expect(uses).to_contain_text(n_uses)
    page.get_by_text("Count in a text").click()
    editor = page.get_by_label("Text", exact=True)
    expect(editor).to_be_editable(timeout=15_000)
    editor.press("Control+End")
    is_slow = True
    page.keyboard.type(" cat, the dog")
    expect(facts).to_have_attribute("aria-busy", "true")
    expect(uses).to_contain_text("1 time")
    wait_until(page, lambda: answers)
    is_slow = False
    routes[-1].send(answers[-1])
    expect(uses).to_contain_text("2 times")
    expect(facts).to_have_attribute("aria-busy", "false")
    search(page, query="50256", how="id")
    page.locator(".entry").click()
    expect(uses).to_contain_text("0 times")
    page.get_by_text("Special tokens", exact=True).click()
    expect(uses).to_contain_text("1 time")


def test_a_lesson_searches_once_and_what_one_types_then_outlives_a_reload(page: Page, app_address):
    page.goto(f"{app_address}/lessons?lesson=vocabulary")
    expect(page.get_by_role("button", name="Show the answer").nth(1)).to_be_visible(timeout=60_000)
    wait_until(page, "sessionStorage.getItem('tokviz.session') !== null")
    page.get_by_role("button", name="Show the answer").nth(1).click()
    page.get_by_role("button", name="Open in …").first.click()
    page.get_by_test_id("stPopoverBody").get_by_role("button", name="Vocabulary").click()
    query = page.locator("form [name=query]")
    expect(query).to_have_value("ingredient", timeout=60_000)
    facts = vocabulary_facts(tokviz.load("cl100k_base"))
    expected = found(facts, lambda i, token, text: "ingredient" in text.lower())
    expect(page.locator(".found b")).to_have_text(str(len(expected)), timeout=30_000)
    query.fill("ing")
    expect(page.locator(".found b")).not_to_have_text(str(len(expected)))
    page.reload()
    expect(page.locator(".entry").first).to_be_visible(timeout=60_000)
    expect(query).to_have_value("ing")


def test_the_tokens_are_sent_once_and_stay_over_a_change_of_page(page: Page, app_address):
    received = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    page.goto(f"{app_address}/vocabulary/?s={pack({'tokenizer': 'o200k_base'})}")
    expect(page.locator(".found b")).to_have_text("200,000", timeout=60_000)
    assert len([size for size in received if size > 1_000_000]) == 1
    received.clear()
    page.locator("form [name=query]").fill("ing")
    page.locator(".entry").first.click()
    expect(page.locator(".facts dt", has_text="children")).to_be_visible(timeout=15_000)
    go_to(page, "Train")
    go_to(page, "Vocabulary")
    expect(page.locator(".entry").first).to_be_visible(timeout=30_000)
    assert max(received) < 1_000_000


def test_a_vocabulary_is_trimmed_to_the_text_and_the_new_ids_come_as_a_file(opened: Page):
    trimmed = tokviz.trim(tokviz.load(TOKENIZER), TEXT)
    opened.get_by_role("button", name="Trim to your text").click()
    dialog = opened.get_by_role("dialog")
    expect(dialog.get_by_text(f"{trimmed.tokenizer.n_vocab:,}", exact=True)).to_be_visible(timeout=30_000)
    file = downloaded(opened, dialog.get_by_role("button", name="New ids as CSV").click)
    rows = list(csv.DictReader(StringIO(file.path().read_bytes().decode("utf-8-sig"), newline="")))
    assert {int(row["old id"]): int(row["new id"]) for row in rows} == trimmed.ids
    dialog.get_by_role("button", name="Add it to the list").click()
    expect(dialog).to_have_count(0)
    expect(opened.locator(".found b")).to_have_text(f"{trimmed.tokenizer.n_vocab:,}", timeout=30_000)
    expect(opened.get_by_role("combobox").first).to_have_value("gpt2 trimmed")
    opened.reload()
    expect(opened.locator(".found b")).to_have_text(f"{trimmed.tokenizer.n_vocab:,}", timeout=30_000)
