"""The emails that players get."""

import html
import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from itertools import count, islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.boards.signs import ASCII
from pbem.commands.grammar import reads_as_command
from pbem.mail.archive_paths import Archive
from pbem.mail.compose import Notice
from pbem.mail.html_text import html_to_text
from pbem.match.match import Comment, Match
from pbem.notices.render import match_notice, plain_notice
from pbem.notices.scene import NoticeContent
from pbem.notices.sentences.boards import text_legend
from pbem.notices.sentences.match import name_holders
from pbem.notices.sentences.status import MatchRow
from pbem.notices.wrapping import wrap_safely
from pbem.settings.places import TEMPLATES
from rules.games import GAMES
from tests.support.club import PLAYERS, Club
from tests.support.each import each
from tests.support.mails import html_of, text_of
from tests.support.matches import AUCTION_OF_THREE, zipline
from tests.support.notices import ASKED, KINDS_IN_MATCHES, OUTSIDE, REJECTIONS, TELLING

NASTY = [
    "<script>alert(1)</script> & Co",
    "a\u202eb",
    "x\r\nBcc: y@z.example",
    "\x07\x00",
    "=?utf-8?q?a=0D=0Ab?=",
    "{{ you }}",
    "resign",
]

MOST = 8
"""Replies of a match that is played through a database; test_displays follows matches to their ends without one."""

MATCH = zipline(*AUCTION_OF_THREE)


def notice(kind: str, name: str = "Ann", words: str = "Good luck") -> Notice:
    """Return a notice to Ann, with everything in it that a notice may hold."""
    one = zipline(*AUCTION_OF_THREE, names=(name, "Bob", "Carl"))
    told = NoticeContent(one.at(0), (Comment(2, 3, words), Comment(2, 3, words, True)), (words,), words, (words, words))
    return match_notice(kind, one, 0, told, Archive("https://archive.example"))


def board_in_text(text: str) -> list[str]:
    """Return the signs on the board of a text, row by row from the top."""
    rows = re.findall(r"^ *(\d+) ([^\w\n]*(?:\d?\w[^\w\n]+)*) \1$", text, re.MULTILINE)
    return [sign for _, row in rows for sign in re.findall(r"[^\s()\[\]{}\d]", row)]


_LETTERS = str.maketrans("●❶❷❸○①②③·", "XXXXOOOO.")


def board_in_html(page: str) -> list[str]:
    """Return the signs on the board of a page, row by row from the top."""
    table = page.replace("\r", "").partition("</table>")[0]
    cells = re.findall(r"<td(?! class=x)[^>]*>(?:<a [^>]*>)?([^<]*)", table)
    return [html.unescape(cell).strip().translate(_LETTERS) for cell in cells]


def same_boards(text: list[str], page: list[str]) -> bool:
    """Return whether two lists of signs are the same; a diamond is on a stone of either colour."""
    pairs = zip(text, page, strict=True)
    return bool(text) == bool(page) and all(one == other or (other == "◆" and one in "XO") for one, other in pairs)


def check(mail: EmailMessage, one: Match, newest: bool) -> None:
    """Make sure that an email about a match as it stands keeps what every email promises."""
    text, page = text_of(mail), html_of(mail)
    position = one.position if isinstance(one.to_act, int) else None
    assert "\n" not in mail["Subject"]
    assert page.count('class="d"') <= 1
    if one.position.view().looks == "points":  # the other boards are compared cell by cell in test_boards
        assert same_boards(board_in_text(text), board_in_html(page))
    for sentence in one.position.view().standing if newest and 'id="board"' in page else ():
        assert str(sentence) in " ".join(text.split())
        assert str(sentence) in html.unescape(page)
    for line in (*text.splitlines(), *html_to_text(page).splitlines()):
        assert not reads_as_command(line, position), line
    for line in text.splitlines():
        assert len(line) <= 65
        assert line == line.rstrip()


