"""Naive tokenizers for teaching, and those that other libraries train on a text: SentencePiece and WordPiece.

`formats` reads their files.
"""
