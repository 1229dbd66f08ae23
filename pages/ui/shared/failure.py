"""What a page says of an error that nobody foresaw; the log of the server has its trace."""

import streamlit as st

SORRY = (
    "Something went wrong here. Your text is safe: reload the page to go on with it. If it happens again, try another "
    "text or tokenizer; the server's log says what it was."
)


def say_failure(_error: Exception) -> bool:
    """Show that something went wrong in place of Streamlit's own words, which is what True asks for."""
    st.error(SORRY, icon=":material/error:")
    return True
