"""Languages: the table of those included, with sentences that say the same in each, and parallel files of your own."""
