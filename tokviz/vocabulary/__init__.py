"""A vocabulary: what it consists of and costs, how a text uses it, and what is wrong with its tokens."""
