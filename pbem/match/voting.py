"""Votes on the moves of a seat: how long they count, and which move has most. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from pbem.match.match import Match
from pbem.match.timing import deadline_of
from pbem.reading.reason import Reason, because
from rules.phrase import Listed, listed, phrases
from rules.position import Seat

MOST_SECONDS = 7
"""The most seconds of one seat: each gets an email a turn, and one for what each other proposes."""

_WITHOUT_CLOCK = timedelta(days=6)
_BETWEEN = "; "


def turn_began(match: Match) -> datetime:
    """Return when the present turn began."""
    return (match.clock.turned_at if match.clock else None) or match.changed_at


def voting_time(match: Match) -> timedelta:
    """Return how long votes count in the present turn: half of its time.

    Of a bank no more is the time of a turn than a move adds, or it would be spent in a few. Without a clock it is
    three days.
    """
    clock = match.clock
    if clock is None:
        return _WITHOUT_CLOCK / 2
    began = turn_began(match)
    whole = (deadline_of(match, at=began) or began) - began
    return min(whole, timedelta(seconds=clock.control.increment or clock.control.start)) / 2


def begin_voting(match: Match, seat: Seat, before: int) -> Reason | None:
    """Return what whoever has ``seat`` is told whose turn has begun since turn ``before``; None where nobody votes."""
    if match.to_act != seat or match.turn == before or not match.seconds_of(seat):
        return None
    return because("vote_begins", until=(turn_began(match) + voting_time(match)).isoformat())


def list_votes(votes: Mapping[int, str]) -> list[tuple[str, int]]:
    """Return the moves that were voted for by the numbers of players, each with its votes; those with most first."""
    return Counter(votes.values()).most_common()


def say_votes(votes: Iterable[tuple[str, int]]) -> Listed:
    """Return how many votes there were for which moves."""
    return listed(
        phrases("{count} vote for {move!q}", "{count} votes for {move!q}", count, move=moves) for moves, count in votes
    )


def find_chosen(votes: Mapping[int, str], captain: int) -> str:
    """Return the moves with most votes; of several such that of the ``captain``, and "" where that is none of them."""
    counted = list_votes(votes)
    best = [moves for moves, count in counted if count == counted[0][1]]
    return best[0] if len(best) == 1 else votes[captain] if votes.get(captain) in best else ""


def join_moves(moves: tuple[str, ...]) -> str:
    """Return the moves of one vote as they are kept."""
    return _BETWEEN.join(moves)


def part_moves(vote: str) -> list[str]:
    """Return the moves of a vote."""
    return vote.split(_BETWEEN)
