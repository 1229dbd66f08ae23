"""What the page of seams shows: a view for each of its sections."""
