"""What stands around the pages in one process and on one port: plain ASGI, without Streamlit."""
