"""Whole matches of every game, as each kind of reader gets them by mail."""

import html
import re
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pbem.boards.colours import STRONG
from pbem.boards.signs import pictured
from pbem.boards.text import text_board
from pbem.commands.grammar import reads_as_command
from pbem.mail.archive_paths import Archive
from pbem.mail.compose import Notice
from pbem.mail.html_text import html_to_text
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.preferences import DISPLAYS, Display, Preferences
from pbem.notices.render import kind_for, match_notice
from pbem.notices.scene import NoticeContent
from pbem.reading.move_phrases import is_sentence
from rules.games import GAMES
from rules.phrase import verbatim
from rules.view import BoardView
from tests.support.boards import board, contrast, dice, parsed, view_of
from tests.support.each import each
from tests.support.walks import Case, walk

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
CASES = [
    Case(key, seats, tuple(short.items()))
    for key, game in GAMES.items()
    for seats in game.seats
    for short in (game.short,)
]
MOST = 25
"""Positions of a match that are looked at: of a longer one, every so many."""

NEW = 3
"""Turns after which a reader knows the board."""


def notices(case: Case, display: Display) -> list[tuple[Match, int, Notice]]:
    """Return notices of a random match for a reader in each seat in turn, who wants boards like that."""
    entries = walk(case, 11).entries
    players = tuple(
        Player(seat, name, f"{name}@a.example", frozenset(), Preferences(display))
        for seat, name in enumerate(("Ann", "Bob", "Carl")[: case.seats])
    )
    match = Match(17, case.game, case.game.normalise(case.options), players, NOW, secret="5" * 64)
    found = []
    for ply, entry in enumerate(entries):
        before, match = match, match.after(entry, NOW)
        seat = ply % case.seats
        if ply % (1 + len(entries) // MOST) == 0 or ply + 1 == len(entries):
            kind = kind_for(match, seat) or "move_made"
            found.append(
                (
                    match,
                    seat,
                    match_notice(kind, match, seat, NoticeContent(before), Archive("https://games.example.org")),
                )
            )
    return found


def words(text: str) -> str:
    """Return what is said in a text, without the signs between the words."""
    return " ".join(re.findall(r"[\w’]+", text))


@each("case", CASES, ids=str)
def test_no_move_is_taken_for_a_sentence(case: Case) -> None:
    """What is called too long for a move is longer than any move of any game is written."""
    assert not any(is_sentence(entry.text) for entry in walk(case, 11).entries)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("display", DISPLAYS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_reader_can_follow_a_whole_match(case: Case, display: Display) -> None:
    """No line is too long or can be taken for a move, and HTML and text say the same.

    What explains the board stands below it until a reader has had three turns.

    Rows of a board in HTML hold names of cells: quotations of them are recognised (tests/inbound/test_clients.py).
    """
    for match, seat, notice in notices(case, display):
        position = match.position if isinstance(match.to_act, int) else None
        page = html_to_text(notice.html)
        around = html_to_text(re.sub('<table [^>]*id="board".*?</table>\n</div>', "", notice.html, flags=re.DOTALL))
        for line in (*notice.text.splitlines(), *around.splitlines()):
            assert not reads_as_command(line, position), line
        for line in notice.text.splitlines():
            assert len(line) <= 65
            assert line == line.rstrip()
        view = match.position.view()
        captions = view.spoken if display == "speech" and view.spoken is not None else view.captions
        is_new = display == "speech" or sum(entry.seat == seat for entry in match.record) < NEW
        for sentence in (*view.standing, *captions):
            shown = is_new or sentence in view.standing
            assert (words(str(sentence)) in words(notice.text)) == shown
            assert display == "plain" or (words(str(sentence)) in words(page)) == shown
        assert (notice.html == "") == (display == "plain")
        if display == "speech":
            same_in_speech(view, notice, page)


def same_in_speech(view: BoardView, notice: Notice, page: str) -> None:
    """Make sure that a board in sentences is the same in both parts, and drawn in neither."""
    assert "<table" not in notice.html
    for paragraph in notice.text.split("\n\n"):
        for sentence in re.split(r"(?<=[.:]) |https://\S+|Seal of", " ".join(paragraph.split())):
            assert words(sentence) in words(page), sentence
    heard = " ".join(notice.text.split()).lower()
    for piece in view.pieces:
        if any(cell.piece == piece for cell in view.cells):
            names = (str(piece.name), str(piece.plural or piece.name))
            assert any(name.lower() in heard for name in names)
    without_signs(view, notice)


def without_signs(view: BoardView, notice: Notice) -> None:
    """Make sure that an email to be listened to speaks of nothing that only a drawing has."""
    heard = " ".join(notice.text.split())
    for piece in view.pieces:
        # Numbers are on everything, and are no signs here.
        if not piece.symbol.isdigit():
            assert not re.search(rf"(?<![\w’]){re.escape(piece.symbol)}(?![\w’])", heard), piece.symbol
    assert not re.search(r"“.”|\( ?.? ?\)|[\[\]{}*\\]|shown as|board shows|colons|click", heard), heard


@pytest.mark.sampled(6)
@pytest.mark.parametrize("kind", ["opened", "show", "help", "board", "display"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_sign_is_mentioned_to_a_listener(case: Case, kind: str) -> None:
    """Roles, rules and captions are told to him without the messages and marks of a board that he does not get."""
    for match, seat, _ in notices(case, "speech")[:2]:
        notice = match_notice(kind, match, seat, NoticeContent(match))
        without_signs(match.position.view(), notice)
        same_in_speech(match.position.view(), notice, html_to_text(notice.html))


@each("case", CASES, ids=str)
def test_those_who_see_the_board_are_told_its_signs(case: Case) -> None:
    """The legend below the board names each sign; who listens is told none."""
    match, seat, notice = notices(case, "plain")[-1]
    text = " ".join(notice.text.split())
    for piece in match.position.view().pieces:
        assert f"{piece.symbol} {piece.name}" in text
    assert match_notice("help", match, seat, NoticeContent(match)).text != notice.text


@each("case", CASES, ids=str)
def test_a_plain_drawing_is_pure_ascii(case: Case) -> None:
    """Whatever cannot show round stones and lines shows this."""
    for match, seat, notice in notices(case, "plain"):
        drawing = text_board(view_of(match, seat)).splitlines()
        rows = [line for line in drawing if not re.search(r"[a-z]{3}", line)]
        assert rows
        assert all(line.isascii() for line in rows)
        assert set(rows) <= {*notice.text.splitlines(), ""}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_text_with_round_stones_has_the_same_columns(case: Case) -> None:
    """Better signs take the room of the messages they stand for, and every one is explained by its message."""
    for (_, _, usual), (match, _, better) in zip(notices(case, "html"), notices(case, "unicode"), strict=True):
        signs = pictured(match.position.view())
        for sign in "".join(signs.values()):
            assert unicodedata.east_asian_width(sign) in "NaA"
            assert not unicodedata.combining(sign)
        drawing = usual.text.splitlines(), better.text.splitlines()
        rows = [number for number, line in enumerate(drawing[0]) if line.startswith(" ") and not line.startswith("  >")]
        for number in rows:
            assert len(drawing[0][number]) == len(drawing[1][number])
        for piece in match.position.view().pieces:
            if piece.symbol in signs:
                assert f"{signs[piece.symbol]} {piece.name} ({piece.symbol})" in " ".join(better.text.split())


def test_round_stones_are_told_apart_by_more_than_colour() -> None:
    """A piece gets a picture only where no other looks like it; the rest keep their messages."""
    view = board("XO", "..")
    assert (pictured(view)["X"], pictured(view)["O"]) == ("●", "○")
    other = replace(view.pieces[0], key="other", symbol="Y", name=verbatim("other"))
    twins = replace(view, pieces=(*view.pieces, other))
    assert set(pictured(twins)) == {".", "box", "O"}
    assert set(pictured(dice())) == {".", "box"}


@each("key", GAMES)
def test_large_boards_are_large(key: str) -> None:
    """Cells measure 44 pixels or more, their messages 26, and text is larger than usual."""
    game = GAMES[key]
    players = tuple(Player(n, "Ann", "a@a.example", frozenset(), Preferences("large")) for n in range(game.seats[0]))
    match = Match(17, game, game.normalise({}), players, NOW, secret="5" * 64)
    page = match_notice("opened", match, 0, NoticeContent(match)).html
    view = match.position.view()
    found = re.search(r'id="board" width="(\d+)"', page)
    assert found
    assert int(found[1]) >= 44 * len(view.columns)
    assert "font-size:20px" in page
    assert all(int(size) >= 26 for size in re.findall(r"font-weight:bold;font-size:(\d+)px\">[^★⌂◆]", page))


@each("shade", [STRONG.board, *STRONG.tones.values(), *STRONG.grounds.values()])
def test_large_boards_have_strong_colours(shade: tuple[str, str]) -> None:
    """Every message differs from its ground by the 7 to 1 that WCAG asks for at its strictest."""
    assert contrast(*shade) >= 7


def test_a_large_board_sets_all_its_colours() -> None:
    """Dark mode can hide nothing on it either."""
    game = GAMES["pipline"]
    players = tuple(Player(n, "Ann", "a@a.example", frozenset(), Preferences("large")) for n in range(2))
    page = match_notice("show", (one := Match(1, game, game.normalise({}), players, NOW)), 1, NoticeContent(one)).html
    table = page[page.index("<table") : page.index("</table>")]
    assert re.search(r"background:#\w+;color:#\w+", table.partition(">")[0])
    for style in re.findall(r'<t[dh][^>]* style="([^"]*)"', table):
        assert ("background:" in style) == ("color:" in style)
    assert html.unescape(table).count("·") == 169
    assert parsed(one.position.view()).cells
