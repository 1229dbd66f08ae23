"""Tokenizers for teaching, and those that other libraries train on a text: SentencePiece and WordPiece.

Their files are read in `formats`.
"""
