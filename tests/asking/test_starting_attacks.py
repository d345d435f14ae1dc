"""Starting matches by email: nobody is signed up, invited in somebody's name, or written to twice, by somebody else."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from pbem.asking.granting import MOST_OPEN
from pbem.asking.limit_table import INVITED, LIMITS, STRANGERS
from pbem.asking.limits import part_of
from pbem.asking.words_beside import is_for_strangers
from pbem.mail.headers import organization_of
from pbem.mail.marks import mailbox_mark
from pbem.running.service import Arrival
from pbem.settings.model import Settings
from pbem.storage.messages.records import UNPROVEN
from tests.support.chosen import changed
from tests.support.club import SECRET, Club, make_club
from tests.support.each import each
from tests.support.laid import After
from tests.support.mails import html_of, text_of

ZOE = "zoe@z.example"
DAY = timedelta(days=1)
PROOF = {"Authentication_Results": "mx.play.example; dmarc=pass header.from=z.example"}
Clubs = Callable[..., Club]


def write(club: Club, text: str, sender: str = ZOE, **headers: str) -> Arrival:
    """Hand in a new message, which bears no token of ours."""
    return club.write(text, sender, **headers)


def answer(club: Club, text: str, kind: str, number: int = -1, **headers: str) -> Arrival:
    """Let the reader of an email of a kind answer it."""
    return club.answer_kind(kind, number, text, **headers)


def mails(arrival: Arrival) -> list[tuple[str, str]]:
    """Return the kind and the reader of each email that a message led to."""
    return [(mail.kind, mail.recipient) for mail in arrival.outbound]


def readers(club: Club, kind: str) -> list[str]:
    """Return who got emails of a kind."""
    return [mail.recipient for mail in club.queued(kind=kind)]


def names(club: Club) -> list[str]:
    """Return the names of all players."""
    with club.service.database.reading() as tx:
        return [name for _, name in tx.players.named()]


def run(club: Club) -> None:
    """Let a pass of the service come."""
    asyncio.run(club.service.deliver())


@pytest.fixture
def club_with(settings: Settings) -> Iterator[Clubs]:
    """Return what makes a club with other settings."""
    made: list[Club] = []

    def make(**chosen: str) -> Club:
        made.append(make_club(changed(settings, **chosen)))
        return made[-1]

    yield make
    for club in made:
        club.service.database.close()


@pytest.fixture
def anybody(club_with: Clubs) -> Club:
    """A club in which anybody may sign up, with a match between Ann and Bob."""
    club = club_with(new_matches="anybody")
    club.open()
    return club


def _invited(club: Club) -> None:
    club.open()
    assert mails(club.reply(0, f"new pipline {ZOE} size=5")) == [("invitation", ZOE), ("starting", "ann@a.example")]


@pytest.fixture
def invited(after: After) -> Club:
    """A club in which Ann has invited Zoe, a stranger."""
    return after(_invited)


def test_a_stranger_is_asked_once_ever_whatever_is_written_in_their_name(anybody: Club) -> None:
    """Other words, other spellings of the address, a year later: nothing more comes to that mailbox."""
    assert mails(write(anybody, "sign up Zoe")) == [("confirm_start", ZOE)]
    for _ in range(3):
        for sender in (ZOE, "zoe+a@z.example", "Zoe <ZOE@Z.example>"):
            for text in ("sign up Zoe", "seek pipline", "join 1", "offers"):
                assert mails(write(anybody, text, sender)) == []
        anybody.clock.advance(timedelta(days=200))


@pytest.mark.always("a core promise")
def test_forged_wishes_do_not_flood_everybody_and_starve_nobody(club_with: Clubs) -> None:
    """So many strangers are asked a day, whoever writes in their names; who is proven has a share of their own."""
    club = club_with(new_matches="anybody", authserv_id="mx.play.example", operator="op@play.example")
    club.open()
    count = STRANGERS.most + 5
    sent = [len(write(club, "sign up", f"v{number}@{number}.example").outbound) for number in range(count)]
    assert sum(sent) == STRANGERS.most
    assert mails(write(club, "sign up Zoe", **PROOF)) == [("starting", ZOE)]
    assert mails(club.reply(0, "new pipline yan@y.example size=5"))[0] == ("invitation", "yan@y.example")
    club.clock.advance(timedelta(hours=1))
    run(club)
    assert len(readers(club, "needs")) == 1


def test_forged_questions_of_strangers_leave_an_answer_for_whoever_is_authentic(club_with: Clubs) -> None:
    """A flood takes the share of those whom nothing proves, and the operator is told of it once a day."""
    club = club_with(new_matches="members", authserv_id="mx.play.example", operator="op@play.example")
    everybody = LIMITS["unknown_sender"].everybody
    assert everybody is not None
    sent = [mails(write(club, "help", f"v{number}@{number}.example")) for number in range(everybody.most + 5)]
    assert sum(map(len, sent)) == everybody.most
    assert mails(write(club, "help", **PROOF)) == [("unknown_sender", ZOE)]
    club.clock.advance(timedelta(hours=1))
    run(club)
    assert len(readers(club, "needs")) == 1


def test_forged_wishes_keep_nobody_from_following_who_is_authentic(club_with: Clubs) -> None:
    """Of those who are not proven to have written, fifty are asked a day; others have shares of their own."""
    club = club_with(authserv_id="mx.play.example")
    club.open()
    for number in range(51):
        write(club, "watch 1", f"v{number}@{number}.example")
    proof = {"Authentication_Results": "mx.play.example; dmarc=pass header.from=z.example"}
    assert mails(write(club, "watch 1", **proof)) == [("confirm_follow", ZOE)]


def _found(sender: str) -> dict[str, str]:
    """Return the finding of our mail server that an address wrote."""
    return {"Authentication_Results": f"mx.play.example; dmarc=pass header.from={sender.rpartition('@')[2]}"}


def test_a_newcomer_on_a_full_day_is_asked_back_once_and_nobody_else_is(club_with: Clubs) -> None:
    """Whom nothing proves, or whose name is forged, hears nothing; tomorrow there is room again."""
    club = club_with(new_matches="anybody", authserv_id="mx.play.example")
    with club.service.database.transaction() as tx:
        for number in range(part_of(STRANGERS, "strangers")):
            tx.invitations.note_approach(f"v{number}", "yes", club.clock.now(), share=f"domain {number}")
        for number in range(STRANGERS.most):
            tx.invitations.note_approach(f"u{number}", "yes", club.clock.now(), share=UNPROVEN)
    assert mails(write(club, "sign up Zoe")) == []
    assert [mails(write(club, "sign up Zoe", **_found(ZOE))) for _ in range(3)] == [[("come_back", ZOE)], [], []]
    club.clock.advance(timedelta(days=1, minutes=1))
    assert mails(write(club, "sign up Zoe", **_found(ZOE))) == [("starting", ZOE)]


@pytest.mark.always("a core promise")
def test_a_spam_domain_with_true_dmarc_starves_nobody(club_with: Clubs) -> None:
    """It gets half of what strangers have, whatever it calls itself below its domain; players are no strangers."""
    club = club_with(new_matches="anybody", authserv_id="mx.play.example", operator="op@play.example")
    club.open()
    spam = [f"v{number}@{number}.mx.spam.example" for number in range(STRANGERS.most * 2)]
    sent = Counter(mail.kind for one in spam for mail in write(club, "sign up", one, **_found(one)).outbound)
    assert sent == {"starting": part_of(STRANGERS, "strangers") // 2, "come_back": 15}
    for newcomer in (ZOE, "zoe@gmail.example"):
        assert mails(write(club, "sign up Zoe", newcomer, **_found(newcomer))) == [("starting", newcomer)]
    assert mails(club.reply(0, "new pipline yan@y.example size=5"))[0] == ("invitation", "yan@y.example")
    club.clock.advance(timedelta(hours=1))
    run(club)
    assert "of one domain" in " ".join(text_of(club.mail(club.queued(kind="needs")[0])).split())


def test_many_spam_domains_with_true_dmarc_take_nothing_from_players(club_with: Clubs) -> None:
    """All that strangers have is gone, and yet players invite, ask, and are answered."""
    club = club_with(new_matches="anybody", authserv_id="mx.play.example", operator="op@play.example")
    club.open()
    spam = [f"v@{number}-spam.example" for number in range(STRANGERS.most * 4)]
    sent = Counter(mail.kind for one in spam for mail in write(club, "sign up", one, **_found(one)).outbound)
    assert sent == {"starting": part_of(STRANGERS, "strangers"), "come_back": 30}
    assert mails(write(club, "sign up Zoe", **_found(ZOE))) == []
    assert mails(club.reply(0, "new pipline yan@y.example size=5"))[0] == ("invitation", "yan@y.example")
    bob = "bob@b.example"
    assert mails(write(club, "new pipline yin@y.example size=5", bob, **_found(bob))) == [("confirm_start", bob)]


@pytest.mark.parametrize(
    ("address", "organization"),
    [
        *(("a@spam.example", "spam.example"), ("a@x.y.spam.example", "spam.example"), ("a@example", "example")),
        *(("a@mail.club.co.uk", "club.co.uk"), ("a@club.co.uk", "club.co.uk"), ("a@co.uk", "co.uk")),
        *(("a@x.abc.de", "abc.de"), ("a@com.spam.example", "spam.example"), ("a@x.com.spam.de", "spam.de")),
    ],
)
def test_no_name_below_a_domain_makes_another_one(address: str, organization: str) -> None:
    """Whoever has one domain has one part of what strangers may cause."""
    assert organization_of(address) == organization


def test_only_members_start_matches_where_the_host_wants_that(club_with: Clubs) -> None:
    """No stranger is asked, or invited."""
    club = club_with(new_matches="members")
    club.open()
    assert mails(write(club, "sign up Zoe")) == [("unknown_sender", ZOE)]
    assert mails(club.reply(0, f"new pipline {ZOE}")) == [("starting", "ann@a.example")]


def test_a_forged_player_invites_nobody(club: Club) -> None:
    """What comes without a token is shown to the player, and waits for their yes; three a day at most."""
    club.open()
    wishes = (f"new pipline {ZOE}", "seek pipline", "block bob", "pair pipline bob", "unseek")
    sent = [mails(write(club, text, "ann@a.example")) for text in wishes]
    assert sent == [[("confirm_start", "ann@a.example")]] * 3 + [[]] * 2
    for text in ("yes", "accept"):
        write(club, text, "ann@a.example")
        answer(club, text, "confirm_start", From="eve@e.example")
    assert readers(club, "invitation") == []
    assert mails(answer(club, "yes", "confirm_start", 0)) == [("invitation", ZOE), ("starting", "ann@a.example")]
    assert mails(answer(club, "yes", "confirm_start", 0)) == [("not_started", "ann@a.example")]


def test_an_old_email_starts_nothing_by_itself(club: Club) -> None:
    """Others may have got one: its reader is asked."""
    club.open()
    old = club.newest(0)
    club.reply(0, "c3")
    assert mails(club.service.hand_in(club.answer(old, f"new pipline {ZOE}"))) == [("confirm_start", "ann@a.example")]
    assert readers(club, "invitation") == []


def test_an_opponent_starts_nothing_in_a_players_name(club: Club) -> None:
    """Ann's token from Bob's address is nobody's."""
    club.open()
    club.service.hand_in(club.answer(club.newest(0), "seek pipline", From="bob@b.example"))
    club.service.hand_in(club.answer(club.newest(0), f"new pipline {ZOE}", From="eve@e.example"))
    assert readers(club, "invitation") == readers(club, "starting") == []


