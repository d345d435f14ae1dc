"""One pass of polling or sending, and mail servers that are away, refuse us or make no sense."""

import asyncio
import re
import sqlite3
from contextlib import closing

import pytest

from pbem.demo.servers import DemoServers
from tests.e2e.real.scripted import HANG_UP, ScriptedServer
from tests.support.command_line import GAMES, Pbem


def test_a_server_that_cannot_be_reached_is_told_in_one_sentence(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch, closed_port: int
) -> None:
    """With nobody listening, polling says so, and emails are postponed, not lost."""
    monkeypatch.setenv("PBEM_IMAP_URL", f"imap://games:demo@127.0.0.1:{closed_port}/INBOX")
    monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{closed_port}")
    pbem.refuses("poll", code=69, says=f"No connection to the mail server 127.0.0.1:{closed_port}: nothing listens")
    run = pbem("deliver")
    assert (run.code, run.out) == (69, "0 sent, 3 postponed, 0 refused.\n")
    assert run.err == "pbem: Not everything was sent: “pbem outbound list” shows why.\n"
    mails = pbem.done("outbound", "list", "--json").json
    assert {mail["status"] for mail in mails} == {"queued"}
    assert all("nothing listens there" in mail["error"] for mail in mails)


@pytest.mark.parametrize(
    "url", ["garbage", "imap://u:p@mail.example.org/INBOX", "imaps://mail.example.org", "imaps://u:p@host:x", "http://"]
)
def test_a_url_of_no_server_is_told_in_one_sentence(pbem: Pbem, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """A URL that makes no sense, or would send a password in the clear, is refused before anything is tried."""
    monkeypatch.setenv("PBEM_IMAP_URL", url)
    monkeypatch.setenv("PBEM_SMTP_URL", url.replace("imap", "smtp") + "/path?query")
    pbem.refuses("poll", code=78, says="The IMAP URL ")
    pbem.refuses("deliver", code=78, says="The SMTP URL ")
    pbem.refuses("run", code=78, says=" URL ")


async def test_a_wrong_password_is_told_in_one_sentence(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that refuses the login is named, and the password is not."""
    async with DemoServers([GAMES]) as servers:
        monkeypatch.setenv("PBEM_IMAP_URL", servers.imap_url(GAMES).replace("demo@", "swordfish@"))
        monkeypatch.setenv("PBEM_SMTP_URL", servers.smtp_url.replace("//", "//games:swordfish@"))
        for command in ("poll", "deliver"):
            run = await asyncio.to_thread(pbem, command)
            assert run.code == 77
            assert re.fullmatch(r"pbem: The (mail|SMTP) server 127\.0\.0\.1:\d+ [^\n]+\.\n", run.err)
            assert "swordfish" not in run.err
    assert {mail["status"] for mail in pbem.done("outbound", "list", "--json").json} == {"queued"}


def test_a_mail_that_was_put_off_can_be_sent_at_once(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch, closed_port: int
) -> None:
    """``outbound retry`` makes an email due now, and keeps why it was put off."""
    monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{closed_port}")
    pbem("deliver")
    put_off = pbem.done("outbound", "show", "2", "--json").json
    pbem.done("outbound", "retry", "2")
    due = pbem.done("outbound", "show", "2", "--json").json
    assert due["due_at"] < put_off["due_at"]
    assert (due["status"], due["error"]) == ("queued", put_off["error"])
    assert pbem("deliver").out == "0 sent, 1 postponed, 0 refused.\n"


async def test_the_doctor_names_an_email_that_may_have_arrived_until_that_is_settled(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is sent again an hour later; whoever knows that its reader has it ends that, and the doctor is silent."""

    async def doctor() -> tuple[list[str], list[str]]:
        found = (await asyncio.to_thread(pbem, "doctor", "--json")).json
        one = next(one for one in found if one["check"] == "messages")
        return one["faults"], one["notes"]

    def change(statement: str) -> None:
        with closing(sqlite3.connect(pbem.directory / "pbem.db")) as database, database:
            assert database.execute(statement).rowcount

    change("UPDATE outbound SET status = 'sent' WHERE id <> 2")
    async with ScriptedServer({"end": HANG_UP}) as server:
        monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{server.port}")
        run = await asyncio.to_thread(pbem, "deliver")
        assert (run.code, run.out) == (69, "0 sent, 0 postponed, 0 refused, 1 unknown.\n")
        faults, (note,) = await doctor()
        assert faults == []
        assert "may or may not have arrived" in note
        assert "“pbem outbound drop 2”" in note
        for left in range(2):
            change("UPDATE outbound SET due_at = '2026-01-01 00:00:00.000000'")
            assert (await asyncio.to_thread(pbem, "deliver")).out == run.out
            assert [len(said) for said in await doctor()] == ([1, 0] if left else [0, 1])
        assert (await asyncio.to_thread(pbem, "deliver")).out == "0 sent, 0 postponed, 0 refused.\n"
        assert len(server.heard) == 3
    listed = await asyncio.to_thread(pbem.done, "outbound", "list", "--status", "unknown", "--json")
    assert [mail["id"] for mail in listed.json] == [2]
    await asyncio.to_thread(pbem.refuses, "outbound", "drop", "2", "1", code=64, says="Email 1 is sent")
    await asyncio.to_thread(pbem.done, "outbound", "drop", "2")
    assert await doctor() == ([], [])


async def test_an_email_that_may_have_arrived_is_not_sent_again_once_it_is_dropped(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its reader has told so; no other email that waits can be dropped."""
    async with ScriptedServer({"end": HANG_UP}) as server:
        monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{server.port}?connections=1")
        await asyncio.to_thread(pbem.refuses, "outbound", "drop", "2", code=64, says="Email 2 is queued.")
        await asyncio.to_thread(pbem, "deliver")
        await asyncio.to_thread(pbem.done, "outbound", "drop", "2")
        server.answers.clear()
        with closing(sqlite3.connect(pbem.directory / "pbem.db")) as database, database:
            database.execute("UPDATE outbound SET due_at = '2026-01-01 00:00:00.000000'")
        assert (await asyncio.to_thread(pbem, "deliver")).out == "2 sent, 0 postponed, 0 refused.\n"


async def test_what_is_wrong_with_the_mailbox_is_named_until_it_is_over(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was restored, until it is read again; a message that is not handed out, until it is given up."""

    async def ask(*arguments: str) -> str:
        return (await asyncio.to_thread(pbem, *arguments)).out

    def change(statement: str) -> None:
        with closing(sqlite3.connect(pbem.directory / "pbem.db")) as database, database:
            assert database.execute(statement).rowcount == 1

    async with DemoServers([GAMES]) as servers:
        monkeypatch.setenv("PBEM_IMAP_URL", servers.imap_url(GAMES))
        await ask("poll")
        change("UPDATE mailboxcursor SET last_uid = last_uid + 99")
        assert re.search("(?m)^✗ mailbox .* isn’t as it was read last: .*“pbem poll”", await ask("doctor"))
        await ask("poll")
        change(
            "INSERT INTO unread_message VALUES ('m', 37, '2026-11-20 10:00:00.000000', '2026-11-20 10:00:00.000000',"
            " '2026-11-20 10:00:00.000000', 'The mail server says NO.')"
        )
        told = await ask("doctor")
        assert "✓ mailbox" in told
        assert re.search("(?m)^✗ messages .*UID 37 .*says NO.*“pbem inbound skip 37”", told)
        assert "UID 37: The mail server says NO." in await ask("inbound", "list")
        (one,) = pbem.done("inbound", "list", "--status", "unread", "--json").json
        assert (one["uid"], one["status"]) == (37, "unread")
        pbem.refuses("inbound", "skip", "38", code=64, says="No message with UID 38 waits to be read")
        await ask("inbound", "skip", "37")
        assert "✓ messages" in await ask("doctor")
