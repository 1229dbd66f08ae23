"""Text that hides: characters that nobody sees or takes for others, what they spell, and what they cost in tokens."""
