"""Entering leagues, leaving them and looking at them: how it can be written, and what is talk."""

import pytest

from pbem.commands.families.contests.leagues import parse_league_name
from pbem.commands.grammar import read_commands
from tests.support.each import each


@each(
    "line, command",
    [
        *(("league", "league"), ("leagues", "league"), ("League.", "league")),
        *(("league pipline", "league pipline"), ("League Pip•Pip!", "league pippip")),
        *(("please enter the league zipline", "league zipline"), ("join league snipsnip", "league snipsnip")),
        *(("league zipline-3", "league zipline-3"), ("league zipline players=3", "league zipline-3")),
        *(("league zipline for three players", "league zipline-3"), ("league: club-2027", "league club-2027")),
        *(("leave league", "leave league"), ("leave the league pipline, thanks", "leave league pipline")),
        ("> leave league zipline 3", "leave league zipline-3"),
        *(("I’d like to join the league, please", "league"), ("join the pipline league", "league pipline")),
        *(("league pipline por favor", "league pipline"), ("please, league pipline", "league pipline")),
        *(("join the ladder", "ladder"), ("I'd like to join the pipline ladder please", "ladder pipline")),
        *(("ladder pipline, s’il vous plaît", "ladder pipline"), ("challenge Ann please", "challenge Ann")),
        *(
            ("challenge Ann Lee in pipline, danke", "challenge Ann Lee in pipline"),
            ("challenge Merci", "challenge Merci"),
        ),
    ],
)
def test_what_is_meant(line: str, command: str) -> None:
    """Whatever the spelling, it is one command in its one form."""
    assert [str(one) for one in read_commands([line.removeprefix("> ")])] == [command]


@each(
    "line",
    [
        *("a league of its own", "you're out of my league", "leave it", "join us", "league of nations today"),
        *("shall I leave league pipline?", "I won't leave the league", "leave", "enter"),
    ],
)
def test_what_is_talk(line: str) -> None:
    """A sentence is no wish, nor are the words alone."""
    assert not {type(one).__name__ for one in read_commands([line])} & {"EnterLeague", "LeaveLeague", "ShowLeagues"}


@pytest.mark.parametrize(("text", "name"), [("Pipline", "pipline"), ("zipline-3", "zipline-3"), ("club", "club")])
def test_names_of_leagues(text: str, name: str) -> None:
    """A league is called after its game by its key, whatever anybody writes."""
    assert parse_league_name(text) == name
    assert [parse_league_name(bad) for bad in ("", "two words", "a@b", "?")] == ["", "", "", ""]
