"""What a match of a league counts for, as far as it is played. Pure."""

from collections.abc import Collection, Iterable

from pbem.clubs.league_table import Meeting, score_seats
from pbem.match.match import Match, is_move, left_along
from rules.position import EXIT_WORDS, Seat


def meet(match: Match, drawn: tuple[int, ...], gone: Collection[int]) -> Meeting:
    """Return what a match is for the table; ``drawn`` are who has each place by now, ``gone`` who has left.

    Whoever sits there by now may be a stand-in: the result is that of the player for whom they stand in. It counts for
    nobody where two who met turned out to be one person.
    """
    sides = _sides(match)
    if (outcome := match.outcome) is None:
        return Meeting(drawn, sides, match=match.id)
    missing = frozenset(_missing(match, drawn, gone)) if len(set(drawn)) == len(drawn) else frozenset[Seat]()
    void = len(set(drawn)) < len(drawn) or (match.ruling is not None and match.ruling.kind == "void")
    scores = () if void or missing or not outcome.winners else score_seats(outcome.winners, sides)
    return Meeting(drawn, sides, scores, missing, over=True, match=match.id)


def never_opened(drawn: tuple[int, ...], gone: Collection[int], *, failed: bool) -> Meeting:
    """Return what a match is for the table that is not open; ``failed``: it never will be."""
    missing = frozenset(seat for seat, player in enumerate(drawn) if player in gone) if failed else frozenset[Seat]()
    return Meeting(drawn, tuple(range(len(drawn))), missing=missing, over=failed)


def _sides(match: Match) -> tuple[int, ...]:
    """Return the side of each seat: the least of its seats."""
    return tuple(min(match.position.side(seat)) for seat in range(len(match.players)))


def _missing(match: Match, drawn: tuple[int, ...], gone: Collection[int]) -> Iterable[Seat]:
    """Yield the seats whose players never played a match that is over.

    A match counts as played once each side has moved twice; and whoever is still here, and gives it up, has lost it.
    """
    seats = range(len(match.players))
    ruling = match.ruling
    if ruling is not None:
        acting = match.position.to_act
        for seat in seats if ruling.kind == "void" else ():
            if (ruling.reason == "no_show" and seat == acting) or (ruling.reason == "operator" and drawn[seat] in gone):
                yield seat
    elif match.record and match.record[-1].text in EXIT_WORDS and not is_played(match):
        for ply, entry in enumerate(match.record):
            if entry.seat is not None and (
                _was_out_of_time(match, ply) or _gave_up(entry.text, drawn[entry.seat], gone)
            ):
                yield entry.seat


def _was_out_of_time(match: Match, ply: int) -> bool:
    """Return whether an entry is that of somebody whose own time was over, not a partner's."""
    return match.record[ply].text == "timeout" and not left_along(match, ply)


def _gave_up(text: str, player: int, gone: Collection[int]) -> bool:
    """Return whether an entry is that of somebody who gives a match up, since they have left the league."""
    return text == "resign" and player in gone


def is_played(match: Match) -> bool:
    """Return whether each side has moved twice."""
    moves = [entry.seat for entry in match.record if is_move(entry)]
    sides = {match.position.side(seat) for seat in range(len(match.players))}
    return all(sum(seat in side for seat in moves) >= 2 for side in sides)
