"""Why something was done, or not, as data: notices make sentences of it. Pure."""

from dataclasses import dataclass

from rules.phrase import Argument


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was done, or not, as data: a stable ``code``, and what it is about. Notices make it a sentence."""

    code: str
    arguments: tuple[tuple[str, Argument], ...] = ()


def because(code: str, **arguments: Argument) -> Reason:
    """Return a reason."""
    return Reason(code, tuple(arguments.items()))


@dataclass(frozen=True, slots=True)
class Misread(Reason):
    """Why a text could not be read: a ``code``, and what it is about."""


def misread(code: str, **arguments: Argument) -> Misread:
    """Return why a text could not be read."""
    return Misread(code, tuple(arguments.items()))
