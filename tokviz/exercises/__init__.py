"""What lessons are made of: questions, scenes and links, lines of tokens to draw, small trainings, merging by hand.

The lessons themselves are in `lessons`; the pages draw them.
"""
