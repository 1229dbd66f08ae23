"""The Bytes & patterns page: code points, and what a split pattern cuts."""
