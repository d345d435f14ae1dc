"""A backup is restored: nothing is played in the wrong match, what can be read again is, and players are told."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.restorations import Landmark, read_landmark, write_landmark
from tests.support.club import PLAYERS, Club, make_club
from tests.support.mails import read, text_of


class Host:
    """A service with a mailbox that runs, is copied, and is put back; players write to it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.club = make_club(settings)
        self.file = Path(settings.database_url.removeprefix("sqlite:///"))

    def run(self, by: timedelta = timedelta(minutes=2)) -> None:
        """Let time pass, and the service read and send."""
        self.club.clock.advance(by)
        asyncio.run(self.club.service.poll())
        asyncio.run(self.club.service.deliver())

    def write(self, seat: int, text: str, *, match: int = 1) -> bytes:
        """Let a player answer their latest email; the message lies in the mailbox."""
        raw = self.club.answer(self.club.newest(seat, match), text)
        self.club.mailbox.put(raw)
        return raw

    def copy(self) -> Path:
        """Return a copy of the database, as ``pbem backup`` makes it."""
        copy = self.file.with_name(f"copy-{self.club.clock.now():%d-%H%M}.db")
        copy.unlink(missing_ok=True)
        self.club.service.database.copy_to(copy)
        return copy

    def put_back(self, copy: Path, *, after: timedelta = timedelta(hours=3)) -> None:
        """Stop the service, put a copy in the place of the database, and start it again later."""
        self.club.service.database.close()
        for suffix in ("-wal", "-shm"):
            self.file.with_name(self.file.name + suffix).unlink(missing_ok=True)
        self.file.write_bytes(copy.read_bytes())
        old = self.club
        self.club = make_club(self.settings, clock=old.clock, dice=old.dice, mailbox=old.mailbox, courier=old.courier)
        self.club.written = old.written
        self.club.clock.advance(after)

    def told(self, kind: str) -> list[tuple[int | None, str]]:
        """Return match and recipient of all emails of a kind, in their order."""
        return sorted((mail.match, mail.recipient) for mail in self.club.queued(kind=kind))


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A host on which Ann and Bob play match 1."""
    host = Host(settings)
    host.club.open("pipline", PLAYERS[:2])
    host.run()
    yield host
    host.club.service.database.close()


def test_a_letter_of_a_lost_match_is_not_played_in_the_match_that_might_have_had_its_number(host: Host) -> None:
    """Match 2 was opened after the copy and is gone; the next match is 3, and its players are others."""
    copy = host.copy()
    host.club.open("pipline", ("Carl <carl@c.example>", "Ann <ann@a.example>"))
    host.run()
    lost = host.club.answer(host.club.newest(1, 2), "c3")  # Ann's
    host.put_back(copy)
    assert host.club.open("pipline", ("Ann <ann@a.example>", "Dora <dora@d.example>")).id == 3
    arrival = host.club.service.hand_in(lost)
    assert (arrival.message.status, arrival.message.reason, arrival.message.code) == (
        "rejected",
        "unknown_match",
        "lost_match",
    )
    assert host.club.moves(3) == []
    (mail,) = arrival.outbound
    assert "Match 2 is gone" in read_text(host.club, mail.id)


def test_a_number_that_came_back_nevertheless_leads_no_letter_astray(host: Host) -> None:
    """Even where the landmark was lost with the disk, so that another match gets the number 2: its nonce is another."""
    copy = host.copy()
    host.club.open("pipline", PLAYERS[:2])
    host.run()
    lost = host.club.answer(host.club.newest(0, 2), "c3")
    host.file.with_name("pbem.db.known").unlink()
    host.put_back(copy)
    assert host.club.open("pipline", PLAYERS[:2]).id == 2
    assert host.club.service.hand_in(lost).message.code == "wrong_token"
    assert host.club.moves(2) == []
    assert host.club.reply(0, "c3", match=2).message.status == "accepted"


def test_a_stranger_learns_nothing_of_lost_matches(host: Host) -> None:
    """Whoever is no player gets what any stranger gets, whatever reply token they found or made up."""
    copy = host.copy()
    host.club.open("pipline", ("Carl <carl@c.example>", "Ann <ann@a.example>"))
    host.run()
    found = host.club.answer(host.club.newest(0, 2), "c3", From="mallory@m.example")
    host.put_back(copy)
    arrival = host.club.service.hand_in(found)
    assert arrival.message.reason == "unknown_sender"
    assert all("gone" not in read_text(host.club, mail.id) for mail in arrival.outbound)


def test_what_came_in_after_the_copy_is_read_from_the_mailbox_again(host: Host) -> None:
    """Both moves are played again, in their order; the clock gives the time of the gap back, and nobody has flagged."""
    copy = host.copy()
    host.write(0, "c3")
    host.run()
    host.write(1, "take")
    host.run()
    before = host.club.moves()
    assert before == ["c3", "take"]
    host.put_back(copy, after=timedelta(days=30))
    assert host.club.moves() == []
    host.run()
    assert host.club.moves() == before
    assert host.club.match().outcome is None
    assert max(host.club.outages()) >= timedelta(days=30)


def test_players_are_told_how_their_matches_stand_again(host: Host) -> None:
    """Once, after the mailbox was read again; matches that are over, or were opened later, are left alone."""
    host.club.open("pipline", PLAYERS[:2])
    host.run()
    host.write(0, "resign", match=2)
    host.run()
    host.club.reply(0, "yes", match=2)
    assert host.club.match(2).outcome is not None
    copy = host.copy()
    host.run()
    lost = host.club.answer(host.club.newest(0, 1), "c3")
    assert host.club.service.hand_in(lost).message.status == "accepted"  # by a pipe: no mailbox has it
    host.run()
    host.put_back(copy)
    host.run()
    assert host.told("backup_restored") == []
    host.club.open("pipline", PLAYERS[:2])
    for _ in range(5):
        host.run()
    assert host.told("backup_restored") == [(1, "ann@a.example"), (1, "bob@b.example")]
    assert host.club.reply(0, "c3").message.status == "accepted"
    host.put_back(host.copy())  # the same service, started again
    for _ in range(5):
        host.run()
    assert len(host.told("backup_restored")) == 2


def test_a_reply_to_an_email_of_what_is_lost_says_so_and_offers_the_move(host: Host) -> None:
    """It answers a later position than there is: the sender sees the board as it is, and what became of the rest."""
    copy = host.copy()
    for seat, text in enumerate(("c3", "take")):
        assert host.club.reply(seat, text).message.status == "accepted"
    host.run()
    later = host.club.answer(host.club.newest(0), "d4")
    host.put_back(copy)
    host.run()
    assert host.club.moves() == []
    arrival = host.club.service.hand_in(later)
    assert (arrival.message.reason, arrival.message.code) == ("set_back", "set_back")
    (mail,) = arrival.outbound
    assert "restored from a backup" in read_text(host.club, mail.id)
    assert host.club.moves() == []


def test_a_database_that_only_grew_is_no_restored_one(host: Host) -> None:
    """Neither is one whose service was away, killed before it wrote the landmark, or whose clock was wrong."""
    landmark = read_landmark(host.file)
    assert landmark is not None
    ahead = Landmark(host.club.clock.now() + timedelta(days=400), landmark.match, landmark.player)
    for beside in (landmark, Landmark(datetime(2020, 1, 1, tzinfo=UTC), 0, 0), ahead):
        write_landmark(host.file, beside)
        host.put_back(host.copy(), after=timedelta(days=2))
        for _ in range(5):
            host.run()
    assert host.told("backup_restored") == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"at": "soon", "match": 1, "player": 1}',
        '{"at": "2026-01-01", "match": 1, "player": 1}',
        '{"at": "2026-01-01T00:00:00+00:00", "match": -1, "player": "x"}',
        "\ud800",
    ],
)
def test_a_landmark_that_makes_no_sense_is_none(host: Host, text: str) -> None:
    """It is written anew with the next heartbeat."""
    file = host.file.with_name("pbem.db.known")
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert read_landmark(host.file) is None
    host.put_back(host.copy())
    host.run()
    assert read_landmark(host.file) is not None
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_service_killed_while_it_notes_a_restored_backup_tells_everybody_once(host: Host) -> None:
    """The landmark is of before, since the process died before its next heartbeat: the backup is known all the same."""
    copy = host.copy()
    host.run(timedelta(minutes=5))
    landmark = read_landmark(host.file)
    assert landmark is not None
    host.put_back(copy)
    for _ in range(2):
        host.club.service.heartbeats.recognise_database(host.club.clock.now())
        write_landmark(host.file, landmark)
        host.put_back(host.copy(), after=timedelta(minutes=1))
    for _ in range(8):
        host.run()
    assert host.told("backup_restored") == [(1, "ann@a.example"), (1, "bob@b.example")]


def read_text(club: Club, number: int) -> str:
    """Return the text of an email, in one line."""
    with club.service.database.reading() as tx:
        mail = read(tx.outbound.raw(number))
    body = mail.get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


def test_what_is_only_rehearsed_is_not_taken_for_lost(host: Host) -> None:
    """A match that was opened on trial leaves no mark in the file beside the database."""
    before = read_landmark(host.file)
    with host.club.service.database.rehearsal() as database:
        trial = Service(host.settings, database, clock=host.club.clock, dice=host.club.dice)
        trial.open("pipline", PLAYERS[:2], {"size": 5})
    assert read_landmark(host.file) == before


def _digested(host: Host) -> EmailMessage:
    """Let Ann, who is to move in matches 1 and 2, ask for the list of them after the copy; return it."""
    host.club.write("status", "ann@a.example")
    host.run()
    return host.club.mail(host.club.queued(kind="status")[-1])


def _quoted(mail: EmailMessage) -> str:
    """Return an email as some email programs quote it: without marks."""
    return f"1 c3\n2 d4\n\n{text_of(mail)}"


@pytest.mark.parametrize("quoting", [False, True])
@pytest.mark.parametrize("header", ["Message-ID", ""])
def test_an_answer_to_a_list_that_the_copy_does_not_know_is_read_again(host: Host, header: str, quoting: bool) -> None:
    """It says itself what was listed; where a provider took that from it, too, it is asked about with the boards."""
    host.club.open("pipline", PLAYERS[:2])
    host.run()
    copy = host.copy()
    listed = _digested(host)
    named = str(listed[header]) if header else "<other@relay.example>"
    text = _quoted(listed) if quoting else "1 c3\n2 d4"
    host.club.mailbox.put(host.club.answer(listed, text, In_Reply_To=named, References=""))
    host.run()
    assert [host.club.moves(1), host.club.moves(2)] == [["c3"], ["d4"]]
    host.put_back(copy)
    assert host.club.moves(1) == []
    host.run()
    assert [host.club.moves(1), host.club.moves(2)] == ([["c3"], ["d4"]] if header else [[], []])
    told = text_of(host.club.mail(host.club.queued(kind="digest_done")[-1]))
    assert ("isn’t done" in told, told.count("5   .  .  .  .  .   5")) == ((False, 0) if header else (True, 2))
    if not header:
        host.club.answer_kind("digest_done", -1, "1 c3\n2 d4")
        assert [host.club.moves(1), host.club.moves(2)] == [["c3"], ["d4"]]


def test_an_answer_to_a_list_of_a_lost_match_is_played_in_the_others(host: Host) -> None:
    """And the lost one is told to be gone; nor is it played in a match that has its number by now."""
    copy = host.copy()
    host.club.open("pipline", PLAYERS[:2])
    host.run()
    listed = _digested(host)
    host.put_back(copy)
    host.run()
    arrival = host.club.service.hand_in(host.club.answer(listed, "1 c3\n2 d4"))
    assert arrival.message.commands == ("1 c3",)
    told = text_of(host.club.mail(host.club.queued(kind="digest_done")[-1]))
    assert "Match 2 is gone" in told
    host.file.with_name("pbem.db.known").unlink(missing_ok=True)
    host.club.reply(1, "b2")
    host.put_back(copy)
    assert host.club.open("pipline", PLAYERS[:2]).id == 2
    assert host.club.service.hand_in(host.club.answer(listed, "2 d4")).message.commands == ()
    assert host.club.moves(2) == []


def test_an_answer_to_a_list_of_a_later_position_is_asked_about(host: Host) -> None:
    """What it answered was never played, as far as the copy knows: nothing is played onto an earlier position."""
    copy = host.copy()
    for seat, move in enumerate(("c3", "b2")):
        host.club.reply(seat, move)  # by a pipe: no mailbox has it
    listed = _digested(host)
    host.put_back(copy)
    assert host.club.service.hand_in(host.club.answer(listed, "1 d4")).message.code == "set_back"
    assert host.club.moves(1) == []
