"""The tokenizers of a session: those trained and opened, their list, and the forms that open more."""
