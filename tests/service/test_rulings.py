"""What the operator decides about a match, and what players, former players and strangers may try with it."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.cli.matches.clock import describe_entry
from pbem.commands.decision import MatchDecision
from pbem.commands.ruling import adjudicate, call_off, end_pause, extend_time, pause_match, reinstate, set_control
from pbem.due.outages import RECEIVES, SENDS
from pbem.errors import BadInput, Busy
from pbem.match.match import Match
from pbem.match.summary import summarise
from pbem.match.time.time_control import read_time_control
from pbem.match.timing import settle_clock
from pbem.notices.sentences.public import tell_log
from pbem.ports import Fetched
from pbem.running.operator_rulings import put_back, rule, seat_another, take_back
from pbem.running.service import Arrival
from pbem.settings.model import Settings
from rules.position import Seat
from tests.support.club import PLAYERS, Club
from tests.support.mails import text_of

ANN, BOB, CARL = 0, 1, 2
DORA = "Dora <dora@d.example>"
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


@pytest.fixture
def played(club: Club) -> Club:
    """A club with a match of Zipline without partners' secrets: Ann has placed a stone, Bob is to act."""
    club.open("zipline", PLAYERS, days="3")
    play(club, ANN, "c3")
    return club


def play(club: Club, seat: Seat, move: str) -> EmailMessage:
    """Let a player answer their latest email with a move that counts; return that email."""
    mail = club.newest(seat)
    club.clock.advance(MINUTE)
    assert club.reply(seat, move).message.status == "accepted"
    return mail


def play_to(club: Club, ply: int) -> None:
    """Let whoever is to act play the example of their email, until there are so many entries."""
    while (match := club.match()).ply < ply and isinstance(match.to_act, int):
        play(club, match.to_act, match.position.prompt().example)


def decide(club: Club, decision: Callable[[Match, datetime], MatchDecision]) -> MatchDecision:
    """Let the operator decide something, a minute later."""
    club.clock.advance(MINUTE)
    return rule(club.service, 1, decision)


def rewind(club: Club, ply: int | None = None, *, moves: int | None = None) -> MatchDecision:
    """Let the operator take entries back, a minute later."""
    club.clock.advance(MINUTE)
    return take_back(club.service, 1, ply, moves)


def seat_dora(club: Club, seat: str = "bob", newcomer: str = DORA) -> MatchDecision:
    """Let the operator give a seat to Dora, a minute later."""
    club.clock.advance(MINUTE)
    return seat_another(club.service, 1, seat, newcomer)


def answer(club: Club, mail: EmailMessage, text: str, **headers: str) -> Arrival:
    """Let somebody answer an email, from the address of its reader unless told otherwise."""
    return club.service.hand_in(club.answer(mail, text, **headers))


def send_all(club: Club) -> None:
    """Let everything that is queued be sent."""
    asyncio.run(club.service.deliver())


def kinds_since(club: Club, number: int) -> list[tuple[str, str]]:
    """Return the kind and the recipient of every email after the first ``number``."""
    return [(mail.kind, mail.recipient) for mail in club.queued()[number:]]


def agrees(club: Club) -> bool:
    """Return whether what is stored beside the match is what its record says."""
    with club.service.database.reading() as tx:
        damaged, _ = tx.matches.find_damaged(0, 10)
        (summary,) = tx.matches.summaries()
    return not damaged and summary == summarise(club.match())


def log_of(club: Club) -> list[str]:
    """Return the kinds of what happened to the match beside its entries."""
    with club.service.database.reading() as tx:
        return [entry.kind for entry in tx.clocks.log(1)]


def wait(club: Club, time: timedelta) -> None:
    """Let time pass in which the service has received and sent all the time, and do what is due."""
    club.clock.advance(time)
    with club.service.database.transaction() as tx:
        for name in (RECEIVES, SENDS):
            tx.heartbeats.beat(name, club.clock.now())
    club.service.run_due()


def run_out(club: Club) -> None:
    """Let the time of Bob, who is to act and takes no day of vacation by itself, be over."""
    with club.service.database.transaction() as tx:
        bob = club.match().players[BOB]
        tx.players.set_calendar(bob, replace(bob.calendar, automatic=False), club.clock.now())
    send_all(club)
    wait(club, 4 * DAY)


# Results


