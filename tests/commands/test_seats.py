"""How stand-ins and replacements are asked for."""

import pytest

from pbem.commands.families.play import FreeText
from pbem.commands.families.seats import ReplacePlayer, StandIn, StandInAll, StandInOff
from pbem.commands.grammar import read_commands
from tests.support.each import each


@each(
    "line, command",
    [
        ("standin ann until 14 aug", StandIn("ann", "until 14 aug")),
        ("Stand-in: Ann Lee until 14 August", StandIn("Ann Lee", "until 14 August")),
        ("stand in ann@a.example for 10 days.", StandIn("ann@a.example", "for 10 days")),
        ("standin ann@a.example untill 14 aug", StandIn("ann@a.example", "until 14 aug")),
        ("standin Ann to sunday", StandIn("Ann", "until sunday")),
        ("standin Ann", StandIn("Ann", "")),
        ("standin all Ann until 14 aug", StandInAll("Ann", "until 14 aug")),
        ("Stand in for me in all matches: Ann Lee till 14 august.", StandInAll("Ann Lee", "until 14 august")),
        ("standin all ann@a.example for 10 days", StandInAll("ann@a.example", "for 10 days")),
        ("standin all until sunday", StandInAll("", "until sunday")),
        ("standin Allan until 14 aug", StandIn("Allan", "until 14 aug")),
        ("standin off", StandInOff()),
        ("standin off 17", StandInOff(17)),
        ("Stand-in off in match #17.", StandInOff(17)),
        ("replace Bob with Carl", ReplacePlayer("Bob with Carl")),
        ("replace bob carl@c.example", ReplacePlayer("bob carl@c.example")),
    ],
)
def test_what_is_asked_of_a_seat_is_read(line: str, command: object) -> None:
    """By name or address, with or without a hyphen."""
    assert read_commands([line]) == [command]


@pytest.mark.parametrize("line", ["replace Bob", "replace Bob with Carl?", "replace it, please", "standing here"])
def test_a_sentence_asks_for_nothing(line: str) -> None:
    """A question, or too little."""
    assert all(isinstance(command, FreeText) for command in read_commands([line]))
