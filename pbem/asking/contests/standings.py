"""How a ladder stands, from what is stored; and who can't be challenged in it."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from pbem.clubs.contest import Contest, ContestEvent, ContestResult
from pbem.clubs.ladder import REACH, Ladder, LadderMatch, fold_ladder
from pbem.errors import DamagedRow
from pbem.match.invitation import Invitation
from pbem.match.player import Player
from pbem.notices.ladders import Defended, title_of
from pbem.pipeline.act import Act
from pbem.storage.transaction import Transaction

CHALLENGER, CHALLENGED = 0, 1
"""The seats in a match that follows from a challenge: who challenges has the first one."""


def read_ladder(tx: Transaction, contest: Contest, now: datetime, pending: Sequence[ContestEvent] = ()) -> Ladder:
    """Return how a ladder stands now, after events too that are yet to be stored."""
    if not contest.id:
        return fold_ladder(_numbered(pending, 0), ())
    events = tx.contests.events(contest.id)
    matches = [follow(tx, result, now) for result in tx.contests.results(contest.id)]
    return fold_ladder([*events, *_numbered(pending, max((one.id for one in events), default=0))], matches)


def find_ladder(tx: Transaction, number: int, now: datetime) -> tuple[Contest, Ladder] | None:
    """Return a ladder and how it stands now; None for a damaged one, or a league.

    Whoever does something else, and would only tell of the ladder, goes on without it.
    """
    with suppress(DamagedRow):
        contest = tx.contests.get(number)
        return (contest, read_ladder(tx, contest, now)) if contest and contest.kind == "ladder" else None
    return None


def list_absent(act: Act, ladder: Ladder, player: Player) -> frozenset[int]:
    """Return who can't be challenged by a player, of those nearest above them, until as many as may be can.

    They are away. Who wants no email, or none of this player, can be: else whoever refuses all others would keep their
    place for ever.
    """
    place, absent, present = ladder.place_of(player.id), set[int](), 0
    for rung in ladder.shown[: (place or 1) - 1][::-1]:
        if present == REACH:
            break
        if rung.player is None or _is_present(act, act.tx.players.get(rung.player)):
            present += 1
        else:
            absent.add(rung.player)
    return frozenset(absent)


def list_hidden(tx: Transaction, ladder: Ladder) -> set[int]:
    """Return the numbers of the private matches among those that are played for places of a ladder."""
    played = (one.match for one in ladder.challenges.values() if one.is_open)
    return tx.matches.unlisted([number for number in played if number is not None])


def find_defended(tx: Transaction, invitation: Invitation, now: datetime) -> Defended | None:
    """Return the place in a ladder that a challenge is for; None for any other invitation."""
    one = tx.contests.of_invitation(invitation.id) if invitation.kind == "challenge" else None
    found = find_ladder(tx, one.contest, now) if one else None
    number = invitation.guests[CHALLENGED].player
    if found is None or number is None:
        return None
    contest, ladder = found
    return Defended(contest.name, title_of(contest), ladder.place_of(number) or 0)


def _is_present(act: Act, rival: Player | None) -> bool:
    """Return whether somebody can be challenged."""
    if rival is None or not rival.has_mail or rival.calendar.absent_at(act.now):
        return False
    return not act.tx.blocked.among(rival.emails)


def follow(tx: Transaction, result: ContestResult, now: datetime) -> LadderMatch:
    """Return what has become of a challenge, by how its match stands.

    Whoever was challenged, and is to begin, and doesn't, leaves the place.
    """
    place, paused = result.place, result.paused_until is not None and result.paused_until > now
    wins = result.standing is not None and result.standing.winners == (CHALLENGER,)
    if result.no_show and place.match is not None:
        match = tx.matches.get(place.match)
        wins = match is not None and match.position.to_act == CHALLENGED
    return LadderMatch(place.event, place.match, result.over_at, wins, paused, result.expires_at)


def _numbered(events: Iterable[ContestEvent], last: int) -> list[ContestEvent]:
    """Return events with the numbers that they may get."""
    return [replace(event, id=number) for number, event in enumerate(events, last + 1)]
