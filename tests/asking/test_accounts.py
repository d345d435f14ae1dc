"""The operator renames players, changes their addresses, merges two; each test is a promise, or an attack on one."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.errors import BadInput
from pbem.running.operator_rulings import (
    change_player_addresses,
    find_to_forget,
    forget_player,
    merge_players,
    rename_player,
    seat_another,
)
from pbem.storage.messages.records import OutboundRecord
from tests.support.bounces import addressed, postfix
from tests.support.clocks import wait
from tests.support.club import PLAYERS, Club, make_club
from tests.support.forgetting import found_player, unpacked, write
from tests.support.laid import After
from tests.support.mails import text_of

ANN, BOB, CARL, PHONE, NEW = "ann@a.example", "bob@b.example", "carl@c.example", "ann@phone.example", "ann@new.example"
ANN_TWO = f"Ann Two <{PHONE}>"
_DAY = timedelta(days=1)


def told(club: Club, recipient: str = "") -> list[OutboundRecord]:
    """Return the emails about changed accounts, or those to one address."""
    return [mail for mail in club.queued(kind="account_changed") if recipient in ("", mail.recipient)]


def words(mail: EmailMessage) -> str:
    """Return the text of an email without its line breaks."""
    return " ".join(text_of(mail).split())


def _twofold(club: Club) -> None:
    club.open()
    club.open(players=(ANN_TWO, PLAYERS[2]))


@pytest.fixture
def twofold(after: After) -> Club:
    """A club in which Ann plays Bob, and then Carl from her phone, as another player: numbers 1 and 3."""
    return after(_twofold)


def merge(club: Club, old: str = PHONE, into: str = ANN) -> None:
    """Merge the two players that Ann is."""
    merge_players(club.service, old, into)


# Names


def test_a_renamed_player_is_told_and_nobody_else(club: Club) -> None:
    """Their matches, and all emails to come, show the new name."""
    club.open()
    rename_player(club.service, "ann", "Anna Lee")
    assert [mail.recipient for mail in told(club)] == [ANN]
    assert club.match().players[0].name == "Anna Lee"
    club.reply(0, "c3")
    assert "Anna Lee" in text_of(club.newest(1))


def test_renaming_twice_does_nothing_more(club: Club) -> None:
    """No second email, no second row of the log."""
    club.open()
    rename_player(club.service, "ann", "Anna Lee")
    rename_player(club.service, "Anna Lee", "Anna  Lee")
    assert len(told(club)) == 1
    with club.service.database.reading() as tx:
        assert [entry.kind for entry in tx.clocks.log(1)] == ["renamed"]


def taken(club: Club, names: Sequence[str]) -> list[str]:
    """Let Ann be called each of these names; return those that she could have."""
    club.open()
    found = []
    for name in names:
        with suppress(BadInput):
            rename_player(club.service, ANN, name)
            found.append(name)
            assert found_player(club).name == name
    return found


def test_a_renamed_player_cannot_take_another_s_name(club: Club) -> None:
    """Nor one that looks like it, nor that of everybody who was forgotten."""
    names = ("Bob", "BOB", "B o b", "Воb", "B\u200bob", "Bоb.", "Former player", "former  Player")
    assert taken(club, names) == []
    assert found_player(club).name == "Ann"


def test_nobody_is_called_like_the_service(club: Club) -> None:
    """Its emails come from that name."""
    club.service.site = replace(club.service.site, name="Zip Club")
    assert taken(club, ("Zip Club", "zipclub", "ZIP-CLUB", "Zір Сlub", "Zlp Club")) == []


def test_what_would_be_taken_for_something_else_is_no_name(club: Club) -> None:
    """A number is a seat, a word is a command, and signs mean something in headers."""
    words = ("d4", "C12", "resign", "Help", "new address", "draw", "team", "Yes", "vacation")
    signs = ("", "  ", "17", "1 2", "…", "a@b.example", "<b>", "=?utf-8?q?Bob?=", "x" * 41, "\u2800", 'A "B"')
    assert taken(club, (*words, *signs)) == []


def test_ordinary_names_are_taken(club: Club) -> None:
    """Also their own in another spelling."""
    names = ["Anna Lee", "Jörg", "李", "Ann 2", "O’Neil", "ANN", "Al", "May", "Jean-Luc P."]
    assert taken(club, names) == names


def pages_of(club: Club, directory: Path) -> dict[str, str]:
    """Write what is new in the archive, and return its pages and feeds by their paths."""
    club.service.settings.archive_dir = str(directory)
    club.service.write_archive()
    files = [path for path in directory.rglob("*") if path.suffix in (".html", ".ics", ".js")]
    return {str(path.relative_to(directory)): path.read_text("utf-8") for path in files}


def test_the_pages_follow_a_rename(club: Club, tmp_path: Path) -> None:
    """The next pass writes the match, the player and the search anew; the old name is on none of them."""
    club.open(players=(PLAYERS[0], "Wandalina <wanda@zephyr.example>"))
    assert "Wandalina" in pages_of(club, tmp_path / "archive")["matches/1.html"]
    rename_player(club.service, "wandalina", "Robert Roe")
    pages = pages_of(club, tmp_path / "archive")
    assert all("Robert Roe" in pages[page] for page in ("index.html", "matches/1.html", "players/2.html"))
    assert [path for path, page in pages.items() if "Wandalina" in page] == []


def test_a_former_name_is_forgotten_too(club: Club) -> None:
    """Emails of before name the player as they were called then, and so does the log."""
    club.open(players=("Wandalina <wanda@zephyr.example>", PLAYERS[1]))
    club.reply(0, "c3")
    rename_player(club.service, "wandalina", "Xaverine")
    club.reply(1, "take")
    seat_another(club.service, 1, "Xaverine", "Dora <dora@d.example>")
    forget_player(club.service, find_to_forget(club.service, "Xaverine"))
    for _ in range(2):
        asyncio.run(club.service.deliver())
        club.clock.advance(2 * timedelta(hours=1))
    asyncio.run(club.service.deliver())
    kept = unpacked(club.service.database.file or pytest.fail("no file"))
    assert "wandalina" not in kept
    assert "xaverine" not in kept


def test_a_former_name_can_be_another_player_s(club: Club) -> None:
    """And then forgetting the one leaves the other as they are."""
    club.open(players=("Wandalina <wanda@zephyr.example>", PLAYERS[1]))
    rename_player(club.service, "wandalina", "Xaverine")
    club.open(players=("Wandalina <w@other.example>", PLAYERS[1]))
    seat_another(club.service, 1, "Xaverine", PLAYERS[2])
    seat_another(club.service, 2, "Wandalina", PLAYERS[0])
    forget_player(club.service, find_to_forget(club.service, "Xaverine"))
    with club.service.database.reading() as tx:
        logs = [entry for number in (1, 2) for entry in tx.clocks.log(number) if entry.kind == "replaced"]
    assert [entry.arguments["before"] for entry in logs] == ["Former player", "Wandalina"]


# Addresses


def test_waiting_emails_go_to_the_new_main_address(club: Club) -> None:
    """Header and envelope; the reply token in them is as it was, and proves the seat from there."""
    club.open()
    waiting = club.queued()[0]
    before = club.mail(waiting)
    done = change_player_addresses(club.service, "ann", main=NEW, remove=[ANN])
    mail = club.mail(club.queued()[0])
    assert (done.redirected, done.shown, club.queued()[0].recipient) == (1, 0, NEW)
    assert (str(mail["To"]), mail["Reply-To"], mail["Message-ID"]) == (
        f"Ann <{NEW}>",
        before["Reply-To"],
        before["Message-ID"],
    )
    assert text_of(mail) == text_of(before)
    assert club.service.hand_in(club.answer(mail, "c3")).message.status == "accepted"
    asyncio.run(club.service.deliver())
    assert NEW in [recipient for recipient, _ in club.courier.carried]


def test_what_was_sent_before_is_answered_from_the_new_address(club: Club) -> None:
    """Tokens continue; from the removed address nothing counts any more."""
    club.open()
    asyncio.run(club.service.deliver())
    mail = club.newest(0)
    change_player_addresses(club.service, "ann", main=NEW, remove=[ANN])
    assert club.service.hand_in(club.answer(mail, "c3")).message.reason == "unknown_address"
    assert club.service.hand_in(club.answer(mail, "c3", From=NEW)).message.status == "accepted"


def test_the_new_main_address_gets_the_boards_it_needs_to_play_on(club: Club) -> None:
    """Of the matches in which it is their turn; emails that were sent lie in a mailbox that may be gone."""
    club.open()
    club.open(players=(PLAYERS[1], PLAYERS[0]))
    asyncio.run(club.service.deliver())
    done = change_player_addresses(club.service, "ann", main=NEW)
    assert done.shown == 1
    assert [(mail.match, mail.recipient) for mail in club.queued(kind="show")] == [(1, NEW)]


def test_a_dead_mailbox_is_alive_again_with_another_address(club: Club) -> None:
    """No bounce of before is counted, and the clock runs from the email that goes to the new one."""
    club.open()
    asyncio.run(club.service.deliver())
    sent = club.queued()[0]
    club.service.hand_in(addressed(postfix(club.mail(sent)), club.envelope_of(sent)))
    assert (clock := club.match().clock) is not None
    assert clock.halted == "bounced"
    change_player_addresses(club.service, "ann", main=NEW)
    with club.service.database.reading() as tx:
        assert tx.players.bouncing() == []
    asyncio.run(club.service.deliver())
    assert (clock := club.match().clock) is not None
    assert (clock.halted, clock.since) == ("", club.clock.now())
    assert [mail.recipient for mail in club.queued(kind="opened") if mail.seat == 0] == ["ann@a.example", NEW]


def test_whoever_was_told_that_emails_come_back_hears_of_the_other_address(club: Club) -> None:
    """And nothing goes to the mistyped one, from which everything comes back."""
    club.open()
    asyncio.run(club.service.deliver())
    sent = club.queued()[0]
    club.service.hand_in(addressed(postfix(club.mail(sent)), club.envelope_of(sent)))
    club.service.run_due()
    assert "operator: and that address" in words(club.newest(1))
    club.clock.advance(timedelta(hours=1))
    change_player_addresses(club.service, "ann", main=NEW, remove=[ANN])
    assert "reach them again" in words(club.newest(1))
    assert [mail.recipient for mail in club.queued(kind="account_changed")] == [NEW]


def test_a_removed_address_learns_no_other_one(club: Club) -> None:
    """Whoever reads it may be whom the player has left; and an added one may be a stranger's, by a slip."""
    club.open()
    change_player_addresses(club.service, "ann", add=[PHONE])
    change_player_addresses(club.service, "ann", main=NEW, remove=[ANN])
    for address, others in ((ANN, (NEW, PHONE)), (NEW, (ANN, PHONE))):
        text = words(club.mail(told(club, address)[-1]))
        assert address in text or address == NEW
        assert not any(other in text for other in others)


