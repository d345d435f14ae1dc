"""A match, its players and its fair rolls: immutable values, no effects."""