def test_an_invited_stranger_gets_one_email_ever(invited: Club) -> None:
    """Not from another player, nor in another spelling, nor a year later, nor after it has expired."""
    for _ in range(3):
        for seat in (0, 1):
            for email in (ZOE, "ZOE@z.example", "zoe+x@z.example"):
                invited.reply(seat, f"new pipline {email}")
        invited.clock.advance(timedelta(days=200))
        run(invited)
    assert readers(invited, "invitation") == [ZOE]
    assert not any(ZOE in mail.recipient for mail in invited.queued() if mail.kind != "invitation")


@pytest.mark.parametrize("words", ["decline", "no", "never", "unsubscribe"])
def test_a_no_is_final(invited: Club, words: str) -> None:
    """Nobody has them written to again."""
    assert mails(answer(invited, words, "invitation")) == [("invitation_news", "ann@a.example")]
    invited.clock.advance(timedelta(days=800))
    invited.reply(1, f"new pipline {ZOE}")
    assert readers(invited, "invitation") == [ZOE]


def test_a_forged_acceptance_takes_nobodys_place(invited: Club) -> None:
    """Only the reader of the invitation can accept it."""
    answer(invited, "accept Eve", "invitation", From="eve@e.example")
    write(invited, "accept", ZOE)
    write(invited, "join 1", "eve@e.example")
    run(invited)
    assert names(invited) == ["Ann", "Bob"]
    answer(invited, "accept Zoe", "invitation")
    run(invited)
    assert [player.name for player in invited.match(2).players] == ["Ann", "Zoe"]


