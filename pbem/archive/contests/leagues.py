"""The pages of a league: one of its own, with who plays next, and one of each season, with tables and cross tables."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from markupsafe import Markup

from pbem.archive.contests.parts import LATEST, Moment, People, link_player, name_player, take_latest
from pbem.archive.lists.contest_lines import SeasonLine
from pbem.archive.pages import address_links, template, without_addresses, write_if_changed
from pbem.archive.way_in import WayIn
from pbem.clubs.league import League, Season
from pbem.clubs.league_table import DRAWN, LOST, WON, Meeting, Row, list_leaders, settle, tabulate
from pbem.mail.archive_paths import contest_page, match_page
from pbem.notices.sentences.contests.leagues import TableLine, lay_table, title_league
from rules.phrase import phrase
from rules.text import listed

_SIGNS = {WON: "1", DRAWN: "½", LOST: "0"}
_RUNNING, _VOID = "•", "–"


@dataclass(frozen=True, slots=True)
class Cell:
    """A match in a cross table: the sign of its result, and where it is."""

    sign: str
    page: str = ""


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A line of a division: of the table, with whose it is, and of the cross table, with a cell for each other one."""

    number: int
    player: Markup
    line: TableLine
    cells: tuple[tuple[Cell, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class SeasonView:
    """A season as its page shows it; ``key`` is that of its game.

    ``leaders`` have the first place, ``players`` a line each on their own pages.
    """

    league: int
    number: int
    title: str
    game: str
    key: str
    begun: str
    ended: str
    played: int
    matches: int
    three: bool
    divisions: tuple[tuple[SeasonRow, ...], ...]
    leaders: str
    players: tuple[tuple[int, SeasonLine], ...]


@dataclass(frozen=True, slots=True)
class SeasonLink:
    """A season as others lead to it."""

    number: int
    page: str
    begun: str
    ended: str
    leaders: str


@dataclass(frozen=True, slots=True)
class LeagueView:
    """A league as its page shows it; ``begins`` is the day of the next season, empty while one is played."""

    number: int
    name: str
    title: str
    game: str
    key: str
    entered: tuple[Markup, ...]
    least: int
    following: int
    begins: str
    paused: str
    seasons: tuple[SeasonLink, ...]
    moments: tuple[Moment, ...]


def view_season(
    league: League, season: Season, meetings: Sequence[Sequence[Meeting]], people: People, hidden: Collection[int]
) -> SeasonView:
    """Return a season as its page shows it, from the matches of each division; ``hidden`` are private ones."""
    game, title = league.contest.game, str(title_league(league))
    names = {player: name for player, (name, _) in people.items()}
    divisions, lines, leaders = [], [], ""
    page = contest_page(league.contest.id, season.number)
    for number, played in enumerate(meetings, 1):
        rows = tabulate(season.division_now(number), played)
        laid = lay_table(season, number, rows, names).lines
        cells = _cross([row.player for row in rows], played, hidden)
        divisions.append(
            tuple(
                SeasonRow(place, link_player(row.player, people), line, own)
                for place, (row, line, own) in enumerate(zip(rows, laid, cells, strict=True), 1)
            )
        )
        if number == 1:
            first = list_leaders(rows)
            leaders = listed(name_player(player, people) for player in first) if first else ""
        lines += [
            (row.player, _tell_line(title, page, season, number, row, line, len(rows)))
            for row, line in zip(rows, laid, strict=True)
        ]
    every = [one for played in meetings for one in played]
    return SeasonView(
        league.contest.id,
        season.number,
        title,
        game.title,
        game.key,
        _day(season.begun_at),
        _day(season.ended_at),
        sum(one.over for one in every),
        len(every),
        league.seats > 2,
        tuple(divisions),
        leaders,
        tuple(lines),
    )


def view_league(league: League, seasons: Iterable[SeasonView], people: People) -> LeagueView:
    """Return a league as its page shows it; ``seasons`` are all that there were, in any order."""
    links = [
        SeasonLink(one.number, f"../{contest_page(one.league, one.number)}", one.begun, one.ended, one.leaders)
        for one in sorted(seasons, key=lambda one: one.number, reverse=True)
    ]
    contest = league.contest
    return LeagueView(
        contest.id,
        contest.name,
        str(title_league(league)),
        contest.game.title,
        contest.game.key,
        tuple(link_player(player, people) for player in league.entered),
        league.least,
        len(league.seasons) + 1,
        "" if league.season else _day(league.begins_at),
        _day(league.paused),
        tuple(links),
        take_latest([one for season in league.seasons for one in _tell_season(season, links)]),
    )


def write_season(view: SeasonView, directory: Path, head: str) -> int:
    """Write the page of a season; return how many files are new. Raises OSError."""
    before = f"../{contest_page(view.league, view.number - 1)}" if view.number > 1 else ""
    text = template("season.html").render(head=head, season=view, up=f"../{contest_page(view.league)}", before=before)
    return write_if_changed(directory / contest_page(view.league, view.number), without_addresses(text).encode())


def write_league(view: LeagueView, directory: Path, head: str, way_in: WayIn) -> int:
    """Write the page of a league; return how many files are new. Raises OSError."""
    text = template("league.html").render(head=head, league=view, moments=view.moments[:LATEST], way_in=way_in)
    page = address_links(without_addresses(text), way_in.host)
    return write_if_changed(directory / contest_page(view.number), page.encode())


def _cross(
    players: Sequence[int], meetings: Iterable[Meeting], hidden: Collection[int]
) -> list[tuple[tuple[Cell, ...] | None, ...]]:
    """Return the cells of each player of a cross table, None where they would meet themselves."""
    found = defaultdict[tuple[int, int], list[Cell]](list)
    for one in settle(meetings):
        for seat, player in enumerate(one.players):
            cell = _view_cell(one, seat, hidden)
            for other in one.players:
                found[player, other].append(cell)
    return [tuple(None if one == other else tuple(found[one, other]) for other in players) for one in players]


def _view_cell(meeting: Meeting, seat: int, hidden: Collection[int]) -> Cell:
    """Return a settled match as the player of a seat has it in their line; nothing is shown of a private one."""
    if meeting.match in hidden:
        return Cell("")
    sign = _SIGNS[meeting.scores[seat]] if meeting.scores else _VOID if meeting.over else _RUNNING
    if meeting.match is None:
        return Cell(sign if meeting.over else "")
    return Cell(sign, f"../{match_page(meeting.match)}")


def _tell_line(title: str, page: str, season: Season, division: int, row: Row, line: TableLine, of: int) -> SeasonLine:
    """Return what the page of a player says of a season."""
    over, points = season.ended_at is not None, line.points
    return SeasonLine(
        title, f"../{page}", season.number, division, len(season.divisions), line.place, of, points, line.moves, over
    )


def _tell_season(season: Season, links: Iterable[SeasonLink]) -> Iterator[Moment]:
    """Yield the beginning and the end of a season."""
    number = season.number
    yield Moment(f"{number}-begun", season.begun_at, str(phrase("Season {number} begins.", number=number)))
    if season.ended_at:
        leaders = next((link.leaders for link in links if link.number == number), "")
        told = phrase("Season {number} is over. First: {names}.", number=number, names=leaders)
        yield Moment(f"{number}-ended", season.ended_at, str(told))


def _day(moment: datetime | None) -> str:
    """Return a day (UTC); nothing for none."""
    return f"{moment:%Y-%m-%d}" if moment else ""
