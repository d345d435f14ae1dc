"""Robots: players that choose by search, pure and the same on every machine."""

from pbem.robots.review import Regret, Review, review
from pbem.robots.thinking import STRENGTHS, Match, Thought, choose, think, warm_up

__all__ = ["STRENGTHS", "Match", "Regret", "Review", "Thought", "choose", "review", "think", "warm_up"]
