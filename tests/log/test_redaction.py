"""What logs and reports do not show."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from time import process_time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError

from pbem.advice.advice import Advice
from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import AddComment, Reply, SetSeed
from pbem.commands.families.account import ChooseDisplay
from pbem.commands.families.play import FreeText, Seed
from pbem.commands.families.talk import Say, UnclearRecipient
from pbem.commands.judge import _Doubts
from pbem.inbound.reply import _Line
from pbem.log.redaction import GONE, Redacting, redacted, redacted_trace, without_domains
from pbem.mail.compose import Notice, OutboundMessage, Site
from pbem.mail.message import parse
from pbem.mail.reply_token import ReplyToken, sign_token, without_tokens
from pbem.match.fair_rolls import FairRolls
from pbem.match.match import Comment, Match
from pbem.notices.scene import NoticeContent
from pbem.pipeline.interpret import Reading
from pbem.ports import Fetched
from pbem.reading.reason import because
from pbem.reading.tokens import Token
from pbem.running.machine import SecretSource
from pbem.settings.model import Settings
from pbem.storage.messages.records import Disposition
from rules.errors import Refusal
from rules.games import GAMES
from rules.phrase import listed, phrase
from tests.support.club import ADDRESS, OPERATOR, SECRET, Club
from tests.support.each import each
from tests.support.mails import html_of, text_of

TEXTS = st.text(st.sampled_from("aZ09 .@:/<>'\"“”…\\\n|=-_%+[](),é自") | st.characters(codec="utf-8"), max_size=60)
LOCALS = st.from_regex(r"[a-z0-9][a-z0-9._+-]{1,20}", fullmatch=True)
TAGS = st.builds(
    sign_token,
    st.builds(ReplyToken, st.integers(0, 10**9 - 1), st.integers(0, 10**6 - 1), st.integers(0, 999)),
    st.just(SECRET),
)
SHOWN = [
    ("inbound message 5 accepted ", None),
    ("outbound message 12 your_turn refused 550 5.1.1 user unknown", None),
    ("poll: No connection to the mail server imap.example:993: timed out. Trying again in 30 seconds.", None),
    ("Another “pbem run” serves this database already", None),
    ("see https://example.org:8443/x and http://[::1]:80/", None),
    ('  File "/srv/pbem/settling.py", line 67, in ending_of_a_letter_2_or_more_with_a_long_name', None),
    (
        "[Errno 28] No space left on device: /srv/calendar/.bcdefghijklmnopqrstuvwxyz2.ics.x",
        "[Errno 28] No space left on device: /srv/calendar/.….ics.x",
    ),
    ("to ann.lee@example.org", "to a…@example.org"),
    ("<Ann.Lee+games@Example.org>,bob@b.example", "<A…@Example.org>,b…@b.example"),
    ("'ann@a.example'", "'a…@a.example'"),
    ('"ann lee"@a.example', "…@a.example"),
    ("bounces+ann=a.example@list.example", "b…@list.example"),
    ("games+17.4.2.abcdefghij@play.example", "g…@play.example"),
    ("<17.4.2.abcdefghij.0123456789abcdef@play.example>", "<1…@play.example>"),
    ("tag 17.4.2.ABCDEFGHIJ?", "tag …?"),
    ("https://play.example/off?tag=17.4.2.abcdefghij", "https://play.example/off?tag=…"),
    ("imaps://games:pass@imap.example/INBOX", "imaps://…@imap.example/INBOX"),
    ("smtps://games%40x:p@ss/w:rd@smtp.example:465", "smtps://…@smtp.example:465"),
    ("smtps://games:password", "smtps://…"),
    ("a1 LOGIN games swordfish", "a1 LOGIN …"),
    ("AUTH PLAIN AGdhbWVzAHN3b3JkZmlzaA==", "AUTH PLAIN …"),
    ("Settings(secret='abc def', poll_seconds=60)", "Settings(secret=…, poll_seconds=60)"),
    ("{'password': 'abc'}", "{'password': …}"),
    ("IndexError: list index out of range", None),
    ("KeyError: 'Good luck, Bob!'", "KeyError: '…'"),
    (
        "rules.errors.IllegalMove: “it's tight” is no point, “so there” is none.",
        "rules.errors.IllegalMove: “…” is none.",
    ),
    ("ValueError: can't be 'x", "ValueError: can't be '…"),
    (f"key {'0123456789abcdef' * 4}.", "key …."),
    ("[parameters: (1, 'Good luck', 'x')]\n(Background", "[parameters: …\n(Background"),
    ("Match(id=1, seeds=('blue owls', None))", "Match(id=1, seeds=('…"),
    ("{'seeds': {0: 'blue owls'}}", "{'seeds': {0: '…"),
    ("with_seed() got words='blue owls', seat=1", "with_seed() got words='…"),
    ("tag q.17.abcdefghijklmnop is odd", "tag … is odd"),
    ("Response(result='NO', lines=[b'mailbox is full'])", None),
    ("In other words: it works again", None),
]
WORDS = "Now it's tight, says the owl"
NOW = datetime(2026, 11, 20, tzinfo=UTC)
MATCH = Match(1, GAMES["pippip"], GAMES["pippip"].normalise({}), (), NOW, seeds=(None, WORDS))
UNSEEDED = replace(MATCH, seeds=())
SAID = Comment(0, 3, WORDS)
WORDED = [
    SAID,
    AddComment(SAID),
    Say(WORDS, to_side=True),
    FreeText("c3", written=WORDS),
    UnclearRecipient(WORDS),
    Seed(WORDS, f"salt {WORDS}"),
    Seed(None, f"ready {WORDS}"),
    SetSeed(1, WORDS),
    ChooseDisplay("plain", f"board plain {WORDS}"),
    because("made_up", command=WORDS),
    phrase("{name} wrote {command!q}.", name="Ann", command=WORDS),
    listed([WORDS]),
    Refusal("made_up", phrase("{command!q} is no move.", command=WORDS), {}),
    Token("word", WORDS, 0, 9),
    _Line(WORDS),
    Reply("address_settled", (because("made_up", command=WORDS),)),
    Step(f"say: {WORDS}", (AddComment(SAID),)),
    MatchDecision((), (because("made_up", command=WORDS),), before=UNSEEDED, after=UNSEEDED),
    MatchDecision((Step("", (SetSeed(1, WORDS),)),), before=UNSEEDED, after=UNSEEDED),
    _Doubts(None, WORDS),
    Reading([WORDS], [FreeText(WORDS)]),
    Advice(because("made_up", command=WORDS), meant=because("made_up", command=WORDS)),
    Notice("remark", "words", WORDS, ""),
    NoticeContent(UNSEEDED, detail=WORDS),
    Disposition("accepted", commands=(f"say: {WORDS}",)),
    parse(f"From: ann@a.example\n\n{WORDS}\n".encode()),
    OutboundMessage("<1@play.example>", "remark", "ann@a.example", "words", WORDS.encode()),
    Fetched(WORDS.encode()),
    MATCH,
    FairRolls(1, SECRET, {1: WORDS}),
]


@each("text, shown", SHOWN)
def test_what_is_taken_out_and_what_stays(text: str, shown: str | None) -> None:
    """An operator still sees what happened, and nothing that would let him, or a finder, play for anybody."""
    assert redacted(text) == (text if shown is None else shown)


@given(TEXTS, LOCALS, TEXTS)
def test_no_address_is_shown_whole(before: str, local: str, after: str) -> None:
    """Whatever stands around it, no more than its first character and its domain are left."""
    assert f"{local}@a.example" not in redacted(f"{before}{local}@a.example{after}")


@each("after", ["", ".", ":", ": no", "...", ", or"])
@each("domain", ["a.example", "a.example:25", "[192.0.2.1]", "[2001:db8::1]:143"])
def test_outsiders_read_no_domain_and_the_whole_sentence(domain: str, after: str) -> None:
    """The domain goes, a port with it; the sentence around the address keeps its punctuation."""
    assert without_domains(f"the login of a@{domain}{after}") == f"the login of a@…{after}"


@given(TEXTS, TAGS, TEXTS)
def test_no_token_is_shown(before: str, token: str, after: str) -> None:
    """Not in an address, not in a Message-ID, not alone, not in capitals."""
    signature = token.rpartition(".")[2]
    assume(signature not in before + after)
    for written in (token, token.upper(), f"games+{token}@play.example", f"<{token}.0123456789abcdef@play.example>"):
        found = redacted(before + written + after)
        assert signature not in found.lower()
        assert without_tokens(found) == found


@given(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=6), st.sampled_from(["imap", "smtps"]), TEXTS)
def test_no_password_in_a_url_is_shown(password: str, scheme: str, after: str) -> None:
    """Even one whose special characters were not written as they should be."""
    url = f"{scheme}://games:{password}@mail.example"
    assume(password not in f"{scheme}://…@mail.example…" and "://" not in password)
    assert password not in redacted(f"at {url} {after.replace(password, '')}")


@given(TEXTS, st.text(min_size=6), TEXTS)
def test_no_secret_that_is_known_is_shown(before: str, secret: str, after: str) -> None:
    """The service's own, whatever the operator chose."""
    assume(GONE not in secret)
    assert secret not in redacted(before + secret + after, ["", "x", secret])


