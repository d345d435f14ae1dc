"""Opening a match: who is seated, what is refused, who is told."""

import re

import pytest

from pbem.errors import BadInput
from tests.support.club import ADDRESS, PLAYERS, Club


def test_players_are_new_or_known(club: Club) -> None:
    """A player is named by an address, with a name before it or not, and later by his name."""
    first = club.open("zipline", ("Ann Lee <Ann@A.example>", "bob.cook@b.example", PLAYERS[2]))
    assert [player.name for player in first.players] == ["Ann Lee", "Bob Cook", "Carl"]
    quoted = club.open(players=('"eve home"@d.example', "dora..lee@docomo.example"))
    assert [player.name for player in quoted.players] == ["Eve Home", "Dora Lee"]
    second = club.open(players=("ann lee", "CARL@c.example"))
    assert [player.id for player in second.players] == [first.players[0].id, first.players[2].id]


def test_names_are_compared_without_case_in_every_alphabet(club: Club) -> None:
    """A player is found by his name however it is written, and a second of that name gets a number."""
    club.service.open("pipline", ["Änne <aenne@example.org>", "Bob <b@example.org>"], {})
    assert club.service.open("pipline", ["änne", "Bob"], {}).players[0].email == "aenne@example.org"
    match = club.service.open("pipline", ["ÄNNE <other@example.org>", "Bob"], {})
    assert match.players[0].name == "ÄNNE 2"


@pytest.mark.parametrize(
    ("game", "players", "options", "named"),
    [
        ("chess", PLAYERS[:2], {}, "chess"),
        ("pipline", PLAYERS, {}, "2"),
        ("pipline", PLAYERS[:2], {"size": 99}, "size"),
        ("pipline", PLAYERS[:2], {"colour": "red"}, "colour"),
        ("pipline", ("ann@a.example", "ANN@a.example"), {}, "Ann"),
        ("pipline", ("ann@a.example", "Nobody"), {}, "“Nobody”"),
        ("pipline", ("ann@a.example", ADDRESS), {}, f"“{ADDRESS}”"),
        ("pipline", ("ann@a.example", "games+x@play.example"), {}, "games+x@play.example"),
        ("pipline", ("ann@a.example", "a@b <bob@b.example>"), {}, "“a@b”"),
        ("pipline", ("ann@a.example", "Bob <bob@>"), {}, "bob@"),
    ],
)
def test_a_refused_opening_leaves_nothing(
    club: Club, game: str, players: tuple[str, ...], options: dict[str, object], named: str
) -> None:
    """The error names what will not do, and not even a player is kept."""
    with pytest.raises(BadInput, match=re.escape(named)):
        club.service.open(game, players, options)
    with club.service.database.reading() as tx:
        assert (tx.matches.all(), tx.players.all(), tx.outbound.latest()) == ([], [], [])
