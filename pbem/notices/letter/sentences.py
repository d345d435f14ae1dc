"""What the Sunday letter says of a contest: tables, results, whose turn it is, and the swing of the week. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.clubs.contest import Contest
from pbem.clubs.ladder import LadderRow
from pbem.clubs.league import Season
from pbem.clubs.league_table import Row
from pbem.clubs.week import Swing, show_around
from pbem.log.redaction import without_domains
from pbem.match.endings import is_draw
from pbem.match.match import Match, is_move
from pbem.match.player import Player
from pbem.match.summary import MatchSummary
from pbem.match.time.calendar import Calendar
from pbem.notices.ladders import describe_ladder
from pbem.notices.sentences.contests.leagues import say_place, say_points, say_void, title_division, write_points
from pbem.notices.sentences.moments import say_short
from pbem.notices.sentences.public import tell_turn
from rules.phrase import ENGLISH, Language, Phrase, listed, mark, phrase, phrases

_GAVE_AWAY = 950  # per mille


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table: ``cells`` below its heads, and the same as a sentence, ``text``.

    ``moved`` are places won since last week, lost below 0, ``said`` in words. ``own``: the line of whoever reads it.
    """

    cells: tuple[str, ...]
    text: str
    moved: int
    said: str
    own: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table with what is written above it, and the ``heads`` of its columns, place and name first."""

    title: str
    heads: tuple[str, ...]
    lines: tuple[Line, ...]


def lay_division(
    season: Season,
    division: int,
    rows: Sequence[Row],
    before: Mapping[int, int],
    names: Mapping[int, str],
    reader: int,
    language: Language = ENGLISH,
) -> Table:
    """Return the table of a division, counted from 1; ``before`` are the places of a week ago, none at first."""
    lines = []
    for row in rows:
        name = without_domains(names.get(row.player, ""))
        moved = before.get(row.player, row.place) - row.place
        told = [_say_points(row)] if row.won + row.drawn + row.lost else []
        told += [say_void(row)] if row.void else []
        told += [phrase("{count} going on", count=row.running)] if row.running else []
        said = ", ".join(one.said(language) for one in told)
        place = say_place(row)
        cells = (f"{row.place}=" if row.shared else str(row.place), name, write_points(row.points), str(row.running))
        lines.append(_lay(cells, name, place, said, moved, own=row.player == reader, language=language))
    heads = _say_all((mark("Place"), mark("Name"), mark("Points"), mark("Going on")), language)
    return Table(title_division(season, division, language), heads, tuple(lines))


def _say_points(row: Row) -> Phrase:
    """Return how many points somebody has, out of how many matches."""
    played = row.won + row.drawn + row.lost
    return phrases(
        "{points} out of {count} match", "{points} out of {count} matches", played, points=say_points(row.points)
    )


def lay_ladder(
    contest: Contest,
    rows: Sequence[LadderRow],
    names: Mapping[int, str],
    reader: Player,
    now: datetime,
    language: Language = ENGLISH,
) -> Table:
    """Return a ladder around the place of its reader, with its first."""
    own = next((row.place for row in rows if row.rung.player == reader.id), 1)
    shown = show_around(rows, own)
    told = describe_ladder(contest, shown, names, reader, now, language).rows
    lines = [
        _lay(
            (str(one.place), one.name, one.note),
            one.name,
            phrase("place {place}", place=one.place),
            one.note,
            row.moved or 0,
            own=one.own,
            language=language,
        )
        for row, one in zip(shown, told, strict=True)
    ]
    heads = _say_all((mark("Place"), mark("Name"), mark("Challenge")), language)
    title = phrase("Of {count} places, those around yours", count=len(rows))
    title = phrase("The whole ladder") if len(shown) == len(rows) else title
    return Table(title.said(language), heads, tuple(lines))


def _lay(
    cells: tuple[str, ...], name: str, place: Phrase, said: str, moved: int, *, own: bool, language: Language
) -> Line:
    """Return a line of a table."""
    up = phrases("up {count} place", "up {count} places", moved) if moved > 0 else None
    down = phrases("down {count} place", "down {count} places", -moved) if moved < 0 else None
    went = up or down
    shift = went.said(language) if went else ""
    head = phrase("{name}, {place}", name=name, place=place).said(language)
    head = phrase("{head} ({shift})", head=head, shift=shift).said(language) if shift else head
    text = phrase("{head}: {said}", head=head, said=said).said(language) if said else head
    return Line(cells, text, moved, shift, own)


def _say_all(messages: Iterable[str], language: Language) -> tuple[str, ...]:
    """Return messages in a language."""
    return tuple(phrase(message).said(language) for message in messages)


def tell_result(match: MatchSummary, language: Language = ENGLISH) -> str:
    """Return how a match ended, in a sentence that names it."""
    winners = match.standing.winners or ()
    names = [without_domains(player.name) for player in match.players]
    number, everybody = match.id, listed(names)
    if not winners:
        return phrase("Nobody won match {number} ({names}).", number=number, names=everybody).said(language)
    if is_draw(winners, match.standing.reason, len(names)):
        return phrase("{names} drew match {number}.", names=everybody, number=number).said(language)
    won = listed(names[seat] for seat in winners)
    lost = listed(name for seat, name in enumerate(names) if seat not in winners)
    return phrase("{won} beat {lost} in match {number}.", won=won, lost=lost, number=number).said(language)


def tell_own(table: Table, language: Language = ENGLISH) -> str:
    """Return where the reader of a table stands in it; "" for nobody in it."""
    own = next((line for line in table.lines if line.own), None)
    if own is None:
        return ""
    place = own.cells[0].rstrip("=")
    shared = place != own.cells[0]
    at = phrase("You share place {place}", place=place) if shared else phrase("You’re number {place}", place=place)
    if own.said:
        return phrase("{at}, {shift}.", at=at, shift=own.said).said(language)
    return phrase("{at}.", at=at).said(language)


def tell_waiting(match: MatchSummary, calendar: Calendar, now: datetime, language: Language = ENGLISH) -> str:
    """Return whose turn it is in a match and until when; "" where that is nobody's.

    It tells no more than the page of the match, though in the zone of the reader's ``calendar``.
    """
    told = tell_turn(match, now)
    if told is None:
        return ""
    known = {name: at for name, at in told.arguments.items() if isinstance(at, datetime)}
    who = without_domains(str(told.arguments["name"]))
    if "flagged" in known:
        said = phrase("Match {number}: {name} is out of time", number=match.id, name=who)
    elif "end" in known:
        until = say_short(known["end"], calendar, now)
        said = phrase("Match {number}: {name}, paused until {until}", number=match.id, name=who, until=until)
    elif "until" in known:
        until = say_short(known["until"], calendar, now)
        said = phrase("Match {number}: {name}, until {until}", number=match.id, name=who, until=until)
    else:
        said = phrase("Match {number}: {name}", number=match.id, name=who)
    return said.said(language)


def tell_swing(swing: Swing, match: Match, language: Language = ENGLISH) -> str:
    """Return the move of the week that cost most, and what was better, as a robot has found it."""
    number = sum(map(is_move, match.record[: swing.ply])) + 1
    name = without_domains(match.name_at(swing.seat, swing.ply))
    told: dict[str, str | int] = {"name": name, "number": number, "move": swing.move, "match": match.id}
    if swing.loss >= _GAVE_AWAY:
        cost = phrase("{name}’s move {number}, {move}, gave away match {match}, which was won.", **told)
    else:
        before, after = ((chance + 5) // 10 for chance in (swing.best, swing.value))
        cost = phrase(
            "{name}’s move {number} in match {match}, {move}, cut their chances from {before} to {after} in 100.",
            before=before,
            after=after,
            **told,
        )
    better = phrase("A robot would have played {better}.", better=swing.better)
    return f"{cost.said(language)} {better.said(language)}"


def fits(swing: Swing, match: Match) -> bool:
    """Return whether what a robot has found is of the match as it is by now, and for everybody."""
    known = match.outcome is not None and not match.private and swing.ply < match.ply
    return known and match.record[swing.ply].seat == swing.seat and match.record[swing.ply].text == swing.move
