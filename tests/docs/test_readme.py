"""The README says what is so: its notice, what players and operators can write, its example in Python."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
import typer.main

from pbem.cli import app
from pbem.commands import COMMANDS
from pbem.match.match import Comment, Match, Player
from pbem.notices.render import NoticeContent, match_notice
from rules import GAMES, Entry, Game

README = Path(__file__).resolve().parents[2] / "README.md"
RECORD = "0 d8 d6; 1 b4 g6; 2 take; 0 c7; 1 c6; 2 e3; 0 c5; 1 c4; 2 e7"


def notice_in_readme() -> str:
    """Return the text that stands between the README's two marks, without its indentation."""
    found = re.search(r"<!-- notice -->\n\n(.*?)\n\n<!-- /notice -->", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return "\n".join(line.removeprefix("    ") for line in found[1].splitlines()) + "\n"


def notice() -> str:
    """Return the notice that Ann gets when it is her turn in the match of the README."""
    opened = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
    players = tuple(
        Player(number, name, f"{name.lower()}@example.org", frozenset({f"{name.lower()}@example.org"}))
        for number, name in enumerate(("Ann", "Bob", "Carl"), 1)
    )
    entries = tuple(Entry(int(line[0]), line[2:]) for line in RECORD.split("; "))
    game = GAMES["zipline"]
    match = Match(17, game, game.normalise({"size": 9}), players, opened, entries, (opened,) * len(entries))
    told = NoticeContent(match.at(match.ply - 1), (Comment(2, match.ply, "Now it gets tight on the left."),))
    made = match_notice("your_turn", match, 0, told)
    return f"Subject: {made.subject}\n\n{made.text}"


def test_the_notice_in_the_readme_is_what_a_player_gets() -> None:
    """The notice shown in the README is, to the message, what the program writes."""
    assert notice_in_readme() == notice()


def test_the_readme_has_a_row_for_everything_that_players_can_write() -> None:
    """Each keyword, and the example of each row of the help email, stands in the table of "How to play"."""
    rows = re.findall(r"^\| (`.*?) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    shown = {example for row in rows for example in re.findall(r"`([^`]+)`", row)}
    keywords = {keyword.word for family in COMMANDS for keyword in family.keywords}
    examples = {row.example for family in COMMANDS for row in family.help if row.example}
    assert keywords | examples <= shown


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_the_readme_has_a_row_for_every_game(game: Game) -> None:
    """The table of games has its key and how many can play."""
    seats = " or ".join(map(str, game.seats))
    assert f"\n| `{game.key}` | {seats} | " in README.read_text(encoding="utf-8")


def test_the_readme_lists_every_operator_s_command() -> None:
    """Every subcommand of ``pbem`` stands in the README, and none that does not exist."""
    group = typer.main.get_command(app)
    there = set(getattr(group, "commands", {}))
    named = set(re.findall(r"`pbem ([a-z]+)", README.read_text(encoding="utf-8")))
    assert there == named


def test_the_readme_s_python_runs() -> None:
    """The example of replaying a record runs as it stands."""
    found = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    names: dict[str, object] = {}
    exec(compile(found[1], "README.md", "exec"), names)
    assert getattr(names["position"], "to_act", None) == 2
