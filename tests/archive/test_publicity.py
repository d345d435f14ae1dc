"""What pages say of themselves to programs, the pages for frames of other sites, and the pictures of previews."""

import json
import struct
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.archive.cards import SIZE
from pbem.archive.match.embeds import FRAME
from pbem.archive.match.page import write_match
from pbem.archive.previews import can_draw, draw
from pbem.archive.publicity import Publicity
from pbem.mail.archive_paths import embed_page, match_page
from pbem.mail.compose import Site
from pbem.match.endings import Ruling
from pbem.match.match import Match
from rules.games import GAMES
from rules.position import Entry
from tests.support.club import ADDRESS, SECRET
from tests.support.matches import AUCTION, NOW, pipline
from tests.support.pages import Page
from tests.support.telling import tell
from tests.support.walks import Case, walk

URL = "https://games.example/archive"
SITE = Site(ADDRESS, SECRET, archive_url=URL)
HOSTILE = '"><script>alert(1)</script>'
PNG, EMBED, OEMBED = match_page(17, "png"), embed_page(17), match_page(17, "oembed.json")


class Head(HTMLParser):
    """Collects what a head says: properties and names of ``meta``, types of links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.told: dict[str, str] = {}
        self.tags: set[str] = set()
        self.scripts: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        found = dict(attrs)
        self.tags.add(tag)
        if tag == "script":
            self.scripts.add(found.get("id") or "")
        name = found.get("property") or found.get("name") or found.get("type") or ""
        self.told[name] = found.get("content") or found.get("href") or ""


def head_of(match: Match, site: Site = SITE, *, draws: bool = True) -> Head:
    """Return what the head of the page of a match says."""
    return Head(Publicity(site, draws=draws).match_head(match, NOW))


def publish(match: Match, directory: Path, *, draws: bool = True) -> int:
    """Write the page of a match and what stands beside it; return how many files are new."""
    publicity = Publicity(SITE, draws=draws)
    return write_match(match, directory, SECRET, NOW, provider=publicity.provider) + tell(publicity, directory, match)


def test_a_page_tells_what_a_card_shows() -> None:
    """Title, how the match stands, an address, and a picture whose address changes with each entry."""
    told = head_of(pipline(*AUCTION)).told
    assert "Pipline 17: Ann and Bob" in told["og:title"]
    assert "Ann" in told["og:description"]
    assert told["description"] == told["og:description"]
    assert told["og:url"] == f"{URL}/{match_page(17)}"
    assert told["og:image"] == f"{URL}/{PNG}?2"
    assert (told["og:image:width"], told["og:image:height"]) == tuple(map(str, SIZE))
    assert told["og:image:alt"]
    assert told["application/json+oembed"] == Path(OEMBED).name


def test_a_card_tells_what_happened(tmp_path: Path) -> None:
    """Who beat whom, or drew, or plays; then each player; the words that programs read begin so, too."""
    over = pipline(*AUCTION, Entry(1, "resign"))
    drawn = replace(pipline(*AUCTION), ruling=Ruling("agreed", frozenset({0, 1}), "agreement", NOW))
    stories = [(pipline(), "Ann and Bob"), (over, "Ann beat Bob"), (drawn, "Ann and Bob drew")]
    for one, story in stories:
        publish(one, tmp_path, draws=False)
        texts = [
            node.text for node in ElementTree.parse(tmp_path / match_page(17, "svg")).iterfind("./{*}text[@font-size]")
        ]
        assert texts[0] == "Pipline"
        assert story == " ".join(filter(None, texts[1:-3]))
        assert texts[-3:-1] == ["Ann", "Bob"]
        assert head_of(one).told["og:image:alt"].startswith(f"{story}. ")


def test_without_an_address_a_page_has_words_alone() -> None:
    """Open Graph knows addresses only; the description stays."""
    told = head_of(pipline(*AUCTION), replace(SITE, archive_url="")).told
    assert set(told) == {"description"}


def test_without_the_library_a_page_has_no_picture(tmp_path: Path) -> None:
    """All else is there."""
    told = head_of(pipline(*AUCTION), draws=False).told
    assert not [name for name in told if "image" in name or "twitter" in name]
    assert told["og:title"]
    publish(pipline(), tmp_path, draws=False)
    assert not (tmp_path / PNG).exists()
    assert (tmp_path / EMBED).exists()


def test_without_the_library_nothing_breaks() -> None:
    """A service that was installed without the extra can tell, and goes on."""
    program = (
        "import sys; sys.modules['resvg_py'] = None; from pbem.archive.previews import can_draw; print(can_draw())"
    )
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert told.stdout.strip() == "False"


def test_what_players_wrote_is_text(tmp_path: Path) -> None:
    """A name ends neither an attribute nor an element, in the head, the frame, or the HTML within the JSON."""
    one = pipline(*AUCTION, names=(HOSTILE, "Bob"))
    assert head_of(one).tags == {"meta", "link"}
    assert HOSTILE in head_of(one).told["og:title"]
    publish(one, tmp_path)
    texts = (tmp_path / EMBED).read_text("utf-8"), json.loads((tmp_path / OEMBED).read_text("utf-8"))["html"]
    for text, names in zip(texts, ({"", "replay"}, set[str]()), strict=True):
        assert Head(text).scripts == names


def test_the_frame_shows_the_board_and_how_the_match_stands(tmp_path: Path) -> None:
    """Without its script too; its link leads to the match, in a window of its own."""
    publish(pipline(*AUCTION), tmp_path)
    text = (tmp_path / EMBED).read_text("utf-8")
    page = Page(text)
    assert "Ann to move" in page.text
    assert page.links == ["17.html"]
    assert page.files == ["../style.css", "../replay.js"]
    assert '<div id="steps" hidden>' in text
    assert 'target="_blank" rel="noopener"' in text
    ElementTree.fromstring((tmp_path / match_page(17, "svg")).read_bytes())
    publish(pipline(*AUCTION, Entry(1, "resign")), tmp_path)
    assert "Won by Ann" in Page((tmp_path / EMBED).read_text("utf-8")).text


def test_the_json_names_the_frame(tmp_path: Path) -> None:
    """What oEmbed asks of a rich answer: type, version, html, width, height."""
    publish(pipline(*AUCTION), tmp_path)
    told = json.loads((tmp_path / OEMBED).read_text("utf-8"))
    assert (told["version"], told["type"]) == ("1.0", "rich")
    assert (told["width"], told["height"]) == FRAME
    assert f'src="{URL}/{EMBED}"' in told["html"]


def test_an_unchanged_match_is_not_drawn_again(tmp_path: Path) -> None:
    """Neither in another process; a lost picture is made anew, and a move makes another one."""
    assert publish(pipline(*AUCTION), tmp_path)
    before = (tmp_path / PNG).read_bytes()
    assert publish(pipline(*AUCTION), tmp_path) == 0
    (tmp_path / PNG).unlink()
    assert publish(pipline(*AUCTION), tmp_path) == 1
    assert (tmp_path / PNG).read_bytes() == before
    publish(pipline(*AUCTION, Entry(0, "b2")), tmp_path)
    assert (tmp_path / PNG).read_bytes() != before


def test_pictures_are_drawn_one_by_one_the_newest_first(tmp_path: Path) -> None:
    """Whoever draws may stop after each; what is left is drawn the next time, and a board that has gone never."""
    publicity = Publicity(SITE)
    for number in (1, 2, 3):
        publicity.write_match(replace(pipline(), id=number), tmp_path, NOW)
    next(publicity.draw(tmp_path))
    assert [path.name for path in tmp_path.rglob("*.png")] == ["3.png"]
    (tmp_path / match_page(1, "svg")).unlink()
    assert list(publicity.draw(tmp_path)) == [True, False]
    assert list(publicity.draw(tmp_path)) == []


@pytest.mark.parametrize("key", GAMES)
def test_every_board_is_drawn_in_the_size_of_a_card(key: str, tmp_path: Path) -> None:
    """A PNG of that many pixels, and no large file."""
    assert can_draw()
    game = GAMES[key]
    played = walk(Case(key, game.seats[-1], ()), 1)
    one = replace(
        pipline(names=("Ann", "Bob", "Carl")[: game.seats[-1]]),
        game=game,
        options=game.normalise({}),
        record=played.entries,
        times=(NOW,) * len(played.entries),
        folded=played.positions[-1],
    )
    publish(one, tmp_path)
    content = (tmp_path / PNG).read_bytes()
    assert content.startswith(b"\x89PNG\r\n")
    assert struct.unpack(">II", content[16:24]) == SIZE
    assert len(content) < 200_000


def test_numbers_of_dice_are_drawn() -> None:
    """A picture with letters is not the one without."""
    board = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="8" font-size="9">{}</text></svg>'
    assert draw(board.format("5")) != draw(board.format("6"))