def test_an_adjudicated_match_is_over_for_everybody(played: Club) -> None:
    """Everybody is told, nobody is to act, and a move is answered as in any match that is over."""
    before = len(played.queued())
    decide(played, lambda match, now: adjudicate(match, [CARL], now))
    match = played.match()
    assert match.outcome
    assert (match.outcome.winners, match.to_act, match.ply) == (frozenset({CARL}), None, 1)
    assert {kind for kind, _ in kinds_since(played, before)} == {"match_over"}
    assert len(kinds_since(played, before)) == 3
    assert match.clock
    assert match.clock.seat is None
    assert played.reply(BOB, "take").message.reason == "already_over"
    assert (agrees(played), log_of(played)) == (True, ["adjudicated"])


def test_a_draw_is_everybodys(played: Club) -> None:
    """All seats win, as with a draw by the rules."""
    decide(played, lambda match, now: adjudicate(match, range(3), now))
    outcome = played.match().outcome
    assert outcome
    assert outcome.winners == {ANN, BOB, CARL}


@pytest.mark.parametrize("kind", ["adjudicated", "void"])
def test_a_ruling_can_be_taken_back(played: Club, kind: str) -> None:
    """The match goes on: everybody gets their email anew, the clock begins with it, and the next move counts."""
    if kind == "void":
        decide(played, call_off)
        decide(played, lambda match, now: reinstate(match, "void", now))
    else:
        decide(played, lambda match, now: adjudicate(match, [ANN], now))
        decide(played, lambda match, now: reinstate(match, "adjudicated", now))
    match = played.match()
    assert (match.ruling, match.to_act, log_of(played)[-1]) == (None, BOB, "reinstated")
    assert match.clock
    assert (match.clock.seat, match.clock.halted, match.clock.bank) == (BOB, "unsent", 3 * 86_400)
    assert [mail.kind for mail in played.queued()[-3:]] == ["move_made", "your_turn", "move_made"]
    send_all(played)
    started = played.match().clock
    assert started
    assert (started.halted, started.since) == ("", played.clock.now())
    play(played, BOB, "take")
    assert agrees(played)


def test_a_ruling_of_another_kind_stays(played: Club) -> None:
    """Who undoes the wrong one is told which it is, and nothing changes."""
    decide(played, call_off)
    with pytest.raises(BadInput, match="void 1 --undo"):
        decide(played, lambda match, now: reinstate(match, "adjudicated", now))
    with pytest.raises(BadInput, match="void 1 --undo"):
        decide(played, lambda match, now: adjudicate(match, [ANN], now))
    assert log_of(played) == ["voided"]


def test_a_match_that_was_ruled_on_long_after_its_last_move_can_be_answered(played: Club) -> None:
    """The email about the end is not too old because the last move is."""
    played.clock.advance(timedelta(days=200))
    decide(played, call_off)
    assert played.reply(ANN, "say: a pity").message.status == "accepted"


def test_first_rolls_wait_again_when_a_ruling_is_taken_back(club: Club) -> None:
    """They are due when they were, and are made then."""
    club.service.open("pippip", PLAYERS[:2], {"days": "3"})
    decide(club, call_off)
    assert club.match().to_act is None
    decide(club, lambda match, now: reinstate(match, "void", now))
    assert club.match().awaits_seeds
    for _ in club.pass_time(timedelta(days=10)):
        pass
    assert club.match().record
    assert agrees(club)


# Entries taken back


def test_entries_are_taken_back_and_put_back(played: Club) -> None:
    """What the record says is what is stored beside it, before and after; the times stay those of the moves."""
    play(played, BOB, "take")
    times = played.match().times
    rewind(played, 1)
    assert (played.moves(), played.match().to_act, agrees(played)) == (["c3"], BOB, True)
    put_back(played.service, 1)
    assert (played.moves(), played.match().times, agrees(played)) == (["c3", "take"], times, True)
    assert log_of(played) == ["rewound", "restored"]
    with pytest.raises(BadInput, match="put back"):
        put_back(played.service, 1)


def test_several_steps_back_are_put_back_one_by_one(played: Club) -> None:
    """The last that was taken back comes first; once something else was played, the others stay away."""
    play(played, BOB, "take")
    rewind(played, 1)
    rewind(played, 0)
    put_back(played.service, 1)
    assert played.moves() == ["c3"]
    put_back(played.service, 1)
    assert played.moves() == ["c3", "take"]
    rewind(played, 1)
    play(played, BOB, "leave" if "leave" in map(str, played.match().position.legal_moves()) else "take")
    with pytest.raises(BadInput, match="gone on"):
        put_back(played.service, 1)
    assert agrees(played)


