"""The Compare page: columns, numbers, vocabulary sizes, and a corpus."""
