"""Following a match by email: nobody is made a follower, or flooded, by somebody else; and followers only watch."""

import asyncio
from datetime import timedelta

import pytest

from pbem.commands.ruling import call_off
from pbem.running.operator_rulings import rule, set_private, take_back
from pbem.running.service import Arrival
from pbem.storage.tables import ENTRY, MATCH, OUTBOUND
from tests.support.bounces import addressed, postfix
from tests.support.club import OPERATOR, PLAYERS, Club
from tests.support.laid import After
from tests.support.mails import html_of, text_of

ZOE = "zoe@z.example"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def write(club: Club, text: str, sender: str = ZOE, **headers: str) -> Arrival:
    """Hand in a new message, which bears no token of ours."""
    return club.write(text, sender, **headers)


def answer(club: Club, text: str, kind: str, number: int = -1, **headers: str) -> Arrival:
    """Let the reader of an email of a kind answer it."""
    return club.answer_kind(kind, number, text, **headers)


def follow(club: Club, number: int = 1, sender: str = ZOE) -> Arrival:
    """Let somebody follow a match, as far as they can."""
    asked = write(club, f"watch {number}", sender)
    assert mails(asked) == [("confirm_follow", sender)], asked.message
    return answer(club, "yes", "confirm_follow")


def mails(arrival: Arrival) -> list[tuple[str, str]]:
    """Return the kind and the reader of each email that a message led to."""
    return [(mail.kind, mail.recipient) for mail in arrival.outbound]


def followed(club: Club, email: str = ZOE) -> list[int]:
    """Return the matches that an address follows."""
    with club.service.database.reading() as tx:
        return tx.followers.of_address(email)


def told(club: Club, email: str = ZOE) -> int:
    """Let the service run a pass; return how many emails about matches went to a follower so far."""
    asyncio.run(club.service.deliver())
    return sum(mail.recipient == email for mail in club.queued(kind="followed"))


def later(club: Club, by: timedelta = HOUR, email: str = ZOE) -> int:
    """Let time pass, and a pass of the service come; return how many emails about matches went to a follower so far."""
    club.clock.advance(by)
    return told(club, email)


def _watched(club: Club) -> None:
    club.open()
    assert mails(follow(club)) == [("followed", ZOE)]


@pytest.fixture
def watched(after: After) -> Club:
    """A club with a match that Zoe follows."""
    return after(_watched)


@pytest.mark.always("a core promise")
def test_forged_wishes_do_not_flood_an_address(club: Club) -> None:
    """One question a month and mailbox, whatever match is asked for, and however the address is written."""
    for _ in range(3):
        club.open()
    wishes = [
        write(club, f"{word} {number}", sender)
        for number in (1, 2, 3)
        for word in ("watch", "follow")
        for sender in (ZOE, "zoe+a@z.example", "Zoe <ZOE@Z.example>")
    ]
    assert [mails(one) for one in wishes if one.outbound] == [[("confirm_follow", ZOE)]]
    club.clock.advance(DAY + HOUR)
    assert mails(write(club, "watch 1")) == []
    club.clock.advance(30 * DAY)
    assert mails(write(club, "watch 1")) == [("confirm_follow", ZOE)]


def test_forged_wishes_do_not_flood_everybody(club: Club) -> None:
    """Of all addresses fifty are asked a day that have not answered."""
    club.open()
    kinds = [len(write(club, "watch 1", f"v{number}@{number}.example").outbound) for number in range(55)]
    assert sum(kinds) == 50


def test_whoever_said_yes_may_follow_more(watched: Club) -> None:
    """What was answered does not count against the one question a day."""
    watched.open()
    follow(watched, 2)
    assert followed(watched) == [1, 2]


@pytest.mark.parametrize("words", ["no", "Nein danke", "unsubscribe"])
def test_a_no_is_remembered(club: Club, words: str) -> None:
    """Whoever does not want to is not asked again for a year, about no match."""
    club.open()
    club.open()
    write(club, "watch 1")
    assert answer(club, "no" if words == "Nein danke" else words, "confirm_follow").outbound == ()
    club.clock.advance(timedelta(days=300))
    assert write(club, "watch 2").outbound == ()
    assert answer(club, "yes", "confirm_follow").message.status == "rejected"
    assert followed(club) == []


