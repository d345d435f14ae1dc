"""Sending through a real Postfix, and through a server that answers as told: no email is lost, none is doubled."""

import json
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path
from shutil import copy

import pytest

from pbem.errors import LoginRefused
from pbem.mail.envelope import envelope_sender
from pbem.pipeline.deliver import DeliveryReport
from pbem.transport.smtp import SmtpCourier
from tests.e2e.program import pbem
from tests.e2e.real.dovecot import Dovecot
from tests.e2e.real.line import ADDRESSES, ANN, BOB, GAMES, Line, call
from tests.e2e.real.place import wait_until
from tests.e2e.real.postfix import Postfix
from tests.e2e.real.scripted import HANG_UP, SILENCE, STEPS, ScriptedServer

pytestmark = pytest.mark.slow("needs real mail servers")

LATER, LISTED, UNKNOWN = "451 4.7.1 Come back later", "554 5.7.1 You are on a list", "550 5.1.1 There is nobody"
WHERE = {
    "connect": "smtpd_client_restrictions = check_client_access",
    "EHLO": "smtpd_helo_restrictions = check_helo_access",
    "MAIL": "smtpd_sender_restrictions = check_sender_access",
    "RCPT": "smtpd_recipient_restrictions = check_recipient_access",
    "DATA": "smtpd_data_restrictions = check_sender_access",
    "end": "smtpd_end_of_data_restrictions = check_sender_access",
}
"""At which step Postfix asks which of its lists."""


GONE = "gone@example.org"
NewLine = Callable[[SmtpCourier], Line]


@pytest.fixture
async def new_line(dovecot: Dovecot, blank_database: Path, tmp_path: Path) -> AsyncIterator[NewLine]:
    """Return what makes a line with a database of its own, in which the first emails of a match wait."""
    lines: list[Line] = []

    def make(courier: SmtpCourier) -> Line:
        line = Line.over(dovecot, courier, Path(copy(blank_database, tmp_path / f"{len(lines)}.db")))
        lines.append(line)
        line.service.open("pipline", [ANN, BOB], {"size": 5})
        return line

    yield make
    for line in lines:
        await line.service.close()


@contextmanager
def postfix_that_says(home: Path, dovecot: Dovecot, certificate: Path, answers: dict[str, str]) -> Iterator[Postfix]:
    """Run a Postfix with a service for each of ``answers``: by a name that begins with the step, what it says then."""
    services = {
        name: f"-o {{ {WHERE[name.split()[0]]} static:{{{answer}}} }}"
        + (" -o smtpd_delay_reject=yes" if name.endswith("delayed") else "")
        for name, answer in answers.items()
    }
    server = Postfix(home / "postfix", dovecot, ADDRESSES, certificate, services)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        print(server.log())


def counted(line: Line) -> list[tuple[str, int, int]]:
    """Return the addresses from which email came back, with how many soft and hard bounces."""
    with line.service.database.reading() as tx:
        return [(one.email, one.soft, one.hard) for one in tx.players.bouncing()]


def message_ids(dovecot: Dovecot, address: str) -> list[str]:
    """Return the Message-ID of every message somebody has."""
    return [message_from_bytes(raw)["Message-ID"] for raw in dovecot.messages(address)]


async def arrives_once(line: Line, courier: SmtpCourier) -> None:
    """Send what waits with another courier, and see that the very emails arrive that were put off, each once."""
    line.service.connect(courier=courier)
    line.clock.advance(timedelta(minutes=1))
    expected = line.dovecot.count(ANN) + line.dovecot.count(BOB) + 2
    assert await line.service.deliver() == DeliveryReport(sent=2)
    await line.service.disconnect()
    wait_until(lambda: line.dovecot.count(ANN) + line.dovecot.count(BOB) == expected, "two mails")
    for mail in line.mails():
        assert message_ids(line.dovecot, mail.recipient).count(mail.message_id) == 1


