"""A match of every game in a language of tests: accents on everything, and two fifths longer."""

import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from html import unescape
from random import Random

import pytest

from pbem.boards.signs import ASCII, pictured
from pbem.boards.text import text_board
from pbem.commands.catalogue import COMMANDS, KEYWORDS
from pbem.commands.grammar import reads_as_command
from pbem.mail.archive_paths import Archive
from pbem.mail.html_text import html_to_text
from pbem.match.match import Match
from pbem.notices.ladders import LadderTold, PlaceTold
from pbem.notices.leagues import LeagueOffer, LeagueView
from pbem.notices.render import match_notice, plain_notice
from pbem.notices.scene import NoticeContent
from pbem.notices.sentences.contests.leagues import DivisionTable, TableLine
from pbem.notices.sentences.status import MatchRow
from pbem.notices.starting import GameRow, OfferRow, OptionsRow
from rules.games import GAMES
from tests.support.boards import view_of
from tests.support.catalogue import Pseudo
from tests.support.club import PLAYERS, Club
from tests.support.mails import html_of, text_of
from tests.support.matches import AUCTION_OF_THREE, zipline
from tests.support.notices import KINDS_IN_MATCHES

_MOVES = 8

_ASKED = (
    "help",
    "show",
    "help dice",
    "say: 17",
    "z99",
    "mails turns",
    "mails all",
    "display test",
    "new address",
    "???",
    "history",
    "board speech",
    "unsubscribe",
    "resume\nboard large",
    "yes",
    "a1 b2 c3 d4",
    "what b2 c2\nrecord",
    "note: 17\ntry b2\ntree",
    "show #1\nplan",
)

_SAID = re.compile(r' (?:aria-label|alt|title|summary)="([^"]*)"|<title>([^<]*)')
"""What a page says to those who do not see it."""

_ENGLISH = re.compile(r"(?<![\w./@+-])[A-Za-z]*[aeiou][A-Za-z]*(?![\w@/+-])")
"""A word with a plain vowel: every letter of a sentence that is said in the language of tests has an accent."""

_KNOWN = frozenset(
    word
    for line in (
        "board plain unicode large html speech display test say team show help resign ready salt unsubscribe resume",
        "take pass store use roll new address mails turns all dice yes no ann bob carl zip pip light dark pipline",
        "name lee address work example remove export stop digest mon standin replace with until aug",
        "forget page zipline snipsnip pipelines pbem verify utc size history pippinzip",
        "vacation aug back emergency status give claim wait pause until remind default quiet auto off europe lisbon",
        "watch unwatch again matches accept decline block unblock sign robin seek offers join cancel unseek",
        "players pair bob example org days robots dora",
        "commands what record try note tree publish unpublish if then else plan cancel",
        "draw undo propose oops line ladder leave challenge rated private reliable",
        *(name.lower() for game in GAMES.values() for name in game.designers),
        *KEYWORDS,
        *(re.sub("[^a-z]+", " ", row.example.lower()) for family in COMMANDS for row in family.help),
    )
    for word in line.split()
)
"""Words to write, and names."""


def walk(club: Club, key: str, seats: int) -> Iterator[tuple[EmailMessage, Match]]:
    """Play a match, with slips, questions and remarks; yield each email, and the match as it stood."""
    random, seen = Random(3), 0
    club.service.open(key, PLAYERS[:seats], GAMES[key].short)

    def fresh() -> Iterator[tuple[EmailMessage, Match]]:
        nonlocal seen
        mails, match = club.queued(), club.match()
        for mail in mails[seen:]:
            yield club.mail(mail), match
        seen = len(mails)

    yield from fresh()
    for seat in club.match().unseeded if club.match().awaits_seeds else ():
        club.reply(seat, "salt 17 34" if seat else "ready")
        yield from fresh()
    for turn in range(_MOVES):
        one = club.match()
        if not isinstance(one.to_act, int):
            break
        for words in _ASKED[turn::_MOVES]:
            club.reply(random.randrange(seats), words)
            yield from fresh()
        club.reply(one.to_act, str(one.position.any_move(random.randrange)))
        yield from fresh()
    while isinstance(acting := club.match().to_act, int):
        club.reply(acting, "resign")
        yield from fresh()


