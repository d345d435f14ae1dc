"""Stage 3: identify the player who wrote a message, and the match that it answers."""

from dataclasses import dataclass
from datetime import datetime

from pbem.commands import Discard
from pbem.mail import InboundMessage, Site, find_address_token, find_token
from pbem.match import Match, Player
from pbem.pipeline.limits import is_flooding
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


@dataclass(frozen=True)
class Origin:
    """The origin of a message: the address in From, the subject, the player, and the place that it answers.

    A ``place`` without a ``player`` means a valid reply token from an address that its player is not known by.
    ``question`` is the held message that an address token names: the sender answers what their address was asked.
    """

    sender: str = ""
    subject: str = ""
    player: Player | None = None
    place: Place | None = None
    question: int | None = None

    def disposed(
        self, status: Status, reason: str, detail: str = "", *, code: str = "", commands: tuple[str, ...] = ()
    ) -> Disposition:
        """Return the disposition of a message from this origin."""
        match, seat = (self.place.match.id, self.place.seat) if self.place else (None, None)
        return Disposition(status, reason, detail, match, seat, commands, code)


NOBODY = Origin()
"""The origin of a message that is not identified yet."""


def identify(tx: Transaction, message: InboundMessage, site: Site, now: datetime) -> Origin:
    """Return the origin of ``message``. Raise Discard when its sender floods the service."""
    sender = message.senders[0]
    token = find_token(message.token_places, site.secret)
    match = tx.matches.get(token.match) if token else None
    place = Place(match, token.seat, token.ply) if token and match and token.seat < len(match.players) else None
    seated = place is not None and sender in place.player.emails
    question = None if token else find_address_token(message.token_places, sender, site.secret)
    # What others forge in the name of an address must not keep out its own answer to what it was asked.
    if question is None and is_flooding(tx, sender, now, in_matches=seated):
        raise Discard("too many letters")
    tx.players.clear_bounces(sender)
    if place and seated:
        return Origin(sender, message.subject, place.player, place)
    player = tx.players.find(sender)
    return Origin(sender, message.subject, player, place if player is None else None, question)
