"""The certificate of pursuits, a row of positions at a time."""
