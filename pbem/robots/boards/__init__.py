"""The one list of fast boards: a game without one is played by robots too, over its rules."""

from pbem.robots.board import Board

BOARDS: dict[str, Board] = {}
