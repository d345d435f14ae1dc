"""Lines and notes that players have published, on the page of their match."""

from html import unescape
from pathlib import Path

from pbem.archive.match.page import write_match
from pbem.archive.match.published_thoughts import Kept, KeptBy, kept_by_players
from pbem.match.match import Match
from pbem.match.thought import Thought
from rules.game import advance
from rules.position import Entry
from tests.support.club import SECRET
from tests.support.matches import AUCTION, NOW, pipline
from tests.support.pages import HOSTILE_NAMES

OVER = pipline(*AUCTION, Entry(0, "b2"), Entry(1, "resign"))
THOUGHTS = (
    (1, Thought(0, "line", "d4 e5, take")),
    (0, Thought(2, "line", "b1, b2")),
    (0, Thought(3, "line", "b2, b3")),
    (0, Thought(9, "note", "What\na match")),
)


def shown(match: Match) -> list[KeptBy]:
    """Return what a page shows."""
    positions = [match.game.restore(len(match.players), match.options)]
    for entry in match.record:
        positions.append(advance(positions[-1], entry))
    return kept_by_players(match, positions, THOUGHTS)


def test_each_player_has_what_they_published() -> None:
    """A line leads to itself on the page, unless it cannot be played; what was taken back stands at the end."""
    assert shown(OVER) == [
        KeptBy(
            "Ann",
            [
                Kept(2, "#2", "#2:b1,b2", "b1, b2"),
                Kept(3, "#3", "", "b2, b3"),
                Kept(4, "#4", "", "What\na match"),
            ],
        ),
        KeptBy("Bob", [Kept(0, "", "#0:d4+e5,take", "d4 e5, take")]),
    ]


def test_a_match_that_goes_on_shows_nothing() -> None:
    """Whatever the database says."""
    assert shown(pipline(*AUCTION)) == []


def test_published_words_stay_text_and_show_no_address(tmp_path: Path) -> None:
    """Markup, script ends, fields of templates."""
    thoughts = [(0, Thought(2, "note", words)) for words in HOSTILE_NAMES]
    write_match(OVER, tmp_path, SECRET, NOW, thoughts=thoughts)
    page = (tmp_path / "matches" / "17.html").read_text("utf-8")
    section = page.partition('<h2 id="kept">')[2].partition("</section>")[0]
    assert section.count("<li>") == len(HOSTILE_NAMES)
    assert not any(f"<{name}" in section for name in ("script", "img", "b>", "style"))
    assert "ann@a.example" not in unescape(page)
    assert all(name in unescape(section) for name in HOSTILE_NAMES[:6])
