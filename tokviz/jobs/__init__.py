"""Trainings in processes of their own: a queue, their progress, and a stop that keeps the merges.

The algorithm is in `training`.
"""
