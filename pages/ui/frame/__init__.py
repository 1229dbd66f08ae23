"""What every page begins with: the frame around it, the link that opened it, and the tab's memory."""
