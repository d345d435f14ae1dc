"""The moves of a match so far, one by one, as a player is shown them on request. Pure."""

from typing import NamedTuple

from pbem.match import Match
from rules import EXIT_WORDS, Chance, Phrase, advance, mark, phrase, verbatim

_LEFT = {"resign": mark("resigned"), "timeout": mark("ran out of time")}
_ROLLED = mark("{what}: {value}")


class RecordRow(NamedTuple):
    """An entry: the ``number`` of the move, empty for what is none; whose it is, empty for dice; and ``what`` it is."""

    number: str
    name: str
    what: Phrase


def list_record(match: Match) -> list[RecordRow]:
    """Return a row for every entry of the record; dice and resignations are not counted as moves."""
    rows: list[RecordRow] = []
    moves = 0
    position = match.at(0).position if match.possible_rolls else None
    for entry in match.record:
        if entry.seat is None:
            awaited = position.to_act if position else None
            rolled = phrase(_ROLLED, what=awaited.what if isinstance(awaited, Chance) else "", value=entry.text)
            rows.append(RecordRow("", "", rolled))
        elif entry.text in EXIT_WORDS:
            rows.append(RecordRow("", match.name(entry.seat), phrase(_LEFT[entry.text])))
        else:
            moves += 1
            rows.append(RecordRow(str(moves), match.name(entry.seat), verbatim(entry.text)))
        position = advance(position, entry) if position else None
    return rows
