"""Seating: whom a text of the operator names for a seat, and who may have none."""

import re
from collections.abc import Sequence
from datetime import datetime

from pbem.errors import BadInput
from pbem.mail.compose import Site
from pbem.mail.headers import local_of, mailbox_of, split_named
from pbem.match.player import Player
from pbem.match.stints import read_robot
from pbem.storage.transaction import Transaction

_BETWEEN = re.compile(r"[-._@\"`\s]+")  # words of a local part; what no name may hold is among it


def find_to_seat(tx: Transaction, text: str, site: Site, besides: Sequence[Player], now: datetime) -> Player:
    """Return whom a text names for a seat in a match of players ``besides``: a robot, too, such as ``robot:2``.

    Raise BadInput for nobody, and for a robot of another strength than the settings allow.
    """
    strength = read_robot(text)
    if strength is None:
        if text.strip().lower().startswith("robot:") and "@" not in text:
            raise BadInput(f"“{text}” is no robot: write robot:1, or another strength that robots have here.")
        return find_or_add_player(tx, text, site, now)
    if not site.robots:
        raise BadInput("There are no robots here: the setting “robots” is off.")
    if not 1 <= strength <= site.robots:
        allowed = "strength 1" if site.robots == 1 else f"strengths 1 to {site.robots}"
        raise BadInput(f"There is no robot “{text}” here: the setting “robots” allows {allowed}.")
    return tx.players.seat_robot(strength, [player.id for player in besides], now)


def find_all_to_seat(tx: Transaction, texts: Sequence[str], site: Site, now: datetime) -> tuple[Player, ...]:
    """Return whom texts name for the seats of a match, in their order. Raise BadInput for those who can't play it."""
    seated: tuple[Player, ...] = ()
    for text in texts:
        seated = (*seated, find_to_seat(tx, text, site, seated, now))
    if all(player.robot for player in seated):
        raise BadInput("Robots would play among themselves: name somebody, too.")
    twice = next((player for number, player in enumerate(seated) if player in seated[:number]), None)
    if twice:
        raise BadInput(f"{twice.name} ({twice.email}) is named twice; a player has one seat in a match.")
    for player in seated:
        refuse_blocked(tx, player)
    return seated


def find_or_add_player(tx: Transaction, text: str, site: Site, now: datetime) -> Player:
    """Return the player with a name, an address, or ``Name <address>``; a new address is a new player."""
    if "@" not in text:
        if found := tx.players.find(text.strip()):
            return found
        raise BadInput(f"Nobody here is called “{text}”; give an address, such as ann@example.org.")
    name, email = split_named(text)
    if site.address in (email, mailbox_of(email)):
        raise BadInput(f"“{email}” is the address of this service itself, which cannot play.")
    if "@" in name:
        raise BadInput(f"“{name}” is not a name: names have no @.")
    return tx.players.find(email) or tx.players.add(name or _name_from_address(email), email, now)


def refuse_blocked(tx: Transaction, player: Player) -> None:
    """Raise BadInput for a player who cannot be seated, since the operator has blocked an address of theirs."""
    if blocked := min(tx.blocked.among(player.emails), default=""):
        raise BadInput(f"{player.name} ({blocked}) is blocked: “pbem blocked” lists how, and since when.")


def _name_from_address(email: str) -> str:
    """Return a name for an address without one: Ann Lee for ``ann.lee@example.org``."""
    local = local_of(mailbox_of(email))
    return " ".join(part.capitalize() for part in _BETWEEN.split(local) if part) or email
