"""The scripts of the pages, one a file; app.py is the first. What they show is in `ui`."""
