"""What an answer offers to be taken up: whole answers, each of them named in its sentences."""

import pytest

from pbem.advice.advice import advice
from pbem.commands.catalogue import KEYWORDS
from pbem.commands.grammar import read_commands
from pbem.commands.rejections import MoveRejected, NoCommand, SeveralMoves, StaleTurn
from rules.errors import RulesError
from rules.position import Entry
from tests.advice.refusals import Refusal, read_refusals, suggestions
from tests.support.each import each
from tests.support.matches import zipline


@each("refusal", read_refusals(), ids=str)
def test_what_is_offered_can_be_done_and_was_named(refusal: Refusal) -> None:
    """A yes, or a click, can never bring what the sentences beside it do not say."""
    rejection, said = refusal.answered()
    named = {str(value) for value in rejection.arguments.values()}
    named |= suggestions(refusal.match, refusal.seat, rejection, said)
    for offer in said.offered:
        if offer not in KEYWORDS and offer != "ready" and not offer.startswith(("board ", "display ")):
            position = refusal.match.position
            assert position.play(position.parse(offer))
            assert str(position.parse(offer)) == offer
        assert offer in named


def test_what_is_right_after_a_move_that_was_not_made_is_not_offered() -> None:
    """Alone it would be another turn; together with that move it is offered where the two are one turn."""
    match = zipline(Entry(0, "c3"))
    seat = match.to_act
    assert isinstance(seat, int)
    with pytest.raises(RulesError) as refused:
        match.position.parse("e55")
    error = refused.value
    assert advice(match, seat, MoveRejected(error, "e55", ("take",)), []).offered == ()
    assert advice(match, seat, MoveRejected(error, "e55"), []).offered == ("e5",)


def test_of_several_moves_all_are_offered_or_none() -> None:
    """Where one of them cannot be played alone, a yes must not mean the other."""
    match = zipline(Entry(0, "c3"))
    seat = match.to_act
    assert isinstance(seat, int)
    both = SeveralMoves(move="d4", other="e5")
    assert set(advice(match, seat, both, []).offered) >= {"d4", "e5"}
    assert advice(match, seat, SeveralMoves(move="d4", other="c3"), []).offered == ()
    assert advice(match, seat, SeveralMoves("roll_first", move="d4", other="e5"), []).offered == ()


def test_a_move_that_was_perhaps_taken_back_is_offered() -> None:
    """Only while the rules allow it."""
    match = zipline(Entry(0, "c3"))
    seat = match.to_act
    assert isinstance(seat, int)
    assert advice(match, seat, NoCommand("retracted", done="d4"), []).offered == ("d4",)
    assert advice(match, seat, NoCommand("retracted", done="c3"), []).offered == ()
    with pytest.raises(RulesError):
        match.position.play(match.position.parse("c3"))


def test_a_move_in_answer_to_an_older_email_is_offered_while_it_can_be_played() -> None:
    """It was not played, which is said; whoever is not to act, or meant a point that is taken, is offered nothing."""
    match = zipline(Entry(0, "c3"))
    seat = match.to_act
    assert isinstance(seat, int)

    def told(viewer: int, *lines: str, code: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
        said = advice(match, viewer, StaleTurn(code), read_commands(lines))
        return said.offered, tuple(reason.code for reason in said.undone)

    assert told(seat, "D4") == (("d4",), ("not_played",))
    assert told(seat, "d4", "a1") == (("d4 a1",), ("not_played",))
    assert told(seat, "take") == (("take",), ("not_played",))
    assert told(seat, "c3") == ((), ("not_played",))
    assert told((seat + 1) % 3, "d4") == ((), ("not_played",))
    assert told(seat, "I would like to play on d4, if that is still possible.") == ((), ("move_not_played",))
    assert told(seat, "d4", code="already_played") == ((), ())
