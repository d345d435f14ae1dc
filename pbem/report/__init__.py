"""Reports on games: what programs find that play against themselves, as a page of pictures and tables and as JSON.

plan        which games are played, each with randomness of its own      players    who chooses, and how
turns       a match under way, and what its actions are called           minds      ways to search
playing     one game, checked by the rules                               running    in several processes
keeping     games that were played already
measures    of one profile, over statistics and course                   study      of one game, searched once more
perft       boards within so many steps                                  speeds     of this machine
figures     every figure, with course_figures                            published  those of others
comparing   ours beside the published ones
page        with plots, the pictures of gallery, and the sentences of finding
making      all of it in order
"""
