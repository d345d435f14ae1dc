"""Robots: players that choose by search, pure and the same on every machine."""

from pbem.robots.board import CHANCE, OVER, WHOLE
from pbem.robots.review import Regret, Review, review
from pbem.robots.thinking import (
    STRENGTHS,
    Analysis,
    Line,
    Match,
    Pace,
    choose,
    follow,
    look,
    think,
    versions_of,
    warm_up,
)

__all__ = [
    "CHANCE",
    "OVER",
    "STRENGTHS",
    "WHOLE",
    "Analysis",
    "Line",
    "Match",
    "Pace",
    "Regret",
    "Review",
    "choose",
    "follow",
    "look",
    "review",
    "think",
    "versions_of",
    "warm_up",
]
