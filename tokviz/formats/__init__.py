"""Tokenizer files: one module for each kind, reading and writing. `detect` tells which kind a file is.

Tokenizers that another library runs are here too, and the tables of those that ship.
"""
