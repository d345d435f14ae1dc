"""Transactions over the tables, with a gateway for each kind of row; the only package that imports ``db``.

Values go in and come out; no gateway decides anything about a match. A row that no pbem has written is damage, and is
told as that.
"""
