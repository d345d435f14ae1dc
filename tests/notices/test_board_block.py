"""A board and its legend, which are separate, for each reader."""

import re

from pbem.boards.colours import STRONG, USUAL
from pbem.boards.html import html_piece
from pbem.match.preferences import DISPLAYS, Display
from pbem.notices.board_block import RenderedBoard, explained_board, renderings_of
from pbem.notices.sentences.boards import explain_picture, html_legend, text_legend
from rules.games import GAMES
from rules.phrase import Phrase
from tests.support.boards import BLACK, board, dice, hexes
from tests.support.each import each


def rendered(key: str, display: Display, *, acting: bool = False) -> RenderedBoard:
    """Return the opening board of a game."""
    game = GAMES[key]
    return renderings_of(game.begin(game.seats[0], game.short)).render(display, acting=acting)


def signs(phrases: list[Phrase]) -> set[str]:
    """Return which brackets and dashes are explained in a line of signs."""
    line = str(phrases[0]).replace("\N{NO-BREAK SPACE}", " ")
    return {sign for sign in ("( )", "[ ]", "{ }", "- ", "●", "○", "diamonds", "X", "O") if sign in line}


@each("key", GAMES)
@each("display", [display for display in DISPLAYS if display not in ("speech", "plain")])
def test_board_and_legend_are_separate(key: str, display: Display) -> None:
    """A notice can put the instruction between them: neither holds what the other does."""
    found = rendered(key, display)
    view = GAMES[key].begin(GAMES[key].seats[0], GAMES[key].short).view()
    for piece in view.pieces:
        for board_alone, legend in ((found.text, found.legend_text), (found.html, found.legend_html)):
            assert str(piece.name) in legend
            assert str(piece.name) not in board_alone
    assert found.html.count('id="board"') == 1
    assert "<table" not in found.legend_html
    assert found.standing == tuple(map(str, view.standing))


@each("key", GAMES)
def test_a_listener_gets_no_legend(key: str) -> None:
    """The sentences of a board explain themselves; the place to skip to is there as well."""
    found = rendered(key, "speech", acting=True)
    assert (found.legend_text, found.legend_html, found.standing) == ("", "", ())
    assert 'id="board"' in found.html
    assert "<a " not in found.html


def test_only_whoever_acts_gets_links() -> None:
    """The same position is drawn with links for one reader, and without for all others."""
    assert rendered("pipline", "html", acting=True).html.count("<a ") == 49
    assert "<a " not in rendered("pipline", "html").html


def test_the_legend_explains_what_occurs() -> None:
    """Pieces always, brackets and dashes where there are any; “both” needs the words for each."""
    assert signs(text_legend(board("X.", ".."), {})) == {"X", "O"}
    assert signs(text_legend(board("XO", "X.", last="b2", line="a1 a2"), {})) == {"X", "O", "( )", "[ ]"}
    assert signs(text_legend(board("X.", "X.", last="a1", line="a1 a2"), {})) == {"X", "O", "( )", "[ ]", "{ }"}
    assert signs(text_legend(hexes(2, 2, closed="a1", pieces={"b2": BLACK}), {})) == {"X", "- "}
    assert len(text_legend(dice(), {})) == 3  # how to read a die, and which cells are dark


def test_marks_are_explained_where_they_occur() -> None:
    """On boards in HTML and in pictures the ring and the diamonds are explained, and how to read a die."""
    assert explain_picture(board("X.", "..")) == []
    assert len(explain_picture(board("X.", "X.", last="a1", line="a1 a2"))) == 2
    assert len(explain_picture(hexes(2, 2, closed="a1"))) == 1
    assert len(explain_picture(dice(last="a2"))) == 2
    shown = html_legend(board("X.", "X.", last="a2", line="a1 a2"), {"X": "●", "O": "○"})
    assert signs(shown) == {"●", "○", "diamonds"}


@each("display", ["html", "large"])
@each("key", GAMES)
def test_the_legend_shows_pieces_in_their_own_colours(key: str, display: Display) -> None:
    """The colour of the text is another one in dark mode, so a disc in that colour would be the other player's."""
    view, large = GAMES[key].begin(GAMES[key].seats[0], GAMES[key].short).view(), display == "large"
    found = rendered(key, display)
    for piece in view.pieces:
        shown = html_piece(view, piece, large=large)
        assert (STRONG if large else USUAL).tones[piece.tone][0] in shown
        assert shown in found.legend_html


def test_a_terminal_gets_board_standing_and_legend() -> None:
    """They stand below each other, as wide as a board at most."""
    text = explained_board(dice(last="a2", standing=("Light’s store: 2.",)))
    assert re.search(r"a          b\n\nLight’s store: 2\.\n\nL [^\n]*\( \)", text)
    assert max(map(len, text.splitlines())) <= 63
    assert len(explained_board(board("X.", "..")).split("\n\n")) == 2
