"""Who is asked what, how often anybody may be asked, and what their yes or no does.

A player who wants something of others hands over a wish, and ``granting`` makes effects of it. Whoever is asked gets an
email with an address token, or one that a yes takes up: an invitation, an offered seat, an address to be proven, a
match to be followed. When everybody has agreed, a due thing opens the match or lets the seat pass. ``limits`` says how
much email one person can cause for another.

The operator's changes of a player stand here too (``accounts``): the name, the addresses, or that two players are one.
"""
