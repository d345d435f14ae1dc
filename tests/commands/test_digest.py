"""How a digest is asked for, and how a reply to one is parted by match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.catalogue import asks_for_something
from pbem.commands.families.digest import ChooseDigest, part_reply
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


@each("line", ["17 d4", "17: d4", "#17 d4", "17. d4", "17) d4", "match 17 d4", "Game #17: d4", "- 17 – d4", "[17] d4"])
def test_a_line_is_for_the_match_whose_number_it_begins_with(line: str) -> None:
    """However people set a number off."""
    assert part_reply([line], {17}, asks_for_something).by_match == {17: ["d4"]}


def test_lines_without_a_number_belong_to_the_one_above() -> None:
    """As a comment stands below a move; what stands above all of them is for no match."""
    parted = part_reply(["Hi,", "17 d4", "3 more, and I win", "", "23 take", "Ann"], {17, 23}, asks_for_something)
    assert parted.beside == ["Hi,"]
    assert parted.by_match == {17: ["d4", "3 more, and I win", ""], 23: ["take", "Ann"]}


def test_a_move_with_the_number_of_another_match_is_for_none() -> None:
    """Nor is it words for the one above."""
    parted = part_reply(["17 d4", "99 e5", "99 resign"], {17}, asks_for_something)
    assert (parted.by_match, parted.unlisted) == ({17: ["d4"]}, ["99 e5", "99 resign"])


@given(st.lists(st.text(max_size=40), max_size=12), st.sets(st.integers(1, 30), max_size=4))
def test_nothing_that_was_written_is_lost(lines: list[str], listed: set[int]) -> None:
    """Each line is for one match, for none, or beside them; and none is for a match that was not listed."""
    parted = part_reply(lines, listed, lambda text: False)
    kept = len(parted.beside) + len(parted.unlisted) + sum(map(len, parted.by_match.values()))
    assert kept == len(lines)
    assert parted.by_match.keys() <= listed
