"""What 0009 brought survives an upgrade: private matches, followers, players who were forgotten."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.errors import BadInput
from pbem.match import FORMER
from pbem.rulings import find_to_forget
from tests.support import mails
from tests.support.old_databases import VERSIONS, Running, cells, expected, expected_matches, old_message, reply_to

FOLLOWED = [version for version in VERSIONS if version >= "0009"]

WATCHED, ASKED, PRIVATE, LEFT = 17, 19, 29, 30
"""Matches of these, as the README of the fixtures numbers them."""


def followers(file: Path) -> list[list[object]]:
    """Return who follows which match since when, as the old program said it."""
    found = cells(file)["follower"]
    return [[row["match_id"], row["email"], f"{row['since']}".replace(" ", "T")[:19] + "+00:00"] for row in found]


def forgotten(file: Path) -> dict[str, str]:
    """Return when players were forgotten, by their numbers, as the old program said it."""
    found = [row for row in cells(file)["player"] if row["forgotten_at"]]
    return {str(row["id"]): f"{row['forgotten_at']}".replace(" ", "T")[:19] + "+00:00" for row in found}


@pytest.mark.parametrize("version", FOLLOWED)
def test_followers_and_the_forgotten_are_what_they_were(version: str, upgraded: Callable[[str], Path]) -> None:
    """Whoever has stopped following follows nothing, nor does an address that was asked and has not answered."""
    assert followers(upgraded(version)) == expected(version)["followers"] != []
    assert forgotten(upgraded(version)) == expected(version)["forgotten"] != {}


@pytest.mark.parametrize("version", FOLLOWED)
def test_a_private_match_keeps_its_page_and_is_in_no_list(version: str, start: Callable[[str], Running]) -> None:
    """Its players know the address, nobody else does; other matches are listed."""
    directory = start(version).archive()
    paths = {number: directory / path for number, path in expected(version)["private"].items()}
    assert list(paths) == [str(PRIVATE)]
    assert "Jana" in paths[str(PRIVATE)].read_text("utf-8")
    assert not (directory / "matches" / f"{PRIVATE}.html").exists()
    assert (directory / "matches" / f"{LEFT}.html").exists()
    listed = (directory / "index.html").read_text("utf-8")
    assert "Lena" in listed
    assert "Jana" not in listed
    assert paths[str(PRIVATE)].stem not in listed


@pytest.mark.parametrize("version", FOLLOWED)
def test_a_follower_is_told_of_what_was_played_before_the_upgrade(
    version: str, start: Callable[[str], Running]
) -> None:
    """Not within an hour of their latest email, which the next one goes on from; afterwards once."""
    running = start(version)
    ((_, follower, _),) = expected(version)["followers"]
    told = []
    for _ in range(3):
        sent = [message for message in running.deliver() if str(message["To"]) == follower]
        told.append([str(message["In-Reply-To"]) for message in sent])
        running.advance(timedelta(hours=1))
    assert told == [[], [str(old_message(version, "followed")["Message-ID"])], []]


@pytest.mark.parametrize("version", FOLLOWED)
def test_a_follower_can_stop(version: str, start: Callable[[str], Running], tmp_path: Path) -> None:
    """In reply to the email that they got before the upgrade."""
    running = start(version)
    assert running.hand_in(reply_to(old_message(version, "followed"), "unwatch")) == ("accepted", False)
    assert followers(tmp_path / "pbem.db") == []


@pytest.mark.parametrize("version", FOLLOWED)
def test_who_was_asked_whether_they_follow_can_say_yes(
    version: str, start: Callable[[str], Running], tmp_path: Path
) -> None:
    """The question came before the upgrade."""
    running = start(version)
    question = old_message(version, "watch")
    assert running.hand_in(reply_to(question, "yes")) == ("accepted", False)
    assert [one[:2] for one in followers(tmp_path / "pbem.db") if one[0] == ASKED] == [[ASKED, str(question["To"])]]


@pytest.mark.parametrize("version", FOLLOWED)
def test_who_was_asked_whether_to_be_forgotten_is_when_they_say_so(
    version: str, start: Callable[[str], Running]
) -> None:
    """Ivo leaves the private match by it."""
    running = start(version)
    match = expected_matches(version)[PRIVATE]
    assert match["players"] == ["Ivo", "Jana"]
    assert running.hand_in(reply_to(old_message(version, "forget"), "forget me")) == ("accepted", False)
    running.deliver()
    after = running.matches()[PRIVATE]
    assert after["players"] == [FORMER, "Jana"]
    assert after["record"] == [*match["record"], [0, "resign"]]


@pytest.mark.parametrize("version", FOLLOWED)
def test_who_was_forgotten_is_a_stranger(version: str, start: Callable[[str], Running]) -> None:
    """Nell is nobody here, and the match goes on without them."""
    running = start(version)
    for who in ("Nell", "nell@n.example"):
        with pytest.raises(BadInput):
            find_to_forget(running._service, who)
    raw = mails.message("b2", From="nell@n.example", To="games@play.example", Message_ID="<later-nell@n.example>")
    assert running.hand_in(raw) == ("rejected", False)
    match = expected_matches(version)[LEFT]
    assert match["players"].count(FORMER) == 1
    assert running.matches()[LEFT]["record"] == match["record"]
