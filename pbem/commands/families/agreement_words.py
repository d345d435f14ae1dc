"""The lines by which players offer a draw, ask to take moves back, and answer such offers, as they are read. Pure.

Only a line that is nothing else counts: ``a draw would be fair, I think`` is talk.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.commands.decision import Command, Spelled
from pbem.match.agreements import AgreementKind

_LONGEST = 80  # characters of a line
_EDGES = " \t*_\"'“”.!,)]>(["
_I = (
    r"(?:(?:please|ok|okay)\s)?"
    r"(?:(?:i(?:'d\slike\sto|\swould\slike\sto|\swant\sto)?|(?:may|can)\si|let's|(?:can|shall)\swe)\s)?"
)
_AFTER = r"(?:\s(?:please|now|then|thanks|thank\syou))?"
_THE = r"(?:\s(?:the|a|your|my|that))?"
_OFFERING = r"(?:offer|propose|suggest|ask\sfor|have|call\sit|agree\son|take)(?:\s(?:you|everyone))?(?:\sa)?\s"
_OFFER = re.compile(rf"{_I}(?:{_OFFERING})?draw{_AFTER}|draw\s(?:offer|offered|by\sagreement){_AFTER}")
_UNDO = re.compile(rf"{_I}(?:undo|take\sback)(?:\smy)?(?:\slast)?\smove{_AFTER}|{_I}undo(?:\s(?:it|that))?{_AFTER}")
_WHAT = r"(?P<what>draw(?:\soffer)?|undo|undoing|taking\sback)"
_AGREE = re.compile(rf"{_I}(?:agree(?:\s(?:to|with|on))?|accept){_THE}\s{_WHAT}{_AFTER}")
_AGREED = re.compile(rf"{_WHAT}\s(?:accepted|agreed)")
_DECLINE = re.compile(rf"{_I}(?:no|decline|refuse|reject|withdraw){_THE}\s{_WHAT}{_AFTER}")
_DECLINED = re.compile(rf"{_WHAT}\s(?:off|declined|refused|rejected|withdrawn)")


@dataclass(frozen=True, slots=True)
class Draw(Spelled):
    """The sender offers a draw, or agrees to one that is offered; ``asks``: the line has a question mark."""

    asks: bool = False

    says = "draw"


@dataclass(frozen=True, slots=True)
class Undo(Spelled):
    """The sender would like to take their last move back."""

    says = "undo"


@dataclass(frozen=True, slots=True)
class Agree(Spelled):
    """The sender agrees to what is offered: to that kind of offer, and to nothing else."""

    kind: AgreementKind

    says = "agree to {it.kind}"


@dataclass(frozen=True, slots=True)
class Decline(Spelled):
    """The sender declines what is offered, or takes back what they have offered themselves."""

    kind: AgreementKind

    says = "no {it.kind}"


AGREEMENT_WORDS = ("draw", "undo", "take back", "taking back")
"""Every such line holds one of them, in small letters."""

AGREEMENT_TYPES = (Draw, Undo, Agree, Decline)


def parse_agreement(piece: str) -> Command | None:
    """Return what a piece of a line offers or answers; None where it is something else."""
    if len(piece) > _LONGEST:
        return None
    asks = "?" in piece
    text = " ".join(piece.lower().replace("’", "'").replace("?", " ").replace(",", " ").split()).strip(_EDGES)
    if _UNDO.fullmatch(text):
        return Undo()
    if _OFFER.fullmatch(text):
        return Draw(asks)
    if asks:
        return None
    if found := _AGREE.fullmatch(text) or _AGREED.fullmatch(text):
        return Agree(_kind_of(found["what"]))
    if found := _DECLINE.fullmatch(text) or _DECLINED.fullmatch(text):
        return Decline(_kind_of(found["what"]))
    return None


def meant_by_no(offered: Sequence[str]) -> str:
    """Return what a no to an email that proposed ``offered`` declines; "" where its sender has just meant nothing."""
    found = parse_agreement(offered[0]) if len(offered) == 1 else None
    return str(Decline(found.kind)) if isinstance(found, Agree) else ""


def _kind_of(what: str) -> AgreementKind:
    """Return the kind of offer that a word names."""
    return "draw" if what.startswith("draw") else "undo"