def test_a_theft_is_noticed_by_whom_it_befalls(club: Club) -> None:
    """An operator who is talked into another address can't keep the player from hearing of it, muted or not."""
    club.open()
    club.reply(0, "unsubscribe")
    change_player_addresses(club.service, "ann", main="thief@x.example", remove=[ANN])
    assert {mail.recipient for mail in told(club)} == {ANN, "thief@x.example"}
    assert "op@play.example" in words(club.mail(told(club, ANN)[0]))


def test_nothing_else_is_sent_to_a_removed_address(club: Club) -> None:
    """An answer that waits for it is the player's alone; the email that tells of the change goes."""
    club.open()
    change_player_addresses(club.service, "ann", add=[PHONE])
    write(club, "hello", PHONE)
    write(club, "forget me", ANN)
    change_player_addresses(club.service, "ann", main=PHONE, remove=[ANN])
    waiting = {mail.kind for mail in club.queued(status="queued") if mail.recipient == ANN}
    assert waiting == {"account_changed"}


def test_the_same_change_twice_changes_nothing(club: Club) -> None:
    """No email goes out for it."""
    club.open()
    for _ in range(2):
        done = change_player_addresses(club.service, "ann", main=NEW, remove=[ANN])
    assert (done.added, done.removed, done.moved) == ((), (), False)
    assert len(told(club)) == 2


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"add": [BOB]}, "If they are one person"),
        ({"remove": [BOB]}, "is the address of Bob, player 2."),
        ({"remove": [ANN]}, "has no other address"),
        ({"add": ["games@play.example"]}, "this service itself"),
        ({"add": ["games+17.1.0.abcdefghij@play.example"]}, "this service itself"),
        ({"add": ["mallory@x.example"]}, "is blocked"),
        ({"add": [NEW, PHONE], "remove": [ANN]}, "say with --main"),
        ({"main": NEW, "remove": [NEW]}, "both"),
        ({"add": ["ann"]}, "is not an email address"),
        ({"add": [f"{number}@x.org" for number in range(10)]}, "10 are the most"),
    ],
)
def test_no_address_is_taken_from_anybody(club: Club, changes: dict[str, Sequence[str]], says: str) -> None:
    """Nor is one that can't be a player's; then nothing is changed."""
    club.open()
    with club.service.database.transaction() as tx:
        tx.blocked.add("@x.example", "", club.clock.now())
    with pytest.raises(BadInput, match=says):
        change_player_addresses(club.service, "ann", **changes)  # type: ignore[arg-type]
    assert (sorted(found_player(club).emails), told(club)) == ([ANN], [])


