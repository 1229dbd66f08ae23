"""The scripts of the pages, and `ui`, what they are made of."""
