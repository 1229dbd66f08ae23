"""Hidden text: characters that cannot be seen or pass for others, what they spell, and what they cost in tokens."""
