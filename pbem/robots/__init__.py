"""Robots: players that choose by search, pure and the same on every machine."""
