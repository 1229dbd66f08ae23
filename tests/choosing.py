"""Choosing from one of Streamlit's lists in a browser."""

from playwright.sync_api import Locator, expect
from polling import wait_until_idle


def choose(picker: Locator, option: str) -> None:
    """Choose an option of a list by typing its name; wait until it is chosen.

    A click will not do: the list scrolls as it opens, so the button can go down on one option and come up on another.
    """
    picker.wait_for(timeout=30_000)
    wait_until_idle(picker.page)  # a run of the page closes an open list
    picker.fill("")  # else Streamlit strips the current choice from a name that begins with it
    picker.fill(option)
    listed = picker.page.get_by_role("option", name=option, exact=True)
    expect(listed).to_be_visible()
    picker.press("Enter")
    expect(listed).to_have_count(0)  # a list that closes without a choice puts the old one back
    expect(picker).to_have_value(option)
