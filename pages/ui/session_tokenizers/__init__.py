"""The tokenizers of a session: trained, opened, listed, and the forms that open more."""
