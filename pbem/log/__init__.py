"""The log: one fact a line, and no token, address or word of a player in it."""
