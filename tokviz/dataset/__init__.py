"""A data set in tokens: its documents, how long they are under a tokenizer, and what of them is whose."""