# Merging


def test_the_page_of_a_merged_player_leads_to_the_one_who_is_left(twofold: Club, tmp_path: Path) -> None:
    """Links to the old number find the matches; its calendar is gone, and its number tells nothing else."""
    before = pages_of(twofold, tmp_path / "archive")
    merge(twofold)
    after = pages_of(twofold, tmp_path / "archive")
    assert 'href="1.html"' in after["players/3.html"]
    assert "Ann" not in after["players/3.html"]
    assert "Carl" in after["players/1.html"]
    assert len([path for path in before if path.endswith(".ics")]) == 4
    assert len([path for path in after if path.endswith(".ics")]) == 3
    assert pages_of(make_club(twofold.service.settings), tmp_path / "archive") == after  # after a restart, too


def test_no_page_leads_to_somebody_who_wants_none(twofold: Club, tmp_path: Path) -> None:
    """Nor to one who was forgotten."""
    pages_of(twofold, tmp_path / "archive")
    merge(twofold)
    pages_of(twofold, tmp_path / "archive")
    twofold.reply(0, "page off")
    assert "players/3.html" not in pages_of(twofold, tmp_path / "archive")
    twofold.reply(0, "page on")
    assert "players/3.html" in pages_of(twofold, tmp_path / "archive")
    forget_player(twofold.service, found_player(twofold))
    assert not {"players/1.html", "players/3.html"} & pages_of(twofold, tmp_path / "archive").keys()


