"""A text: its code points, what hides among them, how it is cut and merged, and figures about its tokens."""
