"""A match as readable text: header lines, an empty line, then one numbered line an entry.

    pbem record 1
    game: zipline
    seats: 3
    rules: 2
    option size: 9
    player 1: Ann

      1  seat 1  d4 e5
      2  seat 2  take
      3  lot     5

The line ``rules`` stands where a game has more than one version of its rules; without it, it is the first.
Header lines that the rules do not know (players, dates, a result, a signature) are kept as they stand in ``notes``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.errors import InvalidRecord, quote
from rules.game import VERSION, Value
from rules.position import Entry

FIRST_LINE = "pbem record 1"
# Only these end a line: a note may hold any of the other characters that `str.splitlines` breaks at.
_LINE_END = re.compile(r"\r\n|\r|\n")
_BLANKS = " \t\f\v"
_ENTRY = re.compile(r"(\d{1,6})\s+(?:seat\s+([1-9]\d{0,2})|(lot))\s+(\S.*)", re.ASCII)
_HEADER = re.compile(r"([a-z](?:[a-z0-9 _-]*[a-z0-9_-])?)[ \t]*:(.*)")


@dataclass(frozen=True)
class Record:
    """A match as its game, options and entries; ``notes`` are further header lines, in order.

    ``lines`` are the numbers, from 1, of the lines on which the entries were read; empty when they were not read.
    """

    game: str
    seats: int
    options: Mapping[str, Value | str]
    entries: tuple[Entry, ...]
    notes: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[int, ...] = field(default=(), compare=False)


def write_record(record: Record) -> str:
    """Return ``record`` as text, which ``read_record`` reads back; in notes, white space becomes one space.

    Raises InvalidRecord when a name or a move cannot stand in such a text, because of a line end for instance.
    """
    options = {key: _word(value) for key, value in record.options.items()}
    notes = {key: " ".join(text.split()) for key, text in record.notes.items()}
    head = [FIRST_LINE, f"game: {record.game}", f"seats: {record.seats}"]
    head += [f"{VERSION}: {word}" for key, word in options.items() if key == VERSION]
    head += [f"option {key}: {word}" for key, word in options.items() if key != VERSION]
    head += [f"{key}: {text}" for key, text in notes.items()]
    width = max(3, len(str(len(record.entries))))
    lines = [
        f"{number:>{width}}  {'lot' if entry.seat is None else f'seat {entry.seat + 1}':<7}  {entry.text}"
        for number, entry in enumerate(record.entries, 1)
    ]
    text = "\n".join([*head, "", *lines]) + "\n"
    if read_record(text) != Record(record.game, record.seats, options, tuple(record.entries), notes):
        sentence = "A name or a move of this record cannot be written on a line of its own."
        raise InvalidRecord("record_not_writable", sentence)
    return text


def read_record(text: str) -> Record:
    """Read what ``write_record`` wrote (line ends and outer spaces may differ).

    Raises InvalidRecord with the number of the line that is wrong. The moves themselves are not judged.
    """
    lines = [line.strip(_BLANKS) for line in _LINE_END.split(text.removeprefix("\ufeff"))]
    if lines[0] != FIRST_LINE:
        raise InvalidRecord("not_a_record", f"Line 1 is not “{FIRST_LINE}”, so this is no record.", line=1)
    headers: dict[str, tuple[int, str]] = {}
    entries: list[Entry] = []
    places: list[int] = []
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        if found := _ENTRY.fullmatch(line):
            if int(found[1]) != len(entries) + 1:
                sentence = f"Line {number} is numbered {found[1]}, but entry {len(entries) + 1} comes next."
                raise InvalidRecord("entry_out_of_order", sentence, {"line": number}, line=number)
            entries.append(Entry(None if found[3] else int(found[2]) - 1, found[4]))
            places.append(number)
        elif not entries and (found := _HEADER.fullmatch(line)):
            if found[1] in headers:
                sentence = f"Line {number} gives {quote(found[1])} a second time."
                raise InvalidRecord("header_given_twice", sentence, {"line": number, "header": found[1]}, line=number)
            headers[found[1]] = number, found[2].strip()
        else:
            sentence = f"Line {number} cannot be read: {quote(line, 60)}."
            raise InvalidRecord("unreadable_line", sentence, {"line": number}, line=number)
    return _assemble(headers, tuple(entries), tuple(places))


def _assemble(headers: dict[str, tuple[int, str]], entries: tuple[Entry, ...], lines: tuple[int, ...]) -> Record:
    """Return the record, its header lines sorted into those that the rules need and notes."""
    for needed in ("game", "seats"):
        if not headers.get(needed, (0, ""))[1]:
            raise InvalidRecord("missing_header", f"The line “{needed}: …” is missing.", {"header": needed})
    (_, game), (number, seats) = headers.pop("game"), headers.pop("seats")
    if twice := headers.get(f"option {VERSION}"):
        sentence = f"Line {twice[0]} gives the version of the rules as an option; its line is “{VERSION}: …”."
        raise InvalidRecord("version_as_option", sentence, {"line": twice[0]}, line=twice[0])
    if not re.fullmatch(r"[1-9]\d?", seats, re.ASCII):
        sentence = f"Line {number} says {quote(seats)}, which is no number of players."
        raise InvalidRecord("not_a_number_of_players", sentence, {"line": number}, line=number)
    texts = {key: text for key, (_, text) in headers.items()}
    options = {key.removeprefix("option "): text for key, text in texts.items() if _chosen(key)}
    notes = {key: text for key, text in texts.items() if not _chosen(key)}
    return Record(game, int(seats), options, entries, notes, lines)


def _chosen(key: str) -> bool:
    """Return whether a header line holds an option, or the version of the rules."""
    return key == VERSION or key.startswith("option ")


def _word(value: Value | str) -> str:
    """Return an option's value as people write it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
