"""What is live: documents that are edited in a browser, and what follows them. It knows no screen and no socket."""