def test_a_question_is_answered_once(watched: Club) -> None:
    """The same yes, sent again after the end of following, begins nothing."""
    write(watched, "unwatch 1")
    assert answer(watched, "yes", "confirm_follow").message.status == "rejected"
    assert followed(watched) == []


def test_a_private_match_is_as_if_it_were_not_there(club: Club) -> None:
    """Strangers get the same answer as for a number of no match, and a follower of before hears no more."""
    club.open()
    follow(club)
    with club.service.database.transaction() as tx:
        tx.matches._set(MATCH, MATCH.c.id == 1, private=True)
    answers = [write(club, f"watch {number}", f"x{number}@x.example") for number in (1, 2, 10**8)]
    assert [mails(one)[0][0] for one in answers] == ["following"] * 3
    words = [text_of(club.mail(one.outbound[0])).split() for one in answers]
    texts = {" ".join("N" if word.isdigit() else word for word in one) for one in words}
    assert len(texts) == 1
    assert {(one.message.status, one.message.code) for one in answers} == {("rejected", "no_match")}
    club.reply(0, "c3")
    assert later(club) == 1
    assert followed(club) == []


def test_a_match_made_private_after_the_question_is_not_followed(club: Club) -> None:
    """The yes is looked at as the match is then."""
    club.open()
    write(club, "watch 1")
    with club.service.database.transaction() as tx:
        tx.matches._set(MATCH, MATCH.c.id == 1, private=True)
    assert mails(answer(club, "yes", "confirm_follow")) == [("following", ZOE)]
    assert followed(club) == []


def test_players_need_not_follow_their_match(club: Club) -> None:
    """They are told so, from whichever of their addresses they write."""
    club.open()
    said = write(club, "watch 1", "ann@a.example")
    assert (said.message.code, mails(said)) == ("plays", [("following", "ann@a.example")])
    replied = club.reply(0, "watch 1")
    assert replied.message.code == "plays"
    assert club.moves() == []


def test_a_player_of_another_match_can_follow(club: Club) -> None:
    """Also by a reply to an email of their own match, of which nothing changes."""
    club.open()
    club.open(players=PLAYERS[1:])
    asked = club.reply(0, "watch 2")
    assert (asked.message.commands, mails(asked)) == (("watch 2",), [("confirm_follow", "ann@a.example")])
    answer(club, "yes", "confirm_follow")
    assert followed(club, "ann@a.example") == [2]
    assert club.moves() == []


def test_a_wish_beside_a_move_takes_no_move_away(club: Club) -> None:
    """In a reply to an email of a match it counts alone on its own; else the move does, and it is talk."""
    club.open()
    club.open(players=PLAYERS[1:])
    assert club.reply(0, "c3\nwatch 2").message.commands[0] == "c3"
    assert club.moves() == ["c3"]
    assert club.queued(kind="confirm_follow") == []


def test_followers_get_no_more_than_an_email_an_hour(watched: Club) -> None:
    """Many moves in an hour make one email, which tells of all of them and shows the board as it is then."""
    for seat, move in enumerate(["c3", "take", "d4", "b2"]):
        watched.reply(seat % 2, move)
        assert later(watched, timedelta(minutes=10)) == 1
    assert later(watched, timedelta(minutes=20)) == 2
    text = text_of(watched.mail(watched.queued(kind="followed")[-1]))
    assert all(move in text for move in ("Bob took", "d4", "b2"))
    assert later(watched, DAY) == 2
    watched.reply(0, "a1")
    assert later(watched, timedelta(minutes=1)) == 3


@pytest.mark.always("a core promise")
def test_a_follower_reads_no_private_words(club: Club) -> None:
    """Neither what partners say to each other, nor an address that somebody wrote or is called by."""
    club.open("zipline", (*PLAYERS[:2], "Carl <carl@c.example>"))
    follow(club)
    club.reply(0, "c3")
    club.reply(1, "take")
    club.reply(0, "say: write to ann@a.example")
    club.reply(2, "team: psst, b2\nsay: hello all")
    club.reply(0, "d4\nteam: only for you")
    later(club)
    for mail in club.queued(kind="followed"):
        email = club.mail(mail)
        for part in (text_of(email), html_of(email)):
            assert "psst" not in part
            assert "only for you" not in part
            assert "a.example" not in part.replace(ZOE, "")
    assert "hello all" in text_of(club.mail(club.queued(kind="followed")[-1]))


