"""How a digest is asked for, and how a reply to one is parted by match."""

import pytest

from pbem.commands.families.digest import ChooseDigest
from pbem.commands.families.play import FreeText
from pbem.commands.grammar import read_commands
from tests.support.each import each


@each(
    "line, when",
    [
        ("digest 07:30", "07:30"),
        ("digest 7.30", "07:30"),
        ("Digest: 7:30 pm", "19:30"),
        ("digest daily at 12am", "00:00"),
        ("digest mon 07:30", "mon 07:30"),
        ("digest every Sunday at 9", "sun 09:00"),
        ("digest weekly, Mon 07:30", "mon 07:30"),
        ("digest weekly", "mon 07:30"),
        ("digest once a week", "mon 07:30"),
        ("digest weekly on Friday, 8pm", "fri 20:00"),
        ("digest every day", "07:30"),
        ("digest Sundays", "sun 07:30"),
        ("digest montags 8:00", "mon 08:00"),
        ("digest", "07:30"),
        ("mails digest", "07:30"),
        ("digest off", ""),
        ("digest 25:00", None),
        ("digest 13pm", None),
        ("digest monthly", None),
        ("digest every month", None),
        ("digest fortnightly", None),
        ("digest hourly", None),
        ("digest every second tuesday", None),
        ("digest every other day", None),
        ("digest twice a day", None),
        ("digest mon and thu", None),
        ("digest mon, thu 8:00", None),
        ("digest mon-fri 7:00", None),
        ("digest daily mon", None),
        ("digest off on sundays", None),
        ("digest never on mondays", None),
        ("digest not on weekends", None),
        ("digest at noon", None),
    ],
)
def test_a_time_is_read(line: str, when: str | None) -> None:
    """By day or by week, with twelve hours or twenty-four; None where it is not understood whole."""
    (command,) = read_commands([line])
    assert isinstance(command, ChooseDigest)
    assert command.when == when


@pytest.mark.parametrize(
    "line",
    [
        "digest that!",
        "digest wedding cake",
        "digest that for a day",
        "digest 2 of my moves and then tell me",
        "I digest slowly",
        "digest off?",
    ],
)
def test_a_sentence_is_no_digest(line: str) -> None:
    """People digest other things, too."""
    assert all(isinstance(command, FreeText) for command in read_commands([line]))
