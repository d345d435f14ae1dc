"""Who is forgotten has left nothing behind but moves: neither in the database’s bytes nor in the archive."""

import asyncio
import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import update

from pbem.commands.ruling import call_off, reinstate
from pbem.errors import BadInput
from pbem.match.player import FORMER
from pbem.match.records import record_text
from pbem.running.operator_rulings import find_to_forget, forget_player, rule, seat_another, take_back
from pbem.settings.model import Settings
from pbem.storage.tables import ENTRY, FOLLOWER
from rules.game import replay
from rules.games import GAMES
from rules.record import read_record
from tests.support.chosen import changed
from tests.support.club import Club, settings_in
from tests.support.forgetting import EMAIL, WANDA, be_forgotten, confirm, found_player, unpacked, write

BOB, CARL = "Bob <bob@b.example>", "Carl <carl@c.example>"
PHONE = "wanda@quixotic.example"
TRACES = ("wandalina", "zephyr", "quixotic", "balderdash", "hullabaloo", "kerfuffle", "lollygag", "shenanigan")
"""Her name, the domains of her addresses, and a word of each of her comments, of her subject and of her seed."""


def traces_in(*places: Path) -> dict[str, list[str]]:
    """Return the traces of her that stand in the files beneath these places, or in their names."""
    files = [file for place in places for file in (place.rglob("*") if place.is_dir() else [place]) if file.is_file()]
    assert files
    found = {file.name: file.name.lower().encode() + file.read_bytes().lower() for file in files}
    told = {name: [trace for trace in TRACES if trace.encode() in content] for name, content in found.items()}
    return {name: traces for name, traces in told.items() if traces}


def database_of(club: Club) -> Path:
    """Return the file of the database."""
    assert club.service.database.file
    return club.service.database.file


def forget_wanda(club: Club) -> list[int]:
    """Let the operator forget her; return the numbers of the matches that she left."""
    return [match.id for match in forget_player(club.service, find_to_forget(club.service, EMAIL))]


@pytest.fixture
def settings(blank_database: Path, tmp_path: Path) -> Settings:
    """Settings with an archive, which has an address."""
    published = {"archive_dir": str(tmp_path / "archive"), "archive_url": "https://p.example"}
    return changed(settings_in(tmp_path, blank_database), **published)


@pytest.fixture
def busy(club: Club) -> Club:
    """A club in which Wandalina has left traces everywhere: matches of all kinds, a phone, settings, emails."""
    club.open("pipline", (WANDA, BOB))  # 1: over
    club.reply(0, "c3\n\nbalderdash my friend, such a fine day")
    club.reply(1, "resign\n\nwell played")
    club.open("zipline", (BOB, WANDA, CARL), days=3)  # 2: in the auction
    club.reply(0, "d4", match=2)
    club.reply(1, "say: hullabaloo over here everybody", match=2)
    club.reply(1, "take\n\nshenanigan", match=2)
    club.open("pipline", (WANDA, CARL), order="lot")  # 3: before the first roll
    club.reply(0, "salt lollygag", match=3)
    club.open("pipline", (WANDA, BOB))  # 4: passed on to Dora
    club.reply(0, "c3\n\nkerfuffle in the kitchen again", match=4)
    seat_another(club.service, 4, "wandalina", "Dora <dora@d.example>")
    club.reply(1, "vacation 3-17 dec; tz Lisbon", match=2)
    with club.service.database.transaction() as tx:
        tx.players.add_address(found_player(club), PHONE)
        tx.forgetting._write(FOLLOWER.insert(), match_id=1, email=EMAIL, since=club.clock.now())
    asyncio.run(club.service.deliver())
    for seat in (0, 2):
        club.reply(seat, "status", match=2)
    write(club, "where is wandalina’s hullabaloo?", PHONE, Subject="balderdash")
    theirs = next(mail for mail in club.queued() if mail.recipient == EMAIL)
    bounce = write(club, EMAIL, "mailer-daemon@b.example", To=club.envelope_of(theirs), Subject="undelivered to zephyr")
    assert bounce.message.code == "bounce"
    club.service.write_archive()
    return club


