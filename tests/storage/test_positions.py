"""A position that is known saves the replay of a record, and never changes what the record says."""

from collections.abc import Mapping
from datetime import UTC, datetime
from random import Random

import pytest

from pbem.storage.matches import positions
from pbem.storage.matches.positions import read_record
from rules.errors import InvalidRecord, RulesError
from rules.game import VERSION, Value, advance, replay
from rules.games import GAMES
from rules.position import Entry, Position
from tests.support.each import each
from tests.support.walks import Case, walk

AT = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
SMALL = Case("pipline", 2, (("size", 5),))


def read(case: Case, record: tuple[Entry, ...], options: Mapping[str, Value] | None = None) -> object:
    """Return the position of match 1 with a record, or how it is refused."""
    chosen = case.options if options is None else options
    rows = [(1, ply, entry.seat, entry.text, AT) for ply, entry in enumerate(record)]
    try:
        found, position = read_record(1, case.game, case.seats, chosen, rows)
    except RulesError as refused:
        return refused.code, str(refused)
    assert found == record
    return position


def replayed(case: Case, record: tuple[Entry, ...]) -> object:
    """Return what a replay from the beginning says."""
    try:
        return replay(case.game, seats=case.seats, options=case.options, record=record)
    except InvalidRecord as refused:
        return refused.code, str(refused)


@each("key", GAMES)
def test_whatever_was_read_before_a_record_leads_where_a_replay_leads(key: str) -> None:
    """Two matches with one number, as two databases have, go on, are taken back, and have an entry changed by hand."""
    random, case = Random(7), Case(key, GAMES[key].seats[0], ())
    records = [walk(case, seed).entries[:40] for seed in (1, 2)]
    refused = 0
    for _ in range(60):
        entries = random.choice(records)
        record = list(entries[: random.randrange(len(entries) + 1)])
        if record and random.random() < 0.2:
            record[random.randrange(len(record))] = Entry(0, "no move")
        found = read(case, tuple(record))
        assert found == replayed(case, tuple(record))
        refused += isinstance(found, tuple)
    assert refused > 3


def test_only_what_is_new_in_a_record_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were it replayed, a message would cost the more the longer its match is."""
    record = walk(SMALL, 3).entries
    read(SMALL, record[:-2])
    played: list[Entry] = []

    def note(position: Position[object], entry: Entry) -> Position[object]:
        played.append(entry)
        return advance(position, entry)

    monkeypatch.setattr(positions, "advance", note)
    monkeypatch.setattr(positions, "replay", None)  # whoever calls it fails
    assert read(SMALL, record) == walk(SMALL, 3).positions[-1]
    assert played == list(record[-2:])


def test_changed_options_are_another_match() -> None:
    """A match on a board of five rows is no match on one of nine, and `true` is not the version 1 of the rules."""
    small = read(SMALL, (), {"size": 5, VERSION: 1})
    assert read(SMALL, (), {"size": 9, VERSION: 1}) != small
    assert read(SMALL, (), {"size": 5, VERSION: 1}) == small
    assert isinstance(read(SMALL, (), {"size": 5, VERSION: True}), tuple)
