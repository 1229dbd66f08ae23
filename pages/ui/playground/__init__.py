"""The playground: its inputs, and what you can do with the tokens."""
