"""What the service says about the records that it signs, and about the secret on which its rolls rest."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.match.signature import signing_key
from pbem.notices.sentences.match import describe_seeds
from pbem.running.service import Service
from pbem.settings.model import Settings
from rules.record import read_record
from tests.support.chosen import changed
from tests.support.club import KEY, PLAYERS, SECRET, Club
from tests.support.fakes import FakeClock, FakeDice
from tests.support.mails import html_of, text_of


def words(text: str) -> str:
    """Return a text whose lines were wrapped on one line."""
    return " ".join(text.split())


def test_whoever_asks_about_the_dice_gets_the_key_and_no_other_email_shows_it(club: Club) -> None:
    """What a record is compared with then stands where nobody can change it later: in a player's mailbox."""
    club.open("zipline", PLAYERS)
    for seat in range(3):
        club.reply(seat, "help dice")
        for content in (text_of(club.newest(seat)), html_of(club.newest(seat))):
            assert content.count(KEY) == 1
    for seat, text in ((0, "c3"), (1, "take"), (0, "help"), (1, "resign")):
        club.reply(seat, text)
    later = [mail for mail in club.queued() if mail.kind != "help_dice"]
    assert len(later) > 3
    assert not [mail.id for mail in later if KEY in text_of(club.mail(mail)) + html_of(club.mail(mail))]


def test_the_archive_shows_the_key_and_records_that_it_has_signed(
    club: Club, settings: Settings, tmp_path: Path
) -> None:
    """A page shows the key; every record in the archive is signed with it, and nothing shows the secret."""
    directory = tmp_path / "archive"
    archiving = changed(settings, archive_dir=str(directory))
    service = Service(archiving, club.service.database, clock=FakeClock(), dice=FakeDice())
    for game in ("pipline", "pippip"):
        service.open(game, PLAYERS[:2], {})
    service.write_archive()
    assert KEY in (directory / "key.html").read_text("utf-8")
    for number in (1, 2):
        assert signing_key(read_record((directory / f"matches/{number}.txt").read_text("utf-8"))) == KEY
    assert not [path for path in directory.rglob("*.*") if path.is_file() and SECRET.encode() in path.read_bytes()]


@pytest.mark.parametrize("hours", [0, 24])
async def test_players_are_told_if_the_rolls_rest_on_the_host_alone(
    settings: Settings, new_club: Callable[..., Club], hours: int
) -> None:
    """Without a seed of any player the host alone fixes all rolls: the email with the first of them says so.

    So do the last email, and the answer to whoever asks about the dice.
    """
    settings.salt_hours = hours
    club = new_club()
    club.service.open("pippip", PLAYERS[:2], {})
    alone = describe_seeds(club.match(), 0)
    if hours:
        assert not [mail for mail in club.queued() if alone in words(text_of(club.mail(mail)))]
        club.clock.advance(timedelta(hours=hours))
        await club.service.deliver()
    for asked in ("", "help dice", "resign"):
        if asked:
            club.reply(0, asked)
        for seat in (0,) if asked == "help dice" else (0, 1):
            assert alone in words(text_of(club.newest(seat)))
            assert alone in words(html_of(club.newest(seat)))


def test_players_who_mixed_in_words_are_not_told_so(club: Club) -> None:
    """With one seed of a player the host cannot have chosen the rolls."""
    club.service.open("pippip", PLAYERS[:2], {})
    alone = describe_seeds(club.match(), 0)
    club.reply(0, "ready")
    club.reply(1, "salt seven blue elephants")
    club.reply(0, "help dice")
    club.reply(0, "resign")
    assert not [mail for mail in club.queued() if alone in words(text_of(club.mail(mail)))]
