"""A corpus: documents from files, their pretokens counted for training, and their tokens counted for people."""
