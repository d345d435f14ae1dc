"""URLs of a mailbox, and servers that misbehave as a real one would not."""

import asyncio
import ssl
from pathlib import Path

import pytest

from pbem.errors import ConfigError, MailboxLost
from pbem.ports import Cursor
from pbem.transport.imap import ImapMailbox
from tests.support.certificate import CERTIFICATE
from tests.support.each import each
from tests.support.mail_servers import TODAY, ScriptedImap, everything, raws, start


def test_the_name_leaves_the_password_out() -> None:
    """The name is user, host, port and folder; the password shows in neither name nor representation."""
    mailbox = ImapMailbox("imaps://ann%40example.org:hunter2@mail.example.org/Spiel%20Post")
    assert mailbox.name == "ann@example.org@mail.example.org:993/Spiel Post"
    assert "hunter2" not in repr(mailbox)
    assert ImapMailbox("imap://ann:hunter2@localhost").name == "ann@localhost:143/INBOX"
    assert ImapMailbox("imap://ann:hunter2@[::1]:1143/").name == "ann@::1:1143/INBOX"


@each(
    "url",
    [
        "imap://ann:hunter2@mail.example.org/INBOX",
        "imap://ann:hunter2@127.example.org/INBOX",
        "imaps://ann:hunter2/3@mail.example.org/INBOX",
        "imaps://ann:hunter2#3@mail.example.org/INBOX",
        "imaps://ann:hunter2@mail.example.org:port/INBOX",
        "imaps://ann:hunter2@mail.example.org/INBOX?read",
        "imaps://ann:hunter2%0D%0A@mail.example.org/INBOX",
        "imaps://ann:hunter2@mail.example.org/Entw%C3%BCrfe",
        "imaps://mail.example.org/hunter2",
        "pop3://ann:hunter2@mail.example.org",
        "hunter2",
        "imaps://ann:hunter2@[mail.example.org",
    ],
)
def test_a_url_that_will_not_do_is_refused(url: str) -> None:
    """A malformed url, or one that would send the password in clear, is a ConfigError that hides it."""
    with pytest.raises(ConfigError, match=r"^The IMAP URL") as refusal:
        ImapMailbox(url)
    assert "hunter2" not in str(refusal.value)
    assert refusal.value.__suppress_context__ or refusal.value.__context__ is None


async def test_names_reach_the_server_quoted() -> None:
    """User, password and folder arrive as they are, whatever is in them."""
    script = ScriptedImap()
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://a%20%22n%5Cn%22:s%20e%22c@127.0.0.1:{port}/Post/Entw%26APw-rfe%20%222%22")
        await mailbox.wait(0)
        await mailbox.close()
    assert r'LOGIN "a \"n\\n\"" "s e\"c"' in script.heard
    assert r'EXAMINE "Post/Entw&APw-rfe \"2\""' in script.heard
    assert script.heard[-1] == "LOGOUT"


async def test_a_server_that_cannot_announce_is_waited_for() -> None:
    """Without IDLE all the time is waited, and the answer is False."""
    script = ScriptedImap()
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}")
        started = asyncio.get_running_loop().time()
        assert not await mailbox.wait(0.1)
        assert asyncio.get_running_loop().time() - started >= 0.1
        await mailbox.close()
    assert "IDLE" not in script.heard


async def test_idle_is_known_wherever_it_stands() -> None:
    """IDLE is used though it comes last, and only after the login, in what the server says it can do."""
    script = ScriptedImap(
        CAPABILITY=["* CAPABILITY IMAP4rev1 ID\n% OK", "* CAPABILITY IMAP4rev1 ID IDLE\n% OK"],
        EXAMINE=["* OK [UIDVALIDITY 7]\n* OK [UIDNEXT 5]\n% OK", "* OK [UIDVALIDITY 7]\n* OK [UIDNEXT 6]\n% OK"],
        IDLE="+ idling\n* 1 FETCH (FLAGS ())\n* 3 EXISTS",
    )
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}", timeout=5)
        async with asyncio.timeout(2):
            assert await mailbox.wait(60)
        await mailbox.close()
    assert script.heard[-5:-1] == ['EXAMINE "INBOX"', "IDLE", "DONE", 'EXAMINE "INBOX"']


async def test_a_server_that_announces_nothing_new_is_not_worn_out() -> None:
    """What was there already may be announced as often as the server likes; the waiting goes on to its end."""
    script = ScriptedImap(
        CAPABILITY="* CAPABILITY IMAP4rev1 IDLE\n% OK", IDLE="+ idling\n* 2 EXISTS\n* 1 EXPUNGE\n* 1 EXISTS"
    )
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}", timeout=5)
        assert not await mailbox.wait(0.1)
        await mailbox.close()
    assert script.heard.count("IDLE") == 1


