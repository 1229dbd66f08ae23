"""Where tokens meet: which boundaries can still move, which ids are not canonical, and other ways to cut a text."""