def _page(mail: EmailMessage) -> str:
    """Return the HTML of an email; nothing where its reader wants none."""
    return html_of(mail) if mail.get_body(("html",)) else ""


def leftovers(subject: str, text: str, page: str) -> set[str]:
    """Return the lines of an email with an English word that is neither a name nor a word to write."""
    shown = re.sub(r"https?://\S+", "", html_to_text(page))
    unseen = unescape("\n".join("".join(found) for found in _SAID.findall(page)))
    return {
        line
        for line in f"{subject}\n{text}\n{shown}\n{unseen}".splitlines()
        if any(len(word) > 2 and word.lower() not in _KNOWN for word in _ENGLISH.findall(line))
    }


def _drawings(match: Match) -> Iterator[set[str]]:
    """Yield the lines of the board of a match as it is, and as each reader may see it, with letters and with signs."""
    for view in (match.position.view(), *(view_of(match, seat) for seat in range(len(match.players)))):
        for signs in (ASCII, pictured(view)):
            yield {line.rstrip() for line in text_board(view, signs).splitlines()}


@pytest.fixture(scope="module")
def language() -> Pseudo:
    """A language of tests; the templates are read once in it, so a message is noted by the first test that says it."""
    return Pseudo()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("key", "seats"), [(key, seats) for key, game in GAMES.items() for seats in game.seats])
def test_a_match_goes_on_in_any_language(new_club: Callable[..., Club], language: Pseudo, key: str, seats: int) -> None:
    """No word is left in English, no line reads as a command or is too long, and boards are what they always are."""
    club, english, boards = new_club(language=language), set[str](), 0
    for mail, match in walk(club, key, seats):
        text = text_of(mail)
        english |= leftovers(str(mail["Subject"]), text, _page(mail))
        position = match.position if isinstance(match.to_act, int) else None
        for line in text.splitlines():
            assert not reads_as_command(line, position), line
            assert len(line) <= 65
        if "<table" in _page(mail) and mail["X-Pbem-Kind"] not in ("preview", "earlier", "tree"):  # other positions
            boards += 1
            assert any(drawn <= set(text.splitlines()) for drawn in _drawings(match))
    assert boards > _MOVES
    assert english == set()
    assert language.unknown == set()