def test_no_email_about_what_was_taken_back_plays_anything(played: Club) -> None:
    """Neither one of before the move, nor one of after it; only the new one does."""
    asked = played.newest(BOB)
    play(played, BOB, "take")
    seat = played.match().to_act
    assert isinstance(seat, int)
    retracted = played.newest(seat)
    rewind(played, 1)
    for mail, text in ((asked, "take"), (retracted, "d4"), (retracted, "yes")):
        assert answer(played, mail, text).message.status == "rejected"
    assert answer(played, asked, "d5").message.code == "taken_back"
    assert played.moves() == ["c3"]
    play(played, BOB, "take")
    assert played.moves() == ["c3", "take"]


@pytest.mark.parametrize("ply", range(4))
def test_the_numbers_of_turns_are_used_once(played: Club, ply: int) -> None:
    """However often entries are taken back, an earlier reply token never names the present."""
    tokens = set()
    for _ in range(4):
        while (match := played.match()).ply < 4 and isinstance(match.to_act, int):
            assert match.turn not in tokens
            tokens.add(match.turn)
            play(played, match.to_act, match.position.prompt().example)
        tokens.add(played.match().turn)
        rewind(played, ply)
        assert played.match().turn > max(tokens)
        assert {played.match().ply_of(turn) for turn in tokens} == {-1}


def test_who_left_in_what_remains_does_not_make_an_old_email_ask_again(played: Club) -> None:
    """Where others have only left, an older email still asks for the move; but not across what was taken back."""
    assert played.reply(CARL, "resign").message.status == "accepted"
    old = play(played, BOB, "take")
    rewind(played, 2)
    assert played.match().to_act == BOB
    assert answer(played, old, "take").message.reason == "stale_turn"
    assert played.match().ply == 2


def test_a_reply_in_flight_does_not_count(played: Club) -> None:
    """It was received before entries were taken back, and is processed afterwards."""
    play(played, BOB, "take")
    seat = played.match().to_act
    assert isinstance(seat, int)
    raw = played.answer(played.newest(seat), played.match().position.prompt().example)
    ((number, _),) = played.service.receive([Fetched(raw)])
    rewind(played, 1)
    played.service.processing.process(number)
    with played.service.database.reading() as tx:
        message = tx.inbound.get(number)
    assert message
    assert message.status == "rejected"
    assert played.moves() == ["c3"]


def test_an_offer_of_what_was_taken_back_is_not_taken_up(played: Club) -> None:
    """Not even with the reply token of the present email: what was proposed was proposed in another turn."""
    play(played, BOB, "take")
    seat = played.match().to_act
    assert isinstance(seat, int)
    assert played.reply(seat, "d44").message.reason == "move_rejected"
    offer = played.newest(seat)
    rewind(played, 1)
    play(played, BOB, "take")
    present = played.newest(seat)
    assert answer(played, offer, "yes").message.status == "rejected"
    forged = answer(played, present, "yes", In_Reply_To=str(offer["Message-ID"]), References=str(offer["Message-ID"]))
    assert forged.message.status == "rejected"
    assert played.moves() == ["c3", "take"]


@pytest.mark.parametrize("word", ["resign", "timeout"])
def test_leaving_can_be_taken_back(club: Club, word: str) -> None:
    """A resignation, or a flag: the match is not over any more, and whoever left has time again."""
    club.open(days="3", flag="forfeit")
    play(club, ANN, "c3")
    if word == "resign":
        play(club, BOB, "resign")
    else:
        run_out(club)
    assert club.moves() == ["c3", word]
    assert club.match().outcome
    rewind(club, moves=1)
    match = club.match()
    assert (match.outcome, match.to_act, agrees(club)) == (None, BOB, True)
    assert match.clock
    assert match.clock.bank > 0
    play(club, BOB, "take")
    assert agrees(club)


def running(club: Club) -> dict[str, object]:
    """Return the clock of the match to the second, without when its present turn began."""
    clock = club.match().clock
    assert clock
    settled = settle_clock(club.match(), club.clock.now())
    return {"banks": settled.banks, "seat": clock.seat, "flagged": clock.flagged_at, "reminded": clock.reminded}


