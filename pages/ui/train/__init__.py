"""The Train page: files, settings, a training under way, and its result."""
