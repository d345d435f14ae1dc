"""What is said of leagues: their names, points, and the lines of their tables. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.clubs.league import League, Season, moving_of
from pbem.clubs.league_table import Row
from pbem.log.redaction import without_domains
from rules.game import Game
from rules.phrase import ENGLISH, Language, Phrase, listed, phrase, phrases

UP, DOWN = "up", "down"
"""What is to become of a player after a season, by the table as it stands."""


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of a table: ``place`` with a sign where it is shared, ``points`` as people write them, what they are of.

    ``moves`` is where it leads. ``own``: the line of whoever reads it.
    """

    place: str
    name: str
    points: str
    won: int
    drawn: int
    lost: int
    void: int
    running: int
    moves: str
    own: bool
    text: str


@dataclass(frozen=True, slots=True)
class DivisionTable:
    """The table of a division, with what is written above it; ``page`` is the address of its season's, or ""."""

    title: str
    lines: tuple[TableLine, ...]
    page: str = ""


def title_league(league: League) -> Phrase:
    """Return how a league is called: after its game, unless it has a name of its own."""
    return title_named(league.contest.name, league.contest.game)


def title_named(name: str, game: Game) -> Phrase:
    """Return how a league of a game is called that is stored under a name."""
    if name == f"{game.key}-3":
        return phrase("{game}-for-three", game=game.title)
    return phrase("{name}", name=game.title if name == game.key else name)


def write_points(halves: int) -> str:
    """Return points as people write them: ``5½``."""
    whole = str(halves // 2) if halves > 1 or not halves % 2 else ""
    return f"{whole}{'½' if halves % 2 else ''}"


def say_points(halves: int) -> Phrase:
    """Return points in a sentence: "5½ points"."""
    if halves == 1:
        return phrase("half a point")
    return phrase("one point") if halves == 2 else phrase("{points} points", points=write_points(halves))


def say_place(row: Row) -> Phrase:
    """Return which place a line of a table is, and whether others share it."""
    return phrase("shared place {place}", place=row.place) if row.shared else phrase("place {place}", place=row.place)


def say_void(row: Row) -> Phrase:
    """Return how many matches of a line count for nobody."""
    return phrases("{count} doesn’t count", "{count} don’t count", row.void)


def title_division(season: Season, division: int, language: Language = ENGLISH) -> str:
    """Return what is written above the table of a division."""
    number, count = season.number, len(season.divisions)
    if count == 1:
        return phrase("Season {number}", number=number).said(language)
    said = phrase("Season {number}, division {division} of {count}", number=number, division=division, count=count)
    return said.said(language)


def lay_table(
    season: Season,
    division: int,
    rows: tuple[Row, ...],
    names: Mapping[int, str],
    language: Language = ENGLISH,
    *,
    reader: int | None = None,
    page: str = "",
) -> DivisionTable:
    """Return the table of a division, counted from 1, as people read it.

    ``reader`` is the number of its reader, ``page`` the address of the season's page.
    """
    up, down = moving_of(season, division)
    lines = []
    for number, row in enumerate(rows):
        moves = UP if number < up else DOWN if number >= len(rows) - down else ""
        name = without_domains(names.get(row.player, ""))
        lines.append(
            TableLine(
                f"{row.place}=" if row.shared else str(row.place),
                name,
                write_points(row.points),
                row.won,
                row.drawn,
                row.lost,
                row.void,
                row.running,
                moves,
                row.player == reader,
                _write_line(row, name, moves, over=season.ended_at is not None, language=language),
            )
        )
    return DivisionTable(title_division(season, division, language), tuple(lines), page)


def _write_line(row: Row, name: str, moves: str, *, over: bool, language: Language) -> str:
    """Return a line of a table as a sentence, for text and for who listens."""
    said = [say_points(row.points)]
    if row.won:
        said.append(phrase("{count} won", count=row.won))
    if row.drawn:
        said.append(phrase("{count} drawn", count=row.drawn))
    if row.lost:
        said.append(phrase("{count} lost", count=row.lost))
    if row.void:
        said.append(say_void(row))
    if row.running:
        said.append(phrase("{count} still going on", count=row.running))
    if over and moves:
        said.append(phrase("would go up") if moves == UP else phrase("would go down"))
    counts = ", ".join(one.said(language) for one in said)
    return phrase("{name}, {place}: {counts}", name=name, place=say_place(row), counts=counts).said(language)


def list_names(players: tuple[int, ...], names: Mapping[int, str]) -> str:
    """Return the names of players as a list in a sentence."""
    return str(listed(without_domains(names.get(player, "")) for player in players))
