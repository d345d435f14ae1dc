"""Rolls in a match, and what players may answer before the first one."""

from dataclasses import replace
from datetime import timedelta
from itertools import islice
from random import Random

import pytest

from pbem.commands.rejections import MoveRejected
from pbem.match.match import Match, advance_automatically
from rules.games import GAMES
from rules.position import Chance, Entry, Outcome
from tests.support.each import each
from tests.support.judging import NOW, climbing, moves, put, refusal, start, waiting


def test_rolls_follow_from_the_secret_and_are_recorded() -> None:
    """A die is rolled before anybody can act, and its value is an entry of nobody's."""
    match = advance_automatically(climbing((3, 2)), NOW)
    assert match.record == (Entry(None, "3"),)
    decision = put(match, 0, "3")
    assert decision.after.record == (Entry(None, "3"), Entry(0, "3"), Entry(None, "2"))
    assert moves(decision) == ("3",)
    assert decision.after.times == (NOW,) * 3
    assert refusal(match, 0, "3\n1").code == "roll_first"


def test_a_rejection_does_not_reveal_a_roll() -> None:
    """Whether a second move could be played on the next roll must not be told before the first is final."""
    for wanted in ((3, 1), (3, 4)):
        why = refusal(advance_automatically(climbing(wanted), NOW), 0, "3\n4")
        assert (why.code, why.arguments) == ("roll_first", {"move": "3", "other": "4"})


def test_no_roll_decides_whether_a_message_counts() -> None:
    """A line below a move that leads to rolls is asked back before they are drawn: nobody can try out a battle."""
    match, move = battle()
    seat = match.to_act
    assert isinstance(seat, int)
    reasons = set()
    for number in range(40):
        why = refusal(replace(match, secret=f"secret {number}"), seat, f"{move}\npass")
        assert why.code == "roll_first"
        reasons.add(tuple(why.arguments.items()))
    assert len(reasons) == 1
    assert moves(put(match, seat, f"{move}\n{move}")) == (move,)


def test_no_roll_is_made_after_the_end() -> None:
    """A match that is over, by a move or by leaving, draws nothing more."""
    match = advance_automatically(climbing((4, 4, 4)), NOW)
    for seat, text in ((0, "4"), (1, "4")):
        match = put(match, seat, text).after
    over = put(match, 0, "2").after
    assert over.record[-1] == Entry(0, "2")
    assert over.outcome == Outcome(frozenset({0}), "ten is reached")
    assert put(match, 1, "resign").after.record[-1] == Entry(1, "resign")


@pytest.mark.parametrize("text", ["some", "4"])
def test_ambiguous_and_illegal_moves_are_rejected_moves(text: str) -> None:
    """Both are attempts at a move."""
    match = advance_automatically(climbing((1,)), NOW)
    why = refusal(match, 0, text)
    assert isinstance(why, MoveRejected)
    assert why.text == text


def test_a_word_refused_on_reading_is_a_rejected_move() -> None:
    """A word that parsing refuses as illegal is an attempt at a move if nothing else is."""
    match = advance_automatically(climbing((1,)), NOW)
    assert refusal(match, 0, "nothing").kind == "move_rejected"


def test_the_first_roll_waits_for_every_seat() -> None:
    """Nothing is drawn before both have answered; words below the answer go to everybody."""
    match = replace(climbing(), seeds=(None, None), rolls_due=NOW + timedelta(hours=1))
    assert advance_automatically(match, NOW) == match
    first = put(match, 0, "Hello!\nsalt: seven blue elephants\nGood luck!")
    assert first.after.seeds == ("seven blue elephants", None)
    assert first.after.record == ()
    assert first.done == ("salt seven blue elephants",)
    assert [comment.text for comment in first.comments] == ["Good luck!"]
    second = put(first.after, 1, "Ready.")
    assert second.after.seeds == ("seven blue elephants", "")
    assert [entry.seat for entry in second.after.record] == [None]
    late = put(second.after, 0, "1\nsalt more")
    assert (late.seeded, len(late.asides)) == (False, 1)


def test_the_first_roll_is_made_when_its_time_has_come() -> None:
    """When the time for own words is over, the rolls fall without them."""
    match = replace(climbing(), seeds=(None, "x"), rolls_due=NOW + timedelta(hours=1))
    assert advance_automatically(match, NOW, seeds_over=True).ply == 1
    assert advance_automatically(match, NOW + timedelta(hours=9)).ply == 0, "by a message that is read late"


