"""What stands in a notice, in which order, and what its headers tell filters."""

import re
from dataclasses import replace
from datetime import timedelta
from html import escape
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.mail.archive_paths import Archive
from pbem.mail.compose import Recipient, Site, compose
from pbem.mail.reply_token import ReplyToken
from pbem.match.match import Comment, Match
from pbem.notices.render import match_notice
from pbem.notices.scene import NoticeContent
from pbem.notices.sentences.match import describe_result, name_holders
from pbem.notices.sentences.reasons import say
from pbem.notices.sentences.story import describe_events
from pbem.reading.reason import because
from rules.position import Entry
from tests.support.club import PLAYERS, Club, told
from tests.support.mails import html_of, read, text_of
from tests.support.matches import AUCTION_OF_THREE, zipline


def turn_of(match: Match, seat: int = 0) -> str:
    """Return the HTML of a notice to whoever is to act, with a remark in it."""
    content = NoticeContent(match.at(max(0, match.ply - 1)), (Comment(2, match.ply, "It gets tight."),))
    return match_notice("your_turn", match, seat, content, Archive("https://a.example")).html


def test_what_happened_stands_above_the_board_and_the_legend_is_last() -> None:
    """First who played what and said what, then the board, then what to reply, then the small print."""
    page = turn_of(zipline(*AUCTION_OF_THREE))
    marks = ["a1", "It gets tight.", 'id="board"', 'id="your-move"', "team:", "matches/17.html", "O"]
    places = [page.rindex("white") if mark == "O" else page.index(mark) for mark in marks]
    assert places == sorted(places)


def test_the_rules_are_told_in_the_first_turns_and_after_a_slip(club: Club) -> None:
    """Whoever has played three turns knows them; who asks, or slips, reads them again."""
    club.open()
    goal = str(club.match().position.objective(0).goal)

    def is_told(seat: int) -> bool:
        return goal in html_of(club.newest(seat)).replace("&#39;", "'")

    for move in ("a1", "b1", "take"):  # then they have roles, and each a goal
        club.reply(club.match().to_act, move)  # type: ignore[arg-type]  # Pipline rolls nothing
    reminded = []
    for _ in range(8):
        match = club.match()
        seat = match.to_act
        assert isinstance(seat, int)
        goal = str(match.position.objective(seat).goal)
        reminded.append((sum(entry.seat == seat for entry in match.record) < 3, is_told(seat)))
        club.reply(seat, match.position.prompt().example)
    assert {told for first, told in reminded if not first} == {False}
    assert {told for first, told in reminded if first} == {True}
    seat = club.match().to_act
    assert isinstance(seat, int)
    goal = str(club.match().position.objective(seat).goal)
    club.reply(seat, "z99")
    assert is_told(seat)


def test_the_example_and_what_the_prompt_says_stand_in_an_email_once(club: Club) -> None:
    """Below the instruction there are other answers, and only what else there is to know of the turn."""
    club.open("zipline", size=9)
    club.reply(0, "d4 e5 g7")
    club.reply(1, "take")
    position, text = club.match().position, " ".join(text_of(club.newest(0)).split())
    example, objective = position.prompt().example, position.objective(0)
    others = [choice.move for choice in position.suggestions() if choice.move != example]
    assert others
    assert [move in text for move in others] == [True] * len(others)
    assert text.count(example) == 1
    assert (str(objective.reminder) in text, str(objective.turn) in text) == (True, False)


def test_whoever_has_moved_gets_a_receipt(club: Club) -> None:
    """Three lines, one about time, and no board; the others get the board."""
    club.open("zipline", PLAYERS)
    club.reply(0, "c3\nGood luck!")
    mail = club.newest(0)
    assert 'id="board"' not in html_of(mail)
    assert "c3" in text_of(mail)
    assert "Good luck!" in text_of(mail)
    assert len(text_of(mail).split()) < 60
    assert 'id="board"' in html_of(club.newest(1))


