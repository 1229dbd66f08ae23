"""Naive tokenizers for teaching, and training with other libraries: SentencePiece and WordPiece.

`formats` reads their files.
"""
