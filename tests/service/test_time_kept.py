"""The time of matches is as somebody would keep it by hand, whatever happens in whichever order."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.year import MINUTE, START, World, make_world

PEOPLE = ("ann", "bob", "carl")
CONTROLS: tuple[dict[str, str], ...] = (
    {"days": "1"},
    {"days": "3"},
    {"days": "7", "weekends": "free"},
    {"bank": "4d+12h", "max": "5d"},
    {"days": "2", "flag": "forfeit"},
    {"days": "2", "flag": "remind-only", "weekends": "free"},
)
ZONES = ("Europe/Lisbon", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")
BEGINNINGS = (
    START,
    datetime.fromisoformat("2026-12-29T09:17Z"),  # a year ends
    datetime.fromisoformat("2027-03-11T20:41Z"),  # clocks are put forward in America, then in Europe
    datetime.fromisoformat("2026-10-01T03:05Z"),  # and back in Europe, on in Australia
)

LONGEST_FAILURE = timedelta(days=2)


def _move(world: World, person: str, number: int, size: int) -> None:
    game = world.ledger.games[number]
    if game.turn is not None and not game.over:
        holder = game.people[game.turn]
        position = world.club.match(number).position
        world.move(holder, number, str(position.any_move(lambda most: size % most)))


def _bounce(world: World, person: str, number: int, size: int) -> None:
    back = [mail for mail in world.mails if mail.person == person and mail.match == number and mail.sender]
    fresh = [
        mail for mail in back[-3:] if mail.sender not in world.returned and world.now - mail.at < timedelta(days=14)
    ]
    if fresh:
        world.bounce(fresh[size % len(fresh)])


def _refuse(world: World, person: str, number: int, size: int) -> None:
    (world.postman.refuses.add if size % 2 else world.postman.refuses.discard)(f"{person}@x.example")


def _fill(world: World, person: str, number: int, size: int) -> None:
    (world.postman.full.add if size % 3 else world.postman.full.discard)(f"{person}@x.example")


def _fail(world: World, person: str, number: int, size: int) -> None:
    world.postman.down = bool(size % 2)


ACTS: dict[str, Callable[[World, str, int, int], Any]] = {
    "move": _move,
    "give": lambda world, person, number, size: world.give(person, number, (1, 30, 72)[size % 3]),
    "claim": lambda world, person, number, size: world.claim(person, number),
    "pause": lambda world, person, number, size: world.pause(person, number, (2, 5)[size % 2]),
    "vacation": lambda world, person, number, size: world.vacation(person, number, size % 4, 1 + size % 3),
    "emergency": lambda world, person, number, size: world.emergency(person, number),
    "back": lambda world, person, number, size: world.back(person, number),
    "zone": lambda world, person, number, size: world.zone(person, number, ZONES[size % len(ZONES)]),
    "remind": lambda world, person, number, size: world.remind(person, number, *((60, 20, 1), (30,), ())[size % 3]),
    "quiet": lambda world, person, number, size: world.quiet(
        person, number, (22, 1, 20)[size % 3], (7, 19, 10)[size % 3]
    ),
    "auto": lambda world, person, number, size: world.automatic(person, number, on=size % 2 == 0),
    "mute": lambda world, person, number, size: world.mute(person, number),
    "resume": lambda world, person, number, size: world.resume(person, number),
    "bounce": _bounce,
    "refuse": _refuse,
    "fill": _fill,
    "fail": _fail,
    "restart": lambda world, person, number, size: world.restart(),
    "outage": lambda world, person, number, size: world.stand_still(size * 30 * MINUTE),
}

happenings = st.tuples(
    st.sampled_from([*ACTS, "move", "move", "move"]),
    st.one_of(st.integers(0, 600), st.integers(0, 10 * 1440)),
    st.sampled_from(PEOPLE),
    st.integers(1, 2),
    st.integers(0, 60),
)


async def _live(world: World, controls: list[dict[str, str]], happened: list[tuple[str, int, str, int, int]]) -> None:
    world.people(*PEOPLE, second=PEOPLE[2:])
    seats = (PEOPLE[:2], PEOPLE[1:])
    numbers = [await world.open(seated, **control) for seated, control in zip(seats, controls, strict=False)]
    await world.look()
    for act, minutes, person, number, size in happened:
        await _run(world, minutes * MINUTE)
        number = min(number, len(numbers))
        people = world.ledger.games[number].people
        if not world.ledger.games[number].over or act in ("outage", "refuse", "fill", "fail", "restart"):
            ACTS[act](world, people[PEOPLE.index(person) % len(people)], number, size)
        await world.look()
    await _run(world, timedelta(days=16))


async def _run(world: World, by: timedelta) -> None:
    """Let time pass; a server that fails works again after two days: each day of failing is a hundred attempts."""
    end = world.now + by
    if world.postman.down and by > LONGEST_FAILURE:
        await world.run_until(world.now + LONGEST_FAILURE)
        world.postman.down = False
    await world.run_until(end)


MOVE = "move", 9, "ann", 1, 33
FOUND: dict[str, tuple[int, list[int], list[tuple[str, int, str, int, int]]]] = {
    "a day used up ends on a free weekend": (1, [2], [MOVE]),
    "somebody whose time is up chooses reminders": (
        0,
        [2],
        [MOVE, ("move", 449, "ann", 1, 37), ("move", 372, "ann", 1, 32), ("remind", 36102, "carl", 1, 60)],
    ),
    "emails are refused after the turn began, the reminder too": (3, [2, 1], [("refuse", 198, "bob", 1, 39)]),
    "a pause is proposed when the time is up": (
        0,
        [5],
        [("move", 3257, "ann", 1, 37), ("pause", 13885, "carl", 1, 51)],
    ),
    "the first words after a bounce propose a pause": (
        3,
        [5, 1],
        [("refuse", 5318, "carl", 2, 31), ("mute", 6900, "ann", 2, 41), ("pause", 565, "ann", 2, 44)],
    ),
    "words in one match after a bounce in another": (
        0,
        [2, 0],
        [("refuse", 519, "ann", 2, 33), ("move", 529, "ann", 1, 43), ("move", 1891, "bob", 1, 52)],
    ),
    "a day is used up, and a pause begins in it": (
        0,
        [0],
        [MOVE, ("pause", 1500, "ann", 1, 0), ("pause", 9, "bob", 1, 0)],
    ),
    "a day is used up, and somebody is back in it": (
        0,
        [0],
        [MOVE, ("back", 1500, "bob", 1, 0), ("give", 9, "ann", 1, 0)],
    ),
}
"""Histories on which service and ledger once disagreed, by what was special: beginning, time controls, happenings."""


@pytest.mark.parametrize("story", FOUND)
def test_what_once_went_wrong(blank_database: Path, tmp_path: Path, story: str) -> None:
    """The service keeps time as the ledger does."""
    beginning, controls, happened = FOUND[story]
    _compare(blank_database, tmp_path, BEGINNINGS[beginning], [CONTROLS[number] for number in controls], happened)


@examples(160, quickly=8)
@given(
    st.sampled_from(BEGINNINGS),
    st.lists(st.sampled_from(CONTROLS), min_size=1, max_size=2),
    st.lists(happenings, min_size=3, max_size=10),
)
def test_the_service_keeps_time_as_a_ledger_does(
    blank_database: Path,
    start: datetime,
    controls: list[dict[str, str]],
    happened: list[tuple[str, int, str, int, int]],
) -> None:
    """No reminder twice, none missing, no flag early or late, and every bank as it is to be."""
    with TemporaryDirectory() as directory:
        _compare(blank_database, Path(directory), start, controls, happened)


def _compare(
    blank_database: Path,
    directory: Path,
    start: datetime,
    controls: list[dict[str, str]],
    happened: list[tuple[str, int, str, int, int]],
) -> None:
    """Let all that happen, and compare at every step."""
    world = make_world(directory, blank_database, allowance=4, start=start)
    try:
        asyncio.run(_live(world, controls, happened))
    finally:
        world.rows.close()
        world.club.service.database.close()