async def test_postfix_may_refuse_at_every_step(
    home: Path, dovecot: Dovecot, certificate: Path, new_line: NewLine
) -> None:
    """4xx puts an email off, at whatever step; 5xx about us does too, 5xx about recipient or content is final."""
    puts_off = {f"{step} later": LATER for step in WHERE}
    puts_off |= {f"{step} listed": LISTED for step in ("connect", "EHLO", "MAIL", "RCPT")}
    puts_off |= {"connect delayed": LISTED, "EHLO delayed": LISTED, "MAIL delayed": LISTED}
    refuses = {"RCPT unknown": UNKNOWN, "DATA listed": LISTED, "end listed": LISTED}
    with postfix_that_says(home, dovecot, certificate, puts_off | refuses) as postfix:
        for name in puts_off:
            line = new_line(SmtpCourier(postfix.smtp_url(name)))
            of_server = name.split()[0] in ("connect", "EHLO", "MAIL") and not name.endswith("delayed")
            assert await line.service.deliver() == DeliveryReport(deferred=2, behind=of_server), name
            assert {mail.status for mail in line.mails()} == {"queued"}
            assert all(puts_off[name][:9] in mail.error for mail in line.mails()), line.mails()
            await line.service.disconnect()
            await arrives_once(line, SmtpCourier(postfix.smtp_url()))
        for name in refuses:
            line = new_line(SmtpCourier(postfix.smtp_url(name)))
            assert await line.service.deliver() == DeliveryReport(refused=2), name
            assert all(refuses[name][:9] in mail.error for mail in line.mails()), line.mails()
            await line.service.disconnect()


@pytest.mark.parametrize("step", STEPS)
async def test_a_server_may_fail_at_every_step(new_line: NewLine, step: str) -> None:
    """A server that says 421, hangs up or falls silent at any step costs no email; the same mail is sent again.

    That is soon where it was not taken; where it may have been, it is an hour later.
    """
    async with ScriptedServer({}) as server:
        for answer in ("421 4.3.2 Closing down", HANG_UP, SILENCE):
            server.answers = {step: answer}
            line = new_line(SmtpCourier(f"smtp://games:s%3Acret@127.0.0.1:{server.port}", timeout=0.3))
            unknown = step == "end" and answer in (HANG_UP, SILENCE)
            expected = DeliveryReport(unknown=2) if unknown else DeliveryReport(deferred=2, behind=True)
            assert await line.service.deliver() == expected
            server.answers.clear()
            line.clock.advance(timedelta(minutes=59 if unknown else 0))
            assert await line.service.deliver() == DeliveryReport(behind=not unknown)
            line.clock.advance(timedelta(minutes=1))
            assert await line.service.deliver() == DeliveryReport(sent=2)
            await line.service.disconnect()
            assert len(server.heard) == (4 if step == "end" else 2)
            assert len(set(server.heard)) == 2
            server.heard.clear()


async def test_postfix_with_a_slow_filter_gets_each_email_once(
    home: Path, dovecot: Dovecot, certificate: Path, new_line: NewLine
) -> None:
    """A filter before its queue takes longer for the end of an email than we wait elsewhere; or it never answers."""
    async with ScriptedServer({"end": SILENCE}) as silent:
        services = {
            "slow": "-o { smtpd_end_of_data_restrictions = check_sender_access static:{sleep 2} }",
            "filtered": f"-o smtpd_proxy_filter=127.0.0.1:{silent.port} -o smtpd_proxy_timeout=1s",
        }
        server = Postfix(home / "postfix", dovecot, ADDRESSES, certificate, services)
        try:
            server.start()
            line = new_line(SmtpCourier(server.smtp_url("slow")))
            began = time.monotonic()
            assert await line.service.deliver() == DeliveryReport(sent=2), server.log()
            assert time.monotonic() - began > 2
            await line.service.disconnect()
            wait_until(lambda: dovecot.count(ANN) == 1 and dovecot.count(BOB) == 1, "the notices")
            line = new_line(SmtpCourier(server.smtp_url("filtered"), timeout=0.5))
            assert await line.service.deliver() == DeliveryReport(unknown=2), server.log()
            line.service.connect(courier=SmtpCourier(server.smtp_url("filtered")))
            line.clock.advance(timedelta(hours=1))
            report = await line.service.deliver()
            assert (report.sent, report.unknown, report.deferred) == (0, 0, 2), server.log()
            await line.service.disconnect()
            assert dovecot.count(ANN) == 1
        finally:
            server.stop()


