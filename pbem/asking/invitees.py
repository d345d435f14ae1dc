"""Whom a player may invite: people are found by what a player writes, and how each of them is reached."""

from datetime import datetime

from pbem.asking.limit_table import INVITED
from pbem.asking.may_ask import REFUSES, marks_of, why_unasked
from pbem.clubs.reliability import FEWEST
from pbem.commands.asking_effects import RefuseInvitations
from pbem.commands.effects import Effect
from pbem.due.clubs.ratings import reliability_of
from pbem.mail.compose import Site
from pbem.mail.headers import mailbox_of, to_address
from pbem.mail.marks import mailbox_mark
from pbem.match.invitation import Guest, GuestState, Invitation
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.match.stints import robot_name, write_robot
from pbem.pipeline.act import Act
from pbem.reading.reason import Reason, because
from pbem.storage.invitations import player_mark
from pbem.storage.transaction import Transaction

INVITATION = "invitation"
"""The kind of the email that invites."""


class People:
    """The people around a ``player`` who wants to play: whom they know, may invite, and are refused by."""

    def __init__(self, act: Act, player: Player) -> None:
        self.act, self.player = act, player

    def find_guest(self, text: str, pending: int) -> Guest | Reason:
        """Return whom a text names as a guest, or why the player may not invite them.

        ``pending`` strangers are written to by the same message.
        """
        if "@" not in text:
            found = self.find_known(text)
            if len(found) == 1:
                return Guest(found[0].name, "", found[0].id, self.state_of(found[0].id))
            return because("nobody_called" if not found else "several_called", name=text)
        email = to_address(text)
        if not email or mailbox_of(email) == mailbox_of(self.act.site.address):
            return because("no_address", address=text[:80])
        if player := self.act.tx.players.find(email):
            return Guest(email, "", player.id, self.state_of(player.id))
        if self.act.site.new_matches == "members":
            return because("members_alone", address=email)
        return Guest(email, email, None, self._state(Question(INVITATION, email, asker=self.player.id), pending))

    def why_no_robot(self, strength: int, pending: int = 0) -> Reason | None:
        """Return why the player can't have a robot of that strength in a match; None if they can.

        ``pending`` matches with robots are opened by the same message.
        """
        return why_no_robot(self.act.tx, self.player, strength, self.act.site, pending)

    def why_unreliable(self, invitation: Invitation) -> Reason | None:
        """Return why the player can't have a place in an offer that asks for reliable players, if it is that."""
        if not invitation.reliable or invitation.inviter == self.player.id:
            return None
        own = reliability_of(self.act.tx, self.player.id, self.act.now)
        if own.meets(invitation.reliable):
            return None
        number, least = invitation.id, invitation.reliable
        if own.percent is None:
            return because("too_new", number=number, least=least, matches=own.matches, fewest=FEWEST)
        return because("too_unreliable", number=number, least=least, percent=own.percent)

    def find_known(self, name: str) -> list[Player]:
        """Return the players of a name whom the player knows: they have played together, or they offer a match.

        A first name is enough; nobody can try out which names there are.
        """
        known = self.act.tx.invitations.companions(self.player.id)
        known |= {one.inviter for one in self.act.tx.invitations.open() if one.kind == "open"}
        known |= {one.inviter for one in self.act.tx.invitations.open_of(self.player.id)}
        found = [player for player, _ in self.act.tx.players.some(sorted(known - {self.player.id}))]
        wanted, found = name.casefold(), [player for player in found if player.has_mail]
        exact = [player for player in found if player.name.casefold() == wanted]
        return exact or [player for player in found if player.name.casefold().partition(" ")[0] == wanted]

    def state_of(self, number: int | None) -> GuestState:
        """Return how a player is invited by the player: by an email, without one, or in vain."""
        assert number is not None  # who plays, or played, has a row
        return self._state(Question(INVITATION, "", player=number, asker=self.player.id))

    def _state(self, question: Question, pending: int = 0) -> GuestState:
        """Return how somebody is invited, if they may be asked."""
        why = why_unasked(self.act, question, pending=pending)
        return "hidden" if why == REFUSES else "unasked" if why else "asked"

    def refuse(self, who: str, refused: bool) -> tuple[list[Effect], list[Reason]]:
        """Return the effects by which no invitation of somebody reaches the player, or they do again; and what is told.

        Whether an address is that of a player here is not said.
        """
        marks, found = list[str](), self.find_known(who)
        if email := to_address(who):
            marks.append(mailbox_mark(mailbox_of(email), self.act.site.secret))
            found = [one] if (one := self.act.tx.players.find(email)) else []
        elif len(found) != 1:
            return [], [because("nobody_called" if not found else "several_called", name=who)]
        if any(one.id == self.player.id for one in found):
            return [], [because("yourself")]
        marks += [player_mark(one.id) for one in found]
        told = because("refused" if refused else "refused_no_more", who=email or found[0].name)
        return [RefuseInvitations(self.player, tuple(marks), refused)], [told]

    def are_apart(self, invitation: Invitation) -> bool:
        """Return whether the player, or anybody who takes part, refuses the other's invitations."""
        secret = self.act.site.secret
        own = marks_of(self.player, secret)
        for guest in invitation.guests:
            other = self.act.tx.players.get(guest.player) if guest.player is not None else None
            if other and (
                self.act.tx.invitations.refuses(other.id, own)
                or self.act.tx.invitations.refuses(self.player.id, marks_of(other, secret))
            ):
                return True
        return False


def count_invited(tx: Transaction, player: Player, now: datetime) -> int:
    """Return how many people a player has invited lately, or asked to take a seat: whoever was written to."""
    since = now - INVITED.within
    return tx.invitations.count_since(player.id, since) + tx.seat_offers.count_askings(player.id, since)


def robot_guest(strength: int) -> Guest:
    """Return the place of a robot in a match to be: it has agreed already."""
    return Guest(robot_name(strength), write_robot(strength), None, "accepted")


def why_no_robot(tx: Transaction, player: Player, strength: int, site: Site, pending: int = 0) -> Reason | None:
    """Return why a player can't have a robot of that strength in a match; None if they can.

    ``pending`` matches with robots are opened by the same message.
    """
    if not site.robots:
        return because("robots_off")
    if not 1 <= strength <= site.robots:
        return because("robot_too_strong", strength=strength, most=site.robots)
    if tx.invitations.count_with_robots(player.id) + pending >= site.robot_matches:
        return because("robot_matches_enough", most=site.robot_matches)
    return None