def test_an_invitation_holds_nothing_that_its_sender_wrote(club_with: Clubs) -> None:
    """Neither words nor options of their own, and no name that advertises, nor anybody's address."""
    club = club_with()
    club.open(players=("Buy at www.evil.example <ann@a.example>", "Bob <bob@b.example>"))
    club.reply(0, f"new zipline {ZOE} yves@y.example size=5\nCheap pills at http://evil.example\nsay: visit me")
    for queued in club.queued(kind="invitation"):
        mail = club.mail(queued)
        told = f"{mail['Subject']}\n{text_of(mail)}\n{html_of(mail)}"
        assert "evil" not in told
        assert "pills" not in told
        assert "a.example" not in told
        assert "yves@y" not in told


@each(
    "words",
    [
        *("Visit evil.example", "see https://e.example/x", "www.evil", "mail me: me@evil.example", "me (at) evil.com"),
        *(
            "evil dot com",
            "evil。com",
            "ｅｖｉｌ．ｃｏｍ",
            "ev\u200bil.com",
            "Call 01 234 567",
            "+43-1-5811",
            "0664/12 34 5",
        ),
        *("evil .com", "evil (.) com", "evil,com", "evil dot xyz", "5_5_5_1_2_3", "five five five one two three"),
        "So much to tell you! " * 14,
    ],
)
def test_nobody_advertises_to_strangers_beside_an_invitation(words: str) -> None:
    """Whoever wrote it is told so, whether or not the address is a player's."""
    assert not is_for_strangers(words)