@pytest.mark.parametrize(
    "control",
    [{"days": "3"}, {"bank": "20d+1d"}, {"bank": "2d+12h", "weekends": "free"}],
    ids=lambda one: " ".join(one),
)
def test_what_was_taken_back_and_put_back_costs_nobody_time(club: Club, control: dict[str, str]) -> None:
    """Everybody has what they had when it was taken back, to the second, however long the match stood otherwise."""
    club.open("pipline", PLAYERS[:2], **control)
    for seat, move in ((ANN, "c3"), (BOB, "b2"), (ANN, "d4")):
        send_all(club)
        wait(club, timedelta(hours=3, seconds=17))
        play(club, seat, move)
    send_all(club)
    wait(club, timedelta(hours=5, seconds=11))
    before = running(club)
    take_back(club.service, 1, 2, None)
    wait(club, timedelta(hours=8))
    take_back(club.service, 1, 1, None)
    wait(club, timedelta(hours=8))
    put_back(club.service, 1)
    put_back(club.service, 1)
    assert running(club) == before
    assert agrees(club)


def test_what_was_given_in_between_is_given_still(played: Club) -> None:
    """Another time control begins anew."""
    play(played, BOB, "take")
    asyncio.run(played.service.deliver())
    before = played.match().clock
    assert before
    rewind(played, 1)
    decide(played, lambda match, now: extend_time(match, BOB, 86400, now))
    put_back(played.service, 1)
    after = played.match().clock
    assert after
    assert after.banks[BOB] == before.banks[BOB] + 86400
    rewind(played, 1)
    decide(played, lambda match, now: set_control(match, read_time_control({"days": "5"})[0], now))
    put_back(played.service, 1)
    changed = played.match().clock
    assert changed
    assert changed.banks == (5 * 86400,) * 3


def test_a_flag_that_was_left_is_there_again(club: Club) -> None:
    """Whose time is up after entries are put back, whose time was up before."""
    club.open("pipline", PLAYERS[:2], days="3", flag="claim")
    play(club, ANN, "c3")
    run_out(club)
    before = running(club)
    assert before["flagged"]
    rewind(club, 0)
    put_back(club.service, 1)
    assert running(club) == before


@pytest.mark.parametrize("word", ["resign", "timeout"])
def test_who_left_and_is_back_is_told_so_and_of_no_move(club: Club, word: str) -> None:
    """The log has who left; a move was not taken back."""
    club.open(days="3", flag="forfeit")
    play(club, ANN, "c3")
    if word == "resign":
        play(club, BOB, "resign")
    else:
        run_out(club)
    (entry,) = rewind(club, moves=1).log
    assert (entry.arguments["moves"], entry.arguments["left"]) == (0, [[BOB, word]])
    assert "Bob" in describe_entry(entry, club.match())
    (told,) = [told for one, told in tell_log([entry], club.match()) if one.kind == "rewound"]
    assert told.arguments == {"name": "Bob"}


def test_dice_come_out_the_same_after_a_move_is_taken_back(club: Club) -> None:
    """They follow from the secret and the number of entries; rolls that follow by themselves stay where they are."""
    club.service.open("pippip", PLAYERS[:2], {})
    for seat in (ANN, BOB):
        club.reply(seat, "ready")
    play_to(club, 8)
    whole = club.match().record
    rewind(club, moves=2)
    assert club.match().to_act is not None
    assert club.match().ply < len(whole)
    assert agrees(club)
    play_to(club, len(whole))
    assert club.match().record[: len(whole)] == whole
    with pytest.raises(BadInput):
        rewind(club, len(club.match().record))


def test_what_was_said_stays(played: Club) -> None:
    """Comments of later are those of the last entry that is left, and the page of the match can be written."""
    play(played, BOB, "take\n\nyou will regret that")
    rewind(played, 0)
    (comment,) = played.match().comments
    assert comment.ply == 0
    assert agrees(played)


