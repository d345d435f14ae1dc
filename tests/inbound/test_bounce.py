"""What a bounce says: which email came back, and how bad that is."""

from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbound.automatic import classify
from pbem.inbound.bounce import read_bounce, returned_ids
from pbem.mail.compose import Notice, Recipient, Site, compose
from pbem.mail.envelope import envelope_sender, find_envelope_tokens
from pbem.mail.message import parse
from pbem.mail.reply_token import ReplyToken
from tests.support.bounces import SERVERS, addressed
from tests.support.club import ADDRESS, SECRET
from tests.support.each import each
from tests.support.mails import read

BOB, TOKEN = "bob@b.example", ReplyToken(1, 0, 1)
SENT = compose(
    Notice("your_turn", "[pbem 1] pipline – your turn", "Bob, it is your turn.\n", "<p>Bob, it is your turn.</p>\n"),
    Recipient("Bob", BOB, TOKEN),
    Site(ADDRESS, SECRET),
    "opening 1",
    datetime(2026, 11, 20, 18, 30, tzinfo=UTC),
    None,
)


@each("make, told", SERVERS.values(), ids=SERVERS)
def test_bounces_of_many_servers_are_read(make: Callable[[EmailMessage], bytes], told: str) -> None:
    """Each is known as a bounce, says how bad it is, and by the address that it comes to which email came back."""
    message = parse(addressed(make(read(SENT.raw)), envelope_sender(ADDRESS, 511, BOB, SECRET)))
    assert classify(message, ADDRESS) == "bounce"
    assert str(read_bounce(message, BOB)) == told
    (token,) = find_envelope_tokens(message.recipients)
    assert token.number == 511
    assert token.is_signed_for(BOB, SECRET)


@each("server", sorted(set(SERVERS) - {"headers only"}))
def test_bounces_of_many_servers_return_the_message_id(server: str) -> None:
    """Of an email that was sent with the plain address nothing else tells which it was."""
    assert SENT.message_id in returned_ids(parse(SERVERS[server][0](read(SENT.raw))))


@given(
    server=st.sampled_from(sorted(SERVERS)),
    start=st.floats(0, 1),
    length=st.integers(0, 400),
    filling=st.sampled_from(
        [b"", b"\0", b"\xff\xfe", b"\r\n\r\n", b"Content-Type: message/rfc822; charset*=x'y\n", b"--"]
    ),
)
def test_a_mutilated_bounce_is_read_to_some_end(server: str, start: float, length: int, filling: bytes) -> None:
    """Nothing but ValueError comes out of a broken bounce, and it weighs what a bounce can weigh."""
    raw = SERVERS[server][0](read(SENT.raw))
    place = int(start * len(raw))
    try:
        message = parse(raw[:place] + filling + raw[place + length :])
    except ValueError:
        return
    assert read_bounce(message, BOB).weight in ("hard", "soft", "")
    returned_ids(message)
    find_envelope_tokens(message.recipients)


@pytest.mark.parametrize(
    "body", ["<" * 3_000_000, "<a@b>:\n" * 190_000, "x" * 3_000_000, "Your message\nbecause:" * 90_000]
)
def test_a_bounce_of_any_size_is_read_at_once(body: str) -> None:
    """What it says stands at its beginning, so that much of anything costs no more; a generous second."""
    message = parse(f"Return-Path: <>\nFrom: MAILER-DAEMON@a.example\n\n{body}\n".encode())
    begun = process_time()
    assert classify(message, ADDRESS) == "bounce"
    read_bounce(message, "ann@a.example")
    returned_ids(message)
    assert process_time() - begun < 1