def test_strangers_read_words_only_of_whoever_has_played(club: Club) -> None:
    """An account alone is had in a minute. Players read them, as they were written."""
    club.open()
    for number, (email, reads) in enumerate((("zoe@z.example", False), ("bob@b.example", True))):
        arrival = club.reply(0, f"new pipline {email}\n\nFancy a game?")
        told = [text_of(club.mail(mail)) for mail in arrival.outbound]
        assert ["Fancy" in text for text in told] == [reads, True], number
        assert "who already play" in told[1]
    club.reply(0, "c3")
    club.reply(0, "new pipline yves@y.example\n\nFancy a game?\n\nAnn")
    invitation = club.mail(club.queued(kind="invitation")[-1])
    assert "“Fancy a game?”" in text_of(invitation)
    assert "“Fancy a game?”" in html_of(invitation)


def test_words_reach_nobody_who_refuses_their_writer(club: Club) -> None:
    """Nor does the writer learn it; what somebody else wrote in their name reaches nobody either."""
    club.open()
    club.reply(1, "block ann")
    sent = len(club.queued())
    arrival = club.reply(0, "new pipline bob\n\nYou coward")
    assert [mail.recipient for mail in arrival.outbound] == ["ann@a.example"]
    write(club, "new pipline carl@c.example\n\nBuy pills", "Ann <ann@a.example>")
    answer(club, "yes", "confirm_start")
    for queued in club.queued()[sent:]:
        assert "pills" not in text_of(club.mail(queued))
        assert "coward" not in text_of(club.mail(queued)) or queued.recipient == "ann@a.example"