def test_nothing_is_left_of_them_in_any_byte(busy: Club) -> None:
    """Neither in the file of the database, nor in its log, nor packed in a row, nor on any page or in its name."""
    file, archive = database_of(busy), Path(busy.service.settings.archive_dir)
    assert [trace for trace in TRACES if trace not in unpacked(file)] == []
    published = {trace for traces in traces_in(archive).values() for trace in traces}
    assert published == {"wandalina", "balderdash", "hullabaloo", "kerfuffle", "shenanigan"}
    be_forgotten(busy)
    asyncio.run(busy.service.deliver())
    busy.service.write_archive()
    assert [trace for trace in TRACES if trace in unpacked(file)] == []
    assert traces_in(*file.parent.glob("pbem.db*"), archive) == {}


def test_everything_that_is_not_theirs_stays(busy: Club) -> None:
    """Records, the words of others, and the names of others; all matches can be read, and end as the rules say."""
    before = {number: busy.moves(number) for number in (1, 2, 3, 4)}
    assert forget_wanda(busy) == [2, 3]
    assert {number: busy.moves(number) for number in (1, 4)} == {number: before[number] for number in (1, 4)}
    assert [busy.moves(number) for number in (2, 3)] == [[*before[2], "resign"], [*before[3], "resign"]]
    assert [comment.text for comment in busy.match(1).comments] == ["well played"]
    outcomes = [busy.match(number).outcome for number in (1, 2, 3, 4)]
    assert [outcome.winners if outcome else None for outcome in outcomes] == [{0}, {0, 2}, {1}, None]
    assert [player.name for player in busy.match(2).players] == ["Bob", FORMER, "Carl"]
    assert [player.name for player in busy.match(4).players] == ["Dora", "Bob"]
    assert busy.match(3).seeds[0] is None


def test_the_others_are_told_and_their_quotations_are_still_known(club: Club) -> None:
    """The match goes on between the two others, and what they quote of earlier emails is no move of theirs."""
    club.open("zipline", (WANDA, BOB, CARL))
    club.reply(0, "d4\n\nwhat do you say to a1 or b2 now then")
    asked = club.newest(1)
    forget_wanda(club)
    assert [(mail.kind, mail.seat) for mail in club.queued()[-2:]] == [("your_turn", 1), ("move_made", 2)]
    quoted = "\n".join(text for text in str(asked.get_body(("plain",)).get_content()).splitlines() if text.strip())  # type: ignore[union-attr]
    found = club.service.hand_in(club.answer(asked, f"c2\n\n{quoted}"))
    assert found.message.commands == ("c2",)


def test_no_page_of_an_opponent_names_them_though_their_match_cannot_be_read(club: Club) -> None:
    """What is of that match alone stays as it is until it can be read; lists, feeds and pages of others don't wait."""
    club.open("pipline", (WANDA, BOB))
    club.reply(0, "c3")
    club.open("pipline", (BOB, CARL))
    club.service.write_archive()
    archive = Path(club.service.settings.archive_dir)
    assert "2.html" in traces_in(archive / "players")
    with club.service.database.transaction() as tx:
        tx.matches._write(update(ENTRY).values(text="z99"))
    forget_wanda(club)
    club.clock.advance(timedelta(minutes=10))
    club.service.write_archive()
    lists = [archive / "search", archive / "players", archive / "games", *archive.glob("*.*")]
    assert traces_in(*lists) == {}
    assert {name.split(".")[0] for name in traces_in(archive)} == {"1", "1-embed"}


def test_no_page_leads_to_them_and_theirs_is_gone(busy: Club) -> None:
    """Neither do pages of former opponents; their feeds are gone too, of news and of the calendar."""
    archive = Path(busy.service.settings.archive_dir)

    def files() -> set[str]:
        return {str(path.relative_to(archive)) for path in archive.rglob("*") if path.is_file()}

    before = files()
    forget_wanda(busy)
    busy.service.write_archive()
    gone = before - files()
    assert {path for path in gone if path.startswith("players/")} == {"players/1.html", "players/1.atom"}
    assert len(gone) == 3  # and the calendar
    led = [path for path in files() if "players/1.html" in (archive / path).read_text("latin-1")]
    assert led == []
    beside = unescape(re.sub("<[^>]+>", "", (archive / "players/2.html").read_text()))
    assert FORMER in beside


