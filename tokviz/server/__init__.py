"""The ASGI routes and middleware around the pages, in the same process and on the same port, without Streamlit."""
