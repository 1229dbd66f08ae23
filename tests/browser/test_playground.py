"""The playground in a browser: its three inputs, what can be done with the tokens, and what outlives a reload."""

import json
from datetime import date

import pytest
from choosing import choose
from downloads import downloaded
from navigation import go_to
from panels import show_more, show_tokens_as
from playwright.sync_api import Browser, Page, expect
from polling import wait_until

import tokviz
from pages.ui.shared.text import START_TEXT
from tokviz.chats.chatml import chat_ids, chat_tokenizer
from tokviz.chats.formats import Harmony
from tokviz.chats.prompt import Message, prompt_spans
from tokviz.core.samples import sample
from tokviz.records.packing import pack

THAI = "สวัสดี ชาวโลก 你好 👩‍🍳\n"


class Playground:
    """The page in the words of its user."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.editor = page.get_by_label("Text", exact=True).filter(visible=True)
        self.tokens = page.locator("#tokens:visible")

    def open(self, path: str = "/") -> "Playground":
        self.page.goto(self.address + path)
        show_tokens_as(self.page, "ids")
        return self

    def allow_special(self) -> None:
        show_more(self.page, "Special tokens")
        self.page.get_by_label("Special tokens", exact=True).locator("xpath=ancestor::label").click()
        expect(self.page.get_by_role("button", name="More: special tokens on")).to_be_visible(timeout=15_000)
        self.page.keyboard.press("Escape")

    def open_file(self, name: str, data: bytes) -> None:
        self.page.get_by_test_id("stPopover").get_by_text("Open", exact=True).click()
        uploader = self.page.get_by_test_id("stFileUploader").filter(has_text="A text file")
        uploader.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})

    def type(self, text: str) -> None:
        self.editor.fill(text)
        self.shows(tokviz.load("cl100k_base").encode(text))

    def shows(self, ids: list[int]) -> None:
        """Wait for the ids in the list of tokens; of more than these few the list draws what is in sight."""
        assert len(ids) < 300
        numbers = self.page.locator("#list:visible .flow .t")
        expect(numbers).to_have_text([str(token_id) for token_id in ids], timeout=15_000)

    def take(self, tokenizer: str) -> None:
        self.pick("Tokenizer", tokenizer)

    def pick(self, label: str, option: str) -> None:
        choose(self.page.get_by_role("combobox", name=label), option)

    def source(self, name: str) -> None:
        option = self.page.get_by_test_id("stButtonGroup").get_by_text(name, exact=True)
        expect(option).to_have_count(1)  # the one of before the tab gave its value back is gone
        option.click()

    def train(self, name: str, text: str) -> tokviz.Tokenizer:
        go_to(self.page, "Train")
        editor = self.page.get_by_label("Training text")
        expect(editor).to_be_visible(timeout=15_000)
        editor.fill(text)
        self.page.get_by_role("button", name="More options").click()
        field = self.page.get_by_label("Name", exact=True)
        field.fill(name)
        field.press("Enter")
        self.page.keyboard.press("Escape")
        self.page.get_by_role("button", name="Train", exact=True).click()
        expect(self.page.get_by_role("heading", name="Learned")).to_be_visible(timeout=30_000)
        go_to(self.page, "Playground")
        expect(self.editor).to_be_visible(timeout=15_000)
        return tokviz.train(text, vocab_size=512, min_count=2)

    def link(self) -> str:
        self.page.get_by_role("button", name="Share").click()
        code = self.page.get_by_role("dialog").locator("pre code")
        expect(code).to_contain_text("?s=", timeout=15_000)
        return code.inner_text().replace("\n", "")


@pytest.fixture
def playground(page: Page, app_address: str) -> Playground:
    return Playground(page, app_address)


def test_text_options_and_trained_tokenizers_survive_a_reload_on_every_page(playground: Playground):
    playground.open()
    text = sample("arithmetic")[:300] + "<|endoftext|>"
    tokenizer = playground.train("sums", text)
    playground.allow_special()
    wait_until(playground.page, "sessionStorage.getItem('tokviz.session').includes('allow_special')")
    playground.page.reload()
    playground.shows(tokenizer.encode(text))
    expect(playground.editor).to_have_value(text)
    expect(playground.page.get_by_role("button", name="More: special tokens on")).to_be_visible()
    # A page without an editor gets the text from the tab as well.
    go_to(playground.page, "Merges")
    expect(playground.tokens).to_contain_text(text[:12], timeout=15_000)
    playground.page.reload()
    expect(playground.tokens).to_contain_text(text[:12], timeout=15_000)
    go_to(playground.page, "Playground")
    playground.shows(tokenizer.encode(text))


def test_two_tabs_keep_to_themselves(playground: Playground):
    playground.open()
    playground.type("one tab")
    other = Playground(playground.page.context.new_page(), playground.address)
    other.open()
    expect(other.editor).to_have_value(START_TEXT)
    other.type("another tab")
    for tab, text in ((playground, "one tab"), (other, "another tab")):
        tab.page.reload()
        expect(tab.editor).to_have_value(text, timeout=15_000)
        tab.shows(tokviz.load("cl100k_base").encode(text))


def test_a_link_shows_the_same_to_somebody_else(playground: Playground, browser: Browser):
    playground.open()
    playground.take("GPT-2 · gpt2")
    text = THAI + "<script>alert(1)</script> <|endoftext|>"
    playground.editor.fill(text)
    playground.allow_special()
    ids = tokviz.load("gpt2").encode(text, allowed_special="all")
    playground.shows(ids)
    address = playground.link()
    context = browser.new_context()
    other = Playground(context.new_page(), address)
    other.open("")
    expect(other.editor).to_have_value(text, timeout=15_000)
    other.shows(ids)
    assert "?" not in other.page.url
    context.close()


def test_what_is_changed_after_a_link_was_opened_is_kept_over_a_reload(playground: Playground):
    playground.open(f"/?s={pack({'tokenizer': 'gpt2', 'text': 'linked'})}")
    expect(playground.editor).to_have_value("linked", timeout=15_000)
    playground.editor.press("End")
    playground.page.keyboard.type("!")
    ids = tokviz.load("gpt2").encode("linked!")
    playground.shows(ids)
    playground.page.reload()
    playground.shows(ids)


def test_a_link_carries_a_trained_tokenizer_and_leaves_those_of_the_tab(playground: Playground, browser: Browser):
    playground.open()
    text = sample("english")[:300]
    tokenizer = playground.train("carried", text)
    playground.shows(tokenizer.encode(text))
    address = playground.link()
    context = browser.new_context()
    other = Playground(context.new_page(), playground.address)
    other.open()
    own = other.train("carried", sample("thai")[:600])
    wait_until(other.page, "sessionStorage.getItem('tokviz.session').includes('carried')")
    other.address = address
    other.open("")
    expect(other.editor).to_have_value(text, timeout=15_000)
    other.shows(tokenizer.encode(text))
    # The tab's own of the same name has a number now.
    expect(other.page.get_by_label("Tokenizer")).to_have_value("carried", timeout=15_000)
    other.take("carried (2)")
    other.shows(own.encode(text))
    context.close()


def test_a_damaged_link_and_one_too_long_are_told_in_words(playground: Playground):
    playground.open("/?s=nonsense")
    expect(playground.page.get_by_text("The link cannot be read")).to_be_visible()
    expect(playground.editor).to_have_value(START_TEXT)
    playground.editor.fill("".join(chr(0x4E00 + (i * 7919) % 20_000) for i in range(60_000)))
    expect(playground.page.locator("[data-count=characters]")).to_have_text("60,000", timeout=15_000)
    playground.page.get_by_role("button", name="Share").click()
    expect(playground.page.get_by_role("dialog")).to_contain_text("no more than 64,000", timeout=15_000)


def test_a_chat_is_composed_and_survives_a_reload(playground: Playground):
    playground.open()
    playground.source("Chat")
    first, second = (playground.page.get_by_label(f"Message {number}", exact=True) for number in (1, 2))
    expect(second).to_be_visible(timeout=15_000)
    tokenizer = chat_tokenizer(tokviz.load("cl100k_base"))
    first.fill("ตอบสั้น ๆ <|im_end|>")
    second.fill(THAI)
    messages = [("system", "ตอบสั้น ๆ <|im_end|>"), ("user", THAI)]
    playground.shows(chat_ids(tokenizer, messages))
    show_tokens_as(playground.page, "colour")
    special = playground.tokens.locator(".special")
    # The marker that was typed is text; those of the format are special tokens.
    expect(special).to_have_text(["<|im_start|>", "<|im_end|>"] * 2 + ["<|im_start|>"])
    show_tokens_as(playground.page, "ids")
    playground.page.get_by_role("button", name="Add a message").click()
    third = playground.page.get_by_label("Message 3", exact=True)
    third.fill("def f():\n    return 1")
    playground.shows(chat_ids(tokenizer, [*messages, ("assistant", "def f():\n    return 1")]))
    playground.page.reload()
    expect(third).to_have_value("def f():\n    return 1", timeout=15_000)
    playground.pick("Role of message 3", "tool")
    messages.append(("tool", "def f():\n    return 1"))
    playground.shows(chat_ids(tokenizer, messages))
    playground.page.get_by_role("button", name="Remove 1").click()
    playground.shows(chat_ids(tokenizer, messages[1:]))
    playground.page.locator("#list:visible .t").first.click()
    expect(playground.page.locator(".inspector:visible")).to_contain_text("100264")
    playground.source("Text")
    expect(playground.editor).to_have_value(START_TEXT, timeout=15_000)


def test_a_call_of_a_function_in_harmony_says_whose_each_token_is_and_is_compared(playground: Playground):
    playground.open()
    page = playground.page
    playground.source("Chat")
    first, second, third = (page.get_by_label(f"Message {number}", exact=True) for number in (1, 2, 3))
    expect(second).to_be_visible(timeout=15_000)
    playground.take("gpt-oss · o200k_harmony")
    first.fill("ตอบสั้น ๆ")
    second.fill("Is it warm in Chiang Mai?")
    page.get_by_role("button", name="Add a message").click()
    third.fill('{"city": "เชียงใหม่"}')
    choose(page.get_by_role("combobox", name="Channel of message 3"), "commentary")
    to = page.get_by_placeholder("functions.get_weather")
    to.fill("functions.get_weather")
    to.press("Enter")
    messages = [
        Message("system", "ตอบสั้น ๆ"),
        Message("user", "Is it warm in Chiang Mai?"),
        Message("assistant", '{"city": "เชียงใหม่"}', "commentary", "functions.get_weather"),
    ]
    tokenizer = tokviz.load("o200k_harmony")
    prompt = Harmony(today=date.today()).prompt(messages)
    ids = prompt_spans(tokenizer, prompt).ids.tolist()
    playground.shows(ids)
    expect(page.get_by_role("button", name="3 assistant → functions.get_weather")).to_contain_text("scaffolding")
    show_tokens_as(page, "colour")
    content = playground.tokens.locator(".t:not(.special, .scaffolding)")
    expect(content.first).to_contain_text("ต")
    assert content.first.evaluate("node => getComputedStyle(node).backgroundColor") != playground.tokens.locator(
        ".scaffolding"
    ).first.evaluate("node => getComputedStyle(node).backgroundColor")
    expect(playground.tokens).to_contain_text("You are ChatGPT")
    page.get_by_role("button", name="before all messages").click()
    expect(playground.tokens).not_to_contain_text("You are ChatGPT", use_inner_text=True)
    page.get_by_role("button", name="2 user").click()
    expect(playground.tokens).not_to_contain_text("Chiang Mai", use_inner_text=True)
    page.get_by_role("button", name="Remove 1").click()  # what is folded stays so under another number
    expect(third).to_have_count(0)  # the tokens follow by a way of their own, and sooner than the rest of the page
    expect(page.get_by_role("button", name="1 user")).to_have_attribute("aria-expanded", "false", timeout=15_000)
    expect(playground.tokens).not_to_contain_text("Chiang Mai", use_inner_text=True)
    page.reload()
    expect(to).to_have_value("functions.get_weather", timeout=15_000)
    expect(playground.tokens).to_contain_text("to=functions.get_weather", timeout=15_000)

    playground.pick("Format", "My own template")
    template = page.get_by_label("Template, in Jinja")
    template.fill("{% for m in messages %}\n{{ m.content.x.y }}{% endfor %}")
    expect(page.get_by_text("the chat template fails: line 2")).to_be_visible(timeout=15_000)
    template.fill("{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}")
    expect(playground.tokens.locator(".flow")).to_have_text(
        "[user]Is it warm in Chiang Mai?[assistant]", timeout=15_000
    )  # fmt: skip
    page.get_by_text("Compare with other models").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible(timeout=15_000)


def test_pasted_ids_show_their_tokens_and_name_the_unknown(playground: Playground):
    playground.open()
    playground.source("From ids")
    editor = playground.page.get_by_label("Token ids")
    editor.fill("[15339, 1917]\n100257")
    playground.shows([15339, 1917, 100257])
    show_tokens_as(playground.page, "colour")
    expect(playground.tokens.locator(".flow")).to_have_text("hello world<|endoftext|>")
    show_tokens_as(playground.page, "ids")
    editor.fill("15339 <b>x</b> 100261; 1917")
    playground.shows([15339, 1917])
    notice = playground.page.locator(".notice:visible")
    expect(notice).to_contain_text("Not token ids, left out: b, x, b.")
    expect(notice).to_contain_text("Unknown to GPT-4, left out: 100261. Its ids run from 0 to 100276, with gaps.")
    playground.page.reload()
    playground.shows([15339, 1917])
    expect(editor).to_have_value("15339 <b>x</b> 100261; 1917")


def test_the_connection_stays_where_ids_are_typed(playground: Playground):
    sockets: list[str] = []
    playground.page.on("websocket", lambda socket: sockets.append(socket.url))
    playground.page.clock.install()
    playground.open()
    playground.source("From ids")
    editor = playground.page.get_by_label("Token ids")
    expect(editor).to_be_visible(timeout=15_000)
    editor.fill("")
    editor.press_sequentially("15339 1917")
    playground.shows([15339, 1917])
    # A connection on which an edit stays unanswered is given up after ten seconds.
    playground.page.clock.fast_forward(11_000)
    assert len([url for url in sockets if url.endswith("/live")]) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_text_file_is_opened(playground: Playground, encoding: str):
    playground.open()
    playground.open_file("a.txt", THAI.encode(encoding))
    expect(playground.editor).to_have_value(THAI, timeout=15_000)
    expect(playground.page.get_by_test_id("stPopoverBody")).to_have_count(0)  # the text is in sight
    playground.shows(tokviz.load("cl100k_base").encode(THAI))


def test_a_file_of_another_encoding_is_refused_and_decoded_on_request(playground: Playground):
    playground.open()
    text = sample("thai")[:500].encode("cp874", "ignore").decode("cp874")
    playground.open_file("old.txt", text.encode("cp874"))
    expect(playground.page.get_by_text("old.txt is not UTF-8: byte 0 cannot be read.")).to_be_visible(timeout=15_000)
    expect(playground.editor).to_have_value(START_TEXT)
    playground.page.get_by_role("button", name="Open it as cp874").click()
    expect(playground.editor).to_have_value(text, timeout=15_000)


def test_a_count_opens_that_tokenizers_tokens_below_and_says_where_the_difference_comes_from(playground: Playground):
    playground.open()
    page, text = playground.page, "x\n        y 2024"
    playground.type(text)
    beside, gpt2 = page.locator(".beside"), page.get_by_role("button", name="GPT-2")
    expect(beside).to_be_hidden()

    def shows() -> None:
        gpt4 = "GPT\N{NON-BREAKING HYPHEN}4"
        words = f"4 more tokens than {gpt4} here, mostly in indentation: it has no token for several spaces."
        expect(beside.get_by_role("status")).to_contain_text(words, timeout=15_000)
        tokens = page.get_by_role("listbox", name="Tokens of GPT-2")
        expect(tokens.locator(".t")).to_have_count(len(tokviz.load("gpt2").encode(text)))
        expect(tokens.locator(".differs")).to_have_text([*" " * 7, " 2024"])

    gpt2.click()
    shows()
    wait_until(page, "sessionStorage.getItem('tokviz.session')?.includes('beside')")
    page.reload()
    shows()
    link = playground.link()
    page.keyboard.press("Escape")
    gpt2.click()
    expect(beside).to_be_hidden(timeout=15_000)
    other = page.context.browser.new_page()
    other.goto(link)
    expect(other.get_by_role("listbox", name="Tokens of GPT-2")).to_be_visible(timeout=30_000)
    other.close()


def test_downloads_hold_what_was_typed_last(playground: Playground):
    playground.open()
    playground.type("typed after the page was made 你好")
    page = playground.page
    show_more(page, "Export")
    download = downloaded(page, page.get_by_role("button", name="Tokens as JSON").click, name="tokens.json")
    value = json.loads(download.path().read_bytes())
    assert value["text"] == "typed after the page was made 你好"
    assert value["ids"] == tokviz.load("cl100k_base").encode(value["text"])
    download = downloaded(page, page.get_by_role("button", name="Tokens as CSV").click, name="tokens.csv")
    lines = download.path().read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == len(value["ids"]) + 1


def test_the_code_that_is_shown_gives_the_ids_that_are_shown(playground: Playground, tmp_path, monkeypatch):
    playground.open()
    playground.type('It\'s "quoted"\n\\ 你好')
    show_more(playground.page, "Export")
    playground.page.get_by_role("button", name="Show as code").click()
    dialog = playground.page.get_by_role("dialog")
    blocks = dialog.locator("pre code")
    expect(blocks).to_have_count(3, timeout=15_000)
    file = downloaded(playground.page, dialog.get_by_role("button", name="tokenizer.json").click)
    file.save_as(tmp_path / "tokenizer.json")
    monkeypatch.chdir(tmp_path)
    for code in blocks.all_inner_texts():
        names: dict = {}
        exec(code, names)
        assert names["ids"] == tokviz.load("cl100k_base").encode('It\'s "quoted"\n\\ 你好')


def test_the_ids_are_copied_as_json(playground: Playground):
    playground.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    playground.open()
    playground.type(THAI)
    playground.page.get_by_role("button", name="Copy ids").click()
    expect(playground.page.get_by_role("button", name="Copied")).to_be_visible()
    copied = playground.page.evaluate("navigator.clipboard.readText()")
    assert json.loads(copied) == tokviz.load("cl100k_base").encode(THAI)


def test_a_model_chooses_its_encoding(playground: Playground):
    playground.open()
    playground.type("indivisible 你好")
    playground.pick("Tokenizer", "o1 · o200k_base")
    playground.shows(tokviz.load("o200k_base").encode("indivisible 你好"))
    playground.take("GPT-2 · gpt2")
    playground.shows(tokviz.load("gpt2").encode("indivisible 你好"))
    box = playground.page.get_by_label("Tokenizer")
    expect(box).to_have_value("GPT-2 · gpt2")
    box.click()
    box.fill("no-such-model")
    box.press("Enter")
    words = "tokviz knows no tokenizer or model 'no-such-model': try "
    expect(playground.page.get_by_text(words)).to_be_visible(timeout=15_000)
    playground.shows(tokviz.load("gpt2").encode("indivisible 你好"))


def test_a_text_that_is_a_chat_is_seen_as_one(playground: Playground):
    page, editor = playground.open().page, playground.editor
    offer = page.get_by_role("button", name="See it under Chat")
    editor.fill("What is 2+2?")
    expect(offer).to_have_count(0)
    chat = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhat is 2+2?<|im_end|>\n<|im_start|>assistant\n"
    editor.fill(chat)
    expect(page.get_by_text("This looks like a chat (ChatML).")).to_be_visible()
    offer.click()
    expect(page.get_by_label("Message 1", exact=True)).to_have_value("Be brief.")
    expect(page.get_by_label("Message 2", exact=True)).to_have_value("What is 2+2?")
    expect(page.get_by_label("Message 3", exact=True)).to_have_count(0)
    expect(page.get_by_role("combobox", name="Format")).to_have_value("ChatML")