def test_no_secret_that_the_service_makes_is_shown() -> None:
    """Those of matches and the one of `pbem init` are known by their shape; so are repr's of what holds them."""
    for _ in range(50):
        assert redacted(f"x={SecretSource().secret()}") == "x=…"
    assert SECRET not in redacted(f"bad {Site(ADDRESS, SECRET)!r}")
    assert SECRET not in redacted(f"bad {Settings(secret=SECRET)!r}")


@given(TEXTS)
def test_no_comment_is_shown(words: str) -> None:
    """Neither as Python shows it, nor in a row of the database, nor where an error quotes it."""
    assume(len(words.strip()) > 5 and not set(words) <= set("…. "))
    shown = repr(words)[1:-1]
    for said in (Comment(0, 3, words), Step(words), Say(words, to_side=True), FreeText(words), UnclearRecipient(words)):
        assert shown not in redacted(f"bad {said!r}")
    assert shown not in redacted(str(IntegrityError("INSERT", (1, words), Exception("no"))))
    assert shown not in redacted(f"KeyError: {words!r}")


@each("value", WORDED, ids=lambda value: type(value).__name__)
def test_no_words_of_a_player_are_shown_in_a_repr(value: object) -> None:
    """A class that holds words of a player is redacted wherever it is logged, alone or within others."""
    assert "tight, says the owl" in repr(value)
    for text in (repr(value), repr([value]), f"cannot judge {value!r}", f"{(1, value)!r} at 3"):
        assert "tight" not in redacted(text)
        assert "owl" not in redacted(text)


