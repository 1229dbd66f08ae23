"""How texts are cut into pretokens and counted, many at a time."""
