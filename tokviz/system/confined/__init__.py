"""A process that runs somebody else's code and leaves nothing running."""