def test_the_archive_forgets_what_was_taken_back(
    new_club: Callable[..., Club], settings: Settings, tmp_path: Path
) -> None:
    """The page and the record are written anew; nothing of the old ones is left."""
    settings.archive_dir = str(tmp_path / "archive")
    club = new_club()
    club.open()
    play(club, ANN, "d4")
    club.service.write_archive()
    page, record = (tmp_path / "archive" / "matches" / f"1.{ext}" for ext in ("html", "txt"))
    assert "d4" in record.read_text()
    rewind(club, 0)
    club.service.write_archive()
    assert "d4" not in record.read_text()
    before = page.read_text()
    decide(club, lambda match, now: adjudicate(match, [BOB], now))
    club.service.write_archive()
    assert page.read_text() != before
    assert "ruling: adjudicated" in record.read_text()


def test_a_move_that_was_decided_before_entries_were_taken_back_is_not_stored(played: Club) -> None:
    """Another worker had read the match before: it gets Busy, and begins anew."""
    stale = played.match()
    play(played, BOB, "take")
    rewind(played, 1)
    with pytest.raises(Busy), played.service.database.transaction() as tx:
        tx.matches.touch(stale, played.clock.now())


def test_two_operators_take_back_once(played: Club) -> None:
    """Who has read the match before the other one was done gets Busy, and nothing half done stays."""
    before = played.match()
    after = rewind(played, 0).after
    with pytest.raises(Busy), played.service.database.transaction() as tx:
        tx.matches.outdate(before, after)
    assert (played.moves(), log_of(played), agrees(played)) == ([], ["rewound"], True)


@pytest.mark.parametrize(("ply", "moves"), [(1, None), (2, None), (-1, None), (None, 2), (None, 0)])
def test_there_is_nothing_to_take_back(played: Club, ply: int | None, moves: int | None) -> None:
    """One sentence says so, and nothing changes."""
    with pytest.raises(BadInput, match="Match 1 has 1"):
        rewind(played, ply, moves=moves)
    assert (played.moves(), log_of(played)) == (["c3"], [])


# Players replaced


def test_a_stand_in_is_shown_the_match_and_plays_on(played: Club) -> None:
    """They get an email as at an opening, the others and the former player are told, and the next move is theirs."""
    before = len(played.queued())
    seat_dora(played)
    sent = kinds_since(played, before)
    assert sorted(sent) == [
        ("opened", "dora@d.example"),
        ("replaced", "bob@b.example"),
        ("time_news", "ann@a.example"),
        ("time_news", "carl@c.example"),
    ]
    assert [player.name for player in played.match().players] == ["Ann", "Dora", "Carl"]
    play(played, BOB, "take")
    assert agrees(played)


def test_the_email_to_a_former_player_gives_no_seat(played: Club) -> None:
    """It has no reply token, and is in no thread."""
    seat_dora(played)
    (told,) = played.queued(kind="replaced")
    assert (told.match, told.seat, played.mail(told)["List-Id"]) == (None, None, None)
    assert "games+" not in str(played.mail(told)["Reply-To"])


@pytest.mark.always("a core promise")
def test_a_former_player_plays_nothing(played: Club) -> None:
    """Neither from their own address with their old emails, nor with the newcomer's name in From."""
    old = played.newest(BOB)
    seat_dora(played)
    for sender in ("bob@b.example", "Dora <dora@d.example>", "evil@e.example"):
        for text in ("take", "say: I am Dora", "resign", "team: psst"):
            arrival = answer(played, old, text, From=sender)
            assert arrival.message.status == "rejected"
            assert not [mail for mail in arrival.outbound if mail.match == 1]
    match = played.match()
    assert (played.moves(), match.comments) == (["c3"], ())


def test_nobody_asks_the_newcomer_about_a_former_players_messages(played: Club) -> None:
    """An old reply token of the seat from an unknown address asks nobody whether that was them."""
    old = played.newest(BOB)
    seat_dora(played)
    answer(played, old, "take", From="evil@e.example")
    assert played.queued(kind="was_this_you") == []


@pytest.mark.parametrize("word", ["yes", "no"])
def test_an_address_that_a_former_player_claimed_is_not_the_newcomers(played: Club, word: str) -> None:
    """What it answers after the seat has passed on neither makes it theirs, nor tells them of it."""
    answer(played, played.newest(BOB), "take", From="other@b.example")
    assert played.reply(BOB, "yes").message.status == "accepted"
    (question,) = played.queued(kind="confirm_address")
    seat_dora(played)
    before = len(played.queued())
    answer(played, played.mail(question), word)
    assert [to for _, to in kinds_since(played, before) if to == "dora@d.example"] == []
    assert played.match().players[BOB].emails == {"dora@d.example"}
    assert played.moves() == ["c3"]


