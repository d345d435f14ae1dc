"""A match, its players and its fair rolls: immutable values, no effects.

``match`` folds the record to a position, ``timing`` lets the clock go on with it, ``privacy`` says who may read which
words, ``holders`` who had a seat then. Nothing here is stored or sent.
"""