def test_a_player_has_so_many_people_written_to_a_day(club: Club) -> None:
    """Whatever they name, in however many emails."""
    club.open()
    for number in range(INVITED.most + 4):
        club.reply(0, f"new pipline v{number}@v.example")
        if number % 5 == 4:
            club.reply(0, f"cancel {number + 1}")
            club.reply(0, "\n".join(f"cancel {one}" for one in range(number - 3, number + 1)))
    assert len(readers(club, "invitation")) == INVITED.most


def test_all_together_have_so_many_strangers_written_to_a_day(club_with: Clubs) -> None:
    """A crowd of players is no way around."""
    club = club_with()
    for number in range(5):
        club.open(players=(f"P{number}x <p{number}@p.example>", "Bob <bob@b.example>"))
        people = " ".join(f"s{number}{one}@s.example" for one in range(2))
        for part in range(4):
            club.reply(0, f"new zipline {people.replace('s.example', f's{part}.example')}", match=number + 1)
    assert len(readers(club, "invitation")) == STRANGERS.most


def test_a_player_has_so_many_open_invitations(club: Club) -> None:
    """Offers count, too."""
    club.open()
    for _ in range(3):
        club.reply(0, "\n".join(["seek pipline"] * 5))
    with club.service.database.reading() as tx:
        assert len(tx.invitations.open()) == MOST_OPEN


def test_the_inviter_learns_nothing_but_what_they_typed(club: Club) -> None:
    """The answer is the same for a player and for a stranger, and never names them otherwise than they did."""
    club.open()
    club.open(players=("Carl Quill <carl@c.example>", "Dora <dora@d.example>"))
    told = []
    for email in ("carl@c.example", "nobody@n.example"):
        arrival = club.reply(0, f"new pipline {email} size=5")
        sent = [mail for mail in arrival.outbound if mail.kind == "starting"]
        text = " ".join(text_of(club.mail(sent[0])).split())
        told.append(text.replace(email, "X").translate(str.maketrans("", "", "0123456789")))
        assert "Quill" not in text
    assert told[0] == told[1]
    answer(club, "decline", "invitation", 0)
    assert "Quill" not in text_of(club.mail(club.queued(kind="invitation_news")[-1]))


def test_no_guest_reads_the_address_of_another(club: Club) -> None:
    """Neither invited ones, nor those who are told what became of it."""
    club.open()
    club.reply(0, "new zipline carl@c.example dora@d.example size=5")
    answer(club, "accept Carl", "invitation", 0)
    answer(club, "decline", "invitation", 1)
    for queued in club.queued():
        if queued.recipient in ("carl@c.example", "dora@d.example"):
            mail = club.mail(queued)
            told = f"{mail['Subject']}\n{text_of(mail)}\n{html_of(mail)}"
            others = {"ann@a.example", "carl@c.example", "dora@d.example"} - {queued.recipient}
            assert not any(other in told for other in others)


def test_a_blocked_inviter_reaches_nobody_and_is_not_told(club: Club) -> None:
    """They read the same as ever; their offers and rematches are not there either."""
    club.open()
    club.open(players=("Ann <ann@a.example>", "Carl <carl@c.example>"))
    club.reply(1, "block ann")
    to_bob, to_carl = (club.reply(0, f"new pipline {name} size=5") for name in ("Bob", "Carl"))
    assert [kind for kind, _ in mails(to_bob)] == ["starting"]
    texts = [text_of(club.mail(one.outbound[-1])) for one in (to_bob, to_carl)]
    assert texts[0].replace("Bob", "Carl").replace("cancel 1", "cancel 2") == texts[1]
    club.reply(0, "seek pipline size=5")
    club.reply(1, "offers\njoin 3")
    listing = text_of(club.mail(club.queued(kind="starting")[-1]))
    assert "join 3" not in listing
    club.reply(0, "resign")
    club.reply(0, "again")
    assert "bob@b.example" not in readers(club, "invitation")
    club.reply(1, "unblock ann")
    club.reply(0, "new pipline Bob size=5")
    assert readers(club, "invitation")[-1] == "bob@b.example"


