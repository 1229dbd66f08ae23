"""A page with a live session, and a button that says what its script reads of the document."""

import streamlit as st

if st.runtime.exists():
    import tokviz
    from tokviz.live.session import LiveSession
    from tokviz.live.views.token_view import TokenView

    session = st.session_state.setdefault("live", LiveSession())
    document = session.get_or_add_document("text", "one two")
    name = st.selectbox("Tokenizer", ["cl100k_base", "gpt2"], key="tokenizer")
    view = session.get_or_add_view("view", TokenView, document, tokviz.load(name))
    st.text_input("Token", session.token, key="token")
    st.button("Clear", key="clear", on_click=document.set_text, args=("",))
    st.button("Read", key="read")
    st.text_area("Read", f"{len(view.spans())} tokens: {document.text}", key=f"read {document.state.changes}")
else:
    from tokviz.server.routes import routes

    app = st.App(__file__, routes=routes(st.get_option("server.baseUrlPath")))
