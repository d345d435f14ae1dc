"""The bytes of an email."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.compose import Notice, OutboundMessage, Recipient, Site, Thread, compose
from pbem.mail.reply_token import ReplyToken, find_token, sign_token
from tests.support.each import each
from tests.support.mails import html_of, read, text_of, without_nonce

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
DESK = Site("games@play.example", "a secret that is long enough")
TAG = ReplyToken(17, 12, 1)
BOB = Recipient("Bob", "bob@b.example", TAG)
NOTICE = Notice(
    "your_turn", "[pbem 17] zipline – your turn", "Bob, it is your turn.\n", "<p>Bob, it is your turn.</p>\n"
)
REQUIRED = {
    "From": "pbem <games@play.example>",
    "To": "Bob <bob@b.example>",
    "Subject": NOTICE.subject,
    "Date": "Fri, 20 Nov 2026 18:30:00 +0000",
    "List-Id": "<match-17.play.example>",
    "List-Unsubscribe": f"<mailto:games+{sign_token(TAG, DESK.secret)}@play.example?subject=unsubscribe>",
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "DR, RN, NRN, AutoReply",
    "X-Loop": "games@play.example",
    "MIME-Version": "1.0",
}


def composed(notice: Notice = NOTICE, recipient: Recipient = BOB, cause: str = "<1@b.example>") -> OutboundMessage:
    """Return the finished email."""
    return compose(notice, recipient, DESK, cause, NOW, 3)


def test_a_mail_has_the_headers_it_needs() -> None:
    """Each header stands once, and says what programs and people go by."""
    mail = read(composed().raw)
    for name, value in REQUIRED.items():
        assert mail.get_all(name) == [value]
    assert not mail.defects


def test_a_reply_to_a_mail_carries_its_token() -> None:
    """The reply token stands in Reply-To and in the Message-ID, so that one of them comes back."""
    mail = composed()
    for header in ("Reply-To", "Message-ID"):
        assert find_token([str(read(mail.raw)[header])], DESK.secret, without_nonce) == TAG
    assert (mail.match, mail.seat, mail.inbound, mail.recipient) == (17, 1, 3, "bob@b.example")


def test_a_mail_outside_a_match_has_no_token() -> None:
    """An answer to a stranger leads to no match."""
    mail = read(composed(recipient=Recipient("", "x@y.example")).raw)
    assert mail["Reply-To"] == "pbem <games@play.example>"
    assert mail["To"] == "x@y.example"
    assert mail["List-Id"] is None
    assert mail["List-Unsubscribe"] is None


def test_a_mail_program_can_offer_to_end_the_emails() -> None:
    """With an email to the tagged address, and with one click where a page for it is served (RFC 8058)."""
    for url, start in (("https://x.example/off", "?"), ("https://x.example/?off=1", "&")):
        raw = compose(NOTICE, BOB, replace(DESK, unsubscribe_url=url), "<1@b.example>", NOW, 3).raw
        mail = read(raw)
        by_mail, by_page = str(mail["List-Unsubscribe"]).split(", ")
        assert by_mail == REQUIRED["List-Unsubscribe"]
        assert by_page.startswith(f"<{url}{start}tag=17.12.1.")
        assert find_token([by_page], DESK.secret, without_nonce) == TAG
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert read(composed().raw)["List-Unsubscribe-Post"] is None


def test_nothing_follows_the_reader() -> None:
    """No header, no picture and no address in the HTML tells anybody that an email was opened."""
    mail = composed()
    assert read(mail.raw)["Feedback-ID"] is None
    assert b"<img" not in mail.raw
    assert b"Return-Receipt-To" not in mail.raw


def test_a_mail_without_html_has_one_part() -> None:
    """Who wants plain text alone gets just that."""
    mail = read(composed(replace(NOTICE, html="")).raw)
    assert mail.get_content_type() == "text/plain"
    assert mail.get_content() == NOTICE.text.replace("\n", "\r\n")


@each(
    "line, encoding",
    [
        ("plain", "7bit"),
        ("é", "quoted-printable"),
        ("x" * 999, "quoted-printable"),
        ("trailing ", "quoted-printable"),
        ("From me", "quoted-printable"),
        (".", "quoted-printable"),
        ("a\x00b", "quoted-printable"),
    ],
)
def test_text_is_encoded_where_it_might_suffer(line: str, encoding: str) -> None:
    """Plain ASCII in short lines goes as it is; nothing on the way has a reason to change either."""
    for mail in (composed(replace(NOTICE, text=f"x\n{line}\n")), composed(replace(NOTICE, text=f"{line}\n", html=""))):
        part = read(mail.raw).get_body(("plain",))
        assert part is not None
        assert part["Content-Transfer-Encoding"] == encoding
        assert part.get_content_charset() == "utf-8"
        assert line in text_of(read(mail.raw)).split("\n")


def test_no_line_of_an_email_begins_with_from_and_a_blank() -> None:
    """Mail stores would put a sign before it: a player may be called so, and then the text came changed."""
    for text in ("From X\nü\n", "ü\nFrom X\n", "ü\n\nFrom afar\nFrom me\n"):
        email = composed(replace(NOTICE, text=text))
        assert b"\nFrom " not in email.raw
        assert text_of(read(email.raw)) == text


def test_html_is_ascii_that_nothing_changes() -> None:
    """Other characters are references, and a line that begins with "From " has one too, so that it stays."""
    page = "<p>é “–” 🎲\nFrom here\n"
    part = read(composed(replace(NOTICE, html=page)).raw).get_body(("html",))
    assert part is not None
    assert part["Content-Transfer-Encoding"] == "7bit"
    assert part.get_content().splitlines() == ["<p>&#233; &#8220;&#8211;&#8221; &#127922;", "&#70;rom here"]


def test_text_comes_first_and_holds_everything() -> None:
    """The parts are alternatives, the plain text first, both as they were written."""
    mail = read(composed().raw)
    assert mail.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    assert (text_of(mail), html_of(mail)) == (NOTICE.text, NOTICE.html)


def test_a_mail_keeps_its_message_id() -> None:
    """Work done twice cannot become two emails; anything else is another email."""
    assert composed().message_id == composed().message_id
    others = [
        composed(cause="<2@b.example>"),
        composed(notice=replace(NOTICE, kind="help")),
        composed(recipient=replace(BOB, email="b@b.example")),
        composed(recipient=replace(BOB, token=ReplyToken(17, 13, 1))),
    ]
    others.append(composed(notice=replace(NOTICE, part="speech")))
    assert len({mail.message_id for mail in [composed(), *others]}) == 6


def test_a_match_is_one_thread() -> None:
    """An email answers the one before it, and goes back to the first."""
    first = read(composed().raw)
    assert first["In-Reply-To"] is None
    second = read(composed(recipient=replace(BOB, thread=Thread("<1@x>", "<1@x>"))).raw)
    assert (second["In-Reply-To"], second["References"]) == ("<1@x>", "<1@x>")
    third = read(composed(recipient=replace(BOB, thread=Thread("<1@x>", "<2@x>", "As it began"))).raw)
    assert (third["In-Reply-To"], third["References"]) == ("<2@x>", "<1@x> <2@x>")
    assert (second["Subject"], third["Subject"]) == (NOTICE.subject, "As it began")


@given(st.text(max_size=40), st.text(max_size=100), st.text(st.characters(exclude_categories=["Cs"])))
def test_nothing_can_be_put_into_the_headers(name: str, subject: str, text: str) -> None:
    """Whatever names and a subject hold, the headers are ours, and all lines are short and plain ASCII."""
    raw = composed(Notice("help", subject, text, text or "<p></p>"), replace(BOB, name=name, opponents=name)).raw
    assert raw.isascii()
    lines = raw.split(b"\r\n")
    assert max(map(len, lines)) <= 998
    assert b"\n" not in raw.replace(b"\r\n", b"")
    mail = read(raw)
    assert set(mail.keys()) == {*REQUIRED, "Reply-To", "Message-ID", "Content-Type", "X-Pbem-Kind"}
    assert [address.addr_spec for address in mail["To"].addresses] == ["bob@b.example"]


@each("subject", ["a\r\nBcc: x@y.example", "a\nb", "a\u2028b", "\x00a", "=?utf-8?q?a=0D=0ABcc:_x?="])
def test_a_subject_is_one_line(subject: str) -> None:
    """A line break in a subject becomes a space, and what looks encoded is shown as it looks."""
    mail = read(composed(replace(NOTICE, subject=subject)).raw)
    assert "Bcc" not in mail
    assert str(mail["Subject"]).isprintable()
    if subject.startswith("=?"):
        assert mail["Subject"] == subject


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r")))
def test_the_content_arrives_as_it_was(text: str) -> None:
    """Quoted-printable gives back every character, trailing spaces and dots included."""
    assert text_of(read(composed(replace(NOTICE, text=text + "\n")).raw)) == text + "\n"