@given(TEXTS)
def test_what_was_redacted_is_not_redacted_further(text: str) -> None:
    """Redacting twice is as good as once, and never fails."""
    once = redacted(text)
    assert redacted(once) == once


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "piece",
    [
        "://",
        "'\\",
        "a.",
        "password",
        "passwordx=",
        "“",
        "ab-",
        '"',
        "Comment(0, 0, '",
        "Comment(",
        "AddComment(comment=",
        "seeds=(",
        "words='",
        "A: ",
        "a@",
        "1.2.3.",
        "LOGIN ",
        "x:",
        "aB3-",
    ],
)
def test_any_text_is_redacted_at_once(piece: str) -> None:
    """What a message can bring into an error costs time in proportion to its length; a generous second for 200 kB."""
    begun = process_time()
    redacted("Error: " + piece * (200_000 // len(piece)))
    redacted(piece * (200_000 // len(piece)))
    assert process_time() - begun < 1


@pytest.fixture
def log() -> Callable[[Callable[[logging.Logger], None]], str]:
    """Return what writes to a log of its own, set up as the command line does it, and gives back what was written."""

    def written(write: Callable[[logging.Logger], None]) -> str:
        stream = StringIO()
        handler = logging.StreamHandler(stream)
        handler.addFilter(Redacting(lambda: [SECRET]))
        handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
        logger = logging.getLogger("some.library")
        logger.addHandler(handler)
        logger.propagate = False
        try:
            write(logger)
        finally:
            logger.removeHandler(handler)
            logger.propagate = True
        return stream.getvalue()

    return written


def test_a_log_shows_no_line_as_it_was(log: Callable[[Callable[[logging.Logger], None]], str]) -> None:
    """Messages, what is put into them, tracebacks and stacks are all redacted, whichever library writes them."""

    def write(logger: logging.Logger) -> None:
        logger.warning("no answer from %s (%d), secret %r", "ann@a.example", 3, SECRET)
        logger.warning("ann@a.example: %d", "no number")
        try:
            raise KeyError("Good luck") from ValueError(f"bob@b.example {SECRET}")
        except KeyError:
            logger.exception("carl@c.example", stack_info=True)

    text = log(write)
    assert "WARNING no answer from a…@a.example (3), secret '…'\n" in text
    assert "WARNING a…@a.example: %d\n" in text
    assert "ERROR c…@c.example\n" in text
    assert "Traceback (most recent call last):\n" in text
    assert "ValueError: b…@b.example …\n" in text
    assert "KeyError: '…'\n" in text
    for word in ("ann@", "bob@", "carl@", "Good luck", SECRET):
        assert word not in text.replace('KeyError("Good luck")', "").replace('"carl@c.example"', "")


RUDE = "450 no\r\n2026-11-22 ERROR forged\x0bone\x85two\u2028\x1b[2J\x1b]0;title\x07\u202e\u009b1m\0"
"""An answer of a server that looks like a record of the log, clears a terminal, and names its window."""


def test_no_answer_of_a_server_forges_a_line_of_the_log(log: Callable[[Callable[[logging.Logger], None]], str]) -> None:
    """A record is one line without characters that a terminal obeys; a traceback has more, none of them in column 0."""

    def write(logger: logging.Logger) -> None:
        logger.warning("deliver: %s", RUDE)
        logger.warning(RUDE)
        try:
            raise OSError(RUDE)
        except OSError:
            logger.exception("poll: %s", RUDE, stack_info=True)

    lines = log(write).split("\n")
    assert not [char for line in lines for char in line if not char.isprintable()]
    assert [line.partition(" ")[0] for line in lines if line and not line.startswith("  ")] == [
        "WARNING",
        "WARNING",
        "ERROR",
    ]
    assert "  Traceback (most recent call last):" in lines


def test_a_traceback_tells_where_and_not_what() -> None:
    """The lines of our program stay, what somebody wrote goes."""
    try:
        int("ann@a.example")
    except ValueError as error:
        trace = redacted_trace(error)
    assert "test_redaction.py" in trace
    assert trace.endswith("ValueError: invalid literal for int() with base 10: '…'\n")


def test_a_failed_message_and_the_mail_about_it_show_nothing(new_club: Callable[..., Club]) -> None:
    """Not the player's words, though the bug speaks of them, nor his address, tag, or the service's secret."""
    words = "Now it gets tight on the left"

    def at(passed: str) -> None:
        if passed == "while processing":
            token = sign_token(ReplyToken(1, 0, 0), SECRET)
            raise RuntimeError(f"{words}, wrote ann@a.example to games+{token}@play.example, signed with {SECRET}")

    club = new_club(at=at)
    club.open()
    message = club.reply(0, f"c3\n{words}").message
    asyncio.run(club.service.deliver())
    (told,) = club.queued(kind="needs")
    mail = club.mail(told)
    assert message.reason == "RuntimeError: …, wrote a…@a.example to g…@play.example, signed with …"
    for text in (message.reason, message.detail, text_of(mail), html_of(mail), str(mail["Subject"])):
        for word in (words, "ann@", sign_token(ReplyToken(1, 0, 0), SECRET), SECRET):
            assert word not in text.replace(OPERATOR, "")


@pytest.mark.slow("starts an interpreter")
def test_the_command_line_redacts_its_log(tmp_path: Path) -> None:
    """What any library logs while a command runs is redacted, the secret of the settings file included."""
    (tmp_path / "pbem.toml").write_text(f'address = "{ADDRESS}"\nsecret = "{SECRET}"\n', encoding="utf-8")
    program = (
        "import logging, sys\nfrom pbem.cli.app import main\n"
        "try:\n    main(['init'])\nexcept SystemExit:\n    pass\n"
        f"logging.getLogger('aiosmtplib').warning('ann@a.example: %s', {SECRET!r})\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.endswith(" WARNING library logger=aiosmtplib: a…@…: …\n")
