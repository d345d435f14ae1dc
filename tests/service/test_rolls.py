"""Fair rolls through the whole service: promised, made when all have answered, published at the end."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.match.fair_rolls import commitment
from pbem.match.records import record_text
from pbem.running.service import Service
from pbem.settings.model import Settings
from rules.position import Chance
from tests.support.chosen import changed
from tests.support.club import PLAYERS, Club, told
from tests.support.fakes import FakeClock, FakeCourier, FakeDice
from tests.support.mails import html_of, text_of


@pytest.fixture
def waiting(club: Club) -> Club:
    """A club with a match whose first rolls wait for both players."""
    club.service.open("pippip", ("Ann <ann@a.example>", "Bob <bob@b.example>"), {})
    return club


def play_out(club: Club) -> None:
    """Let whoever is to act send the example of their notice, until the match is over."""
    while isinstance(seat := club.match().to_act, int):
        prompt = club.match().position.prompt()
        assert club.reply(seat, prompt.example).message.status == "accepted"


def test_whoever_asks_about_the_dice_gets_the_commitment(waiting: Club) -> None:
    """Text and HTML show the SHA-256 of the secret, and what one can answer; the first notice has room for neither."""
    match = waiting.match()
    assert match.record == ()
    for seat in (0, 1):
        assert "ready" in text_of(waiting.newest(seat))
        assert commitment(match.secret) not in text_of(waiting.newest(seat))
        waiting.reply(seat, "help dice")
        mail = waiting.newest(seat)
        for content in (text_of(mail), html_of(mail)):
            assert commitment(match.secret) in content
            assert "ready" in content
            assert "salt" in content
    assert commitment(match.secret) in [line.strip() for line in text_of(waiting.newest(0)).splitlines()]


def test_the_first_roll_is_made_when_all_have_answered(waiting: Club) -> None:
    """The first gets a receipt, with the last answer everybody gets the next notice."""
    first = waiting.reply(1, "salt seven blue elephants\n\nLooking forward!")
    assert first.message.commands == ("salt seven blue elephants",)
    assert told(first) == [("remark", 0), ("waiting", 1)]
    assert "“seven blue elephants”" in text_of(waiting.newest(1))
    second = waiting.reply(0, "Ready!")
    assert second.message.commands == ("ready",)
    assert sorted(kind for kind, _ in told(second)) == ["move_made", "your_turn"]
    assert waiting.match().seeds == ("", "seven blue elephants")
    assert isinstance(waiting.match().to_act, int)


async def test_the_first_roll_is_made_when_its_time_has_come(waiting: Club) -> None:
    """Whoever does not answer keeps nobody waiting; everybody is told once."""
    waiting.reply(0, "ready")
    waiting.clock.advance(timedelta(hours=23, minutes=59))
    await waiting.service.deliver()
    assert waiting.match().record == ()
    waiting.clock.advance(timedelta(minutes=1))
    await waiting.service.deliver()
    assert isinstance(waiting.match().to_act, int)
    sent = len(waiting.queued())
    assert {mail.kind for mail in waiting.queued()[-2:]} == {"move_made", "your_turn"}
    await waiting.service.deliver()
    assert len(waiting.queued()) == sent


def test_the_first_roll_is_made_at_once_where_the_host_wants_no_waiting(club: Club, settings: Settings) -> None:
    """With the setting at 0 the first notice already says who begins; nobody is asked whether they are ready."""
    hasty = changed(settings, salt_hours=0)
    service = Service(hasty, club.service.database, clock=FakeClock(), dice=FakeDice(), courier=FakeCourier())
    match = service.open("pippip", ("Ann <ann@a.example>", "Bob <bob@b.example>"), {})
    assert isinstance(match.to_act, int)
    assert "ready" not in text_of(club.newest(0))


def test_the_secret_is_published_when_the_match_is_over(waiting: Club, tmp_path: Path) -> None:
    """No mail, page or record holds it before; the page, the record and whoever asks about the dice do then."""
    waiting.service.settings.archive_dir = str(tmp_path / "archive")
    secret = waiting.match().secret.encode()

    def published() -> bytes:
        with waiting.service.database.reading() as tx:
            mails = b"".join(tx.outbound.raw(mail.id) for mail in waiting.queued()).replace(b"=\r\n", b"")
        waiting.service.write_archive()
        pages = b"".join(path.read_bytes() for path in sorted((tmp_path / "archive").rglob("*.*")))
        return mails + pages + record_text(waiting.match()).encode()

    assert commitment(waiting.match().secret).encode() in published()
    waiting.reply(0, "ready")
    waiting.reply(1, "salt pepper")
    waiting.reply(waiting.match().to_act, "help\nshow\nhelp dice")  # type: ignore[arg-type]  # a seat, now that rolls have fallen
    assert secret not in published()
    play_out(waiting)
    assert waiting.match().outcome
    assert secret in published()
    for seat in (0, 1):
        waiting.reply(seat, "help dice")
        assert waiting.match().secret in text_of(waiting.newest(seat))
        assert waiting.match().secret in html_of(waiting.newest(seat))


def test_a_restarted_service_makes_the_same_rolls(new_club: Callable[..., Club]) -> None:
    """The secret lies in the database: whoever goes on with the match, the rolls are the same."""
    first = new_club()
    first.service.open("pippip", ("Ann <ann@a.example>", "Bob <bob@b.example>"), {})
    first.reply(0, "ready")
    second = new_club(dice=FakeDice(77))
    second.written = 50
    second.reply(1, "ready")
    match = second.match()
    assert match.record[0].text == str(match.fair_rolls.value(0, Chance("colours", 2)))
    assert match.secret == f"{1:064x}"


def test_the_time_of_the_first_rolls_stays_known_when_they_are_made(club: Club) -> None:
    """Programs read it in JSON, before and after."""
    club.service.open("pippip", PLAYERS[:2], {})
    due = club.match().rolls_due
    club.reply(0, "ready")
    club.reply(1, "ready")
    assert due is not None
    assert not club.match().awaits_seeds
    assert club.match().rolls_due == due


def test_the_order_of_turns_is_drawn_like_any_lot(club: Club) -> None:
    """Players are asked for words first; then whoever was drawn begins, and the record can be checked."""
    club.open("zipline", PLAYERS, order="lot")
    assert club.match().to_act == Chance("order of turns", 6)
    assert club.match().secret
    for seat in (0, 1, 2):
        club.reply(seat, "ready")
    first = club.match().to_act
    assert club.match().position.turn_order()[0] == first
    club.reply(int(str(first)), "take")
    assert club.moves()[1] == "take"
    assert club.match().position.roles()[int(str(first))] == "Zip"
    assert "option order: lot" in record_text(club.match())
