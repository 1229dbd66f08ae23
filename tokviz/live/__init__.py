"""What is live: documents that are edited in a browser, and those that follow them. It knows no screen and no socket."""