def test_every_email_about_a_match_has_headers_for_filters(club: Club) -> None:
    """They name the match, its game, the kind, and whether the reader is to act."""
    club.open("zipline", PLAYERS)
    club.reply(0, "c3")
    club.reply(2, "z99")
    expected = [("opened", "yes"), ("opened", "no"), ("opened", "no")]
    expected += [("move_made", "no"), ("your_turn", "yes"), ("move_made", "no"), ("not_your_turn", "no")]
    mails = [club.mail(mail) for mail in club.queued()]
    assert [(mail["X-Pbem-Kind"], mail["X-Pbem-Turn"]) for mail in mails] == expected
    assert {(mail["X-Pbem-Match"], mail["X-Pbem-Game"]) for mail in mails} == {("1", "zipline")}


def test_the_subject_of_a_match_never_changes(club: Club) -> None:
    """Gmail begins a new conversation wherever it does."""
    club.open("zipline", PLAYERS)
    for seat, text in ((0, "c3"), (1, "take"), (1, "help"), (2, "a1"), (0, "z99"), (0, "resign"), (1, "resign")):
        club.reply(seat, text)
    subjects = {(mail.seat, str(club.mail(mail)["Subject"])) for mail in club.queued()}
    assert len(subjects) == 3
    assert all("[pbem 1] Zipline" in subject for _, subject in subjects)


def test_a_resignation_makes_no_pending_reply_stale(club: Club) -> None:
    """Whose turn it was may still answer the email that asked, after others have merely left."""
    club.open("zipline", PLAYERS)
    club.reply(0, "take")
    asking = club.newest(1)
    club.reply(2, "resign")
    arrival = club.service.hand_in(club.answer(asking, "c3"))
    assert arrival.message.commands == ("c3",)
    assert club.match().moves_made == 2


def test_a_reply_is_stale_once_somebody_has_moved(club: Club) -> None:
    """A resignation below a move changes nothing about that."""
    club.open("zipline", PLAYERS)
    asking = club.newest(0)
    for seat, text in ((0, "c3"), (2, "resign"), (1, "take")):
        club.reply(seat, text)
    assert club.service.hand_in(club.answer(asking, "d3")).message.reason == "stale_turn"


def test_whoever_plays_twice_in_a_row_may_send_both(club: Club) -> None:
    """The first of the two emails says so, and both turns count."""
    club.open("zipline", PLAYERS)
    club.reply(0, "take")
    club.reply(2, "resign")
    twice = "each on a line of its own"
    assert twice in " ".join(text_of(club.newest(1)).split())
    assert club.reply(1, "b4\nb2").message.commands == ("b4", "b2")
    club.reply(0, "c3")
    club.reply(1, "d4")
    assert twice not in " ".join(text_of(club.newest(1)).split())


def test_mails_turns_brings_email_only_on_ones_turn(club: Club) -> None:
    """What happened meanwhile, and what was said, stands in there; ``mails all`` brings the rest back."""
    club.open("zipline", PLAYERS)
    assert told(club.reply(2, "mails turns")) == [("answer", 2)]
    assert told(club.reply(0, "c3\nHello to everybody")) == [("move_made", 0), ("your_turn", 1)]
    assert told(club.reply(0, "say: and good luck")) == [("remark", 1), ("passed_on", 0)][::-1]
    assert told(club.reply(1, "take")) == [("partner_turn", 0), ("move_made", 1), ("your_turn", 2)]
    text = text_of(club.newest(2))
    assert [words in text for words in ("c3", "Hello to everybody", "and good luck")] == [True, True, True]
    assert told(club.reply(2, "a1")) == [("your_turn", 0), ("move_made", 1)]
    assert told(club.reply(2, "mails all")) == [("answer", 2)]
    assert ("move_made", 2) in told(club.reply(0, "a2")) + told(club.reply(1, "e5"))


