"""What players can write, and what follows from it: one module a family, listed in ``catalogue``; pure.

``grammar`` reads lines as commands, ``judge`` meets the rules with them, and the outcome is a decision: steps with
typed effects, which the pipeline writes and announces. ``ruling`` has what the operator decides.
"""
