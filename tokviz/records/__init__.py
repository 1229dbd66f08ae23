"""What a session keeps about tokenizers that were trained or opened, packed for a browser's tab and for links.

Every record is checked when it comes back.
"""
