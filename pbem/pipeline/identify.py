"""Stage 3: identify the player who wrote a message, and the match that it answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from pbem.asking.wish_questions import stamp_of
from pbem.inbound.authentic import judge_sender
from pbem.mail.address_token import AddressPurpose, find_address_token, find_stamped_token
from pbem.mail.compose import Site
from pbem.mail.digest_token import find_digest_token
from pbem.mail.message import InboundMessage
from pbem.mail.reply_token import NO_MOVE, ReplyToken, find_token, has_token_shape, matches_named
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.storage.database import Transaction
from pbem.storage.messages.records import Disposition, Status
from rules.position import Seat


@dataclass(frozen=True)
class Place:
    """A seat of a match and the ply of the answered notice, as a reply token proves them.

    The ply is -1 for a notice about entries that were taken back since.
    """

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

    @property
    def is_ahead(self) -> bool:
        """Whether that notice is of a turn that the match has not come to: the database was restored from a copy."""
        return self.match.ply < self.ply < NO_MOVE

    @property
    def is_of_status(self) -> bool:
        """Whether it was a status, and the match that it names has not gone on since."""
        return self.ply == NO_MOVE + self.match.ply

    def has_expired(self, site: Site, now: datetime) -> bool:
        """Return whether the match went on, or ended, so long ago that replies to that notice no longer count."""
        if self.is_present and self.match.outcome is None:
            return False
        times = self.match.times
        # With a database from a backup, a ply may be yet to come.
        left_at = times[self.ply] if 0 <= self.ply < len(times) else self.match.changed_at
        return now - left_at > timedelta(days=site.token_days)


@dataclass(frozen=True)
class Origin:
    """The origin of a message: the address in From, the player, and the place that it answers.

    A ``place`` without a ``player`` means a valid reply token from an address that its player is not known by.
    ``fault`` says what is wrong with the reply token of a message without a place, if it has any.
    ``question`` is the held message that an address token names: the sender answers what their address was asked.
    ``asked`` is the match that they were asked about whether they want to follow it, ``follows`` one that they followed
    when they were sent what they answer. ``lost`` is the number that a match had which is gone: a backup was restored.
    ``invited`` is the invitation that they answer, ``wished`` the message that asked for something about starting
    matches, of which they were told, or about which they are asked. For a stranger ``called`` is their name in From,
    and ``authentic`` whether our mail server found that it is they who wrote.
    ``digest`` is the number of the email about several matches that their player answers, ``offered`` that
    of the seat that they were offered, ``lent`` that of the offer by which somebody else has theirs until a day.
    """

    sender: str = ""
    player: Player | None = None
    place: Place | None = None
    fault: Literal["", "wrong_token", "revoked_token", "lost_match"] = ""
    question: int | None = None
    asked: int | None = None
    follows: int | None = None
    lost: int | None = None
    invited: int | None = None
    wished: int | None = None
    called: str = ""
    authentic: bool = False
    digest: int | None = None
    offered: int | None = None
    lent: int | None = None

    @property
    def proves_address(self) -> bool:
        """Whether the message answers an email that went to its sender's address, though not to a seat."""
        return any(number is not None for number in self._proofs)

    @property
    def is_about_starting(self) -> bool:
        """Whether the message answers an email about starting a match, or having one's seat in it again."""
        return self.invited is not None or self.wished is not None or self.lent is not None

    @property
    def _proofs(self) -> tuple[int | None, ...]:
        """What the message answers that went to its sender's address, though not to a seat."""
        return self.question, self.asked, self.follows, self.offered, self.invited, self.wished, self.lent

    @property
    def seated(self) -> Place | None:
        """The place, if the message comes from an address of its player."""
        return self.place if self.player else None

    def disposed(
        self, status: Status, reason: str, detail: str = "", *, code: str = "", commands: tuple[str, ...] = ()
    ) -> Disposition:
        """Return the disposition of a message from this origin."""
        match, seat, ply = (self.place.match.id, self.place.seat, self.place.ply) if self.place else (None, None, None)
        return Disposition(status, reason, detail, match, seat, commands, code, ply)


_PURPOSES: tuple[AddressPurpose, ...] = ("adr", "wat", "fol")

NOBODY = Origin()
"""The origin of a message that is not identified yet."""