def test_tokens_of_a_former_player_stay_void_after_entries_are_taken_back(played: Club) -> None:
    """What was taken back since does not make them count again."""
    old = played.newest(BOB)
    seat_dora(played)
    play(played, BOB, "take")
    rewind(played, 0)
    play(played, ANN, "c3")
    assert answer(played, old, "say: I am Dora", From="Dora <dora@d.example>").message.status == "rejected"
    assert played.match().comments == ()


def test_the_others_can_answer_the_email_that_they_have(played: Club) -> None:
    """For them the turn is still the same one: a reply in flight counts."""
    asked = played.newest(BOB)
    seat_dora(played, "carl")
    played.clock.advance(MINUTE)
    seat_another(played.service, 1, "ann", "Edgar <edgar@e.example>")
    assert answer(played, asked, "take").message.status == "accepted"
    assert played.moves() == ["c3", "take"]


def test_words_for_a_former_partner_are_not_for_the_newcomer(club: Club) -> None:
    """Not even where a player reads at their next turn what was said before; words of later are, as those to all."""
    club.open("zipline", PLAYERS)
    play(club, ANN, "c3")
    play(club, BOB, "take")
    carl = club.match().partners(CARL)
    assert carl == {ANN}
    seat, partner = (CARL, ANN) if club.match().to_act == ANN else (ANN, CARL)
    with club.service.database.transaction() as tx:
        dora = tx.players.add("Dora", "dora@d.example", club.clock.now())
        tx.players.set_preference(dora, "mails", "turns")
    club.clock.advance(MINUTE)
    club.reply(partner, "team: for the former one alone\nsay: for everybody")
    seat_dora(club, str(seat + 1), "dora")
    club.clock.advance(MINUTE)
    club.reply(partner, "team: for the newcomer")
    while club.match().to_act != seat:
        acting = club.match().to_act
        assert isinstance(acting, int)
        play(club, acting, club.match().position.prompt().example)
    told = text_of(club.newest(seat))
    assert "for everybody" in told
    assert "for the newcomer" in told
    assert "for the former one" not in told


def test_a_former_player_can_come_back(played: Club) -> None:
    """The same command takes it back; their emails of before do not count, the new one does."""
    old = played.newest(BOB)
    seat_dora(played)
    shown = played.newest(BOB)
    seat_dora(played, "dora", "bob")
    assert played.match().players[BOB].name == "Bob"
    assert answer(played, shown, "take").message.status == "rejected"
    assert answer(played, old, "take").message.status == "rejected"
    play(played, BOB, "take")
    assert played.moves() == ["c3", "take"]


def test_the_clock_of_a_stand_in_begins_with_their_email(played: Club) -> None:
    """They have the time of a move, whatever the other has used."""
    send_all(played)
    played.clock.advance(2 * DAY)
    seat_dora(played)
    clock = played.match().clock
    assert clock
    assert (clock.seat, clock.halted, clock.bank) == (BOB, "unsent", 3 * 86_400)


def test_a_stand_in_answers_before_the_first_roll(club: Club) -> None:
    """What the former player has mixed in is forgotten, and the first rolls wait for the newcomer."""
    club.service.open("pippip", PLAYERS[:2], {})
    club.reply(BOB, "salt bob was here")
    seat_dora(club)
    assert club.match().unseeded == (ANN, BOB)
    club.reply(ANN, "ready")
    club.reply(BOB, "salt dora is here")
    assert club.match().public_seeds == {BOB: "dora is here"}
    assert agrees(club)


