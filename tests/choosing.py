"""Choosing from one of Streamlit's lists in a browser."""

from playwright.sync_api import Locator, expect
from polling import wait_until_idle


def choose(picker: Locator, option: str) -> None:
    """Choose an option of a list by typing its name; wait until it is chosen.

    Not by a click: the list scrolls as it opens, and a press can go down on one name and up on another.
    """
    picker.wait_for(timeout=30_000)
    wait_until_idle(picker.page)  # a list that is open while the page runs is closed by it
    picker.fill("")  # or Streamlit takes the name that is chosen off the front of what is typed
    picker.fill(option)
    expect(picker.page.get_by_role("option", name=option, exact=True)).to_be_visible()
    picker.press("Enter")
    expect(picker).to_have_value(option)
