"""A review finds the move that gave a won match away, and finds no fault where there is none."""

from dataclasses import asdict

from pbem.match.match import Match
from pbem.match.player import Player
from pbem.notices.reviewing import draw_review
from pbem.robots.review import Review, review
from pbem.robots.thinking import Line, follow, look
from pbem.running.thinker import review_from
from rules.game import replay
from rules.games import GAMES
from rules.position import Entry
from tests.support.fakes import FakeClock

START = FakeClock().now()
GAME, OPTIONS = "pipline", GAMES["pipline"].normalise({"size": 5})
LOST = ["take", "a1", "c1", "b2", "c2", "b3", "c3", "d4", "e1", "e3", "c4", "b4", "e5", "c5"]
"""Black, who took, needs c5 for a chain from the bottom to the top, and plays e5; white, who needs it too, has it."""


def entries(*moves: str) -> list[Entry]:
    """Return the record of a match of two in which they move in turn."""
    return [Entry(place % 2, move) for place, move in enumerate(moves)]


def test_a_win_that_was_not_taken_is_what_cost_most() -> None:
    """Black could have won at once, and played in a corner instead: that move is named, with the winning one."""
    record = entries(*LOST)
    found = review(GAME, 2, OPTIONS, record, 0, 1, 1, playouts=60)
    assert found.moves == 7
    assert found.regret is not None
    assert (found.regret.ply, found.regret.move, found.regret.better) == (12, "e5", "c5")
    assert found.regret.best > 900
    assert found.regret.loss > 2 * found.regret.noise
    assert found.regret.line == ()  # the match is over then
    assert follow(GAME, 2, OPTIONS, [*record[:12], Entry(0, found.regret.better)]).rewards() == (60, 0)


def test_the_same_seed_finds_the_same() -> None:
    """Nothing in it is left to chance."""
    record = entries(*LOST)
    assert review(GAME, 2, OPTIONS, record, 1, 1, 7, playouts=40) == review(
        GAME, 2, OPTIONS, record, 1, 1, 7, playouts=40
    )


def test_what_would_follow_is_legal() -> None:
    """The better move, and all moves after it, can be played where it stands; the seats are those of the rules."""
    record = entries(*LOST)
    found = review(GAME, 2, OPTIONS, record, 1, 1, 3, playouts=150).regret
    assert found is not None
    line = [*record[: found.ply], Entry(1, found.better), *found.line]
    assert replay(GAMES[GAME], seats=2, options=OPTIONS, record=line).departed() == frozenset()


def test_who_only_resigned_has_nothing_to_regret() -> None:
    """A resignation is no move."""
    assert review(GAME, 2, OPTIONS, [Entry(0, "resign")], 0, 1, 1, playouts=50) == Review(0, 0, None)


def test_few_playouts_prove_nothing() -> None:
    """What so few have seen lies within chance: nothing is said to be wrong."""
    assert review(GAME, 2, OPTIONS, entries(*LOST[:7]), 0, 1, 1, playouts=3).regret is None


def test_what_few_playouts_have_shown_is_told_nobody() -> None:
    """A share of three is noise, however it looks; what is proven is not."""
    assert [Line(1, playouts, 1000).shown for playouts in (0, 3, 19, 20)] == [None, None, None, 1000]
    assert Line(1, 1, 1000, certain=True).shown == 1000
    found = [look(follow(GAME, 2, OPTIONS, entries(*LOST[:ply])), 40, 1) for ply in (1, 12)]
    assert all((line.shown is None) == (line.playouts < 20) for lines in found for line in lines)


def test_the_board_of_a_review_marks_both_moves() -> None:
    """In text the move is in brackets and the better one a question mark; HTML has a board, and what the marks mean."""
    record = entries(*LOST)
    players = tuple(Player(number, name, "", frozenset()) for number, name in enumerate(("Ann", "Bob"), 1))
    match = Match(1, GAMES[GAME], OPTIONS, players, START, tuple(record), (START,) * len(record))
    found = review_from(asdict(review(GAME, 2, OPTIONS, record, 0, 1, 1, playouts=60)))
    assert " ?  . (.)  5" in draw_review(found, match, "plain").board.text
    coloured = draw_review(found, match, "html")
    assert 'id="board"' in coloured.board.html
    for marks, sign in ((coloured.marks_text, "brackets"), (coloured.marks_html, "ring")):
        assert "e5" in marks
        assert "c5" in marks
        assert sign in marks
    assert "proposes" not in (spoken := draw_review(found, match, "speech")).text
    assert spoken.marks_html == ""
