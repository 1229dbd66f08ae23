"""The playground: its inputs, and what can be done with the tokens."""