def test_a_service_that_starts_anew_finds_nothing_either(busy: Club) -> None:
    """It was stopped between forgetting and writing the archive."""
    archive = Path(busy.service.settings.archive_dir)
    forget_wanda(busy)
    busy.service._publisher = type(busy.service._publisher)(
        busy.service.settings, busy.service.database, busy.service.site
    )
    busy.service.write_archive()
    assert traces_in(archive) == {}
    assert not (archive / "players/1.html").exists()


def test_what_is_still_to_be_sent_is_sent_and_then_dropped(club: Club) -> None:
    """An opponent’s email that names them was queued when they were forgotten; what was for themselves is not sent."""
    club.open("zipline", (WANDA, BOB, CARL))
    club.reply(0, "d4")
    forget_wanda(club)
    asyncio.run(club.service.deliver())
    sent = [recipient for recipient, _ in club.courier.carried]
    assert EMAIL not in sent
    assert "bob@b.example" in sent
    assert "wandalina" in unpacked(database_of(club))
    club.clock.advance(timedelta(hours=2))
    asyncio.run(club.service.deliver())
    assert "wandalina" not in unpacked(database_of(club))


def test_no_operator_makes_a_match_wait_for_them(busy: Club) -> None:
    """Neither taking their resignation back, nor a match of theirs that was called off: nobody would answer."""
    rule(busy.service, 3, call_off)
    forget_wanda(busy)
    with pytest.raises(BadInput, match="was forgotten"):
        take_back(busy.service, 2, None, 1)
    with pytest.raises(BadInput, match="was forgotten"):
        rule(busy.service, 3, lambda match, now: reinstate(match, "void", now))
    assert busy.moves(2)[-1] == "resign"


def test_moves_after_their_leaving_are_taken_back_as_ever(club: Club) -> None:
    """The entries before fold as they did."""
    club.open("zipline", (WANDA, BOB, CARL))
    club.reply(0, "d4")
    forget_wanda(club)
    club.reply(1, "c2")
    take_back(club.service, 1, None, 1)
    assert club.moves() == ["d4", "resign"]


def test_a_name_is_free_again_and_nobody_is_found_by_that_of_the_forgotten(club: Club) -> None:
    """Two may be forgotten; the next Wandalina is a new player."""
    club.open("pipline", (WANDA, BOB))
    forget_wanda(club)
    forget_player(club.service, find_to_forget(club.service, "bob"))
    with pytest.raises(BadInput):
        find_to_forget(club.service, FORMER)
    match = club.open("pipline", (WANDA, CARL))
    assert match.players[0].name == "Wandalina"
    assert match.players[0].id == 3


def test_a_pause_that_they_proposed_is_no_riddle(club: Club) -> None:
    """Others can still agree to it, or not."""
    club.open("zipline", (WANDA, BOB, CARL), days=3)
    club.reply(0, "pause 10d")
    forget_wanda(club)
    assert club.reply(1, "pause 10d").message.status == "accepted"
    assert club.reply(2, "pause 10d").message.status == "accepted"
    assert club.service.write_archive()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("key", "seats"), [(key, seats) for key, game in GAMES.items() for seats in game.seats])
@pytest.mark.parametrize("moves", [0, 1, 5])
def test_every_game_goes_on_or_ends_when_a_player_is_forgotten(club: Club, key: str, seats: int, moves: int) -> None:
    """Before the first roll, before the first move, and later, whoever is to act; pages and records can be written."""
    random = Random(seats + moves)
    club.service.open(key, (WANDA, BOB, CARL)[:seats], GAMES[key].short)
    for seat in club.match().unseeded if moves and club.match().awaits_seeds else ():
        club.reply(seat, "ready")
    for _ in range(moves):
        if isinstance(acting := club.match().to_act, int):
            club.reply(acting, str(club.match().position.any_move(random.randrange)))
    over = club.match().outcome is not None
    assert forget_wanda(club) == ([] if over else [1])
    match = club.match()
    assert 0 in match.position.departed() or over
    assert seats > 2 or match.outcome
    assert match.to_act != 0
    assert replay(match.game, seats=seats, options=match.options, record=read_record(record_text(match)).entries)
    club.service.write_archive()


