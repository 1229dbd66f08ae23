"""Tokenizer files: one module for each kind, reading and writing. `detect` tells which kind a file is.

Tokenizers that run through another library are here too, and so are the pretrained ones.
"""
