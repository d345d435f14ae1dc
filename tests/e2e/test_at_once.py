"""Two messages at once, each in its lane, over a real PostgreSQL server: they come to what one after the other does."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.asking.afterthoughts import ASKING
from pbem.asking.seconds import TURN
from pbem.pipeline.process import process as process_message
from pbem.ports import Fetched
from pbem.settings.model import Settings
from pbem.storage.messages.records import Disposition
from pbem.storage.tables import CONTEST_EVENT, DUE, ENTRY, INVITATION, QUESTION, THOUGHT, VOTE
from tests.support.chosen import changed
from tests.support.clocks import wait
from tests.support.club import PLAYERS, Club, make_club, settings_in

ANN, BOB, CARL, DORA = (*PLAYERS, "Dora <dora@d.example>")

Written = Callable[[Club], bytes]


def at(match: int, seat: int, words: str) -> Written:
    """Return what writes the answer of whoever has a seat to their newest email about a match."""
    return lambda club: club.answer(club.newest(seat, match), words)


def to(kind: str, who: str, words: str) -> Written:
    """Return what writes the answer of somebody to the newest email of a kind to them."""

    def write(club: Club) -> bytes:
        (*_, mail) = (one for one in club.queued(kind=kind) if one.recipient.startswith(who))
        return club.answer(club.mail(mail), words)

    return write


BEGINNING = [
    at(1, 0, "second Carl"),
    to("second_offered", "carl", "yes"),
    at(1, 0, "second Dora"),
    to("second_offered", "dora", "yes"),
]
"""Carl and Dora vote on Ann's moves against Bob in match 1, and play each other in match 2."""

RACES: dict[str, tuple[list[Written], Written, Written]] = {
    "two begin a ladder": ([], at(1, 0, "ladder pipline"), at(2, 0, "ladder pipline")),
    "two begin a league": ([], at(1, 0, "league pipline"), at(2, 0, "league pipline")),
    "two challenge one": (
        [at(1, 1, "ladder pipline"), at(2, 1, "ladder pipline")],
        at(1, 1, "challenge Carl"),
        at(2, 1, "challenge Carl"),
    ),
    "one leaves, the other declines": ([], at(2, 1, "leave ladder"), to("invitation", "carl", "decline")),
    "the last votes": ([at(1, 0, "c3")], to(TURN, "carl", "c3"), to(TURN, "dora", "c3")),
    "a vote, and a second leaves": (
        [at(1, 1, "take"), at(1, 0, "b2")],
        to(TURN, "carl", "b2"),
        to(TURN, "dora", "second off"),
    ),
    "a vote, and the match ends": ([at(1, 1, "d4")], to(TURN, "carl", "e5"), at(1, 1, "resign")),
    "the last two say yes": ([at(2, 0, "comment 1#2 Zugzwang")], to(ASKING, "ann", "yes"), to(ASKING, "bob", "yes")),
}
"""What is written before, and two messages in each of which somebody looks at what the other changes."""


@pytest.mark.slow("needs a PostgreSQL server")
def test_two_at_once_are_one_after_the_other(
    blank_database: Path, tmp_path: Path, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one has looked round when the other comes in, and is done before it."""
    settings = changed(settings_in(tmp_path, blank_database), robots="off")
    settings = changed(settings, archive_dir=str(tmp_path / "archive"), archive_url="https://games.example")
    alone = begin(settings)
    shared = changed(settings, database_url=postgresql_url)
    club, other = begin(shared), make_club(shared, clock=alone.clock)
    whole, begun = process_message, list[object]()
    behind = 0

    def process(act: object, locked: object, *rest: object) -> Disposition:
        begun.append(getattr(locked, "number", None))
        if behind and len(begun) == 1:  # what is seen is fixed by now
            assert other.service.processing.process(behind)
        return whole(act, locked, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("pbem.running.processing.process", process)
    for name, (before, one, two) in RACES.items():
        behind = 0
        for each in (alone, club):
            hand_in(each, before)
        first, second = store(alone, one, two)
        assert [alone.service.processing.process(number) for number in (second, first)] == [True, True]
        first, behind = store(club, one, two)
        begun.clear()
        assert club.service.processing.process(first)
        assert begun == [first, behind, first], name
        assert describe(club) == describe(alone), name
    for each in (alone, club, other):
        each.service.database.close()


def begin(settings: Settings) -> Club:
    """Return a club in which two matches go on, in one of which votes count."""
    club = make_club(settings)
    club.open(players=(ANN, BOB), days=4)
    club.open(players=(CARL, DORA), days="none")
    wait(club, minutes=1)
    hand_in(club, BEGINNING)
    return club


def hand_in(club: Club, written: list[Written]) -> None:
    """Let messages be written and carried out, one after the other."""
    for write in written:
        assert club.service.hand_in(write(club)).message.status == "accepted"


def store(club: Club, *written: Written) -> list[int]:
    """Store messages, which then wait."""
    return [number for number, _ in club.service.receive([Fetched(write(club)) for write in written])]


def describe(club: Club) -> list[object]:
    """Return how the latest messages ended, and what they and those before have led to."""
    with club.service.database.reading() as tx:
        ended = [(one.status, one.code) for one in tx.inbound.latest(limit=2)]
        rows = [
            sorted(map(str, tx.due._rows(select(*columns))))
            for columns in (
                (CONTEST_EVENT.c.kind, CONTEST_EVENT.c.player_id, CONTEST_EVENT.c.other_id),
                (INVITATION.c.state,),
                (VOTE.c.turn, VOTE.c.player_id, VOTE.c.moves),
                (ENTRY.c.match_id, ENTRY.c.text),
                (THOUGHT.c.match_id, THOUGHT.c.text),
                (QUESTION.c.kind, QUESTION.c.state),
                (DUE.c.kind, DUE.c.done),
            )
        ]
    return [ended, *rows, sorted((mail.kind, mail.recipient) for mail in club.queued())]