def test_a_display_and_mails_turns_are_kept_beside_each_other(club: Club) -> None:
    """One message may set both, and gets one answer, which tells of both."""
    club.open()
    assert told(club.reply(0, "mails turns\nboard large")) == [("board", 0)]
    told_of = " ".join(say(because("mails_turns")).replace("`", "").split())
    assert told_of in " ".join(text_of(club.newest(0)).split())
    assert told(club.reply(0, "mails turns\nboard large\nshow")) == [("board", 0), ("show", 0)]
    with club.service.database.reading() as tx:
        found = tx.players.find("Ann")
    assert found is not None
    assert (found.preferences.display, found.preferences.mails) == ("large", "turns")


@pytest.mark.parametrize(("text", "muted"), [("help", True), ("show", True), ("resume", False), ("c3", False)])
def test_a_move_or_resume_ends_the_silence(club: Club, text: str, muted: bool) -> None:
    """Help is answered, and brings nothing else back."""
    club.open()
    club.reply(0, "unsubscribe")
    club.reply(0, text)
    assert club.match().players[0].preferences.muted is muted


def test_the_first_cell_of_a_turn_opens_an_email_that_says_how_to_go_on(club: Club) -> None:
    """Its reader may send it as it is, or with more cells; what is said there is no word of theirs."""
    club.open("zipline", PLAYERS)
    one = club.match()
    notice = match_notice("your_turn", one, 0, NoticeContent(one))
    notice = replace(notice, begun="To add more, type it behind what stands above.")
    token = ReplyToken(1, 0, 0)
    email = compose(
        notice, Recipient("Ann", "ann@a.example", token), Site("g@x.example", "s" * 30), "x", one.opened_at, 1
    )
    links = re.findall(r'href="(mailto:[^"]+)"', html_of(read(email.raw)))
    bodies = [parse_qs(urlsplit(link.replace("&amp;", "&")).query, keep_blank_values=True)["body"][0] for link in links]
    body = next(body for body in bodies if body.startswith("c3"))
    assert body.split("\r\n") == ["c3", "", "> To add more, type it behind what stands above.", ""]
    arrival = club.reply(0, body.replace("\r\n", "\n").replace("c3", "c3 d4", 1))
    assert arrival.message.commands == ("c3 d4",)
    assert club.match().comments == ()


def test_a_partner_who_leaves_is_named_in_no_role() -> None:
    """Roles are those of who plays."""
    match = zipline(*AUCTION_OF_THREE, Entry(2, "resign"))
    text = match_notice("your_turn", match, 0, NoticeContent(match)).text
    assert "Carl" not in text


@pytest.mark.parametrize(
    ("viewer", "partners", "alone"),
    [(0, "you and <Carl>", "Bob"), (1, "Ann and <Carl>", "you"), (2, "you and Ann", "Bob")],
)
def test_the_legend_says_who_shares_stones(viewer: int, partners: str, alone: str) -> None:
    """In text and in HTML players stand beside their stones, the reader first; a name is no markup."""
    match = zipline(*AUCTION_OF_THREE, names=("Ann", "Bob", "<Carl>"))
    notice = match_notice("show", match, viewer, NoticeContent(match))
    legend = notice.html[notice.html.rindex("<p ") :]
    assert f"black: {escape(partners)}," in legend
    assert f"white: {alone}," in legend
    text = " ".join(notice.text.split())
    assert f"black: {partners}," in text
    assert f"white: {alone}," in text


def test_where_everybody_has_their_own_stones_the_legend_names_nobody() -> None:
    """The sentence on roles says it."""
    match = zipline(*AUCTION_OF_THREE, Entry(2, "resign"))
    assert name_holders(match, 0) == {}