def test_a_followers_email_bears_no_reply_token(watched: Club) -> None:
    """With nothing in it can anybody play: only end the following, from that address."""
    watched.reply(0, "c3")
    later(watched)
    for mail in watched.queued(kind="followed"):
        raw = watched.mail(mail).as_string()
        assert "games+q.1." in raw
        assert "games+1." not in raw
        assert "unwatch" in text_of(watched.mail(mail))
    for number, (sender, words) in enumerate([("bob@b.example", "take"), (ZOE, "take"), (ZOE, "resign")]):
        answer(watched, words, "followed", From=sender, Message_ID=f"<{number}@x.example>")
    assert watched.moves() == ["c3"]
    assert watched.match().outcome is None
    assert followed(watched) == [1]


def test_a_followers_move_is_answered_once_and_never_played(watched: Club) -> None:
    """A machine that answers every email of ours gets one answer a day."""
    arrivals = [answer(watched, words, "followed") for words in ("c3", "d4", "resign", "nice game!")]
    assert [mails(one) for one in arrivals] == [[("watching", ZOE)], [], [], []]
    assert watched.moves() == []
    machine = answer(watched, "I am away", "followed", Auto_Submitted="auto-replied")
    assert (machine.message.status, machine.outbound) == ("discarded", ())


@pytest.mark.parametrize("words", ["unwatch", "Unfollow match #1, please.", "unsubscribe"])
def test_a_reply_ends_following(watched: Club, words: str) -> None:
    """Nothing more comes of that match."""
    ended = answer(watched, words, "followed")
    assert (ended.message.commands, mails(ended)) == (("unwatch 1",), [("following", ZOE)])
    watched.reply(0, "c3")
    assert later(watched) == 1


def test_the_links_in_the_emails_do_what_they_say(club: Club) -> None:
    """Each opens a new email with one word in it, which names no Message-ID of ours."""
    club.open()
    asked = club.mail(write(club, "watch 1").outbound[0])
    assert "@play.example?subject=pbem%201&amp;body=yes" in html_of(asked)
    begun = club.service.hand_in(club.answer(asked, "yes", Subject="pbem 1", In_Reply_To="", References=""))
    email = club.mail(begun.outbound[0])
    assert "@play.example?subject=pbem%201&amp;body=unwatch" in html_of(email)
    club.service.hand_in(club.answer(email, "unwatch", Subject="pbem 1", In_Reply_To="", References=""))
    assert followed(club) == []


def test_the_button_for_unsubscribing_ends_following(watched: Club) -> None:
    """Email programs send its address and subject."""
    offer = str(watched.mail(watched.queued(kind="followed")[0])["List-Unsubscribe"])
    assert offer.startswith("<mailto:games+q.1.")
    answer(watched, "Sent by the button", "followed", Subject="unsubscribe", In_Reply_To="", References="")
    assert followed(watched) == []


@pytest.mark.parametrize("words", ["unwatch", "unwatch 1"])
def test_a_new_email_ends_following(watched: Club, words: str) -> None:
    """Without a token it may be forged: it only ends email, and its reader is told."""
    assert mails(write(watched, words)) == [("following", ZOE)]
    assert followed(watched) == []


def test_who_follows_nothing_is_told_so(club: Club) -> None:
    """Three answers a day, to whoever writes; then none."""
    club.open()
    arrivals = [write(club, "unwatch 1") for _ in range(5)]
    assert [len(one.outbound) for one in arrivals] == [1, 1, 1, 0, 0]
    assert {one.message.code for one in arrivals[:3]} == {"follows_not"}


def test_a_bounce_ends_following(watched: Club) -> None:
    """Nobody is written to again whose email came back."""
    watched.clock.advance(HOUR)
    watched.reply(0, "c3")
    assert told(watched) == 2
    sent = watched.queued(kind="followed")[-1]
    watched.service.hand_in(addressed(postfix(watched.mail(sent)), watched.envelope_of(sent)))
    watched.clock.advance(2 * HOUR)
    watched.reply(1, "take")
    assert told(watched) == 2
    assert followed(watched) == []
    assert write(watched, "watch 1").outbound == ()


