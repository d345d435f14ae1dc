"""Words and lines under the moves of a match that is over: who may write them, and what anybody tries with them."""

import asyncio
import json
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from pbem.asking.afterthoughts import ASKING, LONGEST, TELLING
from pbem.asking.limit_table import LIMITS, REMARKED
from pbem.commands.families.thoughts import MOST_THOUGHTS
from pbem.commands.grammar import reads_as_command
from pbem.commands.ruling import call_off, reinstate
from pbem.match.thought import Thought
from pbem.notices.sentences.reasons import say
from pbem.reading.reason import because
from pbem.running.operator_rulings import merge_players, rename_player, rule, seat_another
from pbem.running.service import Arrival
from tests.support.club import PLAYERS, Club, make_club, settings_in
from tests.support.each import each
from tests.support.forgetting import be_forgotten, unpacked
from tests.support.mails import html_of, text_of
from tests.support.pages import HOSTILE_NAMES

ANN, BOB, CARL, DORA, EVE = (f"{name}@{name[0]}.example" for name in ("ann", "bob", "carl", "dora", "eve"))
HELLO = "comment 1#2 Zugzwang"


@pytest.fixture
def host(tmp_path: Path, blank_database: Path) -> Iterator[Club]:
    """A host with an archive: Ann has won match 1 against Bob; Carl and Dora, who know neither, play match 2."""
    settings = settings_in(tmp_path, blank_database)
    settings.archive_dir, settings.archive_url = str(tmp_path / "archive"), "https://games.example"
    club = make_club(settings)
    club.open("pipline", PLAYERS[:2])
    for seat, move in enumerate(("c3", "take", "a1", "resign")):
        club.reply(seat % 2, move)
    club.open("pipline", (PLAYERS[2], f"Dora <{DORA}>"))
    yield club
    club.service.database.close()


def texts(club: Club, match: int = 1) -> list[tuple[str, int, str]]:
    """Return who wrote what under which move of a match."""
    with club.service.database.reading() as tx:
        shown = tx.thoughts.published([match]).get(match, [])
    return [(one.name, one.thought.ply, one.thought.text) for one in shown]


def page(club: Club, pattern: str = "matches/1.*") -> str:
    """Return the files of the archive that have a name like that, as they are written now."""
    asyncio.run(club.service.deliver())
    club.service.write_archive()
    files = sorted(Path(club.service.settings.archive_dir).glob(pattern))
    assert files
    return "\n".join(file.read_text(errors="replace") for file in files if file.is_file())


def asked(club: Club) -> list[str]:
    """Return who was asked whether somebody may write under their moves."""
    return [mail.recipient for mail in club.queued(kind=ASKING)]


def dora_asks(club: Club, text: str = HELLO) -> Arrival:
    """Let Dora, who has no seat in match 1, write an answer to an email of her own match."""
    return club.reply(1, text, match=2)


def agree(club: Club, *answers: str) -> None:
    """Let those who were asked last answer so, in the order of their seats; who has an empty answer doesn't."""
    for number, words in enumerate(answers):
        if words:
            club.answer_kind(ASKING, number - len(answers), words)


def pass_a_day(club: Club, hours: int = 25) -> None:
    """Let time pass, and do what is due."""
    club.serve(timedelta(hours=hours))
    club.service.run_due()


# What players do.


@pytest.mark.always("a core promise")
def test_what_players_write_stands_under_its_move_on_the_page_and_in_its_files(host: Club) -> None:
    """Words, and a line that the rules allow there; the table has them without a script; JSON and SGF do, too."""
    host.reply(0, "comment #2 Zugzwang\nline #2: b2, c2")
    host.reply(1, "comment #3 What a move")
    assert texts(host) == [("Ann", 2, "Zugzwang"), ("Ann", 2, "b2, c2"), ("Bob", 3, "What a move")]
    shown = page(host)
    table = shown.partition("<tbody>\n<tr id=1")[2].partition("</tbody>")[0]
    assert table.index("id=2>") < table.index("Zugzwang") < table.index('<a href="#2:b2,c2">b2, c2</a>')
    assert table.index("b2, c2") < table.index("id=3>") < table.index("What a move")
    assert '{\n   "ply": 2,\n   "player": "Ann",\n   "kind": "note",\n   "text": "Zugzwang"\n  }' in shown
    assert "Ann: Zugzwang" in shown.partition("(;FF[4]")[2]


