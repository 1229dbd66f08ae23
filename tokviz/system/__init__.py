"""What the package needs from the operating system: child processes with limits, files written whole, caches.

Nothing here knows of tokens.
"""
