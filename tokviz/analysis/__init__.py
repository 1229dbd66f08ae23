"""Figures about tokenizers and texts: what tokens cost, what a vocabulary holds, what a split pattern cuts.

Nothing here draws.
"""
