"""Chats: messages as the one text, and the tokens, that a model is given.

A format says how: ChatML, harmony, or a chat template that comes with a tokenizer.
"""
