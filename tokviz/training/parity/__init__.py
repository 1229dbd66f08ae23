"""Parity-aware training: at each step the merge that helps the language which is worst off."""
