"""Documents that are edited in a browser, and what follows them: tokens, histories, views.

It knows no screen and no socket.
"""
