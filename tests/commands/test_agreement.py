"""Draws and undoing by agreement: what is read, who has to agree, and what an offer does not survive."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.decision import MatchDecision
from pbem.commands.families.agreement import MOST_REFUSED, Agree, Decline, Draw, Undo
from pbem.commands.grammar import read_commands
from pbem.commands.judge import judge
from pbem.commands.rejections import NoCommand, Rejection
from pbem.commands.ruling import reinstate
from pbem.match.endings import ruled_outcome
from pbem.match.match import Match, advance_automatically
from pbem.match.records import record_text
from rules.errors import InvalidRecord
from rules.games import GAMES
from rules.position import Entry
from rules.record import read_record
from tests.support.each import each
from tests.support.judging import NOW, start

DAY = timedelta(days=1)


def alternating(match: Match, *moves: str) -> Match:
    """Return a match after moves, each of whoever is to act, and after what is rolled."""
    for move in moves:
        assert isinstance(match.to_act, int)
        match = advance_automatically(match.after(Entry(match.to_act, move), NOW), NOW)
    return match


def two(*moves: str) -> Match:
    """Return a match of two players in which Bob, in seat 1, is to act after these moves."""
    return alternating(start("pipline", 2), *(moves or ("d4", "take", "c3")))


def three() -> Match:
    """Return a match of three in which Ann and Carl are partners, and Bob is to act."""
    return alternating(start("zipline", 3), "d4", "take", "c3", "e3")


def write(match: Match, seat: int, text: str, days: float = 0) -> MatchDecision:
    """Return the decision about what a seat writes in answer to the present email."""
    return judge(match, seat, match.ply, read_commands(text.splitlines()), now=NOW + days * DAY)


@each(
    "line, command",
    [
        ("draw", Draw()),
        ("Draw?", Draw(asks=True)),
        ("I offer a draw.", Draw()),
        ("I'd like to propose a draw, please", Draw()),
        ("shall we call it a draw?", Draw(asks=True)),
        ("undo", Undo()),
        ("Please undo!", Undo()),
        ("take back my last move", Undo()),
        ("agree to draw", Agree("draw")),
        ("I accept the draw", Agree("draw")),
        ("I agree to the undo", Agree("undo")),
        ("no draw", Decline("draw")),
        ("draw off", Decline("draw")),
        ("I decline your draw offer.", Decline("draw")),
        ("undo off", Decline("undo")),
    ],
)
def test_a_line_that_says_nothing_else_is_an_offer_or_its_answer(line: str, command: object) -> None:
    """Whatever is said around it politely."""
    assert read_commands([line]) == [command]


@each(
    "line",
    [
        "a draw would be fair, I think",
        "I don't want a draw",
        "this will be a draw",
        "draw me a picture",
        "no draw this time?",
        "undo that knot",
        "do you agree to a draw?",
        "what a lucky draw",
    ],
)
def test_talk_about_a_draw_offers_none(line: str) -> None:
    """A sentence, or a question about somebody else, is talk."""
    found = read_commands([line])
    assert not any(isinstance(one, Draw | Undo | Agree | Decline) for one in found)


@given(st.text(max_size=90))
def test_no_line_breaks_the_reading_of_offers(line: str) -> None:
    """Whatever stands in it; and what is read reads the same again from its own form."""
    for command in read_commands([line]):
        if isinstance(command, Draw | Undo | Agree | Decline):
            assert type(read_commands([str(command)])[0]) is type(command)


def test_two_players_agree_on_a_draw() -> None:
    """The match is over by a ruling, with both as its winners; the record stays as it was played."""
    offered = write(two(), 0, "draw").after
    decision = write(offered, 1, "agree to draw")
    assert decision.ends_match
    assert decision.after.ruling
    assert decision.after.ruling.kind == "agreed"
    assert decision.after.outcome
    assert decision.after.outcome.winners == {0, 1}
    assert decision.after.record == offered.record


def test_a_move_declines_and_may_offer_anew() -> None:
    """The offer that stood ends with the move; one beside the move is of the position after it."""
    offered = write(two(), 0, "draw").after
    declined = write(offered, 1, "e4")
    assert [entry.kind for entry in declined.log] == ["draw_declined"]
    assert declined.after.open_agreement is None
    anew = write(offered, 1, "draw\ne4").after
    assert anew.open_agreement
    assert (anew.open_agreement.seat, anew.open_agreement.turn) == (1, anew.turn)
    assert anew.outcome is None


def test_a_draw_offered_and_then_another_position() -> None:
    """Whoever offers a draw and then makes the move that wins has not tricked anybody into anything: no yes counts."""
    offered = write(two(), 1, "draw").after
    moved = write(offered, 1, "e4").after
    with pytest.raises(NoCommand) as refused:
        write(moved, 0, "agree to draw")
    assert [one.code for one in refused.value.asides] == ["nothing_offered"]


def test_a_partner_does_not_agree_for_a_team() -> None:
    """Everybody who plays has to agree, each of a team too."""
    match = write(three(), 1, "draw").after
    match = write(match, 0, "agree to draw").after
    assert match.outcome is None
    assert [one.code for one in write(match, 0, "agree to draw\nshow").asides] == ["offered_already"]
    assert write(match, 2, "agree to draw").ends_match


def test_who_has_left_is_not_asked_and_agrees_to_nothing() -> None:
    """The two who are left agree on a draw; whoever resigned has lost."""
    match = write(three(), 2, "resign").after
    match = write(match, 0, "draw").after
    with pytest.raises(Rejection, match="departed"):
        write(match, 2, "agree to draw")
    decision = write(match, 1, "agree to draw")
    assert decision.ends_match
    left = write(write(three(), 0, "undo").after, 2, "resign").after
    assert left.open_agreement is None  # what was asked before is not agreed by fewer


def test_a_yes_to_one_thing_is_none_to_another() -> None:
    """One offer stands at a time: agreeing to the draw takes no move back, and the other way round."""
    match = write(two(), 0, "undo").after
    with pytest.raises(NoCommand):
        write(match, 1, "agree to draw")
    with pytest.raises(NoCommand) as refused:
        write(match, 1, "draw")
    assert [one.code for one in refused.value.asides] == ["other_offer_stands"]
    both = write(match, 1, "no undo\ndraw").after
    assert both.open_agreement
    assert both.open_agreement.kind == "draw"
    assert write(both, 0, "agree to draw").ends_match


def test_a_question_about_a_draw_agrees_to_none() -> None:
    """“Draw?” offers one, but is no yes to that of the other."""
    match = write(two(), 0, "draw").after
    with pytest.raises(NoCommand) as refused:
        write(match, 1, "draw?")
    assert [one.code for one in refused.value.asides] == ["draw_is_offered"]


def test_offers_do_not_pester() -> None:
    """Nobody is asked for the same more than once a day by one player, nor more than so often in a match."""
    match, day = two(), 0.0
    for number in range(MOST_REFUSED):
        match = write(match, 0, "draw", day).after
        match = write(match, 1, "no draw", day).after
        with pytest.raises(NoCommand) as soon:
            write(match, 0, "draw", day + 0.9)
        assert soon.value.asides[0].code == ("offered_today" if number < MOST_REFUSED - 1 else "offered_enough")
        day += 1.1
    with pytest.raises(NoCommand) as enough:
        write(match, 0, "draw", 300)
    assert enough.value.asides[0].code == "offered_enough"
    assert write(match, 1, "draw", day).after.open_agreement  # the other one has offered none


def test_undoing_goes_back_before_the_last_move_of_whoever_asks() -> None:
    """What was played since goes with it, everybody is told anew, and no earlier email names a turn of today."""
    match = two("d4", "take", "c3", "e4")
    asked = write(match, 0, "undo")
    assert asked.log[0].arguments == {"move": "c3", "moves": 2, "rolled": False}
    decision = write(asked.after, 1, "agree to undo")
    assert (decision.after.ply, decision.after.to_act) == (2, 0)
    assert decision.after.turn > match.turn
    assert [entry.kind for entry in decision.log] == ["rewound"]
    with pytest.raises(Rejection):
        judge(decision.after, 0, decision.after.ply_of(match.turn), read_commands(["c4"]), now=NOW)


def test_an_undo_says_that_something_was_rolled() -> None:
    """What was rolled since would come out the same, and the players have seen it."""
    match = advance_automatically(
        replace(start(game=GAMES["pippip"], seats=2), secret="0123456789abcdef0123456789abcdef"), NOW
    )
    seat = match.to_act
    assert isinstance(seat, int)
    placed = next(str(move) for move in match.position.legal_moves() if " " in str(move))
    moved = write(match, seat, placed).after
    asked = write(moved, seat, "undo")
    assert asked.log[0].arguments["rolled"] is True
    back = write(asked.after, 1 - seat, "agree to undo").after
    assert back.to_act == seat
    assert back.record == match.record


def test_nothing_is_undone_past_somebody_who_has_left() -> None:
    """A resignation is nobody else’s to take back."""
    match = write(three(), 2, "resign").after
    with pytest.raises(NoCommand) as refused:
        write(match, 0, "undo")
    assert refused.value.asides[0].code == "left_since"


def test_a_move_and_its_undoing_in_one_message_are_asked_about() -> None:
    """Whoever thinks better of a move while writing has not made it."""
    with pytest.raises(NoCommand, match="retracted"):
        write(two(), 1, "e4\nundo")


def test_a_winning_move_is_played_whatever_is_offered_beside_it() -> None:
    """The match is over by it, and nothing is left to agree on."""
    match = two("a1", "take", "b1", "a2", "b2", "a3", "b3", "a4", "b4")
    decision = write(match, 1, "a5\ndraw")
    assert decision.ends_match
    assert decision.after.ruling is None
    assert [one.code for one in decision.asides] == ["over_by_then"]


def test_the_record_of_an_agreed_draw_says_so_and_no_record_gives_it_to_one() -> None:
    """Its moves show no end; its notes do, and only a draw can be agreed on."""
    over = write(write(two(), 0, "draw").after, 1, "agree to draw").after
    text = record_text(over)
    outcome = ruled_outcome(read_record(text))
    assert outcome
    assert outcome.winners == {0, 1}
    assert outcome.reason == "the players agreed on a draw"
    with pytest.raises(InvalidRecord):
        ruled_outcome(read_record(text.replace("winners: 1 2", "winners: 1")))


def test_the_operator_takes_an_agreed_draw_back_like_any_ruling() -> None:
    """The match goes on, and the offer is not open any more."""
    over = write(write(two(), 0, "draw").after, 1, "agree to draw").after
    again = reinstate(over, "adjudicated", NOW).after
    assert again.outcome is None
    assert again.open_agreement is None
