"""What a page says about an error that nobody foresaw; the server's log has its trace."""

import streamlit as st

SORRY = (
    "Something went wrong here. Your text is safe: reload the page to continue. If it happens again, try another "
    "text or tokenizer; the server's log has the details."
)


def say_failure(_error: Exception) -> bool:
    """Say that something went wrong; True stops Streamlit from showing its own words."""
    st.error(SORRY, icon=":material/error:")
    return True
