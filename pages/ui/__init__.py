"""What pages are made of: `shared` for all, and a folder for each page."""
