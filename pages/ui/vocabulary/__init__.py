"""The Vocabulary page: the search and the charts."""
