"""Robots: players that choose by search, pure and the same on every machine."""

from pbem.robots.board import CHANCE, OVER, WHOLE
from pbem.robots.review import Regret, Review, review
from pbem.robots.thinking import STRENGTHS, Line, Match, Thought, choose, follow, look, think, warm_up

__all__ = [
    "CHANCE",
    "OVER",
    "STRENGTHS",
    "WHOLE",
    "Line",
    "Match",
    "Regret",
    "Review",
    "Thought",
    "choose",
    "follow",
    "look",
    "review",
    "think",
    "warm_up",
]
