"""Opens matches: for the operator, and for players who have agreed on one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType

from pbem.commands.asking_effects import SetInvitation
from pbem.commands.decision import Decision, Step
from pbem.commands.effects import AddComment
from pbem.commands.judge import automatic_decision
from pbem.due.schedule import schedule_clock, schedule_robot
from pbem.errors import BadInput, DamagedRow
from pbem.match.invitation import Guest, Invitation, read_opening
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.match.stints import Stint, read_robot
from pbem.match.time.time_control import TimeControl, without_claims
from pbem.match.timing import start_clock
from pbem.pipeline.act import OPENING, Act, cause_at
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.ports import Dice
from rules.errors import InvalidOption
from rules.game import Game, Value


def open_match(
    act: Act,
    game: Game,
    seated: Sequence[Player],
    options: Mapping[str, Value],
    control: TimeControl | None,
    dice: Dice,
    *,
    private: bool = False,
    rated: bool = False,
    words: Mapping[int, str] = MappingProxyType({}),
    invitation: int = 0,
) -> Match:
    """Store a match, and queue its first notices; ``options`` are complete.

    ``words`` are what players, by their numbers, said when they agreed to an ``invitation``. A ``rated`` match is
    public, and between people: else BadInput is raised.
    """
    if rated and (private or any(player.robot for player in seated)):
        raise BadInput("A private match can’t be rated, nor one with a robot.")
    rolls = game.rolls_with(options)
    if sum(not player.robot for player in seated) == 1:
        control = without_claims(control)
    robots = tuple(Stint(seat, player.robot, 0) for seat, player in enumerate(seated) if player.robot)
    opened = Match(
        0,
        game,
        options,
        tuple(seated),
        act.now,
        secret=dice.secret() if rolls or robots else "",
        rolls_due=act.now + timedelta(hours=act.site.salt_hours) if rolls and act.site.salt_hours else None,
        private=private,
        nonce=dice.nonce(),
        team_told=bool(act.site.archive.url) and not private,
        robots=robots,
        rated=rated,
    )
    match = act.tx.matches.open(start_clock(opened, control, act.now))
    if invitation:
        act.tx.contests.note_opened(invitation, match.id)
    schedule_clock(act.tx, match, act.now)
    decision = automatic_decision(match, act.now, opening=True)
    said = [Comment(seat, decision.after.ply, text) for seat, one in enumerate(seated) if (text := words.get(one.id))]
    decision = replace(decision, steps=(*decision.steps, Step("", tuple(map(AddComment, said)))))
    record(act.because(OPENING), decision)
    schedule_robot(act.tx, decision.after, act.now)
    announce(act.because(OPENING), decision, "")
    return decision.after


def open_agreed(act: Act, number: int, dice: Dice) -> list[Match]:
    """Open the match that everybody has agreed on, or two with the seats swapped; none where that cannot be any more.

    Whoever has agreed is told then.
    """
    invitation = act.tx.invitations.get(number)
    if invitation is None:
        raise DamagedRow(f"invitation {number} is agreed on, and is not there")
    if invitation.state != "agreed":
        return []
    seated = _find_players(act, invitation)
    try:
        control, options = read_opening(invitation.game, len(invitation.guests), invitation.options)
    except InvalidOption:  # the rules are those of a later pbem
        seated = []
    orders = [seated, seated[::-1]] if invitation.both else [seated]
    words = {one.player: one.words for one in invitation.guests if one.player and one.player != invitation.inviter}
    opened = [
        open_match(
            act,
            invitation.game,
            order,
            options,
            control,
            dice,
            private=invitation.private,
            rated=invitation.rated and not any(player.robot for player in seated),
            words={} if place else words,
            invitation=0 if place else number,
        )
        for place, order in enumerate(orders)
        if order
    ]
    after = replace(invitation, state="open").closed("opened" if opened else "failed")
    decision = Decision((Step("", (SetInvitation(invitation, after),)),))
    act = act.because(cause_at(f"agreed {number}", act.now))
    record(act, decision)
    announce(act, decision, "")
    return opened


def _find_players(act: Act, invitation: Invitation) -> list[Player]:
    """Return the players of a match to be, in the order of seats; none where one is forgotten, or blocked.

    None either where a robot is stronger than any may be by now.
    """
    found: list[Player | None] = []
    for guest in invitation.guests:
        known = [player.id for player in found if player is not None]
        found.append(_find_player(act, guest, known))
    players = [player for player in found if player is not None and not player.forgotten]
    if len(players) < len(found) or len({player.id for player in players}) < len(players):
        return []
    return [] if any(act.tx.blocked.among(player.emails) for player in players) else players


def _find_player(act: Act, guest: Guest, besides: Sequence[int]) -> Player | None:
    """Return the player, or the robot that has no seat yet, for a place in a match to be; None where there is none."""
    if guest.player is not None:
        return act.tx.players.get(guest.player)
    strength = read_robot(guest.email)
    return act.tx.players.seat_robot(strength, besides, act.now) if strength and strength <= act.site.robots else None