def test_the_others_are_told_once_a_day_of_what_is_new(host: Club) -> None:
    """Not its writer, not whoever unsubscribed, and of nothing twice."""
    host.reply(0, "comment #2 Zugzwang")
    pass_a_day(host, 23)
    assert host.queued(kind=TELLING) == []
    host.reply(0, "comment #3 More")
    pass_a_day(host, 2)
    (told,) = host.queued(kind=TELLING)
    assert told.recipient == BOB
    assert all(word in text_of(host.mail(told)) for word in ("Zugzwang", "More"))
    host.reply(0, "comment #1 Else")
    pass_a_day(host)
    assert "Zugzwang" not in text_of(host.mail(host.queued(kind=TELLING)[-1]))
    host.reply(1, "unsubscribe")
    host.reply(0, "comment #1 Still more")
    pass_a_day(host)
    assert [mail.recipient for mail in host.queued(kind=TELLING)] == [BOB, BOB]


def test_each_player_takes_away_what_stands_there_whoever_wrote_it(host: Club) -> None:
    """Under one move, or everywhere, and then nothing can be written until the same player allows it."""
    host.reply(0, "comment #2 Zugzwang\ncomment #3 More")
    host.reply(1, "comment off #2")
    assert texts(host) == [("Ann", 3, "More")]
    host.reply(1, "comment off")
    for words in ("comment #1 Again", "publish", "comment on", "comment #1 Again"):
        (answer,) = host.reply(0, words).outbound
        assert say(because("after_closed", number=1)) in " ".join(text_of(host.mail(answer)).split())
    assert texts(host) == []
    assert "More" not in page(host)
    host.reply(1, "comment on")
    host.reply(0, "comment #1 Again")
    assert ("Ann", 1, "Again") in texts(host)


def test_a_line_that_breaks_the_rules_and_more_than_there_is_room_for_is_not_kept(host: Club) -> None:
    """Nor an entry that there isn't, nor words that lead elsewhere."""
    host.reply(0, "line #2: c3\nline #2: Hello there\ncomment #9 More\ncomment #1\n")
    host.reply(0, f"comment #1 {'a' * (LONGEST + 1)}\ncomment #1 see www.example.net\ncomment #1 to me@x.example")
    assert texts(host) == []
    with host.service.database.transaction() as tx:
        for number in range(MOST_THOUGHTS):
            tx.thoughts.add(1, 1, Thought(1, "note", str(number), published=True), host.clock.now())
    host.reply(0, "comment #1 One more")
    assert len(texts(host)) == MOST_THOUGHTS


def test_it_can_be_written_in_answer_to_a_list_of_matches(host: Club) -> None:
    """Also where the match isn't in that list."""
    host.open("pipline", PLAYERS[:2])
    host.reply(0, "status", match=3)
    host.answer_kind("status", -1, HELLO)
    assert texts(host) == [("Ann", 2, "Zugzwang")]


# What others do.


@pytest.mark.always("a core promise")
def test_what_others_write_stands_there_once_all_its_players_have_said_yes(host: Club) -> None:
    """One question to each, whatever a message holds; where somebody has no address, the others decide."""
    dora_asks(host, "comment 1#2 Zugzwang\nline 1#2: b2")
    assert asked(host) == [ANN, BOB]
    agree(host, "yes", "")
    assert texts(host) == []
    agree(host, "", "yes")
    assert texts(host) == [("Dora", 2, "Zugzwang"), ("Dora", 2, "b2")]
    assert all(words in page(host) for words in ("Dora, after the match", "Zugzwang"))
    pass_a_day(host)
    assert host.queued(kind=TELLING) == []
    be_forgotten(host, BOB)
    dora_asks(host, "comment 1#3 More")
    assert asked(host)[2:] == [ANN]
    agree(host, "yes")
    assert ("Dora", 3, "More") in texts(host)


