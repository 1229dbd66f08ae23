"""Tokenizer files: one module for each kind. `detect` tells which kind a file is, `reading` makes its tokenizer.

Tokenizers that run through another library are here too, and so are the pretrained ones.
"""