def test_an_old_email_about_matches_proves_nobody(club: Club) -> None:
    """Whoever finds one later, and forges From, has its reader asked."""
    club.open()
    club.reply(0, "offers")
    club.clock.advance(timedelta(days=32))
    assert mails(answer(club, "seek pipline", "starting", 0)) == [("confirm_start", "ann@a.example")]


def test_joining_and_leaving_does_not_flood_the_inviter(club: Club) -> None:
    """However often somebody does; and whoever asks too often is not answered."""
    club.open()
    club.reply(0, "seek zipline players=3 size=5")
    for _ in range(20):
        club.reply(1, "join 1")
        club.reply(1, "cancel 1")
    assert readers(club, "invitation_news").count("ann@a.example") == 15


def test_a_declined_rematch_is_not_proposed_again(club: Club) -> None:
    """Nobody is asked about it for ever."""
    club.open()
    club.reply(0, "resign")
    club.reply(0, "again")
    answer(club, "decline", "invitation")
    for seat in (0, 1, 0):
        club.reply(seat, "again")
    assert readers(club, "invitation") == ["bob@b.example"]


def test_a_revoked_token_starts_nothing(club: Club) -> None:
    """After `new address` older emails prove nobody."""
    club.open()
    club.reply(0, "offers")
    club.reply(0, "new address")
    arrival = answer(club, "seek pipline", "starting", 0)
    assert mails(arrival) == [("confirm_start", "ann@a.example")]


def test_who_was_forgotten_is_not_invited(club: Club) -> None:
    """They said yes once, and then left: it counts as a no, and no row holds their address."""
    club.open()
    club.reply(0, "new pipline bob@b.example size=5")
    club.reply(1, "forget me")
    answer(club, "forget me", "forget")
    run(club)
    with club.service.database.reading() as tx:
        invitation = tx.invitations.get(1)
        assert invitation is not None
        assert invitation.state == "declined"
        assert not any("bob" in f"{guest.called}{guest.email}" for guest in invitation.guests)
        known = tx.invitations.approach_of(mailbox_mark("bob@b.example", SECRET))
        assert known is not None
        assert known.answer == "no"
    club.open(players=("Ann <ann@a.example>", "Carl <carl@c.example>"))
    before = len(readers(club, "invitation"))
    club.reply(0, "new pipline bob@b.example size=5", match=2)
    assert len(readers(club, "invitation")) == before


def test_a_forgotten_inviter_leaves_no_name(invited: Club) -> None:
    """Neither the invitation nor the emails about it say whose it was."""
    invited.reply(0, "forget me")
    answer(invited, "forget me", "forget")
    run(invited)
    with invited.service.database.reading() as tx:
        invitation = tx.invitations.get(1)
        assert invitation is not None
        assert invitation.state == "cancelled"
    for queued in invited.queued():
        assert "Ann" not in queued.subject


def test_nobody_reads_in_a_comment_that_they_were_blocked(club: Club) -> None:
    """Words above it without an end do not make the line talk, which would go to everyone, with the address."""
    club.open("pipline", ("Ann <ann@a.example>", f"Zoe <{ZOE}>"))
    club.reply(0, "d4")
    arrival = club.reply(0, f"draw\nHello all of you\nblock {ZOE}")
    assert ("starting", "ann@a.example") in mails(arrival)
    to_zoe = [text_of(club.mail(mail)) for mail in arrival.outbound if mail.recipient == ZOE]
    assert to_zoe
    assert not any("block" in text or ZOE in text for text in to_zoe)
