"""The matches of a season that are yet to be opened: the draw agrees on them, and they open one after the other."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.clubs.contest import ContestMatch
from pbem.clubs.league import League, Season
from pbem.commands.asking_effects import SetInvitation
from pbem.commands.decision import Decision, Step
from pbem.due.league.telling import name_everybody
from pbem.match.invitation import LIFETIMES, Guest, Invitation, InvitationState
from pbem.match.player import Player
from pbem.pipeline.act import Act
from pbem.pipeline.record import record
from pbem.storage.due import OPENING_DUE

PACE = timedelta(minutes=1)
"""Between the openings of two matches of a season: all at once would be a flood for every mail server."""


def agree_matches(act: Act, league: League, season: Season) -> int:
    """Store all matches of a season as agreed on, to be opened one after the other; return how many there are."""
    names = name_everybody(act.tx, season.players)
    first, contest = act.tx.invitations.next_number(), league.contest
    drawn = list(season.list_matches(league.seats))
    for place, (division, players) in enumerate(drawn):
        guests = tuple(Guest(names.get(player, ""), "", player, "accepted") for player in players)
        until = act.now + LIFETIMES["league"]
        invitation = Invitation(
            first + place,
            "league",
            contest.game,
            contest.options,
            players[0],
            guests,
            act.now,
            until,
            "agreed",
            rated=True,
        )
        record(act, Decision((Step("", (SetInvitation(None, invitation),)),)))
        row = ContestMatch(contest.id, invitation.id, season.event, season.number, division)
        act.tx.contests.add_match(row)
        act.tx.due.schedule(OPENING_DUE, invitation.id, act.now + place * PACE)
    return len(drawn)


def shift_openings(act: Act, league: League, at: datetime) -> None:
    """Let what is yet to be opened of a season be opened from another moment on, in the same order."""
    for place, one in enumerate(_list_unopened(act, league)):
        act.tx.due.schedule(OPENING_DUE, one.id, at + place * PACE)


def swap_guests(act: Act, league: League, player: Player, heir: Player) -> None:
    """Let one player have the seats of another in what is yet to be opened of a season."""
    for one in _list_unopened(act, league, player):
        guests = (
            replace(guest, called=heir.name, player=heir.id) if guest.player == player.id else guest
            for guest in one.guests
        )
        act.tx.invitations.store(replace(one, guests=tuple(guests)))


def close_openings(act: Act, league: League, player: Player) -> None:
    """Let no further match of a season be opened for a player."""
    for one in _list_unopened(act, league, player):
        act.tx.invitations.store(replace(one, state="failed"))


def reopen_openings(act: Act, league: League, player: Player) -> None:
    """Let the matches be opened after all that were not for a player, those that still can be."""
    for one in _list_unopened(act, league, player, "failed"):
        act.tx.invitations.store(replace(one, state="agreed"))
        act.tx.due.schedule(OPENING_DUE, one.id, act.now)


def _list_unopened(
    act: Act, league: League, player: Player | None = None, state: InvitationState = "agreed"
) -> Iterator[Invitation]:
    """Yield the matches of a season that are not open, or those of a player: to be opened, or in another ``state``."""
    for one in act.tx.contests.matches(league.contest.id, season=league.season.number) if league.season else ():
        found = act.tx.invitations.get(one.invitation) if one.match is None else None
        if found and found.state == state and (player is None or player.id in [each.player for each in found.guests]):
            yield found
