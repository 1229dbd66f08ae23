"""From pretoken counts to merges, or to a trimmed vocabulary.

`jobs` runs this in processes that can be watched and stopped.
"""
