"""Reports on games: what programs find that play against themselves, as a page with plots and as JSON.

plan        which games are played, each with randomness of its own      players    who chooses, and how
turns       a match under way, and what its actions are called           playing    one game, checked by the rules
running     in several processes                                          keeping    games that were played already
measures    all figures, over statistics, drama and published             page       with plots
making      all of it in order
"""