def test_a_no_of_one_is_enough_also_after_a_yes(host: Club) -> None:
    """The others are not left with a question, and nobody is asked for the same reader in that match again."""
    dora_asks(host)
    agree(host, "no", "yes")
    assert texts(host) == []
    dora_asks(host, "comment 1#1 Please")
    assert asked(host) == [ANN, BOB, BOB]
    agree(host, "yes")
    assert texts(host) == []
    host.reply(0, "comment 1#1 From Carl", match=2)
    agree(host, "yes", "yes")
    assert texts(host) == [("Carl", 1, "From Carl")]
    host.answer_kind(ASKING, -2, "no")
    assert texts(host) == []


def test_a_player_answers_and_writes_in_one_email(host: Club) -> None:
    """A no among their own words is none."""
    dora_asks(host)
    agree(host, "Yes, gladly!\ncomment #3 Me too", "comment #1 No, that was bad")
    assert texts(host) == [("Bob", 1, "No, that was bad"), ("Ann", 3, "Me too")]
    agree(host, "", "yes")
    assert ("Dora", 2, "Zugzwang") in texts(host)


@pytest.mark.parametrize("seat", range(2))
def test_its_writer_and_each_player_take_it_away(host: Club, seat: int) -> None:
    """The writer only what is theirs, and what waits, too."""
    dora_asks(host)
    agree(host, "yes", "yes")
    host.reply(0, "comment #2 Mine")
    dora_asks(host, "comment off 1#2")
    assert texts(host) == [("Ann", 2, "Mine")]
    dora_asks(host, "comment 1#3 More")
    dora_asks(host, "comment off 1")
    agree(host, "yes", "yes")
    host.reply(0, "comment 1#1 From Carl", match=2)
    agree(host, "yes", "yes")
    assert ("Carl", 1, "From Carl") in texts(host)
    host.reply(seat, "comment off #1")
    assert texts(host) == [("Ann", 2, "Mine")]
    host.reply(0, "comment off #2")
    assert texts(host) == []


# What somebody tries.


def test_whoever_forges_an_address_puts_no_words_anywhere(host: Club) -> None:
    """The player is asked, in whose name it came, and no words that lead elsewhere come to them by that."""
    host.write("comment 1#2 Ann is a cheat", ANN)
    assert (texts(host), [mail.recipient for mail in host.queued(kind="confirm_start")]) == ([], [ANN])
    for words in ("comment 1#2 Buy at www.example.net", "line 1#2: call 0123456789"):
        answers = host.write(words, BOB).outbound
        assert [mail.kind for mail in answers] == ["starting"]
        assert "example.net" not in text_of(host.mail(answers[0]))
    host.answer_kind("confirm_start", -1, "no")
    host.write("comment off 1", BOB)
    assert texts(host) == []
    for _ in range(5):
        host.write("comment 1#2 Ann is a cheat", ANN)
    assert len(host.queued(kind="confirm_start")) <= 2 * LIMITS["confirm_start"].to.most  # type: ignore[union-attr]


@each("sender", ["zoe@z.example", f"Ann <{EVE}>"])
def test_strangers_write_nothing(host: Club, sender: str) -> None:
    """Nobody is asked for them, even with an email of a player in hand."""
    host.write(HELLO, sender)
    host.service.hand_in(host.answer(host.newest(0), "comment #2 Zugzwang", From=sender))
    assert (texts(host), asked(host)) == ([], [])


