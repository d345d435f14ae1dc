"""README, docs/playing.md and docs/commands.md say what is so: the email, what can be written, the example."""

import re
from pathlib import Path

from pbem.cli.app import build_command
from pbem.commands.catalogue import COMMANDS
from rules.game import Game
from rules.games import GAMES
from tests.support.each import each
from tests.support.pictures import EMAIL, PAGE, text_of_notice, text_shown

README = Path(__file__).resolve().parents[2] / "README.md"
PLAYING = README.parent / "docs" / "playing.md"
COMMANDS_PAGE = README.parent / "docs" / "commands.md"


def test_the_email_that_is_shown_is_what_a_player_gets() -> None:
    """The email in docs/playing.md is, to the letter, what the program writes; `make pictures` writes it anew."""
    assert text_shown() == text_of_notice()


def test_the_readme_shows_pictures() -> None:
    """Each is there, in the format of its name, and small; `make pictures` draws them anew."""
    shown = [README.parent / path for path in re.findall(r'<img src="([^"]+)"', README.read_text(encoding="utf-8"))]
    assert shown == [EMAIL, PAGE]
    for picture in shown:
        drawn = picture.read_bytes()
        assert drawn.startswith(b"\x89PNG\r\n")
        assert len(drawn) < 150_000


def test_there_is_a_row_for_everything_that_players_can_write() -> None:
    """Each keyword, and the example of each row of the help email, stands in the table of docs/playing.md."""
    rows = re.findall(r"^\| (`.*?) \|", PLAYING.read_text(encoding="utf-8"), re.MULTILINE)
    shown = {example for row in rows for example in re.findall(r"`([^`]+)`", row)}
    keywords = {keyword.word for family in COMMANDS for keyword in family.keywords}
    examples = {row.example for family in COMMANDS for row in family.help if row.example}
    assert keywords | examples <= shown


@each("game", GAMES.values(), ids=lambda game: game.key)
def test_the_readme_has_a_row_for_every_game(game: Game) -> None:
    """The table of games has its key and how many can play."""
    seats = " or ".join(map(str, game.seats))
    assert f"\n| `{game.key}` | {seats} | " in README.read_text(encoding="utf-8")


def test_every_operator_s_command_is_listed() -> None:
    """Every subcommand of ``pbem`` has a row in docs/commands.md; README and pages name none that does not exist."""
    group = build_command()
    there = set(getattr(group, "commands", {}))
    rows = re.findall(r"^\| (`pbem .*?) \|", COMMANDS_PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"`pbem ([a-z-]+)", " ".join(rows))) == there
    for page in (README, *README.parent.glob("docs/*.md")):
        assert set(re.findall(r"`pbem ([a-z]+)[ `]", page.read_text(encoding="utf-8"))) <= there


def test_the_readme_s_python_runs() -> None:
    """The example of replaying a record runs as it stands."""
    found = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    names: dict[str, object] = {}
    exec(compile(found[1], "README.md", "exec"), names)
    assert getattr(names["position"], "to_act", None) == 2
