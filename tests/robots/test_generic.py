"""The board for any game follows whatever the rules allow."""

from itertools import islice

from pbem.robots.generic import generic
from rules.games import GAMES


def test_a_move_that_is_not_searched_is_followed() -> None:
    """One behind the first thousand, and stones in another order than they are listed in."""
    options, board = GAMES["zipline"].normalise({"size": 13}), generic("zipline")
    position = GAMES["zipline"].restore(2, options)
    late = str(next(islice(position.legal_moves(), 2500, None)))
    for text in (late, "c3 b2 a1", "b2"):
        opened = board.start(2, options)
        assert opened
        state = opened.state.copy()
        actions = board.actions(opened, state, text)
        written = board.text(opened, state, actions)
        board.kernel.play(opened.tables, state, actions[0])
        assert state[0] == position.play(position.parse(written or ""))
        assert written == str(position.parse(text))


def test_a_move_that_is_not_searched_is_one_action_however_often_it_is_read() -> None:
    """Reading the same record again makes nothing grow."""
    options, board = GAMES["zipline"].normalise({"size": 13}), generic("zipline")
    opened = board.start(2, options)
    assert opened
    read = [board.actions(opened, opened.state, text) for text in ("c3 b2 a1", "d4 c3 b2", "c3 b2 a1", "d4 c3 b2")]
    assert read[0] == read[2] != read[1] == read[3]
    assert len(opened.tables) == 2
