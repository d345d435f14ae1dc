"""Seconds: several people on one seat vote on its moves; what they may, what they never learn, how much email it is."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.asking.forgetting import forget
from pbem.asking.seconds import TURN, WORDS
from pbem.commands.families.seconding import AskForSecond, SecondOff
from pbem.commands.grammar import read_commands
from pbem.errors import BadInput
from pbem.match.match import Comment
from pbem.match.player import FORMER
from pbem.match.privacy import may_tell
from pbem.notices.sentences.public import tell_log
from pbem.pipeline.act import Act
from pbem.running.operator_rulings import merge_players, seat_another
from pbem.running.service import Arrival
from tests.support.clocks import entries, wait
from tests.support.club import PLAYERS, Club, told
from tests.support.laid import After
from tests.support.mails import text_of

CARL, DORA, EVE = "Carl <carl@c.example>", "Dora <dora@d.example>", "Eve <eve@e.example>"


def _three_on_a_seat(club: Club) -> None:
    club.open("pipline", PLAYERS[:2], days=4)
    club.open("pipline", (CARL, DORA))
    wait(club, minutes=1)
    for who in ("Carl", "dora@d.example"):
        club.reply(0, f"second {who}")
        club.answer_kind("second_offered", -1, "yes")


@pytest.fixture
def three(after: After) -> Club:
    """A match in which Ann is to act, and Carl and Dora vote with her."""
    return after(_three_on_a_seat)


def vote(club: Club, who: str, words: str, kind: str = TURN, **headers: str) -> Arrival:
    """Let somebody answer the newest email of a kind to them."""
    (*_, mail) = (one for one in club.queued(kind=kind) if one.recipient.startswith(who))
    return club.service.hand_in(club.answer(club.mail(mail), words, **headers))


def seconds(club: Club, seat: int = 0) -> list[str]:
    """Return the names of the seconds of a seat."""
    return [one.name for one in club.match().seconds_of(seat)]


def to(club: Club, who: str) -> int:
    """Return how many emails somebody got."""
    return sum(mail.recipient.startswith(who) for mail in club.queued())


def test_seconds_are_asked_by_name_or_address(three: Club) -> None:
    """And each gets the board when they have said yes; the other side hears once that more than one decides."""
    assert seconds(three) == ["Carl", "Dora"]
    assert [mail.recipient for mail in three.queued(kind=TURN)] == ["carl@c.example", "dora@d.example"]
    assert [entry.kind for entry in entries(three)] == ["seconded"]
    assert [mail.recipient for mail in three.queued(kind="time_news")] == ["bob@b.example"]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("second Carl", [AskForSecond("Carl")]),
        ("Second: carl@c.example", [AskForSecond("carl@c.example")]),
        ("second Carl Lee", [AskForSecond("Carl Lee")]),
        ("second Carl Lee, please", [AskForSecond("Carl Lee")]),
        ("second off", [SecondOff()]),
        ("second off Carl.", [SecondOff("Carl")]),
    ],
)
def test_what_asks_for_a_second(line: str, read: list[object]) -> None:
    """A name with a capital, or an address."""
    assert read_commands([line]) == read


@pytest.mark.parametrize("line", ["second thoughts are good", "Second, I like d4", "second best", "a second Carl"])
def test_what_is_talk(line: str) -> None:
    """The word begins many a sentence."""
    assert not [one for one in read_commands([line]) if isinstance(one, AskForSecond | SecondOff)]


def test_the_move_with_most_votes_is_played_when_all_have_voted(three: Club) -> None:
    """As if just mailed; whoever has the seat has one vote like anybody."""
    assert vote(three, "carl", "c3").message.status == "accepted"
    assert vote(three, "dora", "c3").message.commands == ("vote c3",)
    assert three.moves() == []
    arrival = three.reply(0, "d4")
    assert three.moves() == ["c3"]
    assert told(arrival)[:2] == [("move_made", 0), ("your_turn", 1)]
    assert [(one.kind, one.arguments) for one in entries(three)][1:] == [("voted", {"votes": [["c3", 2], ["d4", 1]]})]


def test_half_of_the_time_ends_the_vote(three: Club) -> None:
    """Whoever hasn’t voted by then has no say; four days for the move are two for votes."""
    vote(three, "carl", "c3")
    wait(three, days=1, hours=23)
    assert three.moves() == []
    wait(three, hours=2)
    assert three.moves() == ["c3"]
    assert vote(three, "dora", "d4").message.code == "vote_late"


def test_without_votes_whoever_has_the_seat_decides(three: Club) -> None:
    """Then their move is played at once."""
    wait(three, days=2, hours=1)
    assert three.moves() == []
    three.reply(0, "d4")
    assert three.moves() == ["d4"]


def test_a_tie_is_broken_by_the_captains_vote(three: Club) -> None:
    """As long as it is among the best."""
    three.reply(0, "team: what do you think?\nd4")
    vote(three, "carl", "c3")
    wait(three, days=2, hours=1)
    assert three.moves() == ["d4"]


def test_of_a_tie_without_them_the_captain_decides(three: Club) -> None:
    """They are asked, and any move of theirs is played; the others’ votes are over."""
    vote(three, "carl", "c3")
    vote(three, "dora", "b2")
    wait(three, days=2, hours=1)
    assert three.moves() == []
    assert [mail.recipient for mail in three.queued(kind="your_turn")] == ["ann@a.example"]
    assert vote(three, "carl", "b2").message.code == "vote_late"
    three.reply(0, "e5")
    assert three.moves() == ["e5"]
    assert entries(three)[-1].arguments == {"votes": [["c3", 1], ["b2", 1]]}


def test_a_vote_can_be_changed_until_it_counts(three: Club) -> None:
    """One person has one vote."""
    vote(three, "carl", "c3")
    vote(three, "carl", "d4")
    vote(three, "dora", "c3")
    vote(three, "dora", "d4")
    wait(three, days=2, hours=1)
    assert three.moves() == ["d4"]


def test_a_proposal_is_agreed_to_with_yes(three: Club) -> None:
    """By seconds and by whoever has the seat."""
    vote(three, "carl", "c3")
    assert vote(three, "dora", "yes", WORDS).message.commands == ("vote c3",)
    three.reply(0, "yes")
    assert three.moves() == ["c3"]


def test_nobody_waits_for_who_is_away_or_wants_no_email(three: Club) -> None:
    """All others have voted: that is all."""
    three.reply(0, "vacation 21-25 nov", match=2)
    with three.service.database.transaction() as tx:
        dora = tx.players.find("dora@d.example")
        assert dora
        tx.players.set_preference(dora, "muted", value=True)
    wait(three, hours=8)
    vote(three, "carl", "c3")
    three.reply(0, "c3")
    assert three.moves() == ["c3"]


def test_a_second_may_not_speak_for_the_seat(three: Club) -> None:
    """They give nothing up, offer nothing, and say nothing to the other side."""
    before = three.match(), to(three, "bob"), entries(three)
    for words in ("resign", "draw", "say: hello", "pause 3d", "standin Eve until 9 dec", "second Eve", "c3\nresign"):
        for who in ("carl", "dora"):
            assert vote(three, who, words).message.code in ("second_may_not", "told_enough"), words
    assert (three.match(), to(three, "bob"), entries(three)) == before


@pytest.mark.parametrize(
    ("words", "code"),
    [("I’d say that looks good", "vote_unclear"), ("z9", "vote_refused")],
)
def test_what_is_no_vote(three: Club, words: str, code: str) -> None:
    """Its writer is told why."""
    assert vote(three, "carl", words).message.code == code


def test_a_second_has_the_board_again(three: Club) -> None:
    """And votes in answer to it."""
    assert vote(three, "carl", "show").message.commands == ("show",)
    assert [mail.recipient for mail in three.queued(kind=WORDS)] == ["carl@c.example"]
    assert vote(three, "carl", "c3", WORDS).message.commands == ("vote c3",)


def test_words_of_a_second_reach_their_side_alone(three: Club) -> None:
    """Those beside a vote, too; and words of the captain beside one."""
    before = to(three, "bob")
    vote(three, "carl", "team: I’m for the middle")
    assert three.match().comments[-1] == Comment(0, 0, "I’m for the middle", True, "Carl", 3)
    vote(three, "dora", "d4\nThey can’t answer that")
    three.reply(0, "c3\nsince theirs is weak")
    assert all(one.to_side for one in three.match().comments)
    assert to(three, "bob") == before
    assert [mail.seat for mail in three.queued(kind="remark")] == [0]
    heard = [mail.recipient for mail in three.queued(kind=WORDS)]
    assert heard == ["dora@d.example", "carl@c.example", "carl@c.example", "dora@d.example"]


def test_in_a_team_of_two_seats_a_second_hears_both(club: Club) -> None:
    """And a partner hears what the second proposes; the opponent hears nothing."""
    club.open("zipline", PLAYERS, days=4)
    club.open("pipline", (DORA, EVE))
    wait(club, minutes=1)
    for seat, move in ((0, "c3"), (1, "take"), (2, "b2")):
        club.reply(seat, move)
    partner = min(club.match().partners(0))
    opponent = ({1, 2} - {partner}).pop()
    club.reply(0, "second Dora")
    club.answer_kind("second_offered", -1, "yes")
    before = to(club, PLAYERS[opponent].partition("<")[2][:-1])
    club.reply(partner, "team: d4 would hurt")
    assert [mail.recipient for mail in club.queued(kind=WORDS)] == ["dora@d.example"]
    assert club.match().to_act == 0
    vote(club, "dora", "d4\nteam: so it would")
    assert sorted(mail.seat or 0 for mail in club.queued(kind="proposal")) == [0, partner]
    assert to(club, PLAYERS[opponent].partition("<")[2][:-1]) == before
    club.reply(0, "yes")
    assert club.moves()[3] == "d4"


def test_words_beside_the_captains_own_move_stay_on_their_side(three: Club) -> None:
    """Also when votes count no more: what goes to whom does not change by the hour."""
    wait(three, days=2, hours=1)
    three.reply(0, "c3\nThat looks strong")
    assert three.moves() == ["c3"]
    assert [one.to_side for one in three.match().comments] == [True]


def test_a_second_learns_nothing_of_the_captain(three: Club) -> None:
    """No address, no other match, no plan; nor what was said to the side before they came."""
    three.open("pipline", (PLAYERS[0], EVE))
    three.reply(0, "team: the secret is d4", match=1)
    three.reply(0, "second Eve", match=1)
    three.answer_kind("second_offered", -1, "yes")
    for mail in (one for one in three.queued() if one.recipient in ("carl@c.example", "eve@e.example")):
        text = text_of(three.mail(mail))
        assert "ann@a.example" not in text
        assert "match 3" not in text.lower() or mail.match == 3
        assert mail.recipient == "carl@c.example" or "secret" not in text


def test_an_opponent_and_the_operator_learn_no_votes(three: Club) -> None:
    """While the match goes on: neither by an email, nor by the log of the match, which the page shows after the end."""
    vote(three, "carl", "c3")
    vote(three, "dora", "d4")
    three.reply(0, "c3")
    match, (*_, voted) = three.match(), entries(three)
    assert voted.kind == "voted"
    assert not may_tell(match, voted)
    assert "d4" not in " ".join(text_of(three.mail(mail)) for mail in three.queued() if mail.recipient[0] == "b")
    shown = [str(told) for _, told in tell_log([voted], replace(match, team_told=True))]
    assert shown == []
    three.reply(1, "resign")
    match = replace(three.match(), team_told=True)
    assert may_tell(match, voted)
    assert [len(told) for told in (tell_log([voted], match), tell_log([voted], replace(match, private=True)))] == [1, 0]


def test_a_former_second_gets_nothing_more(three: Club) -> None:
    """And counts for nothing, their vote included."""
    vote(three, "carl", "c3")
    board = next(one for one in three.queued(kind=TURN) if one.recipient.startswith("carl"))
    vote(three, "carl", "second off")
    assert seconds(three) == ["Dora"]
    count = to(three, "carl")
    assert three.service.hand_in(three.answer(three.mail(board), "c3")).message.code == "second_gone"
    vote(three, "dora", "d4")
    three.reply(0, "team: now we are alone\nd4")
    assert three.moves() == ["d4"]
    three.reply(1, "b2")
    assert to(three, "carl") == count + 1


def test_a_captain_lets_seconds_go(three: Club) -> None:
    """One, or all; then they decide alone again."""
    three.reply(0, "second off Dora")
    assert seconds(three) == ["Carl"]
    three.reply(0, "second eve@e.example")
    three.reply(0, "second off")
    assert seconds(three) == []
    assert three.answer_kind("second_offered", -1, "yes Eve").message.status == "rejected"
    three.reply(0, "c3")
    assert three.moves() == ["c3"]


@pytest.mark.always("a core promise")
def test_votes_in_anybodys_name_count_for_nothing(three: Club) -> None:
    """The token of the question proves who votes: no other address, and no email without it, does."""
    assert vote(three, "carl", "c3", From="eve@e.example").message.status != "accepted"
    assert vote(three, "carl", "c3", From="dora@d.example").message.status != "accepted"
    assert three.write("c3", "carl@c.example", Subject="Re: [pbem 1] Pipline vs Bob").message.status != "accepted"
    (*_, mail) = (one for one in three.queued(kind=TURN) if one.recipient.startswith("carl"))
    forged = {"To": str(three.mail(mail)["Reply-To"]).replace("+q.", "+q.1"), "References": "", "In_Reply_To": ""}
    assert vote(three, "carl", "c3", TURN, **forged).message.status != "accepted"
    with three.service.database.reading() as tx:
        assert tx.seconds.votes(1, 0, 0) == {}


def test_a_vote_for_an_earlier_board_is_none(three: Club) -> None:
    """Nor one for a turn that was taken back since."""
    first = next(one for one in three.queued(kind=TURN) if one.recipient.startswith("carl"))
    wait(three, days=2, hours=1)
    three.reply(0, "c3")
    three.reply(1, "b2")
    assert three.service.hand_in(three.answer(three.mail(first), "d4")).message.code == "vote_late"


def test_many_proposals_make_little_email(three: Club) -> None:
    """The others hear of the first of a turn alone, and the answers to its sender end."""
    moves = [f"{column}{row}" for column in "abcde" for row in range(1, 6)]
    before = to(three, "ann"), to(three, "dora"), to(three, "bob"), to(three, "carl")
    for move in moves:
        assert vote(three, "carl", move).message.status == "accepted"
    after = to(three, "ann"), to(three, "dora"), to(three, "bob"), to(three, "carl")
    assert [late - early for early, late in zip(before, after, strict=True)] == [1, 1, 0, 10]
    with three.service.database.reading() as tx:
        assert tx.seconds.votes(1, 0, 0) == {3: "e5"}


def test_many_words_make_no_flood(three: Club) -> None:
    """What one second causes in a day is as much as any player may; their votes count all the same."""
    before = to(three, "ann"), to(three, "dora")
    for number in range(80):
        vote(three, "carl", f"team: number {number}")
    caused = to(three, "ann") + to(three, "dora") - sum(before)
    assert 90 <= caused <= 110
    assert vote(three, "carl", "c3\nteam: one more").message.commands == ("vote c3",)


def test_a_vote_rolls_nothing(club: Club) -> None:
    """Nobody sees what would fall: neither by a vote, nor by changing it."""
    club.service.open("pippip", PLAYERS[:2], {"days": 4})
    club.open("pipline", (CARL, DORA))
    wait(club, minutes=1)
    for each in (0, 1):
        club.reply(each, "ready")
    seat = club.match().to_act
    assert isinstance(seat, int)
    club.reply(seat, "second Carl")
    club.answer_kind("second_offered", -1, "yes")
    record, move = club.match().record, club.match().position.prompt().example
    vote(club, "carl", move)
    club.reply(seat, "\n".join([move]))
    rolled = club.match().record
    assert rolled[: len(record)] == record
    assert [one.text for one in rolled[len(record) :] if one.seat is not None] == [move]


def test_one_person_is_on_one_side(three: Club) -> None:
    """A second of one side is none of another, has no seat there, and nobody tells why."""
    count = len(three.queued(kind="second_offered"))
    three.reply(1, "second Carl")
    assert len(three.queued(kind="second_offered")) == count
    vote(three, "carl", "second off")
    three.reply(1, "second carl@c.example")
    assert len(three.queued(kind="second_offered")) == count
    with pytest.raises(BadInput):
        seat_another(three.service, 1, "Bob", "Carl")


def test_whoever_lent_their_seat_is_on_no_other_side(three: Club) -> None:
    """Ann knows what her side has said: she neither votes for Bob, nor has his seat, nor does the operator give it."""
    vote(three, "carl", "c3")
    vote(three, "dora", "c3")
    three.reply(0, "c3")
    three.reply(1, "take")
    three.open("pipline", (EVE, PLAYERS[0]))
    three.reply(0, "standin Eve until 20 dec")
    three.answer_kind("seat_offered", -1, "yes")
    wait(three, minutes=1)
    assert three.match().players[0].name == "Eve"
    count = len(three.queued(kind="second_offered")), len(three.queued(kind="seat_offered"))
    three.reply(1, "second ann@a.example")
    three.reply(1, "standin ann@a.example until 9 dec")
    assert (len(three.queued(kind="second_offered")), len(three.queued(kind="seat_offered"))) == count
    with pytest.raises(BadInput):
        seat_another(three.service, 1, "Bob", "Ann")
    wait(three, days=31)
    assert three.match().players[0].name == "Ann"


def test_whoever_said_no_is_not_asked_again(three: Club) -> None:
    """As with seats."""
    three.open("pipline", (EVE, PLAYERS[0]))
    three.reply(0, "second Eve")
    three.answer_kind("second_offered", -1, "no")
    three.reply(0, "second Eve")
    assert len(three.queued(kind="second_offered")) == 3
    assert seconds(three) == ["Carl", "Dora"]


def test_a_stranger_becomes_a_player_and_a_second(three: Club) -> None:
    """By their yes; they are written to once, ever."""
    three.reply(0, "second zoe@z.example")
    three.answer_kind("second_offered", -1, "yes Zoe")
    assert seconds(three) == ["Carl", "Dora", "Zoe"]
    three.reply(1, "second mia@m.example")
    three.answer_kind("second_offered", -1, "no")
    assert seconds(three, 1) == []


def test_a_yes_that_comes_too_late_changes_nothing(three: Club) -> None:
    """The match is over by then."""
    three.open("pipline", (EVE, PLAYERS[0]))
    three.reply(0, "second Eve")
    three.reply(0, "resign")
    assert three.answer_kind("second_offered", -1, "yes").message.code == "seat_closed"


def test_no_plan_plays_for_a_seat_that_votes(three: Club) -> None:
    """It would pass the others over: one that there was is dropped, and none is taken."""
    wait(three, days=2, hours=1)
    three.reply(0, "c3")
    assert three.reply(0, "if d4 then e5").message.status == "rejected"
    three.reply(1, "if d5 then e5\nsecond Mia")
    three.reply(0, "second off")
    three.reply(1, "b2")
    three.reply(0, "b3")
    assert three.reply(0, "if d4 then e5").message.status == "accepted"
    three.open("pipline", (EVE, PLAYERS[1]))
    three.reply(0, "second Eve")
    three.answer_kind("second_offered", -1, "yes")
    assert three.match().plans == ()


def test_a_stand_in_has_the_seat_and_its_seconds(three: Club) -> None:
    """Who votes on a seat may also get it, and is no second then."""
    wait(three, days=2, hours=1)
    three.reply(0, "c3")
    three.reply(0, "standin Carl until 5 dec")
    three.answer_kind("seat_offered", -1, "yes")
    wait(three, minutes=1)
    assert three.match().players[0].name == "Carl"
    assert seconds(three) == ["Dora"]
    three.reply(1, "b2")
    vote(three, "dora", "d4")
    three.reply(0, "d4")
    assert three.moves() == ["c3", "b2", "d4"]


def test_while_a_robot_has_the_seat_nobody_votes(three: Club) -> None:
    """A robot has no side to ask."""
    wait(three, days=2, hours=1)
    three.reply(0, "c3")
    three.reply(0, "standin robot:1 until 5 dec")
    wait(three, minutes=1)
    three.reply(1, "yes")
    wait(three, minutes=1)
    assert three.match().players[0].robot
    assert seconds(three) == []


def test_an_operators_rewind_begins_a_new_vote(three: Club) -> None:
    """Votes are of a turn, and no turn comes twice."""
    vote(three, "carl", "c3")
    vote(three, "dora", "c3")
    three.reply(0, "c3")
    three.reply(0, "undo")
    three.reply(1, "yes")
    assert three.moves() == []
    with three.service.database.reading() as tx:
        assert tx.seconds.votes(1, three.match().turn, 0) == {}
    vote(three, "carl", "d4")
    vote(three, "dora", "d4")
    three.reply(0, "d4")
    assert three.moves() == ["d4"]


def test_a_forgotten_second_leaves_their_votes_and_no_words(three: Club) -> None:
    """What they wrote is gone; the record stays."""
    vote(three, "carl", "c3\nteam: mine")
    with three.service.database.transaction() as tx:
        carl = tx.players.find("carl@c.example")
        assert carl
        forget(Act(tx, three.service.site, three.clock.now()), carl.id)
    assert seconds(three) == ["Dora"]
    assert three.match().comments == ()
    with three.service.database.reading() as tx:
        found = tx.players.get(carl.id)
        assert found
        assert found.name == FORMER
        assert "Carl" not in "".join(mail.subject for mail in tx.outbound.latest(status=None, limit=100))


def test_who_turns_out_to_be_one_person_has_one_vote(three: Club) -> None:
    """The one with both addresses votes on."""
    three.open("pipline", (EVE, "Mia <mia@m.example>"))
    three.reply(0, "second Eve")
    three.answer_kind("second_offered", -1, "yes")
    merge_players(three.service, "Eve", "Carl")
    assert seconds(three) == ["Carl", "Dora"]
    three.open("pipline", (EVE.replace("eve", "eva"), "Pia <pia@p.example>"))
    merge_players(three.service, "Dora", "Pia")
    assert seconds(three) == ["Carl", "Pia"]


def test_seconds_and_votes_are_in_an_export(three: Club) -> None:
    """Their own alone."""
    vote(three, "carl", "c3")
    with three.service.database.reading() as tx:
        carl = tx.players.find("carl@c.example")
        assert carl
        assert tx.seconds.seats_of(carl.id) == [(1, 0)]
        assert [moves for _, moves, _ in tx.seconds.votes_of(carl.id)] == ["c3"]


def test_seconds_hear_of_the_end(three: Club) -> None:
    """With the last board, and nothing after."""
    three.reply(0, "resign")
    ended = three.queued(kind=TURN)[-2:]
    assert {mail.recipient for mail in ended} == {"carl@c.example", "dora@d.example"}
    assert vote(three, "carl", "c3").message.code == "second_gone"


def test_a_second_who_unsubscribes_from_a_board_leaves(three: Club) -> None:
    """The button of their email program does it."""
    vote(three, "carl", "", Subject="unsubscribe")
    assert seconds(three) == ["Dora"]


def test_nobody_votes_twice_by_asking_everybody(three: Club) -> None:
    """There is a most of seconds, and of people asked a day."""
    for number in range(12):
        three.reply(0, f"second p{number}@x{number}.example")
    assert len(three.queued(kind="second_offered")) == 10


def test_half_of_a_bank_is_not_spent_on_one_move(club: Club) -> None:
    """Of a bank the time of a turn is what a move adds."""
    club.open("pipline", PLAYERS[:2], bank="20d+2d", max="20d")
    club.open("pipline", (CARL, DORA))
    wait(club, minutes=1)
    club.reply(0, "second Carl")
    club.answer_kind("second_offered", -1, "yes")
    vote(club, "carl", "c3")
    wait(club, days=1, hours=1)
    assert club.moves() == ["c3"]


def test_without_a_clock_three_days_count(club: Club) -> None:
    """So that a vote ends at all."""
    club.open("pipline", PLAYERS[:2], days="none")
    club.open("pipline", (CARL, DORA))
    club.reply(0, "second Carl")
    club.answer_kind("second_offered", -1, "yes")
    vote(club, "carl", "c3")
    wait(club, days=2, hours=23)
    assert club.moves() == []
    wait(club, hours=2)
    assert club.moves() == ["c3"]


def test_no_vote_ends_before_all_email_of_its_time_is_read(three: Club) -> None:
    """A mailbox that isn’t read for a day costs nobody their vote."""
    vote(three, "carl", "c3")
    three.clock.advance(timedelta(days=2, hours=1))
    three.service.run_due()
    assert three.moves() == []