def test_a_merged_player_has_all_matches_and_addresses(twofold: Club) -> None:
    """The other one's name, main address and settings stay; both are told, and the old number leads there."""
    twofold.reply(0, "board plain")
    merge(twofold)
    ann = found_player(twofold)
    assert (ann.name, ann.email, sorted(ann.emails)) == ("Ann", ANN, [ANN, PHONE])
    assert [twofold.match(number).players[0].id for number in (1, 2)] == [1, 1]
    assert twofold.match(2).players[0].preferences.display == "plain"
    assert {mail.recipient for mail in told(twofold)} == {ANN, PHONE}
    assert found_player(twofold, 3).merged_into == 1
    merge(twofold)
    merge_players(twofold.service, "3", "1")
    assert len(told(twofold)) == 2


def test_what_waits_for_the_one_goes_to_the_other(twofold: Club) -> None:
    """So no board is sent twice."""
    merge(twofold)
    assert [mail.recipient for mail in twofold.queued() if mail.match == 2] == [ANN, CARL]


@pytest.mark.parametrize("sender", [ANN, PHONE])
@pytest.mark.parametrize("revoking", [(), (0,), (1,), (0, 1, 1)], ids=str)
def test_every_reply_token_still_proves_the_seat(twofold: Club, revoking: tuple[int, ...], sender: str) -> None:
    """Though one of the two had asked for new reply addresses; what they revoked stays revoked."""
    revoked: dict[int, EmailMessage] = {}
    for match in revoking:
        revoked.setdefault(match, twofold.newest(0, match + 1))
        assert twofold.reply(0, "new address", match=match + 1).message.status == "accepted"
    mails = [twofold.newest(0, number) for number in (1, 2)]
    merge(twofold)
    for mail in revoked.values():
        answer = twofold.answer(mail, "d4", From=sender)
        assert twofold.service.hand_in(answer).message.reason == "unknown_match"
    for number, mail in enumerate(mails, 1):
        arrival = twofold.service.hand_in(twofold.answer(mail, "c3", From=sender))
        assert (arrival.message.status, arrival.message.match) == ("accepted", number)


