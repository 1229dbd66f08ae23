"""Checks of a tokenizer that somebody wrote: what is in the file, what is right, and which rule explains what is not.

For the steps people write after Andrej Karpathy's lecture (minbpe) and for Stanford's CS336, assignment 1. Their code
runs in child processes with limits.
"""
