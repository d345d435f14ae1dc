"""A match against robots with no email at all: lines in, texts out; pure."""

from pbem.play.session import Session, Told, begin, robot_seed

__all__ = ["Session", "Told", "begin", "robot_seed"]