def test_new_reply_addresses_end_the_tokens_of_both(twofold: Club) -> None:
    """Those of before the merging, too."""
    twofold.reply(0, "new address", match=2)
    mails = [twofold.newest(0, number) for number in (1, 2)]
    merge(twofold)
    assert twofold.reply(0, "new address", match=1).message.status == "accepted"
    for mail in mails:
        assert twofold.service.hand_in(twofold.answer(mail, "c3")).message.reason == "unknown_match"


def test_a_third_account_is_merged_with_the_others(twofold: Club) -> None:
    """Tokens of the first prove the seat through both steps; both old numbers lead to the last."""
    twofold.open(players=("Anja <anja@x.example>", PLAYERS[1]))
    twofold.reply(0, "new address", match=1)
    twofold.reply(0, "new address", match=3)
    twofold.reply(0, "new address", match=3)
    mails = [twofold.newest(0, number) for number in (1, 2, 3)]
    merge(twofold)
    merge(twofold, ANN, "anja@x.example")
    assert [found_player(twofold, number).merged_into for number in (1, 3)] == [5, 5]
    for number, mail in enumerate(mails, 1):
        arrival = twofold.service.hand_in(twofold.answer(mail, "c3"))
        assert (arrival.message.status, arrival.message.match) == ("accepted", number)


def test_the_number_of_a_merged_player_is_never_given_to_anybody(club: Club) -> None:
    """Their calendar's address follows from it, and so does that of their page."""
    club.open()
    club.open(players=(PLAYERS[1], ANN_TWO))
    merge(club)
    club.open(players=(PLAYERS[1], "Zoe <zoe@z.example>"))
    with club.service.database.reading() as tx:
        zoe = tx.players.find("zoe@z.example")
    assert zoe is not None
    assert zoe.id == 4


def test_merging_can_t_be_used_to_read_private_words(club: Club) -> None:
    """Nobody gets the seat of a partner, or of an opponent, nor one that they had."""
    club.open("zipline", PLAYERS)
    club.reply(0, "c3")
    for old, into in (("carl", "ann"), ("ann", "bob"), ("2", "3")):
        with pytest.raises(BadInput, match="both had a seat in match 1"):
            merge_players(club.service, old, into)
    seat_another(club.service, 1, "carl", "Dora <dora@d.example>")
    with pytest.raises(BadInput, match="both had a seat in match 1"):
        merge_players(club.service, "carl", "ann")
    merge_players(club.service, "carl", "dora")  # one seat after the other
    assert [player.id for player in club.match().players] == [1, 2, 4]


def test_two_who_have_finished_a_match_against_each_other_are_two(club: Club) -> None:
    """The result would be one player's against themselves."""
    club.open()
    club.reply(0, "resign")
    with pytest.raises(BadInput, match="both had a seat"):
        merge_players(club.service, "bob", "ann")


def test_merging_is_no_way_around_a_block(twofold: Club) -> None:
    """Whoever is blocked stays so; whoever was forgotten, or asked to be, has nothing to merge."""
    with twofold.service.database.transaction() as tx:
        tx.blocked.add(PHONE, "", twofold.clock.now())
    with pytest.raises(BadInput, match="is blocked"):
        merge(twofold)
    forget_player(twofold.service, found_player(twofold, 4))
    with pytest.raises(BadInput, match="was forgotten"):
        merge_players(twofold.service, "4", "1")


def test_whoever_is_about_to_be_forgotten_is_not_merged(twofold: Club) -> None:
    """It would erase the other one, or nothing."""
    write(twofold, "forget me", PHONE)
    twofold.service.hand_in(twofold.answer(twofold.mail(twofold.queued(kind="forget")[-1]), "forget me"))
    with pytest.raises(BadInput, match="has asked to be forgotten"):
        merge(twofold)


def test_matches_do_not_wait_for_somebody_who_gets_no_email(twofold: Club) -> None:
    """Merged the other way round, they go on."""
    twofold.reply(0, "unsubscribe")
    with pytest.raises(BadInput, match="has unsubscribed"):
        merge(twofold)
    merge(twofold, ANN, PHONE)
    assert not found_player(twofold, 3).preferences.muted