def test_whoever_gets_a_seat_follows_no_longer(watched: Club) -> None:
    """A player gets the emails of players, and not those of followers as well."""
    watched.open(players=("Zoe <zoe@z.example>", PLAYERS[1]))
    with watched.service.database.transaction() as tx:
        zoe = tx.players.find(ZOE)
        assert zoe is not None
        tx.matches.seat_player(1, 1, zoe, team_told=True)
    watched.reply(0, "c3")
    assert later(watched) == 1
    assert followed(watched) == []


def test_the_end_of_a_match_ends_following(watched: Club) -> None:
    """The last email tells how it ended; then the address is forgotten."""
    watched.reply(0, "c3")
    watched.reply(1, "resign")
    assert later(watched) == 2
    last = watched.mail(watched.queued(kind="followed")[-1])
    assert "Ann won" in text_of(last)
    assert followed(watched) == []
    assert later(watched, DAY) == 2


def test_a_match_called_off_ends_following(watched: Club) -> None:
    """Also an end that is no entry is told."""
    rule(watched.service, 1, call_off)
    assert later(watched) == 2
    assert followed(watched) == []


def test_what_was_taken_back_is_told_with_what_is_played_instead(watched: Club) -> None:
    """A follower reads of the entries that there are."""
    watched.reply(0, "c3")
    assert later(watched) == 2
    take_back(watched.service, 1, 0, None)
    assert later(watched) == 3
    assert "(X)" not in text_of(watched.mail(watched.queued(kind="followed")[-1]))
    watched.reply(0, "d4")
    assert later(watched) == 4


def test_a_match_has_so_many_followers(club: Club) -> None:
    """Fifty, and an address follows twenty matches."""
    club.open()
    with club.service.database.transaction() as tx:
        for number in range(50):
            tx.followers.add(1, f"f{number}@f.example", club.clock.now())
    assert write(club, "watch 1").message.code == "full"
    with club.service.database.transaction() as tx:
        tx.followers.remove(1, "f0@f.example")
    asked = write(club, "watch 1")
    assert mails(asked) == [("confirm_follow", ZOE)]
    with club.service.database.transaction() as tx:
        tx.followers.add(1, "f0@f.example", club.clock.now())
    assert answer(club, "yes", "confirm_follow").message.code == "full"


def test_an_address_follows_so_many_matches(club: Club) -> None:
    """Twenty, so that nobody has the whole service sent to them."""
    for _ in range(21):
        club.open()
    with club.service.database.transaction() as tx:
        for number in range(1, 21):
            tx.followers.add(number, ZOE, club.clock.now())
    assert write(club, "watch 21").message.code == "enough"


def test_who_is_blocked_is_told_nothing(watched: Club) -> None:
    """As for players: the operator's word ends it."""
    with watched.service.database.transaction() as tx:
        tx.blocked.add(ZOE, "", watched.clock.now())
    watched.reply(0, "c3")
    assert later(watched) == 1
    assert followed(watched) == []


def test_other_words_are_no_wish(club: Club) -> None:
    """A line has to say that and nothing else."""
    club.open()
    for text in (
        *("I watch 1 match a day.", "watch", "follow the money", "watch 1 2", "watch -1", "watch 12345678901"),
        *("> watch 1", "Unwatchable 1"),
    ):
        assert write(club, text).message.code == "unknown_sender", text


def test_a_wish_is_found_in_subject_or_text(club: Club) -> None:
    """A link on a page opens both; people write either."""
    club.open()
    for number, (subject, text) in enumerate(
        [
            ("watch 1", ""),
            ("watch 1", "watch 1"),
            ("Re: Watch 1", ""),
            ("Hi", "Hello,\n\nplease follow 1. Thanks!"),
        ]
    ):
        assert write(club, text, f"x{number}@x{number}.example", Subject=subject).message.commands == ("watch 1",)


def test_a_mailing_list_is_not_asked(club: Club) -> None:
    """What a machine sends ends as before, whatever it says."""
    club.open()
    assert write(club, "watch 1", Precedence="list", List_Id="<l.example>").message.status == "discarded"
    assert write(club, "watch 1", From=OPERATOR, Auto_Submitted="auto-generated").message.status == "discarded"


