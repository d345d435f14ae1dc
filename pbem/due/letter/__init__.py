"""The Sunday letter: who gets it and when, what it is made of, and what robots find for it."""
