"""Stage 3: identify the player who wrote a message, and the match that it answers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from pbem.mail import InboundMessage, Site, find_address_token, find_token, has_token_shape
from pbem.match import Match, Player
from pbem.storage import Disposition, Status, Transaction
from rules import Seat


@dataclass(frozen=True)
class Place:
    """A seat of a match and the ply of the answered notice, as a reply token proves them."""

    match: Match
    seat: Seat
    ply: int

    @property
    def player(self) -> Player:
        """The player of the seat."""
        return self.match.players[self.seat]

    @property
    def is_present(self) -> bool:
        """Whether the match has not gone on since that notice."""
        return self.ply == self.match.ply

    def has_expired(self, site: Site, now: datetime) -> bool:
        """Return whether the match went on, or ended, so long ago that replies to that notice no longer count."""
        times = self.match.times
        if self.is_present and self.match.outcome is None:
            return False
        if not times:
            return False
        left_at = times[min(self.ply, len(times) - 1)]  # with a database from a backup, a ply may be yet to come
        return now - left_at > timedelta(days=site.token_days)


@dataclass(frozen=True)
class Origin:
    """The origin of a message: the address in From, the player, and the place that it answers.

    A ``place`` without a ``player`` means a valid reply token from an address that its player is not known by.
    ``fault`` says what is wrong with the reply token of a message without a place, if it has any.
    ``question`` is the held message that an address token names: the sender answers what their address was asked.
    """

    sender: str = ""
    player: Player | None = None
    place: Place | None = None
    fault: Literal["", "wrong_token", "revoked_token"] = ""
    question: int | None = None

    @property
    def seated(self) -> Place | None:
        """The place, if the message comes from an address of its player."""
        return self.place if self.player else None

    def disposed(
        self, status: Status, reason: str, detail: str = "", *, code: str = "", commands: tuple[str, ...] = ()
    ) -> Disposition:
        """Return the disposition of a message from this origin."""
        match, seat = (self.place.match.id, self.place.seat) if self.place else (None, None)
        return Disposition(status, reason, detail, match, seat, commands, code)


NOBODY = Origin()
"""The origin of a message that is not identified yet."""


def identify(tx: Transaction, message: InboundMessage, site: Site) -> Origin:
    """Return the origin of ``message``, which has one sender."""
    sender, places = message.senders[0], message.token_places
    token = find_token(places, site.secret)
    match = tx.matches.get(token.match) if token else None
    # What was taken back is past: no email about it answers to the present of the match.
    ply = max(0, token.ply - match.rewound) if token and match else 0
    place = Place(match, token.seat, ply) if token and match and token.seat < len(match.players) else None
    revoked = place is not None and token is not None and token.generation != place.player.generation
    if revoked:
        place = None
    if place and sender in place.player.emails:
        return Origin(sender, place.player, place)
    player = tx.players.find(sender)
    if place and player is None:
        return Origin(sender, None, place)
    fault: Literal["", "wrong_token", "revoked_token"] = ""
    if revoked:
        fault = "revoked_token"
    elif token is None and has_token_shape(places):
        fault = "wrong_token"
    question = None if token else find_address_token(places, sender, site.secret)
    return Origin(sender, player, None, fault, question)