def test_a_substitute_takes_only_their_own_words_along(club: Club) -> None:
    """Who had the seat before keeps theirs, and who gets it afterwards; the log names those who are known."""
    club.open("zipline", (BOB, CARL, "Ann <ann@a.example>"), days=3)
    club.reply(0, "d4\n\nwords of Bob")
    club.clock.advance(timedelta(hours=1))
    seat_another(club.service, 1, "bob", WANDA)
    club.clock.advance(timedelta(hours=1))
    club.reply(0, "say: balderdash")
    club.clock.advance(timedelta(hours=1))
    seat_another(club.service, 1, "wandalina", "Dora <dora@d.example>")
    club.clock.advance(timedelta(hours=1))
    club.reply(0, "say: words of Dora")
    assert forget_wanda(club) == []
    assert [comment.text for comment in club.match().comments] == ["words of Bob", "words of Dora"]
    with club.service.database.reading() as tx:
        told = [(entry.arguments["before"], entry.arguments["after"]) for entry in tx.clocks.log(1)]
    assert told == [("Bob", FORMER), (FORMER, "Dora")]
    assert club.reply(0, "show").message.status == "accepted"
    for _ in range(2):
        asyncio.run(club.service.deliver())
        club.clock.advance(timedelta(hours=2))
    assert [trace for trace in TRACES if trace in unpacked(database_of(club))] == []


_MEANWHILE = (
    "say: whirligig for all of you",
    "note whirligig, they never look west",
    "name Whirligig Wonder",
    "address whirligig@new.example",
    "block whirligig@x.example",
    "new pipline stranger@y.example",
    "new zipline Bob Carl",
    "seek snipsnip",
    "standin Dora until 2 dec",
    "digest 07:30; tz Oslo",
    "export",
    "status",
    "draw\nsay: whirligig",
    "pause 10d",
    "watch 4",
    "whirligig whirligig?",
)
"""What somebody may still write between the confirmation and the next pass."""

_ASKING = ("confirm_address", "invitation", "seat_offered", "confirm_follow")
"""Kinds of the emails by which others, or other addresses, are asked something because of it."""


@pytest.mark.parametrize("order", [1, -1])
def test_whatever_they_write_until_the_next_pass_is_erased_with_the_rest(busy: Club, order: int) -> None:
    """It counts, as they are a player until then; nothing of it is left, and nobody’s yes brings anything back."""
    club = busy
    assert write(club, "forget me").message.status == "accepted"
    asked = club.mail(club.queued(kind="forget")[-1])
    assert confirm(club).message.status == "accepted"
    ended = [club.reply(1, words, match=2).message.status for words in _MEANWHILE[::order]]
    assert ended.count("accepted") > len(_MEANWHILE) - 3  # a draw can't be offered twice, and questions are no commands
    write(club, "sign up Whirligig", PHONE)
    assert "whirligig" in unpacked(database_of(club))
    questions = {mail.kind: club.mail(mail) for mail in club.queued() if mail.kind in _ASKING}
    assert questions.keys() == set(_ASKING)
    for _ in range(2):
        asyncio.run(club.service.deliver())
        club.clock.advance(timedelta(hours=2))
    club.service.write_archive()
    archive, left = Path(club.service.settings.archive_dir), unpacked(database_of(club))
    assert [trace for trace in (*TRACES, "whirligig") if trace in left] == []
    assert traces_in(archive) == {}
    for question in (*questions.values(), asked):
        for words in ("yes", "accept", "forget me"):
            club.service.hand_in(club.answer(question, words))
    asyncio.run(club.service.deliver())
    assert (found_player(club).forgotten, found_player(club).emails) == (True, frozenset())
