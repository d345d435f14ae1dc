"""Lines and notes that were published, under the moves of their match on its page."""

from html import unescape
from pathlib import Path

from pbem.archive.match.page import write_match
from pbem.archive.match.published_thoughts import UnderMove, list_under_moves
from pbem.match.match import Match
from pbem.match.thought import Shown, Thought
from rules.game import advance
from rules.position import Entry
from tests.support.club import SECRET
from tests.support.matches import AUCTION, NOW, pipline
from tests.support.pages import HOSTILE_NAMES

OVER = pipline(*AUCTION, Entry(0, "b2"), Entry(1, "resign"))
THOUGHTS = tuple(
    Shown(1, name, thought, NOW)
    for name, thought in (
        ("Bob", Thought(0, "line", "d4 e5, take")),
        ("Ann", Thought(3, "line", "b2, b3")),
        ("Ann", Thought(2, "line", "b1, b2")),
        ("Dora", Thought(9, "note", "What\na match")),
    )
)


def shown(match: Match) -> list[UnderMove]:
    """Return what a page shows."""
    positions = [match.game.restore(len(match.players), match.options)]
    for entry in match.record:
        positions.append(advance(positions[-1], entry))
    return list_under_moves(match, positions, THOUGHTS)


def table(page: str) -> str:
    """Return the rows of the moves on a page."""
    return page.partition('<h2 id="record">')[2].partition("<tbody>")[2].partition("</tbody>")[0]


def test_each_stands_under_its_move() -> None:
    """A line leads to itself on the page, unless it cannot be played; what was taken back stands at the end."""
    assert shown(OVER) == [
        UnderMove(0, "Bob", "d4 e5, take", "#0:d4+e5,take"),
        UnderMove(2, "Ann", "b1, b2", "#2:b1,b2"),
        UnderMove(3, "Ann", "b2, b3", ""),
        UnderMove(4, "Dora", "What\na match", ""),
    ]


def test_the_table_of_moves_has_them_in_order(tmp_path: Path) -> None:
    """Without a script, and where the script finds them that shows a position, as it does what was said."""
    write_match(OVER, tmp_path, SECRET, NOW, thoughts=THOUGHTS)
    rows = table((tmp_path / "matches" / "17.html").read_text("utf-8"))
    places = [rows.index(one) for one in ("d4 e5", " id=1>", " id=2>", "b1, b2", " id=3>", "b2, b3", " id=4>", "What")]
    assert places == sorted(places)
    assert rows.count('<tr class="said">') == len(THOUGHTS)
    assert '<a href="#0:d4+e5,take">d4 e5, take</a>' in rows
    assert "Dora, after the match" in rows


def test_a_match_that_goes_on_shows_nothing(tmp_path: Path) -> None:
    """Whatever the database says, and in no file."""
    assert shown(pipline(*AUCTION)) == []
    write_match(pipline(*AUCTION), tmp_path, SECRET, NOW, thoughts=THOUGHTS)
    assert not any("b1, b2" in file.read_text("utf-8") for file in (tmp_path / "matches").iterdir())


def test_published_words_stay_text_and_show_no_address(tmp_path: Path) -> None:
    """Markup, script ends, fields of templates."""
    thoughts = [Shown(1, "Ann", Thought(2, "note", words), NOW) for words in HOSTILE_NAMES]
    write_match(OVER, tmp_path, SECRET, NOW, thoughts=thoughts)
    page = (tmp_path / "matches" / "17.html").read_text("utf-8")
    rows = table(page)
    assert rows.count('<tr class="said">') == len(HOSTILE_NAMES)
    assert not any(f"<{name}" in rows for name in ("script", "img", "b>", "style"))
    assert "ann@a.example" not in unescape(page)
    assert all(name in unescape(rows) for name in HOSTILE_NAMES[:6])
