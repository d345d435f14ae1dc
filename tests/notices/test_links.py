"""A board in HTML that is played on by a click, and what the click sends."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.boards.html import board_style, is_cramped
from pbem.commands.grammar import reads_as_command
from pbem.mail.archive_paths import Archive
from pbem.mail.compose import Notice, Recipient, Site, compose
from pbem.mail.html_text import html_to_text
from pbem.mail.reply_token import ReplyToken
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.preferences import Display, Preferences
from pbem.notices.board_block import playable_cells
from pbem.notices.digest_email import MOST_BOARDS, digest_notice
from pbem.notices.render import match_notice
from pbem.notices.scene import NoticeContent
from pbem.notices.sentences.record import list_record
from rules.errors import RulesError
from rules.games import GAMES
from tests.support.club import PLAYERS, Club
from tests.support.each import each
from tests.support.mails import html_of, message, read, text_of
from tests.support.matches import AUCTION_OF_THREE, zipline
from tests.support.walks import Case, every_case, walk

SITE = Site("games@play.example.org", "a secret that is long enough")
NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
_LONGEST = 102_000  # bytes of HTML: what is longer some programs cut


class Links(HTMLParser):
    """Collects the links of a page that open an email, by the text of it, and those on ``cells`` by their names.

    A link on a cell is one in the board, labelled with what it does.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.cells: dict[str, str] = {}
        self.on_board = False
        self.feed(page)

    def handle_starttag(self, token: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link, and where the board begins."""
        there = dict(attrs)
        if token == "table":
            self.on_board = there.get("id") == "board"
        if token == "a" and (there["href"] or "").startswith("mailto:"):
            link = there["href"] or ""
            body = parse_qs(urlsplit(link).query, keep_blank_values=True)["body"][0]
            self.found[body] = link
            if self.on_board:
                name = body.split()[0]
                assert there["aria-label"] == f"play {name}"
                assert name not in self.cells
                self.cells[name] = link

    def handle_endtag(self, token: str) -> None:
        """Note where the board ends."""
        self.on_board = self.on_board and token != "table"


def clicked(link: str, sender: str) -> bytes:
    """Return the email that an email program makes of a ``mailto:`` link (RFC 6068) when its player presses Send."""
    parts = urlsplit(link)
    fields = {name: values[0] for name, values in parse_qs(parts.query.replace("+", "%2B"), True).items()}
    assert " " not in link
    headers = {"From": sender, "To": unquote(parts.path), "Subject": fields.get("subject", "")}
    return message(fields["body"], Message_ID="<click@a.example>", **headers)


@pytest.mark.parametrize("key", ["pipline", "zipline", "snipsnip"])
def test_a_click_plays(club: Club, key: str) -> None:
    """The email that a click opens, sent as it is, plays on that cell; no other header leads it to its match."""
    club.service.open(key, PLAYERS[:2], {})
    mail = club.newest(0)
    links = Links(html_of(mail)).cells
    assert links
    name = sorted(links)[len(links) // 2]
    arrival = club.service.hand_in(clicked(links[name], "ann@a.example"))
    assert arrival.message.status == "accepted"
    assert club.moves() == [name]
    assert parse_qs(urlsplit(links[name]).query).get("subject", ["pbem 1"]) == ["pbem 1"]


def test_only_whoever_is_to_act_can_click(club: Club) -> None:
    """A link that the service would have to refuse is worse than none."""
    club.service.open("pipline", PLAYERS[:2], {"size": 5})
    assert len(Links(html_of(club.newest(0))).cells) == 25
    assert Links(html_of(club.newest(1))).found == {}
    club.reply(0, "c3")
    found = Links(html_of(club.newest(1)))
    assert "c3" not in found.found
    assert len(found.cells) == 24
    assert Links(html_of(club.newest(0))).found == {}


@pytest.mark.parametrize(
    ("key", "options"), [("pipline", {"size": 13}), ("pipline", {"size": 14}), ("pipelines", {}), ("snipsnip", {})]
)
def test_cells_too_small_for_fingers_have_large_companions(club: Club, key: str, options: dict[str, object]) -> None:
    """Below 24 pixels no cell is a link: a button opens an answer to write the move in, one asks for a larger board.

    Whoever has the larger board needs neither.
    """
    match = club.service.open(key, PLAYERS[:2], options)
    if match.awaits_seeds:
        club.reply(0, "ready")
        club.reply(1, "ready")
    seat = club.match().to_act
    assert isinstance(seat, int)
    view = club.match().position.view()
    companions = {"", "board large"}
    links = Links(html_of(club.newest(seat)))
    assert bool(links.cells) != is_cramped(view)
    assert companions & links.found.keys() == (companions if is_cramped(view) else set())
    assert is_cramped(view) == (key == "pipelines" or options == {"size": 14})
    if is_cramped(view):
        asked = club.service.hand_in(clicked(links.found["board large"], PLAYERS[seat]))
        assert asked.message.commands == ("board large",)
        larger = Links(html_of(club.newest(seat)))
        assert larger.cells
        assert not companions & larger.found.keys()


def test_the_page_says_that_it_can_be_clicked(club: Club) -> None:
    """It is said once, where it says what to reply, in HTML alone, and only where it is so."""
    match = club.service.open("pipline", PLAYERS[:2], {"size": 5})
    pages = [match_notice("opened", match, seat, NoticeContent(match)).html for seat in (0, 1)]
    said = [re.findall(r"<!--links-->\s*([^<]+?)\s*<!--/links-->", page) for page in pages]
    assert list(map(len, said)) == [1, 0]
    words = said[0][0]
    mine = html_of(club.newest(0))
    assert mine.count(words) == 1
    assert 'id="your-move"' in mine[: mine.index(words)].rpartition("<div")[2]
    assert words not in text_of(club.newest(0)) + text_of(club.newest(1)) + html_of(club.newest(1))


@each("case", every_case(), ids=str)
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
        found = playable_cells(position, view, position.prompt().example)
        assert found <= legal
        first = position.prompt().example.split()[0]
        assert found == legal or first not in legal


def test_only_the_decision_of_the_moment_is_filled(club: Club) -> None:
    """Nothing is before anything can be taken; what somebody asks for comes before what may be taken."""

    def filled(seat: int) -> list[str]:
        return re.findall(r'body=([^"]*)" class="d"', html_of(club.newest(seat)))

    club.service.open("zipline", PLAYERS[:2], {"size": 5})
    assert (filled(0), "take" in Links(html_of(club.newest(0))).found) == ([], True)
    club.reply(0, "c3")
    assert filled(1) == ["take"]
    club.reply(0, "draw")
    assert filled(1) == ["agree%20to%20draw"]
    club.reply(1, "resign")
    assert filled(0) == ["again"]


def test_a_linked_cell_looks_like_others() -> None:
    """Same table, same cells: links take the ink of the board, fill their cells, and are not underlined."""
    match = zipline(*AUCTION_OF_THREE)
    page = match_notice("your_turn", match, 0, NoticeContent(match)).html
    assert page.count("<table") == 1
    assert page.count('<a href="reply:') == 23
    style = board_style(match.position.view())
    (styles,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    assert styles.endswith(style)
    assert style.startswith("#board a{display:block;color:inherit;text-decoration:none;line-height:44px}")


def test_the_name_of_a_cell_is_within_reach() -> None:
    """Links are labelled with what they do, however many they are."""
    for match in (zipline(*AUCTION_OF_THREE), zipline(*AUCTION_OF_THREE, size=13)):
        page = match_notice("your_turn", match, 0, NoticeContent(match)).html
        labelled = re.findall(r'<a href="reply:(\w+)" aria-label="play \1">', page)
        assert labelled
        assert labelled == re.findall(r'<a href="reply:(\w+)"', page)
        assert page.count("scope=col") == page.count("scope=row") == len(match.position.view().columns)


@pytest.mark.parametrize("display", ["plain", "speech"])
def test_whoever_gets_no_drawing_gets_no_links(club: Club, display: str) -> None:
    """There is nothing to click on in sentences but the button that decides, and no HTML in plain text."""
    club.service.open("pipline", PLAYERS[:2], {"size": 5})
    club.reply(0, f"board {display}")
    mail = club.newest(0)
    page = (mail.get_body(("html",)) or mail).as_bytes().partition(b"\n\n")[2].decode()
    assert list(Links(page).found) == (["take"] if display == "speech" else [])
    assert b"click" not in mail.as_bytes()


def composed(notice: Notice, site: Site = SITE, match: int = 12345) -> bytes:
    """Return an email to a player of a match."""
    now = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
    return compose(notice, Recipient("Ann", "ann@a.example", ReplyToken(match, 120, 1)), site, "a cause", now, 1).raw


def first_notice(one: Match, kind: str = "opened") -> Notice:
    """Return a notice to whoever is to act."""
    assert isinstance(one.to_act, int)
    return match_notice(kind, one, one.to_act, NoticeContent(one), Archive("https://play.example.org/archive"))


@pytest.mark.parametrize(
    ("key", "board", "most"), [("zipline", 13, 32_500), ("pipline", 13, 32_500), ("pipline", 19, 17_000)]
)
def test_a_board_of_links_is_a_small_email(club: Club, key: str, board: int, most: int) -> None:
    """On an empty board every cell is a link unless it is too small for that; the whole email is small all the same."""
    match = club.service.open(key, PLAYERS[:2], {"size": board})
    raw = composed(first_notice(match))
    found = Links(html_of(read(raw)))
    assert found.cells.keys() == ({cell.name for cell in match.position.view().cells} if board < 19 else set())
    others = {"take"} | ({"", "board large"} if board == 19 else set())
    assert found.found.keys() == found.cells.keys() | {choice.move for choice in match.position.suggestions()} | others
    assert len(raw) < most
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert is_html_unencoded(raw)


def is_html_unencoded(raw: bytes) -> bool:
    """Return whether the HTML of an email is sent as it is, which takes the fewest bytes."""
    page = read(raw).get_body(("html",))
    return page is not None and page["Content-Transfer-Encoding"] == "7bit"


@pytest.mark.parametrize(("board", "most"), [(5, 12_500), (13, 43_000)])
def test_a_turn_of_two_stones_begins_with_a_click(club: Club, board: int, most: int) -> None:
    """Pip of Zipline places two stones: each cell that can be the first opens an email that says how to add another."""
    club.service.open("zipline", PLAYERS[:2], {"size": board})
    club.reply(0, "c3")
    club.reply(1, "take")
    match = club.match()
    assert match.to_act == 0
    found = Links(html_of(club.newest(0)))
    assert found.cells.keys() == match.position.first_cells()
    assert len(found.cells) == board * board - 1
    assert Links(html_of(club.newest(1))).cells == {}
    raw = composed(first_notice(match, "your_turn"))
    assert Links(html_of(read(raw))).cells.keys() == found.cells.keys()
    assert len(raw) < most
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert is_html_unencoded(raw)
    opened = parse_qs(urlsplit(found.cells["a1"]).query)["body"][0]
    assert re.fullmatch(r"a1\r\n\r\n> .+\r\n", opened)
    assert club.service.hand_in(clicked(found.cells["a1"], "ann@a.example")).message.status == "rejected"
    assert club.reply(0, f"{opened}e5").message.commands == ("a1 e5",)


@each("board", [9, 13])
def test_a_click_sends_a_subject(club: Club, board: int) -> None:
    """Some email programs ask before they send an email without one, at each move."""
    match = club.service.open("pipline", PLAYERS[:2], {"size": board})
    links = Links(html_of(read(composed(first_notice(match), match=match.id))))
    found = {name for link in links.found.values() for name in parse_qs(urlsplit(link).query)["subject"]}
    assert found == {f"pbem {match.id}"}


def test_links_that_find_no_room_are_left_out() -> None:
    """With an address of the longest kind a large board has no links, and does not speak of any."""
    page = "<p>Hello</p>\n" + 400 * '<td><a href="reply:d4" title="d4">.</a></td>\n'
    page += "<!--links--><p>Click!</p><!--/links-->\n"
    site = Site(f"{'x' * 30}@{'play.example.' * 17}org", SITE.secret)
    raw = composed(Notice("your_turn", "[pbem 17] your turn", "Hello\n", page), site)
    assert html_of(read(raw)) == "<p>Hello</p>\n" + 400 * "<td>.</td>\n"


@pytest.mark.parametrize("display", ["html", "unicode"])
def test_a_digest_of_the_most_and_largest_boards_keeps_a_button_for_each(display: Display) -> None:
    """Those that find no room are rows, of which a tap asks for the board; no program would cut it, or its styles."""
    ann = Player(1, "Ann", "ann@a.example", frozenset(["ann@a.example"]), Preferences(display))
    others = (Player(2, "Bob", "bob@b.example", frozenset()), Player(3, "Carl", "carl@c.example", frozenset()))
    game, contents = GAMES["pipelines"], list[tuple[Match, NoticeContent]]()
    for number in range(1, MOST_BOARDS + 1):
        walked = walk(Case("pipelines", 3, ()), number)
        ply = next(ply for ply in range(40, 0, -1) if isinstance(walked.positions[ply].to_act, int))
        entries = walked.entries[:ply]
        match = Match(number, game, game.normalise({}), (ann, *others), NOW, entries, (NOW,) * len(entries))
        seat = match.to_act if isinstance(match.to_act, int) else 0
        match = replace(match, players=(*others[:seat], ann, *others[seat:]), folded=match.position)
        contents.append((match, NoticeContent(match, at=NOW)))
    notice, shown = digest_notice(contents, ann, len(contents), NOW, Archive("https://play.example.org"))
    page = html_of(read(composed(notice)))
    drawn = page.count("aria-label=")
    assert (len(shown), drawn > 2, "<pre" in page) == (MOST_BOARDS, True, False)
    buttons = [f"{match.id} " if place < drawn else f"{match.id} show" for place, match in enumerate(shown)]
    assert list(Links(page).found) == buttons
    assert max(map(len, re.findall("<style>(.*?)</style>", page, re.DOTALL))) < 8192
    assert max(map(int, re.findall(r"[^-]width:(\d+)px", page))) <= 344
    assert len(page.encode("ascii", "xmlcharrefreplace")) < _LONGEST


def test_a_very_long_address_breaks_no_line(club: Club) -> None:
    """Where lines would be longer than email allows, the HTML is encoded."""
    site = Site(f"{'x' * 30}@{'play.example.' * 15}org", SITE.secret)
    raw = composed(first_notice(club.service.open("pipline", PLAYERS[:2], {"size": 9})), site)
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert len(Links(html_of(read(raw))).cells) == 81


def test_a_link_is_escaped() -> None:
    """Whatever address and subject hold, the link stays one, and is decoded to what they are."""
    page = '<a href="reply:d4" title="d4">.</a>'
    site = Site("a&b@x.example", SITE.secret)
    mail = read(composed(Notice("your_turn", '[pbem "5 % & <more>" – é] x', "x", page), site))
    (link,) = Links(html_of(mail)).found.values()
    assert mail["Reply-To"].addresses[0].addr_spec == unquote(urlsplit(link).path)
    assert parse_qs(urlsplit(link).query) == {"subject": ['pbem "5 % & <more>" – é'], "body": ["d4"]}
    assert html_of(mail).count('"') == 4


def test_a_quoted_page_with_links_is_no_command() -> None:
    """What email programs make of our page when they quote it as text holds no line that could be carried out."""
    page = match_notice("your_turn", zipline(*AUCTION_OF_THREE), 0, NoticeContent(zipline(*AUCTION_OF_THREE))).html
    for line in html_to_text(page).splitlines():
        assert not reads_as_command(line, zipline(*AUCTION_OF_THREE).position)


def test_the_moves_so_far_are_listed_with_their_names() -> None:
    """Moves are numbered, what is none is not; no line reads as a command, whatever players are called."""
    match = zipline(*AUCTION_OF_THREE)
    rows = list_record(match)
    assert [str(row.what) for row in rows] == [entry.text for entry in match.record]
    assert [row.number for row in rows] == [str(number) for number in range(1, match.ply + 1)]
    named = match.with_player(replace(match.players[0], name="team"))
    page = match_notice("history", named, 0, NoticeContent(named))
    lines = [line for text in (page.text, html_to_text(page.html)) for line in text.splitlines()]
    lines = [line for line in lines if re.match(r" *[0-9]+ · \w+: ", line)]
    assert len(lines) == 2 * match.ply
    assert not any(reads_as_command(line, match.position) for line in lines)
