"""Real mail servers on loopback, in the running event loop: SMTP that takes mail in, IMAP that shows it."""

import asyncio
import logging
from argparse import Namespace
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from urllib.parse import quote

from aiosmtpd.smtp import SMTP, Envelope, Session
from proxyprotocol.sock import SocketInfo
from pymap.backend.dict import Config, Login
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxSet
from pymap.concurrent import Subsystem
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.user import UserMetadata
from pysasl.hashing import Cleartext

from pbem.demo.patience import NO_LIMIT

_HOST = "127.0.0.1"


class DemoServers:
    """An SMTP and an IMAP server with one mailbox for each of ``addresses``, all with the same password.

    ``async with`` starts and stops them. Ports are chosen by the system at the first start and kept, as the
    mailboxes are, by ``stop`` and a later ``start``. ``on_mail``, when set, is called with envelope sender,
    envelope recipient and the raw bytes of every mail that has come in by SMTP and is in its mailbox.
    """

    def __init__(
        self,
        addresses: Iterable[str],
        *,
        password: str = "demo",
        on_mail: Callable[[str, str, bytes], None] | None = None,
    ) -> None:
        self.password = password
        self.on_mail = on_mail
        self._config = _quiet_config()
        self._login = Login(self._config)
        self._mailboxes = {address.lower(): MailboxSet() for address in addresses}
        for address, mailboxes in self._mailboxes.items():
            self._config.set_cache[address] = (mailboxes, FilterSet())
            self._login.users_dict[address] = UserMetadata(self._config, address, password=password)
        self._smtp_port = self._imap_port = 0
        self._listening: list[asyncio.Server] = []
        self._imap_talks: dict[asyncio.Task[None], StreamWriter] = {}
        self._smtp_talks: list[SMTP] = []

    async def __aenter__(self) -> "DemoServers":
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def smtp_url(self) -> str:
        """Where to send mail; no login is needed."""
        return f"smtp://{_HOST}:{self._smtp_port}"

    def imap_url(self, address: str) -> str:
        """Return where ``address`` reads its mail, user name and password included."""
        user, password = quote(address, safe=""), quote(self.password, safe="")
        return f"imap://{user}:{password}@{_HOST}:{self._imap_port}/INBOX"

    async def start(self) -> None:
        """Listen on both ports; raises OSError when one of a former start has been taken meanwhile."""
        for chatty in ("mail.log", "pymap"):
            logging.getLogger(chatty).setLevel(logging.WARNING)
        # It warns when a player hangs up in the middle of an answer, which they may do.
        logging.getLogger("asyncio").setLevel(logging.ERROR)
        smtp = await asyncio.get_running_loop().create_server(self._smtp_talk, _HOST, self._smtp_port)
        self._listening.append(smtp)
        imap = await asyncio.start_server(self._imap_talk, _HOST, self._imap_port)
        self._listening.append(imap)
        self._smtp_port = smtp.sockets[0].getsockname()[1]
        self._imap_port = imap.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop listening and break off every conversation; the mailboxes keep their emails."""
        for server in self._listening:
            server.close()
        await self.hang_up()
        for server in self._listening:
            await server.wait_closed()
        self._listening.clear()

    async def hang_up(self) -> None:
        """Break off every conversation, as a network failure would, but go on listening."""
        tasks = list(self._imap_talks)
        # Closing is gentler than cancelling: pymap then ends its own tasks for IDLE.
        for writer in self._imap_talks.values():
            writer.close()
        for talk in self._smtp_talks:
            # aiosmtpd names its task privately, yet nothing else tells when it is over.
            if talk._handler_coroutine is not None:
                tasks.append(talk._handler_coroutine)
            if talk.transport is not None:
                talk.transport.close()
        self._smtp_talks.clear()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def deliver(self, raw: bytes, recipient: str) -> None:
        """Put an email into the mailbox of ``recipient``, past SMTP; raises KeyError when there is none."""
        inbox = await self._mailboxes[_account(recipient)].get_mailbox("INBOX")
        await inbox.append(AppendMessage(raw, datetime.now(UTC)), recent=True)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd finds it by this name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take mail only for the mailboxes there are."""
        if _account(address) not in self._mailboxes:
            return "550 5.1.1 No such mailbox here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - as above
        """Put the mail into the mailbox of each recipient before it is acknowledged."""
        raw = envelope.original_content or b""
        for recipient in envelope.rcpt_tos:
            await self.deliver(raw, recipient)
            if self.on_mail is not None:
                self.on_mail((envelope.mail_from or "").removeprefix("<>"), recipient, raw)
        return "250 OK"

    def _smtp_talk(self) -> SMTP:
        # Without a host name given, aiosmtpd asks the name service, which may take seconds.
        loop = asyncio.get_running_loop()
        talk = SMTP(self, hostname="localhost", ident="pbem demo", timeout=NO_LIMIT, loop=loop)
        self._smtp_talks = [known for known in self._smtp_talks if known.transport is not None] + [talk]
        return talk

    async def _imap_talk(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._imap_talks[task] = writer
        try:
            await IMAPServer(self._login, self._config)(reader, writer, SocketInfo.get(writer, None))
        finally:
            del self._imap_talks[task]
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


class _QuietConfig(Config):
    """pymap's settings, without the look-up of our own name that each greeting would cost."""

    greeting = b"pbem demo ready"


def _quiet_config() -> Config:
    """Return settings for clear text on loopback; hashed passwords would cost 120 ms a login and a thread."""
    return _QuietConfig(
        Namespace(passlib_cfg=None, proxy_protocol=None),
        host=_HOST,
        port=0,
        demo_data=False,
        demo_user="",
        demo_password="",
        tls_enabled=False,
        hash_context=Cleartext(),
        cpu_subsystem=Subsystem.for_asyncio(),
        invalid_user_sleep=0,
    )


def _account(address: str) -> str:
    """Return the address without what follows a plus sign: ``games+17.0@host`` lies with ``games@host``."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
