"""Two hundred matches at once cost a letter no more than one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from pbem.config import Settings
from pbem.match import Match
from pbem.service import Service
from pbem.store import Store
from pbem.tag import Tag, sign
from tests.e2e.letters import reply
from tests.fakes import FakeClock, FakeDice

MATCHES = 200
GAMES = "games@example.org"
SECRET = "a secret for this test"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Build a service over a fresh database."""
    store = Store(f"sqlite:///{tmp_path}/pbem.db")
    store.upgrade()
    yield Service(Settings(address=GAMES, secret=SECRET), store, clock=FakeClock(), dice=FakeDice())
    store.close()


@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect every SQL statement that is carried out meanwhile."""
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: Any) -> None:
        seen.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def test_a_letter_costs_the_same_with_one_match_open_and_with_two_hundred(service: Service) -> None:
    """All two hundred moves are accepted, each with as many statements as the first, when there was one match."""
    first = opened(service, 0)
    alone = moved(service, first)
    assert alone
    matches = [opened(service, number) for number in range(1, MATCHES)]
    costs = {len(moved(service, match)) for match in matches}
    assert costs == {len(alone)}, "a letter costs more the more matches there are"
    with service.store.reading() as work:
        found = work.matches()
    assert [match.ply for match in found] == [1] * MATCHES
    assert [match.record[0].text for match in found] == ["c3"] * MATCHES


def opened(service: Service, number: int) -> Match:
    """Open a match of three among thirty players."""
    players = [f"player{(number * 3 + seat) % 30}@example.org" for seat in range(3)]
    return service.open("zipline", players, {"size": 9})


def moved(service: Service, match: Match) -> list[str]:
    """Hand in the first move of a match, which must be accepted; returns the SQL statements it took."""
    address = GAMES.replace("@", f"+{sign(Tag(match.id, 0, 0), SECRET)}@")
    raw = reply(match.players[0].email, address, "c3", message_id=f"<{match.id}@example.org>")
    with statements() as seen:
        arrival = service.hand_in(raw)
    assert (arrival.letter.status, arrival.letter.match) == ("accepted", match.id)
    assert len(arrival.mails) == 3
    return seen
