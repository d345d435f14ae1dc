"""Email as bytes, both ways: parsed as it comes in, composed as it goes out.

Tokens of all kinds are signed and read here. Nothing here names a game or a match beside its number.
"""
