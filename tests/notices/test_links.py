"""A board in HTML that is played on by a click, and what the click sends."""

import html
import re
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.commands import reads_as_command
from pbem.mail.compose import with_links
from pbem.mail.html_text import html_to_text
from pbem.match.match import Match
from pbem.notices.board_block import playable_cells
from pbem.notices.render import NoticeContent, match_notice
from rules import RulesError
from tests.support.club import PLAYERS, Club
from tests.support.mails import html_of, message, text_of
from tests.support.matches import AUCTION_OF_THREE, zipline
from tests.support.walks import Case, every_case, walk

REPLY_TO = "games+17.120.1.abcdefghij@play.example"


class Links(HTMLParser):
    """Collects the links of a page that open an email, by their titles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, token: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link."""
        there = dict(attrs)
        if token == "a" and (there["href"] or "").startswith("mailto:"):
            self.found[there.get("title") or ""] = there["href"] or ""


def clicked(link: str, sender: str) -> bytes:
    """Return the email that an email program makes of a ``mailto:`` link (RFC 6068) when its player presses Send."""
    parts = urlsplit(link)
    fields = {name: values[0] for name, values in parse_qs(parts.query.replace("+", "%2B")).items()}
    assert " " not in link
    headers = {"From": sender, "To": unquote(parts.path), "Subject": fields["subject"].encode().decode("latin-1")}
    return message(fields["body"], Message_ID="<click@a.example>", **headers)


@pytest.mark.parametrize("key", ["pipline", "zipline", "snipsnip"])
def test_a_click_plays(club: Club, key: str) -> None:
    """The email that a click opens, sent as it is, plays on that cell; no other header leads it to its match."""
    club.service.open(key, PLAYERS[:2], {})
    mail = club.newest(0)
    links = Links(html_of(mail)).found
    assert links
    name = sorted(links)[len(links) // 2]
    arrival = club.service.hand_in(clicked(links[name], "ann@a.example"))
    assert arrival.message.status == "accepted"
    assert club.moves() == [name.removeprefix("play ")]
    assert parse_qs(urlsplit(links[name]).query)["subject"] == [f"Re: {mail['Subject']}"]


def test_only_whoever_is_to_act_can_click(club: Club) -> None:
    """A link that the service would have to refuse is worse than none."""
    club.service.open("pipline", PLAYERS[:2], {"size": 5})
    assert len(Links(html_of(club.newest(0))).found) == 25
    assert Links(html_of(club.newest(1))).found == {}
    club.reply(0, "c3")
    assert "play c3" not in Links(html_of(club.newest(1))).found
    assert Links(html_of(club.newest(0))).found == {}


def test_the_page_says_that_it_can_be_clicked(club: Club) -> None:
    """It is said once, in HTML alone, and only where it is so."""
    club.service.open("pipline", PLAYERS[:2], {"size": 5})
    assert html_of(club.newest(0)).count("click on the board") == 1
    assert "click" not in text_of(club.newest(0)) + text_of(club.newest(1)) + html_of(club.newest(1))


@pytest.mark.parametrize("case", every_case(), ids=str)
def test_the_cells_that_can_be_clicked_are_legal_moves(case: Case) -> None:
    """All through a match, a cell is a link just if its name alone is a legal move of whoever is to act."""
    positions = [position for position in walk(case, 7).positions if isinstance(position.to_act, int)]
    for position in positions[:: 1 + len(positions) // 5]:
        view = position.view()
        legal = set()
        for cell in view.cells:
            try:
                position.play(position.parse(cell.name))
            except RulesError:
                continue
            legal.add(cell.name)
        found = playable_cells(position, view)
        assert found <= legal
        first = position.prompt().example.split()[0]
        assert found == legal or first not in legal


def test_a_linked_cell_looks_as_before() -> None:
    """Same table, same cells: the link takes the ink of its cell, fills it, and is not underlined."""
    page = match_notice("your_turn", zipline(*AUCTION_OF_THREE), 0, NoticeContent(zipline(*AUCTION_OF_THREE))).html
    assert page.count("<table") == 1
    for link in re.findall(r'<a href="reply:[^>]*>', page):
        assert re.search(r'title="play [a-e]\d" style="display:block;color:#\w+;text-decoration:none"', link)
    assert page.count("height:28px;line-height:28px") == 7


@pytest.mark.parametrize("display", ["plain", "speech"])
def test_whoever_gets_no_drawing_gets_no_links(club: Club, display: str) -> None:
    """There is nothing to click on in sentences, and no HTML in plain text."""
    club.service.open("pipline", PLAYERS[:2], {"size": 5})
    club.reply(0, f"board {display}")
    mail = club.newest(0)
    assert b"mailto:" not in (mail.get_body(("html",)) or mail).as_bytes().partition(b"\n\n")[2]
    assert b"click" not in mail.as_bytes()


def size(one: Match, subject: str = "") -> int:
    """Return how many bytes the HTML of the notice to whoever is to act has, its links completed."""
    assert isinstance(one.to_act, int)
    made = match_notice("your_turn", one, one.to_act, NoticeContent(one), "https://games.example.org/archive")
    return len(with_links(made.html, REPLY_TO, subject or made.subject).encode())


@pytest.mark.parametrize(("board", "most"), [(13, 60_000), (19, 95_000)])
def test_a_board_of_links_is_not_cut_off(club: Club, board: int, most: int) -> None:
    """Email programs cut long HTML: on an empty board, where every cell is a link, there is still room."""
    one = club.service.open("pipline", PLAYERS[:2], {"size": board})
    assert 100 * board * board < size(one) < most
    assert size(one, "[pbem 1] " + "x" * 400) < 95_000


def test_links_that_find_no_room_are_left_out() -> None:
    """With an address of the longest kind a large board has no links, and does not speak of any."""
    page = "<p>Hello</p>\n" + 400 * '<td><a href="reply:d4" title="play d4">·</a></td>\n'
    page += "<!--links--><p>Click!</p><!--/links-->\n"
    shortened = with_links(page, f"{'x' * 60}+{REPLY_TO[6:]}{'.example' * 20}", "[pbem 1] your turn")
    assert shortened == "<p>Hello</p>\n" + 400 * "<td>·</td>\n"


def test_a_link_is_escaped() -> None:
    """Whatever address and subject hold, the link stays one, and is decoded to what they are."""
    page = with_links('<a href="reply:d4" title="play d4">·</a>', "a&b+1@x.example", 'Re? "50 % & <more>" – é')
    (link,) = Links(page).found.values()
    assert unquote(urlsplit(link).path) == "a&b+1@x.example"
    assert parse_qs(urlsplit(link).query) == {"subject": ['Re: Re? "50 % & <more>" – é'], "body": ["d4"]}
    assert html.unescape(page).count('"') == 4


def test_a_quoted_page_with_links_is_no_command() -> None:
    """What email programs make of our page when they quote it as text holds no line that could be carried out."""
    page = match_notice("your_turn", zipline(*AUCTION_OF_THREE), 0, NoticeContent(zipline(*AUCTION_OF_THREE))).html
    for line in html_to_text(page).splitlines():
        assert not reads_as_command(line, zipline(*AUCTION_OF_THREE).position)
