"""Tokenizer files: one module for each kind. `detect` tells which kind a file is, `readers` reads it.

Tokenizers that run through another library are here too, and so are the pretrained ones.
"""