async def test_a_server_that_refuses_to_announce_is_told() -> None:
    """A server that offers IDLE and then refuses it is MailboxLost, not waited for until the end."""
    script = ScriptedImap(CAPABILITY="* CAPABILITY IMAP4rev1 IDLE\n% OK", IDLE="% NO Not you")
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}", timeout=5)
        with pytest.raises(MailboxLost, match="it does not idle: Not you"):
            await mailbox.wait(60)
    assert "DONE" not in script.heard


async def test_a_server_without_uidnext_is_read() -> None:
    """Where the server does not predict the next UID, the cursor starts at the highest there is."""
    script = ScriptedImap(ALL="* SEARCH 9 4 8\n% OK")
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}")
        assert await start(mailbox) == Cursor(7, 9)
        script.answers["ALL"] = "% OK nothing"
        assert await start(mailbox) == Cursor(7, 0)
        await mailbox.close()


async def test_old_messages_copied_in_lately_are_passed_over() -> None:
    """At first contact the cursor ends behind everything, also behind newer UIDs of messages too old."""
    script = ScriptedImap(
        EXAMINE="* OK [UIDVALIDITY 7]\n* OK [UIDNEXT 13]\n% OK",
        SEARCH="* SEARCH 10\n% OK",
        SIZE="* 1 FETCH (RFC822.SIZE 2 UID 10)\n% OK",
        BODY="* 3 FETCH (FLAGS (\\Seen))\n* 1 FETCH (BODY[] {2}\nhi UID 10)\n* 2 EXISTS\n% OK",
    )
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}")
        [batch] = await everything(mailbox)
        await mailbox.close()
    assert raws([batch]) == [b"hi"]
    assert batch.cursor == Cursor(7, 12)
    day = f"{TODAY.day}-{TODAY:%b}-{TODAY.year}"
    assert f"UID SEARCH OR SINCE {day} SENTSINCE {day}" in script.heard


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (ScriptedImap(greeting="* "), "it does not welcome us: "),
        (ScriptedImap(greeting="* BYE Too many of you"), "it does not welcome us: .*Too many of you"),
        (ScriptedImap(CAPABILITY="* CAPABILITY"), "it does not answer"),
        (ScriptedImap(LOGIN="% NO [UNAVAILABLE] Come back later"), "refuses the login of ann: .*Come back later"),
        (ScriptedImap(CAPABILITY="* CAPABILITY X\n% OK"), "it does not welcome us: "),
        (ScriptedImap(EXAMINE="% NO [INUSE] Busy."), "does not open the mailbox INBOX: .*Busy"),
        (ScriptedImap(SEARCH="% BAD What?"), "does not carry out SEARCH: What"),
        (ScriptedImap(SEARCH="* BYE"), "it does not answer"),
    ],
)
async def test_a_server_in_trouble_is_lost(script: ScriptedImap, sentence: str) -> None:
    """A server that is silent, busy or confused is MailboxLost, with what it said in one sentence."""
    async with script.serving() as port:
        timeout = 0.2 if sentence == "it does not answer" else 5
        mailbox = ImapMailbox(f"imap://ann:hunter2@127.0.0.1:{port}", timeout=timeout)
        with pytest.raises(MailboxLost, match=rf"127\.0\.0\.1:{port}.*{sentence}.*\.$") as loss:
            await everything(mailbox)
        await mailbox.close()
    assert "hunter2" not in str(loss.value)
    assert "\n" not in str(loss.value)


async def test_a_mailbox_that_is_not_numbered_is_refused() -> None:
    """Without UIDVALIDITY nothing can be remembered, and that is said."""
    script = ScriptedImap(EXAMINE="* 2 EXISTS\n% OK")
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}")
        with pytest.raises(ConfigError, match="does not number its messages"):
            await start(mailbox)
        await mailbox.close()


async def test_a_certificate_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate nobody vouches for is refused with a sentence; one that is trusted will do."""
    (tmp_path / "both.pem").write_text(CERTIFICATE)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(tmp_path / "both.pem")
    async with ScriptedImap().serving(tls) as port:
        mailbox = ImapMailbox(f"imaps://ann:x@127.0.0.1:{port}")
        with pytest.raises(MailboxLost, match=r"its certificate is not accepted \(self-signed certificate\)"):
            await mailbox.wait(0)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "both.pem"))
        assert not await mailbox.wait(0)
        await mailbox.close()
