"""What the package asks of the operating system: child processes with limits, files written whole, caches.

It knows nothing of tokens.
"""
