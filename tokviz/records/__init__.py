"""The tokenizers of a session with where each is from, packed for a browser's tab and for links.

Every record is checked when it comes back.
"""
