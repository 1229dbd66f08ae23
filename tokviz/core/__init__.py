"""Byte pair encoding: split patterns, pretokens, merges, the vocabulary, the tokenizer, and the history of a text.

Training, files and figures about tokenizers have rooms of their own.
"""