def test_time_that_was_spent_is_spent_and_an_absence_to_come_holds(twofold: Club) -> None:
    """Nobody wins or loses time: the calendar of the one counts until now, and what is to come for both."""
    asyncio.run(twofold.service.deliver())
    twofold.reply(0, "vacation 3 days", match=2)
    for _ in twofold.pass_time(2 * _DAY):
        pass
    twofold.clock.advance(timedelta(minutes=1))
    before = [twofold.match(number) for number in (1, 2)]
    left = [one.clock.left(twofold.clock.now(), one.players[0].calendar, one.outages) for one in before if one.clock]
    merge(twofold)
    after = [twofold.match(number) for number in (1, 2)]
    now = twofold.clock.now()
    assert [one.clock.left(now, one.players[0].calendar, one.outages) for one in after if one.clock] == left
    assert found_player(twofold).calendar.absent_at(now) is not None


def test_a_page_that_one_did_not_want_is_not_there_for_both(twofold: Club) -> None:
    """Who wants no page gets none by being merged."""
    twofold.reply(0, "page off", match=2)
    merge(twofold)
    assert not found_player(twofold).has_page


def test_a_question_to_an_address_is_about_the_player_who_is_left(twofold: Club) -> None:
    """A yes after the merging makes the address theirs, and carries out what was held."""
    twofold.service.hand_in(twofold.answer(twofold.newest(0, 2), "c3", From="ann@work.example"))
    asked = twofold.mail(twofold.queued(kind="was_this_you")[-1])
    arrival = twofold.service.hand_in(twofold.answer(asked, "yes"))
    assert arrival.message.status == "accepted", (arrival.message.code, arrival.message.detail)
    question = twofold.mail(twofold.queued(kind="confirm_address")[-1])
    merge(twofold)
    assert twofold.service.hand_in(twofold.answer(question, "yes")).message.status == "accepted"
    assert found_player(twofold).emails == {ANN, PHONE, "ann@work.example"}
    assert twofold.moves(2) == ["c3"]


def test_a_merged_player_is_forgotten_with_all_that_they_were(twofold: Club) -> None:
    """The name and the address of the one who is no more are erased with the other's."""
    twofold.reply(0, "c3", match=2)
    merge(twofold)
    twofold.reply(1, "take", match=2)
    forget_player(twofold.service, found_player(twofold))
    for _ in range(3):
        asyncio.run(twofold.service.deliver())
        twofold.clock.advance(timedelta(hours=2))
    kept = unpacked(twofold.service.database.file or pytest.fail("no file"))
    assert PHONE not in kept
    assert ANN not in kept
    assert "ann two" not in kept


def test_a_merged_player_is_nobody_s_partner_or_follower(twofold: Club) -> None:
    """An address that followed a match plays it now, and gets no second email about it."""
    with twofold.service.database.transaction() as tx:
        tx.followers.add(2, ANN, twofold.clock.now())
    merge(twofold)
    asyncio.run(twofold.service.deliver())
    with twofold.service.database.reading() as tx:
        assert tx.followers.of_address(ANN) == []
    assert twofold.queued(kind="followed") == []


@pytest.mark.parametrize("player", ["1", "#1", "Ann", ANN, f"Ann <{ANN}>"])
def test_a_player_is_named_by_number_name_or_address(club: Club, player: str) -> None:
    """As lists show them."""
    club.open()
    before, after = rename_player(club.service, player, "Anna")
    assert (before.id, before.name, after.name) == (1, "Ann", "Anna")


def test_a_name_that_is_a_number_of_somebody_else_names_nobody(club: Club) -> None:
    """The operator may have opened a match for one who is called 2."""
    club.open(players=("2 <two@x.example>", PLAYERS[1]))
    with pytest.raises(BadInput, match="give an address"):
        rename_player(club.service, "2", "Zoe")


def test_invitations_of_a_merged_player_are_those_of_the_one_who_is_left(twofold: Club) -> None:
    """An answer to one counts for the player who has both; between the two there is none any more."""
    twofold.reply(0, "new pipline dora@d.example size=5", match=2)
    twofold.reply(0, "new pipline ann@phone.example size=5", match=1)
    with twofold.service.database.reading() as tx:
        before = [(one.inviter, one.state) for one in tx.invitations.listed(limit=9)]
    merge(twofold)
    with twofold.service.database.reading() as tx:
        after = [(one.inviter, one.state) for one in tx.invitations.listed(limit=9)]
        guests = [guest.player for one in tx.invitations.open_of(1) for guest in one.guests]
    assert before == [(3, "open"), (1, "open")]
    assert after == [(1, "open"), (1, "cancelled")]
    assert guests == [1, None]


