"""Robots: players that choose by search, pure and the same on every machine."""

from pbem.robots.board import CHANCE, OVER, WHOLE
from pbem.robots.thinking import STRENGTHS, Line, Match, Thought, choose, follow, look, think

__all__ = ["CHANCE", "OVER", "STRENGTHS", "WHOLE", "Line", "Match", "Thought", "choose", "follow", "look", "think"]