def test_somebody_who_had_a_seat_is_a_reader_like_others(host: Club) -> None:
    """With an old email of that seat, too; and what they had published in a match that went on shows no more."""
    old = host.newest(0, 2)
    rule(host.service, 2, call_off)
    host.reply(0, "comment #0 Zugzwang", match=2)
    host.clock.advance(timedelta(minutes=1))
    rule(host.service, 2, lambda match, now: reinstate(match, "void", now))
    seat_another(host.service, 2, "Carl", f"Eve <{EVE}>")
    host.clock.advance(timedelta(minutes=1))
    host.reply(0, "resign", match=2)
    assert texts(host, 2) == []
    host.service.hand_in(host.answer(old, "comment 2#0 Once more\ncomment off 2"))
    host.answer_kind("confirm_start", -1, "yes")
    assert (sorted(asked(host)), texts(host, 2)) == ([DORA, EVE], [])
    agree(host, "yes", "yes")
    assert texts(host, 2) == [("Carl", 0, "Once more")]


def test_a_reader_cannot_flood_players_with_questions(host: Club) -> None:
    """Nor can many: each player gets a few a day, and each reader asks about a few matches; nobody notices a limit."""
    receipts = [[mail.kind for mail in dora_asks(host, f"comment 1#2 {number}").outbound] for number in range(12)]
    most = LIMITS[ASKING].to
    assert most
    assert [asked(host).count(who) for who in (ANN, BOB)] == [most.most, most.most]
    assert len({tuple(kinds[-1:]) for kinds in receipts}) == 1
    with host.service.database.reading() as tx:
        assert len(tx.questions.find(ASKING, asker=4)) == 2 * REMARKED.most
    host.reply(0, "comment 1#2 From Carl", match=2)
    assert len(asked(host)) == 2 * most.most


def test_whoever_is_blocked_is_not_asked_for_and_cannot_tell(host: Club) -> None:
    """By the word that answers a question, or before; an unsubscribed player is asked nothing, either."""
    dora_asks(host)
    agree(host, "block", "yes")
    again = dora_asks(host, "comment 1#1 Hello")
    assert [mail.kind for mail in again.outbound if mail.recipient == DORA] == ["starting"]
    assert asked(host) == [ANN, BOB, BOB]
    other = host.open("pipline", PLAYERS[:2])
    host.reply(0, "resign", match=other.id)
    host.reply(1, "unsubscribe")
    said = dora_asks(host, f"comment {other.id}#0 Hello")
    assert asked(host) == [ANN, BOB, BOB]

    def told(arrival: Arrival) -> str:
        (mail,) = (one for one in arrival.outbound if one.recipient == DORA)
        return text_of(host.mail(mail)).replace(f"match {other.id}", "match 1")

    assert told(said) == told(again)


@each("words", [*(name for name in HOSTILE_NAMES if "@" not in name), "d4", "resign", "yes", "say: hello", "c3 take"])
def test_a_vandals_words_are_words_and_nothing_else(host: Club, words: str) -> None:
    """No markup on the page, and no line of our emails that reads as a command when somebody quotes it."""
    pass_a_day(host)
    before = len(texts(host))
    dora_asks(host, f"comment 1#2 {words}")
    for mail in host.queued(kind=ASKING):
        for line in text_of(host.mail(mail)).splitlines():
            assert not reads_as_command(line, None), line
        assert not any(f"<{tag}" in html_of(host.mail(mail)).lower() for tag in ("script", "img", "b>"))
    first = host.mail(host.queued(kind=ASKING)[-2])
    for quoted in (text_of(first), "\n".join(f"> {line}" for line in text_of(first).splitlines())):
        host.service.hand_in(host.answer(first, f"Well, well\n\n{quoted}"))
    agree(host, "", "yes")
    assert len(texts(host)) == before
    agree(host, "yes", "")
    assert len(texts(host)) == before + 1
    table = page(host, "matches/1.html").partition("<tbody>\n<tr id=1")[2].partition("</tbody>")[0]
    assert not any(f"<{tag}" in table.lower() for tag in ("script", "img", "b>", "style"))
    assert host.moves() == ["c3", "take", "a1", "resign"]
    assert all(text in unescape(table) for _, _, text in texts(host))


