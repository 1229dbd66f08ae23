"""What runs beside the pages: trainings in processes of their own, and counts over files in threads.

Each can be watched and stopped, and keeps what it has done so far. The algorithm is in `training`.
"""