async def test_a_login_may_be_refused(dovecot: Dovecot, postfix: Postfix, new_line: NewLine) -> None:
    """A wrong password is told and costs no email, nor an attempt; a login that fails for a time is tried again."""
    url = postfix.smtp_url(user=GAMES)
    for answers, kind in (({"AUTH": "454 4.7.0 Later"}, None), ({"AUTH": "535 5.7.8 Wrong"}, LoginRefused)):
        async with ScriptedServer(answers) as server:
            line = new_line(SmtpCourier(f"smtp://games:x@127.0.0.1:{server.port}"))
            if kind is None:
                assert await line.service.deliver() == DeliveryReport(deferred=2, behind=True)
            else:
                with pytest.raises(kind, match="refuses the login of games: 535"):
                    await line.service.deliver()
                assert {(mail.status, mail.attempts) for mail in line.mails()} == {("queued", 0)}
        await arrives_once(line, SmtpCourier(postfix.smtp_url()))
    dovecot.set_password(GAMES, "another")
    line = new_line(SmtpCourier(url.replace("plain", "submission")))
    with pytest.raises(LoginRefused, match="offers no way to log in"):
        await line.service.deliver()


async def test_postfix_starts_anew_while_emails_wait(dovecot: Dovecot, postfix: Postfix, new_line: NewLine) -> None:
    """What it has taken it keeps; what it could not take waits with us; in the end each has arrived once."""
    dovecot.stop()
    line = new_line(SmtpCourier(postfix.smtp_url()))
    assert await line.service.deliver() == DeliveryReport(sent=2)
    wait_until(lambda: postfix.log().count("status=deferred") >= 2, "that Postfix has tried")
    assert postfix.queued() == 2
    line.service.open("pipline", [ANN, BOB], {"size": 5})
    postfix.stop()
    assert await line.service.deliver() == DeliveryReport(deferred=2, behind=True)
    postfix.start()
    assert postfix.queued() == 2
    line.clock.advance(timedelta(minutes=1))
    assert await line.service.deliver() == DeliveryReport(sent=2)
    dovecot.start()
    postfix.flush()
    wait_until(lambda: dovecot.count(ANN) + dovecot.count(BOB) == 4 and postfix.queued() == 0, "four mails")
    for address in (ANN, BOB):
        sent = {mail.message_id for mail in line.mails() if mail.recipient == address}
        assert sorted(message_ids(dovecot, address)) == sorted(sent)
    await line.service.disconnect()


async def test_a_bounce_comes_back(dovecot: Dovecot, postfix: Postfix, new_line: NewLine) -> None:
    """An email to nobody, which Postfix took, comes back to its envelope sender: counted, and not answered."""
    line = new_line(SmtpCourier(postfix.smtp_url()))
    line.service.open("pipline", [ANN, GONE], {"size": 5})
    assert await line.service.deliver() == DeliveryReport(sent=4)
    wait_until(lambda: dovecot.count(GAMES) == 1, "the bounce")
    (raw,) = dovecot.messages(GAMES)
    assert b"Return-Path: <>" in raw
    (sent,) = [mail for mail in line.mails() if mail.recipient == GONE]
    assert f"To: {envelope_sender(GAMES, sent.id, GONE, line.service.settings.secret)}".encode() in raw
    assert await line.service.poll() == 1
    (message,) = line.messages()
    assert message.status == "discarded"
    assert message.reason == "bounce"
    assert message.detail == f"mail {sent.id} to {GONE}: hard (5.1.1)"
    assert counted(line) == [(GONE, 0, 1)]
    assert not any("mx.example.org" in mail.recipient for mail in line.mails())


async def test_a_leaked_reply_token_forges_no_bounce(dovecot: Dovecot, postfix: Postfix, new_line: NewLine) -> None:
    """Whoever has an email of another player sends it to nobody in the name of the service, and lets Postfix return it.

    The bounce is a real one, with the reply token and Message-ID of the email; that email had another envelope sender.
    """
    courier = SmtpCourier(postfix.smtp_url())
    line = new_line(courier)
    assert await line.service.deliver() == DeliveryReport(sent=2)
    wait_until(lambda: dovecot.count(BOB) == 1, "the notice")
    (leaked,) = dovecot.messages(BOB)
    for sender in (GAMES, str(message_from_bytes(leaked)["Reply-To"]).rpartition("<")[2].rstrip(">")):
        assert await courier.send(sender, GONE, leaked) == sender
    wait_until(lambda: dovecot.count(GAMES) == 2, "the bounces")
    assert await line.service.poll() == 2
    assert {message.reason for message in line.messages()} == {"bounce"}
    assert {(message.match, message.seat) for message in line.messages()} == {(None, None)}
    assert counted(line) == []


