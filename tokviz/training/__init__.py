"""From a text or a corpus to pretoken counts, and from counts to merges, or to a trimmed vocabulary.

`jobs` runs this in processes that can be watched and stopped.
"""