def test_seed_words_can_be_changed_until_the_first_roll() -> None:
    """The latest words count; words that hold nothing are refused."""
    match = replace(climbing(), seeds=(None, None), rolls_due=NOW + timedelta(hours=1))
    match = put(match, 0, "salt one\nsalt two  words").after
    assert match.seeds == ("two words", None)
    assert put(match, 0, "ready").after.seeds == ("two words", None)
    assert put(match, 0, "salt: three, four\nready").after.seeds == ("three, four", None)
    assert refusal(match, 0, "salt: @@").code == "empty_seed"


@each(
    "text, salt",
    [
        ("salt seven blue elephants", "seven blue elephants"),
        ("Salt: seven", "seven"),
        ("salt, seven blue", "seven blue"),
        ("SALT=seven", "seven"),
        ("“salt seven”", "seven"),
        ("salt one; two", "one; two"),
        ("salt one; ready", "one"),
        ("ready; salt one", "one"),
        ("salt " + "long words " * 6 + "\nthat a mail program broke", "long words " * 6 + "that a mail program broke"),
        *(
            (words, "")
            for words in ("ready", "Ready!", "I'm ready", "I’m ready.", "Ok, ready", "ready to go!", "«ready» 👍")
        ),
        *((words, "") for words in ("Ready when you are!", "ready, let the games begin", "I’m ready. Let’s go!")),
    ],
)
def test_salt_and_ready_are_read_in_many_spellings(text: str, salt: str) -> None:
    """However people write it, their words are all in, and nothing of them becomes a comment."""
    decision = put(waiting(), 0, text)
    assert decision.after.seeds == (salt, None)
    assert decision.comments == ()


@pytest.mark.parametrize("text", ["salt", "Salt:", "salt\n\nseven"])
def test_salt_without_words_needs_clarification(text: str) -> None:
    """The answer says what is missing."""
    assert refusal(waiting(), 0, text).code == "empty_seed"


def test_a_move_before_the_first_roll_is_too_early() -> None:
    """Nobody is to act yet, and the answer says why."""
    match = replace(climbing(), seeds=(None, None), rolls_due=NOW + timedelta(hours=1))
    assert refusal(match, 0, "3").code == "roll_first"
    decision = put(match, 0, "ready\n3")
    assert decision.done == ("ready",)
    assert len(decision.asides) == 1
    assert decision.comments == ()


def test_a_player_who_left_sets_no_seed() -> None:
    """Words for the rolls of a match that one does not play any more are refused."""
    options = GAMES["pipelines"].normalise(GAMES["pipelines"].short)
    players = start().players
    match = Match(1, GAMES["pipelines"], options, players, NOW, secret="s", rolls_due=NOW + timedelta(hours=1))
    match = put(match, 0, "resign").after
    assert match.awaits_seeds
    assert refusal(match, 0, "salt b").code == "departed"
    assert put(put(match, 1, "ready").after, 2, "ready").after.ply > 1


def test_a_winning_move_and_a_resignation_need_clarification() -> None:
    """The answer does not tell whether the move would have won."""
    match = advance_automatically(climbing((4, 4, 4)), NOW)
    for seat, text in ((0, "4"), (1, "4")):
        match = put(match, seat, text).after
    assert refusal(match, 0, "2\nresign").code == "several_moves"


def battle() -> tuple[Match, str]:
    """Return a match of Pipelines, and a move of the seat to act that leads to a battle."""
    random = Random(4)
    game = GAMES["pipelines"]
    match = Match(1, game, game.normalise(game.short), start(seats=2).players, NOW, secret="s", seeds=("", ""))
    match = advance_automatically(match, NOW)
    while isinstance(seat := match.to_act, int):
        for move in islice(match.position.legal_moves(), 40):
            after = match.position.play(move).to_act
            if isinstance(after, Chance) and after.what == "spinner":
                return match, str(move)
        match = advance_automatically(
            match.after(Entry(seat, str(match.position.any_move(random.randrange))), NOW), NOW
        )
    raise AssertionError("no battle")


def test_salt_and_ready_are_words_in_a_game_without_rolls() -> None:
    """They mean nothing special there."""
    decision = put(start(), 0, "Ready!\nc3\nSalt in the wound.")
    assert decision.done == ("c3",)
    assert [comment.text for comment in decision.comments] == ["Salt in the wound."]
    assert decision.asides == ()
