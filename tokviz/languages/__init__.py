"""Languages: the same sentences in each, parallel files of your own, and what the same content costs."""
