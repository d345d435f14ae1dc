"""A board view as text, as an HTML table for email and as a picture, in words that it is given; pure.

A game hands over a ``BoardView`` (``rules/view.py``) and no more: nothing here names a game.
"""