@pytest.mark.parametrize(
    ("who", "newcomer", "says"),
    [
        ("bob", "carl", "Carl has another seat in match 1"),
        ("2", "bob", "Bob has that seat of match 1 already"),
        ("4", DORA, "“4” is no seat of match 1; choose 1 .Ann., 2 .Bob. or 3 .Carl."),
        ("zoe", DORA, "“zoe” is no seat"),
        ("bob", "zoe", "Nobody here is called “zoe”"),
        ("bob", "zoe@", "“zoe@” is not an email address"),
        ("bob", "games@play.example", "is the address of this service itself"),
        ("bob", "quiet@q.example", "unsubscribed"),
        ("bob", "blocked@x.example", "is blocked"),
    ],
)
def test_who_cannot_be_seated_is_not(played: Club, who: str, newcomer: str, says: str) -> None:
    """One sentence says why, and no player is left of it."""
    with played.service.database.transaction() as tx:
        quiet = tx.players.add("Quiet", "quiet@q.example", played.clock.now())
        tx.players.set_preference(quiet, "muted", True)
        tx.blocked.add("blocked@x.example", "", played.clock.now())
        known = len(tx.players.all())
    with pytest.raises(BadInput, match=says):
        seat_dora(played, who, newcomer)
    with played.service.database.reading() as tx:
        assert len(tx.players.all()) == known
    assert [player.name for player in played.match().players] == ["Ann", "Bob", "Carl"]


# Clocks


def test_a_match_gets_a_clock_and_loses_it(club: Club) -> None:
    """Also one that was opened without; it begins with the email that tells of it."""
    club.open(days="none")
    control, _ = read_time_control({"days": "5", "flag": "forfeit"})
    decide(club, lambda match, now: set_control(match, control, now))
    clock = club.match().clock
    assert clock
    assert (clock.control, clock.halted) == (control, "unsent")
    send_all(club)
    clock = club.match().clock
    assert clock
    assert clock.since == club.clock.now()
    other, _ = read_time_control({"bank": "20d+1d", "weekends": "free"})
    decide(club, lambda match, now: set_control(match, other, now))
    clock = club.match().clock
    assert clock
    assert (clock.control, clock.banks[BOB]) == (other, 20 * 86_400)
    decide(club, lambda match, now: set_control(match, None, now))
    assert club.match().clock is None
    assert log_of(club) == ["time_control"] * 3
    wait(club, 30 * DAY)
    assert club.match().outcome is None


def test_time_is_given_and_taken(played: Club) -> None:
    """To whoever is to act, or to anybody; never more than they have is taken."""
    send_all(played)
    decide(played, lambda match, now: extend_time(match, None, 86_400, now))
    decide(played, lambda match, now: extend_time(match, CARL, -86_400, now))
    clock = played.match().clock
    assert clock
    assert clock.banks == (3 * 86_400, 4 * 86_400 - 120, 2 * 86_400)
    with pytest.raises(BadInput, match="2d left"):
        decide(played, lambda match, now: extend_time(match, CARL, -2 * 86_400, now))
    with pytest.raises(BadInput, match="400d"):
        decide(played, lambda match, now: extend_time(match, CARL, 399 * 86_400, now))


def test_a_flag_falls_later_when_time_is_given(played: Club) -> None:
    """Whose time was up has more, from the email that says so."""
    run_out(played)
    clock = played.match().clock
    assert clock
    assert clock.halted == "flagged"
    decide(played, lambda match, now: extend_time(match, None, 86_400, now))
    send_all(played)
    clock = played.match().clock
    assert clock
    assert (clock.halted, clock.flagged_at, clock.bank) == ("", None, 86_400)


def test_a_pause_stops_the_clock_until_it_ends(played: Club) -> None:
    """By itself on its day, or before, if the operator ends it."""
    send_all(played)
    until = played.clock.now() + 10 * DAY
    decide(played, lambda match, now: pause_match(match, until, now))
    with pytest.raises(BadInput, match="has no clock"):
        rule(played.service, played.open(days="none").id, lambda match, now: pause_match(match, until, now))
    wait(played, 8 * DAY)
    decide(played, end_pause)
    clock = played.match().clock
    assert clock
    assert (clock.halted, clock.bank) == ("", 3 * 86_400 - 60)
    with pytest.raises(BadInput, match="not paused"):
        decide(played, end_pause)


def test_who_wants_email_only_on_their_turn_is_told_what_the_operator_does(played: Club) -> None:
    """Else their clock would wait for an email that never comes."""
    played.reply(BOB, "mails turns")
    before = len(played.queued())
    decide(played, lambda match, now: extend_time(match, None, 86_400, now))
    assert ("time_news", "bob@b.example") in kinds_since(played, before)


@pytest.mark.parametrize("number", [2, -1, 10**12])
def test_there_is_no_such_match(played: Club, number: int) -> None:
    """One sentence says so."""
    with pytest.raises(BadInput, match=f"no match {number}"):
        rule(played.service, number, call_off)