def test_every_kind_has_its_templates() -> None:
    """Each rejection, and each thing there is to tell, has a text and a page; emails outside matches have a subject."""
    found = {path.name for path in (TEMPLATES / "mail").iterdir() if path.is_dir()}
    assert found == TELLING | ASKED | REJECTIONS | OUTSIDE
    for kind in found:
        folders = (TEMPLATES / "mail" / kind, *filter(Path.is_dir, (TEMPLATES / "mail" / kind).iterdir()))
        for folder in folders:  # a kind may have a second form, such as the receipt of a move
            names = {path.name for path in folder.iterdir() if path.is_file()}
            assert names | {"subject.txt"} == {"subject.txt", "body.txt", "body.html"}


@each("kind", KINDS_IN_MATCHES)
def test_every_kind_can_be_written(kind: str) -> None:
    """A notice about a match has a subject on one line that names the match, a text and a page."""
    found = notice(kind)
    assert found.subject.startswith("[pbem 17] ")
    assert len(found.subject.splitlines()) == 1
    assert max(map(len, found.text.splitlines())) <= 65
    assert "\n\n\n" not in found.text


@each("kind", KINDS_IN_MATCHES)
@each("nasty", NASTY)
def test_nothing_that_players_write_does_harm(kind: str, nasty: str) -> None:
    """Names and words are shown as they are: no markup, no template, no second line in a subject."""
    found = notice(kind, nasty, nasty)
    assert "<script" not in found.html
    assert len(found.subject.splitlines()) == 1
    assert found.subject.isprintable()
    for line in found.text.splitlines():
        assert not reads_as_command(line, MATCH.position), line
    assert found.text.replace("\n", "").isprintable()
    if nasty.startswith("<"):
        assert html.escape(nasty, quote=False).split()[0] in found.html


@pytest.mark.parametrize("nasty", ["<b>", "Ann & Bob", "\x00\u202e"])
def test_emails_outside_a_match_do_no_harm(nasty: str) -> None:
    """A subject or an address that a stranger chose is shown as it is."""
    for found in (
        plain_notice("unknown_sender", sender=nasty, games=nasty, new_matches="anybody", operator=nasty),
        plain_notice(
            "unknown_match",
            revoked=False,
            asked_to_forget=False,
            lost=None,
            you=nasty,
            rows=[MatchRow(3, nasty, nasty, nasty, nasty, nasty, own=True)],
            more="",
            archive="",
            pages={3: nasty},
            links={3: nasty},
            put_away=True,
            zone=nasty,
        ),
        plain_notice("needs", new=[nasty], waiting=[nasty]),
    ):
        assert "<b>" not in found.html
        assert found.subject.isprintable()
        assert not set(found.text) & {"\x00", "\u202e"}


@each("kind", KINDS_IN_MATCHES)
def test_text_and_page_hold_the_same(kind: str) -> None:
    """Whoever reads only one of the two parts misses nothing but the look, whose signs are explained in each."""
    found, holders = notice(kind), name_holders(MATCH, 0)
    signs_of_text = text_legend(MATCH.position.view(), ASCII, holders)[0]
    signs = r"[^\w<>&“”]+"
    page = re.sub(signs, " ", html_to_text(found.html))
    for paragraph in re.split(r"\n\n", found.text):
        said = re.sub(r",\s1\s2\sthe\smoves\ssince\syours", "", paragraph)  # numbers are explained otherwise in HTML
        legend = re.sub(signs, " ", said) == re.sub(signs, " ", str(signs_of_text))
        if not legend and not re.search(r"^ +\d ", paragraph, re.MULTILINE):
            for sentence in re.split(r"[.:] |\n[ -]|https://\S+", paragraph):
                words = re.sub(signs, " ", sentence.replace("\n  > ", " ").lstrip(" >")).strip()
                assert words in page, sentence
    assert same_boards(board_in_text(found.text), board_in_html(found.html))


def test_private_words_are_for_the_partner_alone() -> None:
    """What one partner writes to the other is in no notice to anybody else."""
    one, secret = MATCH, Comment(2, 3, "psst", True)
    for kind in KINDS_IN_MATCHES:
        told = NoticeContent(one.at(0), (secret,))
        assert "psst" not in match_notice(kind, one, 1, told).text
        assert "psst" not in match_notice(kind, one, 1, told).html
    assert "psst" in match_notice("your_turn", one, 0, NoticeContent(one.at(0), (secret,))).text


