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
