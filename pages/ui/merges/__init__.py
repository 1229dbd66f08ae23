"""The Merges page: the time machine and the replays."""
