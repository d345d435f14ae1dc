"""The moves of a match so far, one by one, as a player is shown them on request. Pure."""

from typing import NamedTuple

from pbem.match.match import Match, left_along
from rules.game import advance
from rules.phrase import ENGLISH, Language, mark, phrase
from rules.position import EXIT_WORDS, Chance

_LEFT = {"resign": mark("{name} resigned."), "timeout": mark("{name} ran out of time.")}
_LEFT_ALONG = mark("That was {name}’s time too, so they’re out as well.")


class RecordRow(NamedTuple):
    """An entry: the ``number`` of the move, empty for what is none; whose move it is; and ``what`` happened."""

    number: str
    name: str
    what: str


def list_record(match: Match, language: Language = ENGLISH) -> list[RecordRow]:
    """Return a row for every entry of the record; dice and resignations are not counted as moves."""
    rows: list[RecordRow] = []
    moves = 0
    position = match.at(0).position if match.possible_rolls else None
    for ply, entry in enumerate(match.record):
        if entry.seat is None:
            awaited = position.to_act if position else None
            what = phrase(awaited.what) if isinstance(awaited, Chance) else ""
            rows.append(RecordRow("", "", phrase("{what}: {value}", what=what, value=entry.text).said(language)))
        elif entry.text in EXIT_WORDS:
            message = _LEFT_ALONG if left_along(match, ply) else _LEFT[entry.text]
            left = phrase(message, name=match.name_at(entry.seat, ply))
            rows.append(RecordRow("", "", left.said(language)))
        else:
            moves += 1
            rows.append(RecordRow(str(moves), match.name_at(entry.seat, ply), entry.text))
        position = advance(position, entry) if position else None
    return rows
