"""A match against robots with no email at all: lines in, texts out; pure."""
