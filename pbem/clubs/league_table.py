"""The table of a division: points, ties, and what becomes of matches that somebody never played. Pure.

Points are counted in halves, and what breaks a tie by Sonneborn and Berger in quarters: whole numbers have no rounding.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from rules.position import Seat

WON, DRAWN, LOST = 2, 1, 0
"""What a match counts for a player, in half points."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match of a division; ``players`` were drawn for its seats, whoever sits there by now.

    ``sides`` tells for each seat its side. ``scores`` are what it counts for each; empty while it goes on, and where it
    counts for nobody. ``missing`` are the seats whose players never played it: they didn't come, or left before each
    side had moved twice. Then ``scores`` are not read.
    """

    players: tuple[int, ...]
    sides: tuple[int, ...]
    scores: tuple[int, ...] = ()
    missing: frozenset[Seat] = frozenset()
    over: bool = False
    match: int | None = None

    def opponents(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats of the other sides."""
        return tuple(other for other, side in enumerate(self.sides) if side != self.sides[seat])


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table; ``place`` is ``shared`` where nothing tells two players apart.

    ``points`` and ``direct`` are in halves, ``berger`` in quarters. ``forfeited`` are matches lost that were never
    played, ``running`` those that go on, ``void`` those that count for nobody.
    """

    place: int
    shared: bool
    player: int
    points: int
    won: int
    drawn: int
    lost: int
    forfeited: int
    void: int
    running: int
    direct: int
    berger: int


def settle(meetings: Iterable[Meeting]) -> list[Meeting]:
    """Return the matches with what those count that somebody never played, and so is nobody ``missing`` any more.

    Such a match is lost for who is missing, and won for all others; where all are missing, it counts for nobody. Nor
    does any match of somebody who missed more than half of theirs, also if it was played: all others fare alike.
    """
    meetings = list(meetings)
    absent = find_absent(meetings)
    return [_settled(one, absent) for one in meetings]


def find_absent(meetings: Iterable[Meeting]) -> frozenset[int]:
    """Return who missed more than half of their matches."""
    all_of, missed = Counter[int](), Counter[int]()
    for one in meetings:
        all_of.update(one.players)
        missed.update(one.players[seat] for seat in one.missing)
    return frozenset(player for player in missed if 2 * missed[player] > all_of[player])


def _settled(meeting: Meeting, absent: Collection[int]) -> Meeting:
    """Return a match as it counts; ``absent`` are those who missed more than half of theirs."""
    seats, missing = range(len(meeting.players)), meeting.missing
    void = len(missing) == len(seats) or any(player in absent for player in meeting.players)
    if not meeting.over or not (missing or void):
        return meeting
    scores = () if void else tuple(LOST if seat in missing else WON for seat in seats)
    return Meeting(meeting.players, meeting.sides, scores, over=True, match=meeting.match)


def tabulate(drawn: Sequence[int], meetings: Iterable[Meeting]) -> tuple[Row, ...]:
    """Return the table of a division, the first place first; who shares a place stands in the order of the draw.

    Ties are broken by the points out of matches against those who have as many, then by Sonneborn and Berger: the
    points of everybody beaten, and half of those of everybody drawn with.
    """
    meetings = list(meetings)
    settled = settle(meetings)
    counted = (one for one, after in zip(meetings, settled, strict=True) if after.scores)
    forfeited = Counter(one.players[seat] for one in counted for seat in one.missing)
    points = Counter[int](dict.fromkeys(drawn, 0))
    counts: dict[int, Counter[str]] = {player: Counter() for player in drawn}
    direct, berger = Counter[int](), Counter[int]()
    for one in settled:
        for seat, player in enumerate(one.players):
            counts[player][_word(one, seat)] += 1
            points[player] += one.scores[seat] if one.scores else 0
    for one in settled:
        for seat, player in enumerate(one.players) if one.scores else ():
            for other in one.opponents(seat):
                opponent, score = one.players[other], one.scores[seat]
                berger[player] += score * points[opponent]
                direct[player] += score if points[opponent] == points[player] else 0
    keys = {player: (points[player], direct[player], berger[player]) for player in drawn}
    order = sorted(drawn, key=lambda player: keys[player], reverse=True)  # sorting keeps the order of the draw
    many = Counter(keys.values())
    return tuple(
        Row(
            place=1 + sum(key > keys[player] for key in keys.values()),
            shared=many[keys[player]] > 1,
            player=player,
            points=points[player],
            won=counts[player]["won"],
            drawn=counts[player]["drawn"],
            lost=counts[player]["lost"],
            forfeited=forfeited[player],
            void=counts[player]["void"],
            running=counts[player]["running"],
            direct=direct[player],
            berger=berger[player],
        )
        for player in order
    )


def list_leaders(rows: Iterable[Row]) -> tuple[int, ...]:
    """Return who has, or shares, the first place of a table; nobody as long as no match counts."""
    return tuple(row.player for row in rows if row.place == 1 and row.points)


def _word(meeting: Meeting, seat: Seat) -> str:
    """Return what a settled match is for the player of a seat."""
    if not meeting.over:
        return "running"
    return {WON: "won", DRAWN: "drawn", LOST: "lost"}[meeting.scores[seat]] if meeting.scores else "void"


def score_seats(winners: Collection[Seat], sides: Sequence[int]) -> tuple[int, ...]:
    """Return what a match counts for each seat that ended with these ``winners``: several sides have drawn."""
    won = WON if len({sides[seat] for seat in winners}) == 1 else DRAWN
    return tuple(won if seat in winners else LOST for seat in range(len(sides)))