def test_nothing_stands_under_the_moves_of_a_private_match(host: Club) -> None:
    """Readers hear that there's no such match, as of a number that nobody has; what stood there shows no more."""
    private = host.service.open("pipline", PLAYERS[:2], {"size": 5}, private=True)
    host.reply(0, "resign", match=private.id)
    host.reply(0, "comment #0 Zugzwang", match=private.id)
    told = [dora_asks(host, f"comment {number}#0 Hello") for number in (private.id, 99)]
    first, second = (text_of(host.mail(one.outbound[0])) for one in told)
    assert first.replace(str(private.id), "99") == second
    assert (texts(host, private.id), asked(host)) == ([], [])
    dora_asks(host)
    agree(host, "yes", "")
    with host.service.database.transaction() as tx:
        tx.matches.set_private(1, private=True, now=host.clock.now())
    agree(host, "yes", "yes")
    assert texts(host) == []


def test_a_match_that_goes_on_again_shows_nothing(host: Club) -> None:
    """After its next end, what its players wrote does; others' words stood under an end that is none any more."""
    other = host.open("pipline", PLAYERS[:2])
    rule(host.service, other.id, call_off)
    host.reply(0, "comment #0 Mine", match=other.id)
    dora_asks(host, f"comment {other.id}#0 Dora’s")
    agree(host, "yes", "yes")
    dora_asks(host, f"comment {other.id}#0 Later")
    assert len(texts(host, other.id)) == 2
    host.clock.advance(timedelta(minutes=1))
    rule(host.service, other.id, lambda match, now: reinstate(match, "void", now))
    agree(host, "yes", "yes")
    host.reply(1, "comment #0 Not yet", match=other.id)
    shown = page(host, f"matches/{other.id}.*")
    assert not any(words in shown for words in ("Mine", "Dora", "Later", "Not yet"))
    host.clock.advance(timedelta(minutes=1))
    rule(host.service, other.id, call_off)
    assert texts(host, other.id) == [("Ann", 0, "Mine")]
    assert "Mine" in page(host, f"matches/{other.id}.*")


def test_a_yes_counts_for_two_weeks(host: Club) -> None:
    """Later it shows nothing."""
    dora_asks(host)
    agree(host, "yes", "")
    host.serve(timedelta(days=15))
    agree(host, "", "yes")
    assert texts(host) == []


# What becomes of it with its writer.


def test_forgetting_erases_what_somebody_wrote_and_asked(host: Club) -> None:
    """From the page, and from every row and email."""
    dora_asks(host)
    agree(host, "yes", "yes")
    dora_asks(host, "comment 1#3 Tempo")
    assert "Zugzwang" in page(host)
    path = host.service.database.file
    be_forgotten(host, DORA)
    assert path
    assert not any(word in unpacked(path) for word in ("zugzwang", "tempo", "dora"))
    assert "Zugzwang" not in page(host)


def test_a_merged_or_renamed_reader_is_called_as_they_are(host: Club) -> None:
    """Their questions go on, and the page names them."""
    dora_asks(host)
    agree(host, "yes", "")
    host.open("pipline", (f"Eve <{EVE}>", PLAYERS[0]))
    merge_players(host.service, DORA, EVE)
    agree(host, "", "yes")
    assert texts(host) == [("Eve", 2, "Zugzwang")]
    assert "Eve, after the match" in page(host)
    rename_player(host.service, EVE, "Evelyn")
    assert "Evelyn, after the match" in page(host)


def test_an_export_has_what_somebody_wrote_and_asked(host: Club) -> None:
    """Also what waits for an answer."""
    dora_asks(host)
    agree(host, "yes", "yes")
    dora_asks(host, "comment 1#3 Tempo")
    dora_asks(host, "export")
    host.service.run_due()
    (mail,) = host.queued(kind="export")
    (attached,) = host.mail(mail).iter_attachments()
    content = attached.get_payload(decode=True)
    assert isinstance(content, bytes)
    told = json.loads(ZipFile(BytesIO(content)).read("export.json"))
    assert [(one["text"], one["on_page"]) for one in told["lines_and_notes"]] == [("Zugzwang", True)]
    assert {one["text"] for one in told["asked_about"]} == {"Zugzwang", "Tempo"}
