"""Moves and resigning: what is played, what is refused, and what was played before."""

import pytest

from pbem.commands.rejections import AlreadyOver, Discard, MoveRejected, NoCommand, NotYourTurn, Rejection, SeveralMoves
from pbem.match.match import Match
from rules.errors import RulesError
from rules.games import GAMES
from rules.position import Entry, Seat
from tests.support.each import each
from tests.support.judging import NOW, moves, partners, put, refusal, start


def test_a_move_is_played() -> None:
    """A line that is a move enters the record in the game's own notation."""
    decision = put(start(), 0, "C3, D4")
    assert decision.after.record == (Entry(0, "c3 d4"),)
    assert decision.after.times == (NOW,)
    assert decision.done == moves(decision) == ("c3 d4",)


def test_a_player_alone_on_a_side_plays_two_turns_in_one_message() -> None:
    """Whoever plays on alone for his side may send both turns of it at once."""
    match = partners(Entry(0, "resign"))
    decision = put(match, 2, "a1\na2\nHa!")
    assert moves(decision) == ("a1", "a2")
    assert [comment.text for comment in decision.comments] == ["Ha!"]
    with pytest.raises(MoveRejected):
        put(match, 2, "a1\na1 b1")


def test_a_move_written_twice_is_played_once() -> None:
    """Saying it again changes nothing, however it is written."""
    assert moves(put(start(), 0, "c3 d4\n\nC3, D4")) == ("c3 d4",)


def test_a_refused_second_move_undoes_the_whole_message() -> None:
    """A second move that fails takes the first, and the words, with it."""
    match = partners(Entry(0, "resign"))
    why = refusal(match, 2, "say: hello\na1\na2\na3")
    assert (why.code, why.arguments) == ("several_moves", {"move": "a2", "other": "a3"})


@each(
    "seat, text, rejection",
    [
        (0, "c3", NotYourTurn),
        (2, "c3", MoveRejected),
        (2, "z99", MoveRejected),
        (2, "a1 a2", MoveRejected),
        (2, "tkae", MoveRejected),
        (2, "a1\na2", SeveralMoves),
        (2, "resign\na2", SeveralMoves),
        (2, "What do I do now?", NoCommand),
        (2, "", NoCommand),
        (2, "say:", NoCommand),
        (0, "Thanks!", NoCommand),
        (2, "say: hello\nz99", MoveRejected),
        (2, "say: hello\nc3", MoveRejected),
    ],
)
def test_each_mistake_has_its_rejection(seat: Seat, text: str, rejection: type[Rejection]) -> None:
    """What cannot be carried out is rejected as what it is."""
    assert type(refusal(partners(), seat, text)) is rejection


def test_a_refused_move_has_the_code_of_the_rules() -> None:
    """Its arguments as well, and what was written, beside the sentence for the sender."""
    with pytest.raises(RulesError) as error:
        partners().position.parse("z99")
    why = refusal(partners(), 2, "z99")
    assert isinstance(why, MoveRejected)
    assert (why.code, why.arguments, why.text) == (error.value.code, error.value.arguments, "z99")
    assert why.code != why.kind


def test_a_move_in_answer_to_an_older_notice_is_stale() -> None:
    """A move is meant for the board its sender saw, not for the one there is now."""
    match = partners(Entry(2, "a1"))
    for ply in (0, 99):
        assert refusal(match, 0, "a2", ply=ply).code == "stale_turn"


def test_a_move_sent_twice_is_discarded() -> None:
    """The same move in answer to the same notice does nothing; with more words it is answered as stale."""
    match = partners(Entry(2, "a1"))
    with pytest.raises(Discard):
        put(match, 2, "Hello\nA1", ply=2)
    assert refusal(match, 2, "A1\n\nI forgot to say hello", ply=2).code == "already_played"
    assert refusal(match, 2, "a2", ply=2).code == "stale_turn"
    assert refusal(match, 1, "a1", ply=2).code == "stale_turn"
    over = start("pipline", 2, Entry(0, "c3"), Entry(1, "resign"))
    with pytest.raises(Discard):
        put(over, 0, "c3", ply=0)


def test_several_steps_sent_twice_are_discarded() -> None:
    """Email programs send twice, also what takes two lines."""
    game = GAMES["snipsnip"]
    options = game.normalise({"board": "equi-2-4"})
    record = [Entry(0, "d2"), Entry(1, "b3"), Entry(0, "e5"), Entry(1, "b2"), Entry(0, "d1"), Entry(1, "c4")]
    match = Match(1, game, options, start(seats=2).players, NOW, tuple(record), (NOW,) * len(record))
    chain = next(move for move in match.position.legal_moves() if "x" in str(move))
    last = next(move for move in match.position.play(chain).legal_moves() if "x" not in str(move))
    played = put(match, 0, f"{chain}\n{last}").after
    assert [entry.text for entry in played.record[6:]] == [str(chain), str(last)]
    with pytest.raises(Discard) as again:
        put(played, 0, f"{chain}\n{last}", ply=6)
    assert again.value.code == "a_move_sent_again"
    assert moves(put(match, 0, f"{chain}\n{chain}")) == (str(chain),)
    why = refusal(match, 0, f"{chain}\nd2")
    assert isinstance(why, MoveRejected)
    assert (why.text, why.above) == ("d2", (str(chain),))


def test_a_player_may_resign_out_of_turn_and_once() -> None:
    """A player may leave at any time, in answer to any notice; once."""
    decision = put(partners(), 0, "I resign\nSorry!", ply=0)
    assert decision.after.record[-1] == Entry(0, "resign")
    assert [comment.text for comment in decision.comments] == ["Sorry!"]
    assert refusal(decision.after, 0, "resign").code == "departed"
    assert refusal(decision.after, 0, "a1").code == "departed"


def test_a_move_and_a_resignation_need_clarification() -> None:
    """Whoever writes both is asked which one he means."""
    why = refusal(start(), 0, "a5\nresign")
    assert (why.code, why.arguments) == ("several_moves", {"move": "a5", "other": "resign"})


def test_after_the_end_only_words_count() -> None:
    """After the end nobody moves or resigns, but everybody may say something."""
    over = start("pipline", 2, Entry(0, "resign"))
    for text in ("c3", "take", "resign"):
        with pytest.raises(AlreadyOver):
            put(over, 1, text)
    assert put(over, 1, "say: thank you").comments[0].text == "thank you"
