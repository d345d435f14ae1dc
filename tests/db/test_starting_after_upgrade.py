"""What 0011 brought survives an upgrade: invitations, plans, and what players keep for themselves."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.old_databases import (
    VERSIONS,
    Running,
    cells,
    expected,
    expected_matches,
    old_message,
    reply_to,
)

STARTING = [version for version in VERSIONS if version >= "0011"]
PLANNED, STOOD_IN = 1, 30
"""Matches of these, as the README of the fixtures numbers them."""


@pytest.mark.parametrize("version", STARTING)
def test_an_invitation_from_before_can_be_accepted(version: str, start: Callable[[str], Running]) -> None:
    """The match opens with the options that Ann wrote."""
    running = start(version)
    assert running.hand_in(reply_to(old_message(version, "invitation"), "accept")) == ("accepted", False)
    running.do_due()
    opened = running.matches()[max(expected_matches(version)) + 1]
    assert (opened["game"], opened["options"]["size"], set(opened["players"])) == ("zipline", 7, {"Ann", "Bob"})


@pytest.mark.parametrize("version", STARTING)
def test_a_plan_from_before_answers(version: str, start: Callable[[str], Running]) -> None:
    """As soon as the move is played that it foresees."""
    running = start(version)
    foreseen, answer = expected(version)["plans"][str(PLANNED)]
    match = expected_matches(version)[PLANNED]
    mover = old_message(version, f"match-{PLANNED}-seat-{match['to_act']}")
    assert running.hand_in(reply_to(mover, foreseen)) == ("accepted", False)
    assert running.matches()[PLANNED]["record"][-2:] == [[match["to_act"], foreseen], [1 - match["to_act"], answer]]


@pytest.mark.parametrize("version", STARTING)
def test_what_players_keep_and_have_set_stays(version: str, upgraded: Callable[[str], Path]) -> None:
    """A note and a line, a name of before, the time of a digest, a stand-in who was asked, and who was blocked."""
    found = cells(upgraded(version))
    assert len(found["thought"]) == 2
    assert [row["match_id"] for row in found["seat_offer"]][:1] == [STOOD_IN]
    assert [row["name"] for row in found["player"] if row["name"] == "Victor"]
    assert [row["name"] for row in found["player"] if "digest=07:30" in str(row)] == ["Abe"]
    assert len(found["refused_inviter"]) == 1
