"""Opens matches: for the operator, and for players who have agreed on one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.commands.decision import Decision, Step
from pbem.commands.effects import SetInvitation
from pbem.commands.judge import automatic_decision
from pbem.due.schedule import schedule_clock, schedule_robot
from pbem.errors import DamagedRow
from pbem.mail.compose import Site
from pbem.match.invitation import Guest, Invitation, read_opening
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.stints import Stint, read_robot
from pbem.match.time_control import TimeControl, without_claims
from pbem.match.timing import start_clock
from pbem.pipeline.announce import announce
from pbem.pipeline.record import OPENING, cause_at, record
from pbem.ports import Dice
from pbem.storage.database import Transaction
from rules.errors import InvalidOption
from rules.game import Game, Value


def open_match(
    tx: Transaction,
    game: Game,
    seated: Sequence[Player],
    options: Mapping[str, Value],
    control: TimeControl | None,
    site: Site,
    dice: Dice,
    now: datetime,
    *,
    private: bool = False,
) -> Match:
    """Store a match, and queue its first notices; ``options`` are complete."""
    rolls = game.rolls_with(options)
    if sum(not player.robot for player in seated) == 1:
        control = without_claims(control)
    robots = tuple(Stint(seat, player.robot, 0) for seat, player in enumerate(seated) if player.robot)
    opened = Match(
        0,
        game,
        options,
        tuple(seated),
        now,
        secret=dice.secret() if rolls or robots else "",
        rolls_due=now + timedelta(hours=site.salt_hours) if rolls else None,
        private=private,
        nonce=dice.nonce(),
        robots=robots,
    )
    match = tx.matches.open(start_clock(opened, control, now))
    schedule_clock(tx, match, now)
    decision = automatic_decision(match, now, opening=True)
    record(tx, decision, OPENING, now)
    schedule_robot(tx, decision.after, now)
    announce(tx, decision, "", site, OPENING, now)
    return decision.after


def open_agreed(tx: Transaction, number: int, site: Site, now: datetime, dice: Dice) -> list[Match]:
    """Open the match that everybody has agreed on, or two with the seats swapped; none where that cannot be any more.

    Whoever has agreed is told then.
    """
    invitation = tx.invitations.get(number)
    if invitation is None:
        raise DamagedRow(f"invitation {number} is agreed on, and is not there")
    if invitation.state != "agreed":
        return []
    seated = _find_players(tx, invitation, site, now)
    try:
        control, options = read_opening(invitation.game, len(invitation.guests), invitation.options)
    except InvalidOption:  # the rules are those of a later pbem
        seated = []
    orders = [seated, seated[::-1]] if invitation.both else [seated]
    opened = [
        open_match(tx, invitation.game, order, options, control, site, dice, now, private=invitation.private)
        for order in orders
        if order
    ]
    after = replace(invitation, state="open").closed("opened" if opened else "failed")
    decision = Decision((Step("", (SetInvitation(invitation, after),)),))
    cause = cause_at(f"agreed {number}", now)
    record(tx, decision, cause, now)
    announce(tx, decision, "", site, cause, now)
    return opened


def _find_players(tx: Transaction, invitation: Invitation, site: Site, now: datetime) -> list[Player]:
    """Return the players of a match to be, in the order of seats; none where one is forgotten, or blocked.

    None either where a robot is stronger than any may be by now.
    """
    found: list[Player | None] = []
    for guest in invitation.guests:
        known = [player.id for player in found if player is not None]
        found.append(_find_player(tx, guest, known, site, now))
    players = [player for player in found if player is not None and not player.forgotten]
    if len(players) < len(found) or len({player.id for player in players}) < len(players):
        return []
    return [] if any(tx.blocked.among(player.emails) for player in players) else players


def _find_player(tx: Transaction, guest: Guest, besides: Sequence[int], site: Site, now: datetime) -> Player | None:
    """Return the player, or the robot that has no seat yet, for a place in a match to be; None where there is none."""
    if guest.player is not None:
        return tx.players.get(guest.player)
    strength = read_robot(guest.email)
    return tx.players.seat_robot(strength, besides, now) if strength and strength <= site.robots else None