def test_a_notice_tells_players_by_their_names() -> None:
    """The rules know of seats; people are called by their names."""
    text = match_notice("your_turn", MATCH, 0, NoticeContent(MATCH.at(0))).text
    assert "Bob" in text
    assert "Carl" in text
    assert "seat" not in text


def test_a_line_that_reads_as_a_command_is_marked() -> None:
    """What might be taken for a move when it comes back without a mark gets one from us."""
    position = MATCH.position
    assert wrap_safely("a2\n  resign\nteam: x\nAnn", position) == "· a2\n· resign\n· team: x\nAnn\n"


@given(st.text())
def test_no_text_of_ours_reads_as_a_command(text: str) -> None:
    """Whatever a notice says, no line of it can be played."""
    position = MATCH.position
    for line in wrap_safely(text, position).split("\n"):
        assert not reads_as_command(line, position)


def walk(club: Club, seats: int, key: str, seed: int) -> Iterator[tuple[int, str]]:
    """Play a match at random by replies, until somebody resigns; yield the seat that wrote and what it wrote."""
    random = Random(seed)
    names = PLAYERS[:seats] if seats <= len(PLAYERS) else tuple(f"p{n}@a.example" for n in range(seats))
    number = club.service.open(key, names, GAMES[key].short).id
    for seat in club.match(number).unseeded if club.match(number).awaits_seeds else ():
        club.reply(seat, "salt seven blue elephants" if seat else "ready", match=number)
        yield seat, "ready"
    for turn in count():
        if (one := club.match(number)).outcome is not None:
            return
        assert isinstance(one.to_act, int)
        seat, text = one.to_act, str(one.position.any_move(random.randrange))
        chance = random.random()
        if chance < 0.1:
            seat, text = (
                random.randrange(seats),
                random.choice(["help", "show", "say: hm", "team: hm", "z99", "hello?"]),
            )
        elif turn >= MOST or (chance < 0.12 and seats > 2):
            text = "resign"
        club.reply(seat, text, match=number)
        yield seat, text


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("key", "seats"), [(key, seats) for key, game in GAMES.items() for seats in game.seats])
def test_no_line_of_an_email_can_be_taken_for_a_move(club: Club, key: str, seats: int) -> None:
    """In every email of a random match no line is too long, and none could be carried out if it came back."""
    seen = 0
    for _ in walk(club, seats, key, 3):
        mails = club.queued()
        for queued in islice(mails, seen, None):
            check(club.mail(queued), club.match(), queued is mails[-1])
        seen = len(mails)
    assert {"opened", "your_turn", "match_over"} <= {mail.kind for mail in club.queued()}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", GAMES)
def test_a_reply_that_holds_only_our_own_notice_does_nothing(new_club: Callable[[], Club], key: str) -> None:
    """A notice that comes back whole and without a mark, as text or as a page, is carried out by nobody."""
    club = new_club()
    for turn, (seat, _) in enumerate(islice(walk(club, min(GAMES[key].seats), key, 5), 5)):
        if club.match().outcome:
            break
        acting = club.match().to_act
        if not isinstance(acting, int):
            continue  # the first rolls wait for somebody
        mail, before = club.newest(acting), club.moves()
        for number, text in enumerate((text_of(mail), html_to_text(html_of(mail)))):
            club.service.hand_in(club.answer(mail, text, Message_ID=f"<echo-{turn}-{number}@a.example>"))
        assert club.moves() == before
        assert not club.match().comments or all(comment.text == "hm" for comment in club.match().comments)
        assert seat in range(3)


def test_nothing_in_an_email_is_hidden() -> None:
    """Text that nobody sees is what spam has."""
    for path in (TEMPLATES / "mail").rglob("*.html"):
        assert not re.search(r"transparent|font-size:[01]px|display:none|opacity", path.read_text("utf-8")), path
