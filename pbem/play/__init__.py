"""A match against robots with no email at all: lines in, texts out; pure."""

from pbem.play.session import Session, Told, begin

__all__ = ["Session", "Told", "begin"]
