"""How many texts are cut into pretokens and counted at a time."""
