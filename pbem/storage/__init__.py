"""Transactions over the tables, with a gateway for each kind of row; the only package that imports ``db``."""
