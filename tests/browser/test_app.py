"""Every page in a browser: it opens, counts what is typed, and nothing leaves this computer."""

import pytest
from downloads import downloaded
from navigation import go_to
from playwright.sync_api import Browser, Page, expect
from polling import wait_until, wait_until_idle
from violations import violations_of

import tokviz
from pages.ui.pages import PAGES
from tokviz.core.samples import sample

# A script in the page, and a text evaluated, which is not looked at while a test evaluates something itself.
TRIED = """() => {
    document.body.append(document.createRange().createContextualFragment("<script>window.ran = 1</script>"));
    setTimeout(() => { try { eval("window.ran = 2"); } catch { window.refused = true; } });
}"""


def test_every_page_opens_by_its_link(page: Page, app_address):
    page.goto(app_address)
    for name in PAGES:
        go_to(page, name)
        wait_until_idle(page)
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
        assert page.get_by_test_id("stException").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("title", PAGES)
def test_a_page_opens_by_its_address(browser: Browser, app_address, title, scheme):
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    violations = violations_of(page)
    page.goto(f"{app_address}/{PAGES[title].url_path}")
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible(timeout=30_000)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    assert page.get_by_test_id("stException").count() == 0
    background = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    assert background == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(17, 23, 22)")
    assert not violations
    context.close()


@pytest.mark.journey
def test_train_step_and_compare(page: Page, app_address):
    page.goto(f"{app_address}/train")
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Examples").click()
    page.get_by_text("English", exact=True).click()
    expect(page.get_by_label("Training text")).to_have_value(sample("english"), timeout=15_000)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_role("heading", name="Learned 256 merges.")).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Download", exact=True).click()
    download = downloaded(page, page.get_by_role("button", name=".model", exact=True).click)
    tokenizer = tokviz.Tokenizer.read(download.path())
    assert tokenizer == tokviz.train(sample("english"), vocab_size=512, min_count=2)
    # By its button: while the file is made, the button that was pressed is disabled, and no key reaches the dialog.
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    go_to(page, "Merges")
    first = next(tokviz.train_steps(sample("english"), vocab_size=512))
    slider = page.get_by_role("slider")
    expect(slider).to_be_visible(timeout=30_000)
    slider.press("Home")
    shown = first.token_bytes.decode()
    expect(page.locator(".soon-words")).to_contain_text(f"→ {shown}, ", timeout=15_000)
    go_to(page, "Compare")
    expect(page.locator(".column:visible h2")).to_have_text(
        ["GPT-2 · gpt2", "GPT-4 · cl100k_base", "GPT-4o · o200k_base", "my tokenizer"]
    )
    wait_until_idle(page)
    assert page.get_by_test_id("stException").count() == 0


def test_a_page_runs_no_script_but_the_servers_and_stands_in_no_frame(browser: Browser, app_address):
    page = browser.new_page()
    violations = violations_of(page)
    page.goto(f"{app_address}/languages")
    expect(page.get_by_test_id("stVegaLiteChart").locator("svg text").first).to_be_visible(timeout=30_000)
    assert not violations
    page.evaluate(TRIED)
    wait_until(page, "window.refused")
    assert page.evaluate("window.ran") is None
    assert len(violations) == 3  # of the script, which the console tells by itself too, and of the text
    page.goto("about:blank")
    page.set_content(f"<iframe src='{app_address}'></iframe>")
    assert len(page.frames[1].locator("#root").all()) == 0
    page.close()


@pytest.mark.journey
def test_what_a_page_asks_of_other_hosts_is_noticed(browser: Browser):
    page = browser.new_page()
    violations = violations_of(page)
    addresses = ["http://tokviz.invalid/a.png", "http://192.0.2.1/b.png", "http://[2001:db8::1]/c.png"]
    page.set_content("".join(f"<img src='{address}'>" for address in addresses))
    page.evaluate("fetch('http://192.0.2.1:8/d', { mode: 'no-cors', method: 'POST' }).catch(() => 0)")
    page.evaluate("void new WebSocket('ws://tokviz.invalid/e')")
    addresses += ["http://192.0.2.1:8/d", "ws://tokviz.invalid/e"]
    wait_until(page, lambda: sorted(violations) == sorted(addresses))
    page.close()
