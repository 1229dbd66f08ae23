"""Buttons whose presses are counted, one of them in a run that is long at one step."""

import time

import streamlit as st

from pages.ui.asked import heed_all_that_is_asked

heed_all_that_is_asked()
presses = st.session_state.setdefault("presses", {"Short": 0, "Other": 0, "Long": 0})


def count(name: str) -> None:
    presses[name] += 1


st.button("Short", on_click=count, args=("Short",))
st.button("Other", on_click=count, args=("Other",))
long = st.button("Long", on_click=count, args=("Long",))
st.text(f"{presses['Short']} short, {presses['Other']} other, {presses['Long']} long")
if long:
    time.sleep(60)
