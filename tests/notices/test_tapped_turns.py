"""Answers that a tapped cell begins: a quotation below the cell says how to add another."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support.club import PLAYERS, Club
from tests.support.mails import html_of


def begin_turn(club: Club) -> tuple[int, str, str]:
    """Return whose turn of several cells it is, the email that a tap opens, and a cell that can be added."""
    club.service.open("pipelines", PLAYERS[:2], {"size": 7})
    for seat in (0, 1):
        club.reply(seat, "ready")
    for _ in range(2):
        match = club.match()
        assert isinstance(match.to_act, int)
        club.reply(match.to_act, str(next(iter(match.position.legal_moves()))))
    match = club.match()
    assert isinstance(match.to_act, int)
    links = re.findall(r'href="(mailto:[^"]+)"', html_of(club.newest(match.to_act)))
    bodies = [
        parse_qs(urlsplit(unescape(link)).query, keep_blank_values=True)["body"][0].replace("\r\n", "\n")
        for link in links
    ]
    opened = next(body for body in bodies if "\n> " in body)
    cell = opened.split()[0]
    longer = (str(move).split() for move in match.position.legal_moves())
    return match.to_act, opened, next(move[1] for move in longer if move[0] == cell and len(move) > 1)


@pytest.mark.parametrize("place", ["behind the cell", "below the cell", "at the very end"])
def test_a_cell_added_anywhere_to_a_tapped_email_is_played(club: Club, place: str) -> None:
    """An attack on tapping: the cursor of some programs stands below our words, and what was typed there got lost."""
    seat, opened, other = begin_turn(club)
    cell, _, rest = opened.partition("\n")
    text = {
        "behind the cell": f"{cell} {other}\n{rest}",
        "below the cell": f"{cell}\n{other}\n{rest}",
        "at the very end": f"{opened}{other}",
    }[place]
    assert club.reply(seat, text).message.commands == (f"{cell} {other}",)


def test_what_says_how_to_add_a_cell_is_not_passed_on(club: Club) -> None:
    """An attack on tapping: a program that drops marks of quotation sent our own words to the opponent."""
    seat, opened, other = begin_turn(club)
    cell, _, rest = opened.partition("\n")
    assert club.reply(seat, f"{cell} {other}\n{rest.replace('> ', '')}").message.commands == (f"{cell} {other}",)
    assert club.match().comments == ()
