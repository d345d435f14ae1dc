"""Robots: players that choose by search, pure and the same on every machine."""

from pbem.robots.thinking import STRENGTHS, Match, Thought, choose, think

__all__ = ["STRENGTHS", "Match", "Thought", "choose", "think"]
