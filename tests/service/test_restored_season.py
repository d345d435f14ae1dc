"""A season after a backup of yesterday: what it had come to since is played again, and it ends once."""

from pathlib import Path

import pytest

from pbem.settings.model import Settings
from pbem.storage.damage import list_damage
from tests.support.clocks import wait
from tests.support.club import make_club
from tests.support.leagues import (
    begin_season,
    decide,
    lose,
    match_between,
    matches_of,
    pass_until,
    season_of,
    tables_of,
)


@pytest.mark.slow("plays most of a season twice")
def test_matches_that_ended_since_go_on(settings: Settings, tmp_path: Path) -> None:
    """The table is that of the backup, an email from before it is answered, and everybody hears of the end."""
    club = make_club(settings)
    begin_season(club)
    one, two, *rest = matches_of(club)
    for match in rest:
        decide(club, match, match.players[0].name)
    wait(club, minutes=1)
    club.service.database.copy_to(tmp_path / "copy.db")
    before = tables_of(club)
    lose(club, one, one.players[0].name)
    late = club.answer(club.newest(0, two.id), "a1")
    decide(club, two, two.players[1].name)
    pass_until(club, lambda: season_of(club).ended_at is not None, days=2)
    assert len(club.queued(kind="league_ends")) == 5
    club.service.database.close()

    file = Path(settings.database_url.removeprefix("sqlite:///"))
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    file.write_bytes((tmp_path / "copy.db").read_bytes())
    club = make_club(settings, clock=club.clock, dice=club.dice)
    club.written = 500
    assert (tables_of(club), season_of(club).ended_at) == (before, None)
    wait(club, minutes=5)
    assert list_damage(club.service.database) == []
    assert club.service.hand_in(late).message.commands == ("a1",)  # it answers the board that there is again
    lose(club, match_between(club, *[p.name for p in one.players]), one.players[1].name)
    decide(club, club.match(two.id), two.players[0].name)
    pass_until(club, lambda: season_of(club).ended_at is not None, days=2)
    assert len(club.queued(kind="league_ends")) == 5
    wait(club, days=2)
    assert len(club.queued(kind="league_ends")) == 5
    club.service.database.close()
