"""From a text or a corpus to pretoken counts, and from counts to merges, or to a trimmed vocabulary.

`jobs` runs it in processes that can be watched and stopped.
"""
