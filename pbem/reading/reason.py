"""Why something was done, or not, as data: notices make sentences of it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.phrase import Argument, quote

_LONGEST_NAMED = 90  # characters of a line


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was done, or not, as data: a stable ``code``, and what it is about. Notices make it a sentence."""

    code: str
    arguments: tuple[tuple[str, Argument], ...] = ()


def because(code: str, **arguments: Argument) -> Reason:
    """Return a reason."""
    return Reason(code, tuple(arguments.items()))


def name_lines(lines: Sequence[str], most: int = 4) -> str:
    """Return somebody's lines as they can be named, each in quotation marks: of more than ``most`` first and last."""
    shown, between = (lines, ", ") if len(lines) <= most else ((lines[0], lines[-1]), " … ")
    return between.join(dict.fromkeys(quote(line, _LONGEST_NAMED) for line in shown))


@dataclass(frozen=True, slots=True)
class Misread(Reason):
    """Why a text could not be read: a ``code``, and what it is about."""


def misread(code: str, **arguments: Argument) -> Misread:
    """Return why a text could not be read."""
    return Misread(code, tuple(arguments.items()))
