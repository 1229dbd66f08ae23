"""Tokenizer files: a module or a folder for each kind, and one value in `table`. `files` reads and saves them.

Tokenizers that run through another library are here too, and so are the pretrained ones.
"""
