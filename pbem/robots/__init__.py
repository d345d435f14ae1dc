"""Robots: players that choose by search, pure and the same on every machine.

``thinking`` is what others call; ``boards`` has a fast board for each game that has one.
"""