_CODES = ("no_match", "plays", "follows", "enough", "full", "follows_not", "ended")
_FOLLOWING: list[dict[str, object]] = [
    *({"code": code, "number": 17} for code in _CODES),
    {"code": "follows_not", "number": None},
    {"code": "ended_all", "number": None},
]
_CHANGED: list[dict[str, object]] = [
    {"what": what, "you": "Ann", "before": "Ann", "address": "17", "main": "17", "others": "17", "gone": "17"}
    for what in ("renamed", "merged", "joined", "added", "removed", "kept")
]
_INVITATION: dict[str, object] = {
    **dict.fromkeys(("goal", "board_text", "board_html", "board_style"), "17"),
    "name": "Ann",
    "game": "Zipline",
    "setting": "17",
    "until": "17",
    "words": ["17"],
    "about": "17",
    "title": "Zipline",
    "place": 17,
}
_INVITATIONS: list[dict[str, object]] = [
    {
        "you": you,
        "others": others,
        "robots": others,
        "both": both,
        "again": again,
        "ladder": ladder,
        "rules": "https://a.example/17",
    }
    for you in ("", "Bob")
    for others, both, again, ladder in (
        (0, False, False, ""),
        (0, False, False, "17"),
        (0, True, False, ""),
        (0, False, True, ""),
        (1, False, True, ""),
        (2, False, False, ""),
    )
]
_QUESTIONS: list[dict[str, object]] = [
    {"you": you, "name": name, "wishes": ["17"], "wants": True, "invites": bool(you), "about": "17"}
    for you, name in (("Ann", ""), ("", "Bob"), ("", ""))
]
_ROW = OfferRow(17, "Zipline", "17", "Ann", "17", "17", "join 17", both=True, again=True)
_STARTING: dict[str, object] = {
    "you": "Ann",
    "told": ["17"],
    "welcome": False,
    "refused": False,
    "invited": [_ROW],
    "offers": [],
    "own": [_ROW],
    "games": [GameRow("Zipline", "17", "17", "new zipline bob@example.org")],
    "ladders": [LadderTold("Zipline", [PlaceTold(17, "Ann", "17", True), PlaceTold(17, "Bob", "17", False)], "17")],
}
_SEAT: dict[str, object] = {"asks": "Bob", "owner": "Bob", "number": 17, "game": "Zipline", "some": "17", "rules": "17"}
_SEATS: list[dict[str, object]] = [
    _SEAT | {"you": you, "until": until, "matches": matches}
    for you in ("", "Ann")
    for until, matches in (("", []), ("17", []), ("17", [(17, "Zipline"), (18, "Zipline")]))
]
_UNKNOWN: list[dict[str, object]] = [
    {"sender": "x@y.example", "games": "Zipline", "new_matches": who, "operator": "x@y.example"}
    for who in ("members", "invited", "anybody")
]
_UNCLEAR: list[dict[str, object]] = [
    {"code": code, "asked": asked, "inviter": inviter, "game": "Zipline"}
    for code in ("closed", "answered", "seat_closed", "unclear")
    for asked, inviter in (("", ""), ("17", ""), ("17", "Ann"))
]
_LISTED: dict[str, object] = {"you": "Ann", "more": "17", "archive": "", "pages": {17: "17"}, "links": {17: "17"}}
_LISTED |= {"put_away": True, "zone": "17"}
_LISTS: list[dict[str, object]] = [
    {"rows": rows} for rows in ([], [MatchRow(17, "17", "17", "17", "17", "17", own=True)])
]
_SECOND: dict[str, object] = {"captain": "Bob", "number": 17, "game": "17", "published": True, "rules": "17"}
_TABLE = DivisionTable("17", (TableLine("1=", "Ann", "5½", 5, 1, 0, 0, 1, "up", True, "17"),), "17")
_LEAGUES: list[dict[str, object]] = [
    {"views": [], "games": [LeagueOffer("17", "league zipline")]},
    {"views": [LeagueView("17", ("17",), (_TABLE,), True, "leave league zipline")], "games": []},
    {"views": [LeagueView("17", (), (), False, "league zipline")], "games": []},
]
_BEGINS: dict[str, object] = {"you": "Ann", "league": "17", "season": 2, "division": 1, "count": 7, "names": "Ann"}
_BEGINS |= {"command": "leave league zipline", "forfeits": True, "page": "17"}
_BEGINNINGS: list[dict[str, object]] = [
    {"divisions": 2, "pace": "17", "hours": 3, "up": 2, "down": 1, "three": True},
    {"divisions": 1, "pace": "", "hours": 1, "up": 0, "down": 0, "three": False},
]
_ENDS: dict[str, object] = {"you": "Ann", "league": "17", "season": 2, "place": 1, "count": 7, "points": "17"}
_ENDS |= {"division": 2, "winners": "Ann", "tables": (_TABLE,), "following": 3, "begins": "17", "least": 5}
_ENDS |= {"leave": "leave league zipline", "enter": "league zipline", "missing": "Ann"}
_ENDINGS: list[dict[str, object]] = [
    {"shared": True, "divisions": 2, "rises": True, "falls": False, "won": False, "entered": True, "absent": False},
    {"shared": False, "divisions": 1, "rises": False, "falls": True, "won": False, "entered": False, "absent": True},
    {"shared": False, "divisions": 1, "rises": False, "falls": False, "won": True, "entered": False, "absent": False},
]
_OUTSIDE: list[tuple[str, dict[str, object]]] = [
    ("answer", {"detail": "17"}),
    *(("unknown_sender", values) for values in _UNKNOWN),
    *(
        ("unknown_match", _LISTED | {"revoked": True, "asked_to_forget": False, "lost": 17} | listed)
        for listed in _LISTS
    ),
    ("unknown_match", _LISTED | {"rows": [], "revoked": False, "asked_to_forget": True, "lost": None}),
    ("forget", {"you": "Ann", "matches": ["17"], "former": "Ann"}),
    ("forget", {"you": "Ann", "matches": [], "former": "Ann"}),
    ("confirm_address", {"name": "Ann", "address": "x@y.example", "waits": True}),
    ("confirm_address", {"name": "Ann", "address": "x@y.example", "waits": False}),
    ("export", {"you": "Ann", "file": "a.zip", "more": True, "count": 3}),
    ("export", {"you": "Ann", "file": "a.zip", "more": False, "count": 3}),
    ("confirm_follow", {"number": 17, "game": "Zipline", "names": "Ann"}),
    *(("following", values) for values in _FOLLOWING),
    *(("invitation", _INVITATION | values) for values in _INVITATIONS),
    *(("not_started", values | {"detail": ""}) for values in _UNCLEAR),
    *(("not_started", values | {"detail": "17"}) for values in _UNCLEAR[:1]),
    *(("second_offered", _SECOND | {"you": you}) for you in ("", "Ann")),
    *(("confirm_start", values) for values in _QUESTIONS),
    ("contest_news", {"you": "Ann", "detail": "17", "title": "Zipline", "ladder": True}),
    ("contest_news", {"you": "Ann", "detail": "17", "title": "Zipline", "ladder": False}),
    *(("league", {"you": "Ann", **values}) for values in _LEAGUES),
    *(("league_begins", _BEGINS | values) for values in _BEGINNINGS),
    *(("league_ends", _ENDS | values) for values in _ENDINGS),
    ("league_news", {"you": "Ann", "league": "Zipline", "news": ["17"]}),
    ("invitation_news", {"you": "Ann", "detail": "17", "game": "Zipline", "words": ["17"]}),
    ("starting", _STARTING | {"helps": [OptionsRow("17", ["17"])], "listed": False, "seats": True, "topic": ""}),
    *(
        ("starting", _STARTING | {"helps": [], "listed": True, "seats": False, "topic": topic})
        for topic in ("", "ladders", "leagues")
    ),
    *(("seat_offered", values) for values in _SEATS),
    ("watching", {"number": 17}),
    ("broadcast", {"subject": "17", "text": "17", "paragraphs": [["17"]], "operator": ""}),
    ("broadcast", {"subject": "17", "text": "17", "paragraphs": [["17"]], "operator": "x@y.example"}),
    *(("account_changed", {**values, "operator": operator}) for values in _CHANGED for operator in ("", "x@y.example")),
]
"""Kinds that belong to no match; those for the operator, who is written to in English, are left out."""


@pytest.mark.parametrize("kind", KINDS_IN_MATCHES)
def test_an_email_of_every_kind_is_said_in_the_language_of_its_reader(kind: str, language: Pseudo) -> None:
    """Its subject and title too, whatever it tells besides; what goes to the operator is in English."""
    match = zipline(*AUCTION_OF_THREE)
    for detail in ("resign", "17"):
        for offered in ((), ("help", "show"), ("resign", "resume", "d4")):
            told = NoticeContent(match.at(0), detail=detail, quoted=("17",), offered=offered, reminding=True, key="17")
            notice = match_notice(kind, match, 0, told, Archive("https://a.example"), language)
            assert leftovers(notice.subject, notice.text, notice.html) == set()
            assert f'lang="{language.gettext("en")}"' in notice.html
    assert language.unknown == set()


@pytest.mark.parametrize(("kind", "values"), _OUTSIDE)
def test_an_email_outside_a_match_is_said_in_the_language_of_its_reader(
    language: Pseudo, kind: str, values: dict[str, object]
) -> None:
    """Strangers, and players whose match is not known, read no English either."""
    notice = plain_notice(kind, language, **values)
    assert leftovers(notice.subject, notice.text, notice.html) == set()
    assert language.unknown == set()