async def test_answers_have_no_envelope_sender(dovecot: Dovecot, postfix: Postfix, new_line: NewLine) -> None:
    """What arrives says so: an answer, unlike a notice, cannot be answered by a machine."""
    line = new_line(SmtpCourier(postfix.smtp_url()))
    assert await line.service.deliver() == DeliveryReport(sent=2)
    dovecot.put(GAMES, line.answer(ANN, "help"))
    assert await line.poll() == 1
    await line.service.deliver()
    wait_until(lambda: dovecot.count(ANN) == 2, "the answer")
    paths = [message_from_bytes(raw)["Return-Path"] for raw in dovecot.messages(ANN)]
    secret = line.service.settings.secret
    assert paths == [f"<{envelope_sender(GAMES, line.mails()[0].id, ANN, secret)}>", "<>"]


async def test_postfix_may_know_whose_addresses_are_whose(
    home: Path, dovecot: Dovecot, certificate: Path, new_line: NewLine
) -> None:
    """It then takes no envelope sender but the address of the login, and says so at MAIL or RCPT: no email waits."""
    owned = (
        f"-o {{ smtpd_sender_restrictions = check_sender_access inline:{{{GAMES}=OK}}, "
        "check_sender_access static:{553 5.7.1 Sender address rejected: not owned by user} } -o recipient_delimiter="
    )
    services = {"at-mail": owned, "at-rcpt": f"{owned} -o smtpd_delay_reject=yes"}
    server = Postfix(home / "postfix", dovecot, ADDRESSES, certificate, services)
    try:
        server.start()
        for name in services:
            line = new_line(SmtpCourier(server.smtp_url(name)))
            assert await line.service.deliver() == DeliveryReport(sent=2), server.log()
            await line.service.disconnect()
        wait_until(lambda: dovecot.count(ANN) == 2, "the notices")
        paths = [message_from_bytes(raw)["Return-Path"] for raw in dovecot.messages(ANN)]
        assert paths == [f"<{GAMES}>"] * 2
    finally:
        server.stop()


async def test_the_operator_sees_what_is_not_sent(
    home: Path, dovecot: Dovecot, certificate: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """An email refused for good stands in the list and in the doctor's report, and so does a server that refuses us."""
    with postfix_that_says(home, dovecot, certificate, {"RCPT": UNKNOWN, "MAIL": LISTED}) as postfix:
        environment |= {"PBEM_SMTP_URL": postfix.smtp_url("MAIL")}
        await pbem(tmp_path, environment, "init", GAMES)
        await pbem(tmp_path, environment, "open", "pipline", ANN, BOB)
        attempt = await call(tmp_path, environment, "deliver")
        assert (attempt.code, attempt.out) == (69, "0 sent, 2 postponed, 0 refused.\n")
        for mail in json.loads(await pbem(tmp_path, environment, "outbound", "list", "--json")):
            assert mail["status"] == "queued"
            assert "takes no email from games@example.org: 554 5.7.1" in mail["error"]
            await pbem(tmp_path, environment, "outbound", "retry", str(mail["id"]))
        found = await call(tmp_path, environment, "doctor")
        assert found.code == 1
        assert "✗ sending   The SMTP server 127.0.0.1" in found.out
        assert "takes no email from games@example.org: 554 5.7.1" in found.out

        environment |= {"PBEM_SMTP_URL": postfix.smtp_url("RCPT")}
        attempt = await call(tmp_path, environment, "deliver")
        assert (attempt.code, attempt.out) == (69, "0 sent, 0 postponed, 2 refused.\n")
        refused = await pbem(tmp_path, environment, "outbound", "list", "--status", "refused", "--json")
        assert [mail["error"].count("550 5.1.1") for mail in json.loads(refused)] == [1, 1]
        found = await call(tmp_path, environment, "doctor")
        assert found.code == 1
        assert re.search(r"^✗ messages .*: 2\.", found.out, re.MULTILINE)
        assert "✓ sending" in found.out