def test_what_is_said_while_one_thinks_is_read_before_the_next_turn(club: Club) -> None:
    """An attack on who wants email only on their turn: words that came after the email, before the answer, got lost."""
    club.open()
    club.reply(0, "mails turns")
    club.reply(0, "take\nBefore")
    club.reply(1, "a1\nWith my move")
    club.clock.advance(timedelta(minutes=1))
    assert told(club.reply(1, "say: After it")) == [("passed_on", 1)]
    club.clock.advance(timedelta(minutes=1))
    club.reply(0, "c3")
    club.clock.advance(timedelta(minutes=1))
    club.reply(1, "e5\nAnd now")
    text = text_of(club.newest(0))
    assert [words in text for words in ("With my move", "After it", "And now")] == [False, True, True]


def test_nobody_makes_the_next_notice_of_another_huge(club: Club) -> None:
    """An attack on who wants email only on their turn: whatever is said meanwhile, the latest words are told."""
    club.open()
    club.reply(0, "mails turns")
    club.reply(0, "take")
    for number in range(30):
        assert club.reply(1, f"say: words{number} " + "<&☃ " * 400).message.status == "accepted"
    assert told(club.reply(1, "a1\nThe last words")) == [("your_turn", 0), ("move_made", 1)]
    mail = club.newest(0)
    assert len(mail.as_bytes()) < 200_000
    assert ["words0 " in text_of(mail), "words29 " in text_of(mail), "The last words" in text_of(mail)] == [
        False,
        True,
        True,
    ]


def test_a_watcher_who_wants_few_emails_is_told_the_end_briefly(club: Club) -> None:
    """The last email to one who left long ago and wants email only on their turn has the latest moves alone."""
    club.open("zipline", PLAYERS)
    for seat, text in ((0, "c3"), (1, "take"), (2, "mails turns"), (2, "resign")):
        club.reply(seat, text)
    for _ in range(8):
        actor = club.match().to_act
        assert isinstance(actor, int)
        club.reply(actor, str(next(iter(club.match().position.legal_moves()))))
    club.reply(1, "resign")
    mail, match = club.newest(2), club.match()
    assert mail["X-Pbem-Kind"] == "match_over"
    text = " ".join(text_of(mail).split())
    events = describe_events(match.at(3), match, 2)
    assert [event in text for event in events] == [False] * 3 + [True] * 6


def test_a_resignation_is_told_once(club: Club) -> None:
    """Where the only one who left has just left, what happened says how the match was decided."""
    club.open()
    club.reply(0, "resign")
    for seat in (0, 1):
        (left,) = describe_events(club.match().at(0), club.match(), seat)
        text = " ".join(text_of(club.newest(seat)).split())
        assert text.count(left) == 1
        assert describe_result(club.match(), seat) not in text


def test_words_for_one_side_are_in_no_notice_of_another_afterwards(club: Club) -> None:
    """An attack on who wants email only on their turn: what was said meanwhile reaches only those who may read it."""
    club.open("zipline", PLAYERS)
    for seat, text in ((0, "c3"), (1, "take"), (1, "mails turns"), (0, "mails turns"), (0, "team: hush")):
        assert club.reply(seat, text).message.status == "accepted"
    for seat, text in ((2, "a1\nteam: psst"), (0, "a2")):
        assert club.reply(seat, text).message.status == "accepted"
    assert club.newest(1)["X-Pbem-Kind"] == "your_turn"
    found = [(mail.seat, text_of(club.mail(mail))) for mail in club.queued() if mail.kind in ("your_turn", "remark")]
    assert {seat for seat, text in found if "hush" in text or "psst" in text} == {0, 2}


def test_who_has_unsubscribed_is_not_promised_email(club: Club) -> None:
    """An attack by words that contradict each other: to choose which email comes brings none back."""
    club.open()
    club.reply(1, "unsubscribe")
    for words in ("mails turns", "mails all"):
        assert told(club.reply(1, words)) == [("answer", 1)]
        assert "resume" in text_of(club.newest(1))
    club.reply(1, "resume\nmails turns")
    assert "resume" not in text_of(club.newest(1))
