"""An invitation: a match that is to be opened as soon as everybody whom it takes has agreed. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.stints import read_robot, write_robot
from pbem.match.time.time_control import TimeControl, read_time_control, write_time_control
from rules.errors import InvalidOption
from rules.game import VERSION, Game, Value
from rules.position import Seat

InvitationKind = Literal["named", "open", "again", "challenge", "league"]
"""To people whom the inviter names, to whoever comes first (an open offer), to those of a match that is over, or to
whoever stands above the inviter in a ladder; in a league a match is drawn, and nobody is asked.
"""

GuestState = Literal["asked", "unasked", "hidden", "free", "accepted", "declined"]
"""What became of a place: ``unasked`` guests may not be written to, but may join; ``hidden`` ones refuse the inviter,
who is not to notice it; ``free`` is a place for whoever comes first.
"""

InvitationState = Literal["open", "agreed", "opened", "declined", "cancelled", "expired", "failed"]

LIFETIMES: Mapping[InvitationKind, timedelta] = {
    "named": timedelta(days=14),
    "open": timedelta(days=30),
    "again": timedelta(days=14),
    "league": timedelta(days=14),
}
"""How long an invitation can be accepted; a challenge for the time of a first move."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A place in a match to be; ``called`` is how the inviter has named its guest, the only name that they may read.

    ``email`` is the address that was invited, "" for a free place, and for a player of a match that is over; for a
    robot it is what names it, ``robot:2``. ``player`` is the number of the player, None for a stranger and a robot.
    ``words`` are what they said beside their yes, or their invitation.
    """

    called: str
    email: str
    player: int | None
    state: GuestState
    words: str = ""

    @property
    def is_awaited(self) -> bool:
        """Whether the guest has yet to answer."""
        return self.state in ("asked", "unasked", "hidden")


@dataclass(frozen=True, slots=True)
class Invitation:
    """A match to be, with a guest for each seat, the inviter among them.

    ``options`` are as they are typed, those of the clock included. ``both``: two matches, with the seats swapped.
    ``match`` is the one that is over, which is to be played again. ``rated``: it counts for ratings. Whoever takes a
    place in an open offer is ``reliable`` to so many percent, 0: anybody may.
    """

    id: int
    kind: InvitationKind
    game: Game
    options: Mapping[str, str]
    inviter: int
    guests: tuple[Guest, ...]
    created_at: datetime
    expires_at: datetime
    state: InvitationState = "open"
    both: bool = False
    private: bool = False
    match: int | None = None
    rated: bool = False
    reliable: int = 0

    @property
    def is_open(self) -> bool:
        """Whether it can be accepted."""
        return self.state == "open"

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The places whose guests have yet to answer, and free places."""
        return tuple(seat for seat, guest in enumerate(self.guests) if guest.is_awaited or guest.state == "free")

    def seat_for(self, player: int | None, emails: frozenset[str]) -> Seat | None:
        """Return the place of somebody who is invited by name or address; None for anybody else."""
        for seat, guest in enumerate(self.guests):
            if guest.player == player if guest.player is not None else guest.email and guest.email in emails:
                return seat
        return None

    def saying(self, words: str) -> "Invitation":
        """Return the invitation with words of its inviter."""
        own = (replace(one, words=words) if one.player == self.inviter else one for one in self.guests)
        return replace(self, guests=tuple(own))

    @property
    def words(self) -> str:
        """The words of its inviter."""
        return next((guest.words for guest in self.guests if guest.player == self.inviter), "")

    def after(self, seat: Seat, guest: Guest) -> "Invitation":
        """Return the invitation with another guest at a place: it is agreed on when nobody is awaited any more."""
        guests = (*self.guests[:seat], guest, *self.guests[seat + 1 :])
        return replace(self, guests=guests).settled()

    def settled(self) -> "Invitation":
        """Return the invitation, agreed on if it is open and nobody is awaited any more."""
        return self if self.awaited or not self.is_open else replace(self, state="agreed")

    @property
    def robots(self) -> tuple[int, ...]:
        """The strengths of the robots among the guests; nothing once it has ended, for then they are players."""
        found = (read_robot(guest.email) for guest in self.guests if guest.player is None)
        return tuple(strength for strength in found if strength is not None)

    def closed(self, state: InvitationState) -> "Invitation":
        """Return the invitation as it ends; words, and addresses of people who are no players, are kept no longer."""
        silent = (replace(guest, words="") for guest in self.guests)
        guests = tuple(guest if guest.player is not None else replace(guest, email="") for guest in silent)
        return replace(self, state=state, guests=guests)


def read_opening(game: Game, seats: int, options: Mapping[str, object]) -> tuple[TimeControl | None, dict[str, Value]]:
    """Return the time control and the complete options of a match to be opened. Raise InvalidOption."""
    control, own = read_time_control(options)
    if control and control.policy == "partner" and seats < 3:
        sentence = "The option flag=partner is for teams, and two players have no partners."
        raise InvalidOption("partner_without_team", sentence, {"option": "flag", "value": "partner"})
    game.begin(seats, own)
    return control, game.normalise(own)


def why_unrated(invitation: Invitation) -> str:
    """Return the code of why a match can’t be rated, "" if it can: without an end in time, nobody would lose it."""
    if invitation.robots:
        return "rated_with_robot"
    if invitation.private:
        return "rated_and_private"
    control, _ = read_time_control(invitation.options)
    return "rated_without_end" if control is None or control.policy == "remind-only" else ""


def play_again(match: Match, inviter: Player, number: int, now: datetime) -> Invitation:
    """Return the invitation of a player to play a match again, in the same circle, everybody one seat further.

    The options are those of the match, but for the version of the rules: it is played by those of today.
    """
    players = (*match.players[1:], match.players[0])
    guests = tuple(
        Guest(player.name, write_robot(player.robot), None, "accepted")
        if player.robot
        else Guest(player.name, "", player.id, "accepted" if player.id == inviter.id else "asked")
        for player in players
    )
    options = {key: str(value) for key, value in match.options.items() if key != VERSION}
    control = match.clock.control if match.clock else None
    options |= dict(pair.split("=", 1) for pair in write_time_control(control).split(" "))
    again = Invitation(
        number,
        "again",
        match.game,
        options,
        inviter.id,
        guests,
        now,
        now + LIFETIMES["again"],
        private=match.private,
        match=match.id,
    )
    return replace(again, rated=match.rated and not why_unrated(again))