def identify(tx: Transaction, message: InboundMessage, site: Site) -> Origin:
    """Return the origin of ``message``, which has one sender."""
    sender, places = message.senders[0], message.token_places
    token, match = find_proof(tx, places, site)
    place, revoked = locate(tx, match, token) if token and match else (None, False)
    if place and sender in place.player.emails:
        return Origin(sender, place.player, place)
    player = tx.players.find(sender)
    if place and player is None:
        return Origin(sender, None, place)
    if token:
        return Origin(sender, player, None, "revoked_token" if revoked else "")
    fault: Literal["", "wrong_token"] = ""
    if has_token_shape(places):
        if lost := tx.restorations.find_lost(matches_named(places)):
            return Origin(sender, player, None, "lost_match", lost=lost)
        fault = "wrong_token"
    if player and (found := find_digest_token(places, player.id, site.secret)):
        number, generation = found
        if generation == player.generation:
            return Origin(sender, player, None, fault, digest=number)
        return Origin(sender, player, None, "revoked_token")
    question, asked, follows = (find_address_token(places, sender, site.secret, one) for one in _PURPOSES)
    invited, wished, lent, offered = _find_stamped(tx, places, sender, player, site)
    origin = Origin(
        sender,
        player,
        None,
        fault,
        question,
        asked,
        follows,
        invited=invited,
        wished=wished,
        offered=offered,
        lent=lent,
    )
    if player is not None:
        return origin
    called = message.header("From").partition("<")[0].strip(" \"'")
    authentic = bool(site.authserv_id) and judge_sender(message, site.authserv_id) == "authentic"
    return replace(origin, called=called if "@" not in called else "", authentic=authentic)


def _find_stamped(
    tx: Transaction, places: Sequence[str], sender: str, player: Player | None, site: Site
) -> tuple[int | None, int | None, int | None, int | None]:
    """Return the invitation that is answered, the message that asked for what its sender was told, and two offers.

    These are the offer by which somebody else has the seat of the sender, and that of a seat to the sender. Each is
    None where nothing of it is answered.
    """
    addresses = sorted(player.emails) if player else [sender]

    def stamped(find: Callable[[int], datetime | None]) -> Callable[[int], str]:
        return lambda number: stamp_of(player, at) if (at := find(number)) else ""

    times: tuple[tuple[AddressPurpose, Callable[[int], datetime | None]], ...] = (
        ("inv", tx.invitations.created_at),
        ("ask", tx.inbound.received_at),
        ("own", tx.seat_offers.asked_at),
        ("sit", tx.seat_offers.asked_at),
    )
    invited, wished, lent, offered = (
        find_stamped_token(places, addresses, site.secret, purpose, stamped(find)) for purpose, find in times
    )
    return invited, wished, lent, offered


def find_proof(tx: Transaction, places: Sequence[str], site: Site) -> tuple[ReplyToken | None, Match | None]:
    """Return the reply token in ``places`` that is right, and its match; no match without such a token."""
    looked_at: list[Match | None] = []

    def nonce_of(number: int) -> str | None:
        if looked_at:  # whoever names many matches must not have them all read
            return tx.matches.nonce(number)
        looked_at.append(tx.matches.get(number))
        return looked_at[0].nonce if looked_at[0] else None

    token = find_token(places, site.secret, nonce_of)
    if token is None:
        return None, None
    first = looked_at[0]
    return token, first if first and first.id == token.match else tx.matches.get(token.match)


def locate(tx: Transaction, match: Match, token: ReplyToken) -> tuple[Place | None, bool]:
    """Return the place that a reply token proves, and whether it has been revoked, so that it proves none."""
    if token.seat >= len(match.players):
        return None, False
    player = match.players[token.seat]
    if player.forgotten or token.generation not in _valid_generations(tx, match.id, token, player.generation):
        return None, True
    turn = token.ply
    written = turn - NO_MOVE if turn >= NO_MOVE else turn
    if written < match.rewound:  # of before the operator took entries back, or gave a seat to another player
        log = [entry for entry in tx.clocks.log(match.id) if entry.kind in ("rewound", "replaced")]
        passed = (entry.arguments for entry in log if entry.arguments.get("seat") == token.seat)
        if any(written < arguments.get("turn", 0) for arguments in passed):
            return None, True  # it was that of the player who had the seat
        while log and log[-1].kind == "replaced" and turn < match.rewound:
            turn += log.pop().arguments.get("turns", 0)  # to other players it was still their turn, or not
    return Place(match, token.seat, match.ply_of(turn)), False


def _valid_generations(tx: Transaction, number: int, token: ReplyToken, present: int) -> set[int]:
    """Return the generations of reply tokens that count at a seat; ``present`` is that of its player.

    Where two players turned out to be one, those count too that counted for the other one then.
    """
    valid = {present}
    if token.generation != present:
        log = (entry.arguments for entry in reversed(tx.clocks.log(number)) if entry.kind == "merged")
        for merged in log:
            before, after = merged.get("generations", (None, None))
            if merged.get("seat") == token.seat and after in valid:
                valid.add(before)
    return valid
