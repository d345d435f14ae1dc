"""The program as a whole, run as people run it."""
