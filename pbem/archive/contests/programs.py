"""The list of ladders and leagues for programs, as docs/formats.md has it: how each stands, season by season."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from pbem.archive.contests.parts import People
from pbem.archive.match.formats import VERSION
from pbem.archive.pages import without_addresses, write_if_changed
from pbem.clubs.contest import Contest
from pbem.clubs.ladder import Ladder, LadderRow, show_ladder
from pbem.clubs.league import League, Season
from pbem.clubs.league_table import Meeting, Row, tabulate
from pbem.mail.archive_paths import CONTEST_LIST, contest_page
from pbem.match.stints import robot_name

Told: TypeAlias = Mapping[str, object]
"""What the list tells of a contest, or of a season."""


def write_list(contests: Iterable[Told], directory: Path) -> int:
    """Write the list of contests; return how many files are new. Raises OSError."""
    lines = b",".join(json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in contests)
    return write_if_changed(directory / CONTEST_LIST, b'{"version":%d,"contests":[\n%b]}\n' % (VERSION, lines))


def tell_ladder(contest: Contest, ladder: Ladder, people: People, hidden: Collection[int]) -> Told:
    """Return what the list tells of a ladder; ``hidden`` are the numbers of private matches."""
    places = [_tell_place(row, people) for row in show_ladder(ladder, hidden)]
    return _head(contest) | {"paused": ladder.is_paused, "places": places}


def tell_league(league: League, seasons: Iterable[Told], people: People) -> Told:
    """Return what the list tells of a league, of all whose ``seasons`` it is told already."""
    entered = [_tell_player(player, people) for player in league.entered]
    return _head(league.contest) | {"entered": entered, "seasons": list(seasons)}


def tell_season(
    league: League, season: Season, meetings: Sequence[Sequence[Meeting]], people: People, hidden: Collection[int]
) -> Told:
    """Return what the list tells of a season, from the matches of each division."""
    return {
        "season": season.number,
        "page": contest_page(league.contest.id, season.number),
        "begun_at": season.begun_at.isoformat(),
        "ended_at": season.ended_at.isoformat() if season.ended_at else None,
        "divisions": [
            {
                "table": [_tell_row(row, people) for row in tabulate(season.division_now(number), played)],
                "matches": [one.match for one in played if one.match is not None and one.match not in hidden],
            }
            for number, played in enumerate(meetings, 1)
        ],
    }


def _head(contest: Contest) -> dict[str, object]:
    """Return what ladders and leagues have in common."""
    told = {"id": contest.id, "kind": contest.kind, "game": contest.game.key, "name": contest.name}
    return {**told, "page": contest_page(contest.id)}


def _tell_place(row: LadderRow, people: People) -> Told:
    """Return what is told of a place of a ladder, and of the challenge to whoever stands there."""
    number, one = row.rung.player, row.defends
    robot = {"player": None, "name": robot_name(row.rung.robot)}
    holder = robot if number is None else _tell_player(number, people)
    rival = {**_tell_player(one.player, people), "match": one.match} if one else None
    return {"place": row.place, **holder, "robot": row.rung.robot or None, "challenger": rival}


def _tell_row(row: Row, people: People) -> Told:
    """Return what is told of a line of a table."""
    counted = {"won": row.won, "drawn": row.drawn, "lost": row.lost, "forfeited": row.forfeited}
    others = {"void": row.void, "running": row.running}
    points = {"points": row.points / 2, "direct": row.direct / 2, "sonneborn_berger": row.berger / 4}
    return {"place": row.place, "shared": row.shared, **_tell_player(row.player, people), **points, **counted, **others}


def _tell_player(player: int, people: People) -> Told:
    """Return the number of a player with a page, and their name."""
    name, number = people.get(player, ("", None))
    return {"player": number, "name": without_addresses(name)}
