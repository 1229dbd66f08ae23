"""What several pages are made of: options, the text, charts, components, and the live documents."""
