"""From a text or a corpus to pretoken counts, and from counts to merges.

`jobs` runs this in processes that can be watched and stopped.
"""
