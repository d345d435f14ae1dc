"""Seats that pass on survive an upgrade: a stand-in, a question that waits for its answer, and a robot."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.old_databases import VERSIONS, Running, cells, expected_matches, old_message, reply_to

LENT = [version for version in VERSIONS if version >= "0012"]
ROBOTS, STOOD_IN = 35, 36
"""Matches of these, as the README of the fixtures numbers them."""


@pytest.mark.parametrize("version", LENT)
def test_a_seat_from_before_comes_back(version: str, start: Callable[[str], Running]) -> None:
    """In answer to the email that named the stand-in."""
    running = start(version)
    assert expected_matches(version)[STOOD_IN]["players"] == ["Lena", "Quin"]
    assert running.hand_in(reply_to(old_message(version, "stood-in"), "standin off")) == ("accepted", False)
    running.do_due()
    assert running.matches()[STOOD_IN]["players"] == ["Kim", "Quin"]


@pytest.mark.parametrize("version", LENT)
def test_a_question_from_before_is_answered(version: str, start: Callable[[str], Running]) -> None:
    """Max was asked to stand in for Quin, and does."""
    running = start(version)
    assert running.hand_in(reply_to(old_message(version, "seat"), "yes")) == ("accepted", False)
    running.do_due()
    assert running.matches()[STOOD_IN]["players"] == ["Lena", "Max"]


@pytest.mark.parametrize("version", LENT)
def test_a_robot_keeps_its_seat(version: str, upgraded: Callable[[str], Path]) -> None:
    """And how long it has had it."""
    found = cells(upgraded(version))
    (robot,) = [row for row in found["player"] if row["robot"]]
    assert [row["match_id"] for row in found["place"] if row["player_id"] == robot["id"]] == [ROBOTS]
    assert [row["id"] for row in found["match"] if row["robots"]] == [ROBOTS]


@pytest.mark.parametrize("version", LENT)
def test_a_stranger_is_asked_after_an_upgrade(version: str, start: Callable[[str], Running]) -> None:
    """An offer to nobody who plays here has room in the tables since 0013."""
    running = start(version)
    running.deliver()
    offer = reply_to(old_message(version, f"match-{ROBOTS}-seat-0"), "standin yve@y.example until 1 dec")
    assert running.hand_in(offer) == ("accepted", False)
    (question,) = [message for message in running.deliver() if str(message["To"]) == "yve@y.example"]
    assert running.hand_in(reply_to(question, "yes Yve")) == ("accepted", False)
    running.do_due()
    assert running.matches()[ROBOTS]["players"][0] == "Yve"