def test_who_takes_part_in_an_invitation_that_a_merger_ends_is_told(twofold: Club) -> None:
    """Its inviter, and a guest who has accepted; not one who has not answered, and not the merged player."""
    twofold.reply(1, "new zipline ann@a.example ann@phone.example size=5", match=1)
    twofold.reply(0, "new zipline ann@phone.example bob@b.example size=5", match=1)
    twofold.reply(0, "new zipline ann@phone.example carl@c.example size=5", match=1)
    to_bob = next(mail for mail in twofold.queued(kind="invitation") if mail.recipient == BOB)
    twofold.service.hand_in(twofold.answer(twofold.mail(to_bob), "accept"))
    before = len(twofold.queued(kind="invitation_news"))
    merge(twofold)
    with twofold.service.database.reading() as tx:
        assert [one.state for one in tx.invitations.listed(limit=9)] == ["failed", "cancelled", "cancelled"]
    assert [mail.recipient for mail in twofold.queued(kind="invitation_news")[before:]] == [BOB, BOB]


def _with_stand_in(club: Club) -> None:
    """Let Carl stand in for Bob in match 1."""
    club.reply(0, "c3", match=1)
    club.reply(1, "standin Carl until 1 dec", match=1)
    club.service.hand_in(club.answer(club.mail(club.queued(kind="seat_offered")[-1]), "yes"))
    wait(club, minutes=1)
    assert club.match(1).players[1].name == "Carl"


@pytest.mark.parametrize(
    ("old", "into", "left"), [(BOB, "bob@phone.example", "Bob Two"), ("bob@phone.example", BOB, "Bob")]
)
def test_a_player_who_is_merged_while_somebody_stands_in_gets_the_seat_back(
    twofold: Club, old: str, into: str, left: str
) -> None:
    """Whichever of the two players that they were is left, when the day has come; their moves count then."""
    _with_stand_in(twofold)
    twofold.open(players=("Bob Two <bob@phone.example>", "Dora <dora@d.example>"))
    merge(twofold, old, into)
    assert twofold.match(1).players[1].name == "Carl"
    wait(twofold, days=12)
    assert twofold.match(1).players[1].name == left
    assert twofold.reply(1, "take", match=1).message.commands == ("take",)


@pytest.mark.parametrize(("old", "into", "left"), [(BOB, CARL, "Carl"), (CARL, BOB, "Bob")])
def test_a_stand_in_who_turns_out_to_be_the_player_has_the_seat(twofold: Club, old: str, into: str, left: str) -> None:
    """And nobody else gets it when the day has come."""
    _with_stand_in(twofold)
    merge(twofold, old, into)
    for days in (0, 12):
        wait(twofold, days=days)
        assert twofold.match(1).players[1].name == left
    assert twofold.reply(1, "take", match=1).message.commands == ("take",)
    assert twofold.reply(0, "b2", match=1).message.commands == ("b2",)


def test_who_stands_in_and_is_merged_gives_the_seat_back(twofold: Club) -> None:
    """When the day has come, as if nothing had been."""
    twofold.reply(0, "c3", match=1)
    arrival = twofold.reply(1, "standin Carl until 1 dec", match=1)
    assert arrival.message.status == "accepted", (arrival.message.code, arrival.message.detail)
    asked = twofold.mail(twofold.queued(kind="seat_offered")[-1])
    arrival = twofold.service.hand_in(twofold.answer(asked, "yes"))
    assert arrival.message.status == "accepted", (arrival.message.code, arrival.message.detail)
    wait(twofold, minutes=1)
    assert twofold.match(1).players[1].name == "Carl"
    twofold.open(players=("Dora <dora@d.example>", PLAYERS[0]))
    merge(twofold, "carl@c.example", "dora@d.example")
    assert twofold.match(1).players[1].name == "Dora"
    wait(twofold, days=12)
    assert twofold.match(1).players[1].name == "Bob"