def test_a_huge_message_of_a_stranger_is_not_looked_through(club: Club) -> None:
    """Whoever asks for one thing needs a line for it."""
    club.open()
    assert write(club, "watch 1\n" + "x" * 70 + "\n" * 3 + ("y" * 70 + "\n") * 2000).message.code == "unknown_sender"


def test_a_pass_twice_tells_once(watched: Club) -> None:
    """Two workers, or a crash after the email was queued, make no second email."""
    watched.reply(0, "c3")
    watched.clock.advance(HOUR)
    assert told(watched) == 2
    assert told(watched) == 2


def test_a_clock_that_was_ahead_keeps_no_follower_waiting(club: Club) -> None:
    """What was written while it was is as of now, once it is right; else they would be told nothing until then."""
    club.open()
    club.clock.advance(400 * DAY)
    follow(club)
    told(club)
    club.clock.advance(-400 * DAY)
    club.service.heartbeats.set_right()
    club.reply(0, "c3")
    assert [later(club), later(club), later(club)] == [2, 2, 2]
    assert mails(write(club, "watch 99")) == [("following", ZOE)]


@pytest.mark.always("a core promise")
def test_invented_addresses_of_one_mailbox_get_no_more_answers_than_one(club: Club) -> None:
    """Whoever forges zoe+1@, zoe+2@ … reaches one mailbox, and has it sent as much as any other."""
    club.open()
    kinds = [
        mail.kind
        for number in range(8)
        for text in ("watch 99", "unwatch", "watch 1", "Hello?")
        for mail in write(club, text, f"zoe+{number}@z.example").outbound
    ]
    assert sorted(kinds) == ["confirm_follow", "following", "following", "following", "unknown_sender"]


def test_a_match_that_is_private_for_a_while_lets_its_followers_go(watched: Club) -> None:
    """They read nothing of that time, and nothing after it unless they ask again."""
    told(watched)
    set_private(watched.service, 1, True)
    watched.reply(0, "c3")
    assert later(watched) == 1
    set_private(watched.service, 1, False)
    watched.reply(1, "take")
    assert later(watched) == 1
    assert followed(watched) == []


@pytest.mark.parametrize("damage", [{"notice_key": "rubbish"}, {"notice_key": "1 2 3 4"}, {"notice_key": ""}])
def test_a_damaged_row_of_one_follower_keeps_no_email_from_anybody(watched: Club, damage: dict[str, str]) -> None:
    """Neither from players, nor from other followers; the follower is told how the match stands, once."""
    watched.open()
    follow(watched, 2, "yan@y.example")
    told(watched)
    with watched.service.database.transaction() as tx:
        tx.outbound._write(OUTBOUND.update().where(OUTBOUND.c.recipient == ZOE), **damage)
    watched.reply(0, "c3")
    watched.reply(0, "c3", match=2)
    assert later(watched) == 2
    assert told(watched, "yan@y.example") == 2
    assert not watched.queued(status="queued")
    assert later(watched) == 2


def test_a_damaged_match_keeps_no_email_from_followers_of_others(
    watched: Club, caplog: pytest.LogCaptureFixture
) -> None:
    """Its own followers are told nothing; the log says which match it is, and nobody's address."""
    watched.open()
    follow(watched, 2)
    follow(watched, 2, "yan@y.example")
    told(watched)
    watched.reply(0, "c3")
    watched.reply(0, "c3", match=2)
    with watched.service.database.transaction() as tx:
        tx.matches._write(ENTRY.update().where(ENTRY.c.match_id == 1), text="z99")
    later(watched)
    assert [mail.match for mail in watched.queued(kind="followed")[-2:]] == [2, 2]
    assert "followers of match 1 are not told" in caplog.text
    assert ZOE not in caplog.text


def test_a_stranger_whom_a_forger_names_is_asked_once_in_a_month(club: Club) -> None:
    """However often somebody writes in their name, about whatever match, and whatever else they write."""
    for _ in range(3):
        club.open()
    for day in range(29):
        write(club, f"watch {1 + day % 3}")
        write(club, "hello")
        club.clock.advance(DAY)
    mails = [mail.kind for mail in club.queued() if mail.recipient == ZOE]
    assert sorted(mails) == ["confirm_follow", "unknown_sender"]
    club.clock.advance(2 * DAY)
    write(club, "watch 1")
    assert [mail.kind for mail in club.queued() if mail.recipient == ZOE][2:] == ["confirm_follow"]
