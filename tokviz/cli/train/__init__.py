"""`tokviz train`: what may be asked, what is counted, and what is learned from it."""
