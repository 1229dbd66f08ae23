"""A process that runs code which nobody here wrote, and of which nothing stays behind."""
