"""What several pages are made of: the frame, options, the text, links, components."""
