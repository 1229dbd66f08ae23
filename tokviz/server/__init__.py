"""The ASGI routes and middleware around the pages, in the same process and on the same port, without Streamlit."""

OPEN = "TOKVIZ_OPEN"  # a variable of the environment: the server opens the pages in a browser once it answers
FRAMES = "TOKVIZ_FRAMES"  # another: the sites that may show the pages in a frame, with spaces between them
