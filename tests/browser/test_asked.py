"""Requests that follow each other faster than the server answers, in Chromium: none is lost, and the last one shows."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from serving import serving

from tokviz.samples import sample

LINK = "[...document.querySelectorAll('a')].find((a) => a.textContent.includes('{}')).click();"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving("tests/browser/apps/asked_app.py") as address:
        yield address


@pytest.mark.parametrize("attempt", range(3))  # two runs of one session may meet in several ways
def test_a_page_stays_though_a_part_of_the_former_one_asks_after_it(page: Page, app_address, attempt):
    page.goto(f"{app_address}/vocabulary")
    page.get_by_text("The text in which a token's use is counted").click()
    expect(page.get_by_text("Special tokens", exact=True)).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.evaluate(
        "() => {" + LINK.format("Train") + "document.querySelector('[data-testid=stCheckbox] input').click(); }"
    )
    expect(page.get_by_role("heading", name="Train", exact=True)).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.get_by_role("heading", name="Train", exact=True)).to_be_visible(timeout=1_000)
    expect(page.get_by_label("Training text")).to_be_visible()


@pytest.mark.parametrize("later", [0, 20, 100])
def test_a_button_of_the_former_page_pressed_after_a_link_does_not_lead_back(page: Page, app_address, later):
    page.goto(f"{app_address}/lessons?lesson=spelling")
    expect(page.get_by_role("button", name="Reveal", exact=True)).to_have_count(3)
    page.evaluate(
        "(later) => {"
        + LINK.format("Train")
        + "const button = [...document.querySelectorAll('button')].find((b) => b.textContent.includes('Reveal'));"
        + "setTimeout(() => button.click(), later); }",
        later,
    )
    expect(page.get_by_role("heading", name="Train", exact=True)).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.get_by_label("Training text")).to_be_visible()


@pytest.mark.parametrize("later", [30, 200])
def test_a_link_is_followed_while_a_training_begins(page: Page, app_address, later):
    page.goto(f"{app_address}/train")
    expect(page.get_by_label("Training text")).to_be_visible()
    page.get_by_role("button", name="English", exact=True).click()
    expect(page.get_by_label("Training text")).to_have_value(sample("english"))
    page.get_by_role("spinbutton", name="Vocabulary size").fill("2000")
    page.get_by_role("spinbutton", name="Vocabulary size").press("Enter")
    page.get_by_role("button", name="Train", exact=True).evaluate(
        "(button, later) => { button.click(); setTimeout(() => {" + LINK.format("Merges") + "}, later); }", later
    )
    expect(page.get_by_role("heading", name="Merges", exact=True)).to_be_visible()
    page.wait_for_timeout(700)
    expect(page.get_by_role("heading", name="Merges", exact=True)).to_be_visible(timeout=1_000)
    expect(page.locator("[data-figure=step]")).to_be_visible(timeout=30_000)


@pytest.mark.parametrize("attempt", range(3))
def test_what_is_typed_and_pressed_just_before_a_link_is_kept(page: Page, app_address, attempt):
    page.goto(f"{app_address}/lessons?lesson=spelling")
    expect(page.get_by_role("button", name="Reveal", exact=True)).to_have_count(3)
    page.get_by_label("Text 1:").fill("raspberry")
    page.evaluate(
        """async () => {
          const sent = () => new Promise((resolve) => setTimeout(() => setTimeout(resolve)));
          const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
          document.querySelector("input[aria-label^='Text 1']").dispatchEvent(enter);
          await sent();
          [...document.querySelectorAll("button")].filter((b) => b.textContent.includes("Reveal"))[1].click();
          await sent();"""
        + LINK.format("4. Arithmetic")
        + "}"
    )
    expect(page.get_by_role("heading", name="Arithmetic", exact=True)).to_be_visible()
    page.get_by_role("link", name="3. Spelling").click()
    expect(page.get_by_role("heading", name="Spelling", exact=True)).to_be_visible()
    expect(page.get_by_label("Text 1:").first).to_have_value("raspberry")
    expect(page.get_by_role("button", name="Hide the answer")).to_have_count(1)


def test_presses_in_quick_succession_all_count(page: Page, address):
    page.goto(address)
    button = page.get_by_role("button", name="Short")
    expect(button).to_be_visible(timeout=30_000)
    for times in range(1, 11):
        button.evaluate(
            """async (short) => {
              short.click();
              await new Promise((resolve) => setTimeout(() => setTimeout(resolve)));
              [...document.querySelectorAll("button")].find((b) => b.textContent.includes("Other")).click();
            }"""
        )
        expect(page.get_by_text("other,")).to_have_text(f"{times} short, {times} other, 0 long")


def test_a_run_that_is_long_at_one_step_holds_nothing_up(page: Page, address):
    page.goto(address)
    page.get_by_role("button", name="Long").click(timeout=30_000)
    expect(page.get_by_text("0 short, 0 other, 1 long")).to_be_visible()
    page.get_by_role("button", name="Short").click()
    expect(page.get_by_text("1 short, 0 other, 1 long")).to_be_visible()
