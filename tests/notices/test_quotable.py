"""The words of an email that may come back in a quotation, known when it is written."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import pytest

from pbem.inbound.reply import quotable_words, read_reply
from pbem.inbound.unmarked_quotes import words_of
from pbem.mail.archive_paths import Archive
from pbem.mail.compose import Notice, Recipient, Site, compose
from pbem.mail.html_text import html_to_text
from pbem.mail.message import parse
from pbem.mail.reply_token import ReplyToken
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.match.preferences import DISPLAYS, Display, Preferences
from pbem.notices.render import kind_for, match_notice, plain_notice
from pbem.notices.scene import NoticeContent
from pbem.notices.sentences.status import MatchRow
from rules.games import GAMES
from tests.support.notices import KINDS_IN_MATCHES
from tests.support.walks import Case, every_case, walk

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
SITE = Site("games@play.example", "a secret that is long enough")
SHORT = [Case(key, game.seats[0], tuple(game.short.items())) for key, game in GAMES.items()]


def notices(case: Case, display: Display, most: int, kinds: Iterable[str] = KINDS_IN_MATCHES) -> Iterator[Notice]:
    """Yield notices of a random match, of what happened and then of each of the ``kinds``."""
    names = ("Ann", "Bob & <Co>", "Carl O'Hara")[: case.seats]
    players = tuple(
        Player(seat, name, f"p{seat}@a.example", frozenset(), Preferences(display)) for seat, name in enumerate(names)
    )
    match = Match(17, case.game, case.game.normalise(case.options), players, NOW, secret="5" * 64)
    entries = walk(case, 3).entries
    words = "Well played, I did not see that coming.\nAnd you & me will <see> more of it, I'm sure;\n> you"
    told = tuple(Comment(seat, 0, words) for seat in range(2))
    for ply, entry in enumerate(entries):
        before, match = match, match.after(entry, NOW)
        if ply % (1 + len(entries) // most) == 0 or ply + 1 == len(entries):
            seat = ply % case.seats
            content = NoticeContent(
                before, told, ("An aside that is told to you alone.",), words, ("my own line", "a2")
            )
            yield match_notice(
                kind_for(match, seat) or "move_made", match, seat, content, Archive("https://a.example/x")
            )
    for kind in kinds:
        yield match_notice(kind, match.at(len(entries) // 2), 0, content, Archive("https://a.example/x"))


def missing(notice: Notice) -> set[tuple[str, ...]]:
    """Return the words in a row that are in the parts of an email, as a reader sees them, and not in what is known."""
    email = compose(notice, Recipient("Ann", "ann@a.example", ReplyToken(17, 3, 0)), SITE, "a cause", NOW, 1)
    known = {row for text in notice.quotable for row in rows_of_words(text)}
    texts = (
        "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(">"))
        for text in parse(email.raw).texts
    )
    return {row for text in texts for row in rows_of_words(text)} - known


def rows_of_words(text: str) -> set[tuple[str, ...]]:
    """Return every four words in a row."""
    words = words_of(text)
    return set(zip(words, words[1:], words[2:], words[3:], strict=False))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("display", DISPLAYS)
@pytest.mark.parametrize("case", SHORT, ids=str)
def test_every_word_that_may_come_back_is_known(case: Case, display: Display) -> None:
    """Whatever kind of email it is, of whatever game, and however boards are drawn: both parts are recognised."""
    for notice in notices(case, display, 8):
        assert missing(notice) == set(), notice.kind


@pytest.mark.sampled(8)
@pytest.mark.parametrize("display", ["html", "unicode"])
@pytest.mark.parametrize("case", every_case(), ids=str)
def test_every_board_is_known_row_by_row(case: Case, display: Display) -> None:
    """Boards of all shapes and sizes, as they are on turns: other kinds of emails don't draw them otherwise."""
    for notice in notices(case, display, 3, ()):
        assert missing(notice) == set(), notice.kind


def test_the_readers_own_words_are_not_ours() -> None:
    """They may write the same again."""
    found = [notice for notice in notices(SHORT[0], "html", 3) if "my own line" in notice.text]
    assert found
    assert not any("my own line" in text for notice in found for text in notice.quotable)
    assert all(notice.text.partition("\n")[0] in notice.quotable[0] for notice in found)


def test_the_last_words_of_an_email_are_an_answer_above_its_quotation() -> None:
    """“… just reply take back.”: whoever does that, and quotes all of it below, has written these words themselves."""
    for notice in notices(SHORT[0], "html", 1):
        answer = " ".join(words_of(notice.text)[-2:])
        quoted = [f"> {line}" for line in notice.text.splitlines()]
        reply = "\n".join([answer, "", "On Sat, 28 Nov 2026 at 21:00, pbem <games+m.1@play.example> wrote:", *quoted])
        assert read_reply(reply, SITE.address).lines([quotable_words(*notice.quotable)]) == [answer], notice.kind


def test_emails_outside_a_match_are_known_too() -> None:
    """A stranger's reply may quote ours."""
    for notice in (
        plain_notice("unknown_sender", sender="x@y.example", games="Hi & bye", new_matches="invited", operator=""),
        plain_notice(
            "unknown_match",
            revoked=False,
            asked_to_forget=False,
            lost=None,
            you="Ann",
            rows=[MatchRow(17, "Zipline", "Bob", "your turn", "3 days", "4 December, 18:30", own=True)],
            more="",
            archive="",
            pages={17: ""},
            links={17: "mailto:games@p.example?subject=pbem%2017&body=show"},
            put_away=False,
            zone="Times are those of Lisbon.",
        ),
        plain_notice("needs", new=["<b>"], waiting=[]),
        plain_notice("needs", new=["<b>"], waiting=["<b>"]),
    ):
        assert missing(notice) == set()


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "case",
    [case for case in every_case() if case.key in ("snipsnip", "pipelines")],
    ids=str,
)
def test_a_quoted_board_of_names_is_no_move(case: Case) -> None:
    """A program that quotes the page without a mark, each cell on a line of its own, adds nothing to the answer."""
    for notice in notices(case, "html", 3, ()):
        known = quotable_words(*notice.quotable)
        for text in (html_to_text(notice.html), notice.text):
            ours = [line for line in text.splitlines() if not line.lstrip().startswith(">")]
            for quoted in (ours, " ".join(ours).split()):
                reply = "\n".join(["a1 b1", "", "On 20 Nov 2026 pbem <games@play.example> wrote:", "", *quoted])
                assert read_reply(reply, SITE.address).lines([known]) == ["a1 b1"], notice.kind


@pytest.mark.parametrize("apostrophe", ["’", "'", "‘", "`", "´", "?", "&rsquo;", "&#39;", "â€™"])
def test_a_quotation_is_known_whatever_became_of_its_apostrophes(apostrophe: str) -> None:
    """Programs make typographic ones straight, escape them, or read them in another charset."""
    found = {notice.kind: notice for notice in notices(SHORT[0], "html", 1)}
    for kind in ("not_authentic", "sealed", "unread", "flooding"):
        notice = found[kind]
        ours = [line for line in notice.text.splitlines() if not line.lstrip().startswith(">")]
        assert sum("’" in line for line in ours) > 1
        reply = "\n".join(["a1", "", *ours]).replace("’", apostrophe)
        assert read_reply(reply, SITE.address).lines([quotable_words(*notice.quotable)]) == ["a1"]
        assert read_reply(reply, SITE.address).lines() != ["a1"]
