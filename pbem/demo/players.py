"""The players of the demonstration: each reads his own mailbox by IMAP and answers by SMTP, and knows no more."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from pbem.demo.mails import Arrived, Habits, read_mail, reply
from pbem.errors import PbemError
from pbem.ports import Cursor
from pbem.transport import ImapMailbox, SmtpCourier

_IDLE_SECONDS = 60.0
PATIENCE = 20.0
"""Seconds after which a player gives up waiting for a mail."""


class WaitedInVain(PbemError):
    """A player waited for a mail that did not come."""


class Player:
    """Somebody with a mailbox; ``arrived`` are the mails he has read in it, oldest first."""

    def __init__(self, name: str, address: str, habits: Habits, *, imap_url: str, smtp_url: str) -> None:
        self.name = name
        self.address = address
        self.arrived: list[Arrived] = []
        self._habits = habits
        self._mailbox = ImapMailbox(imap_url)
        self._courier = SmtpCourier(smtp_url)
        self._news = asyncio.Condition()

    async def read(self) -> None:
        """Read every mail as it comes, until cancelled."""
        cursor: Cursor | None = None
        since = (datetime.now(UTC) - timedelta(days=1)).date()
        await self._mailbox.wait(0)
        while True:
            async for batch in self._mailbox.batches(cursor, since):
                cursor = batch.cursor
                async with self._news:
                    self.arrived += [read_mail(message.raw) for message in batch.messages]
                    self._news.notify_all()
            await self._mailbox.wait(_IDLE_SECONDS)

    def mails(self, match: int) -> list[Arrived]:
        """Return the mails about a match, oldest first."""
        return [mail for mail in self.arrived if mail.match == match]

    async def expect(
        self, match: int, after: int, what: str, wanted: Callable[[Arrived], bool], patience: float | None = PATIENCE
    ) -> int:
        """Wait for a mail about ``match`` that is ``wanted``; return its place among them, ``after`` or later.

        Raises WaitedInVain, with ``what`` in it, when none comes within ``patience`` seconds.
        """

        def place() -> int | None:
            mails = self.mails(match)
            return next((number for number in range(after, len(mails)) if wanted(mails[number])), None)

        try:
            async with asyncio.timeout(patience), self._news:
                await self._news.wait_for(lambda: place() is not None)
        except TimeoutError:
            raise WaitedInVain(f"In match {match}, {self.name} waited in vain for {what}.") from None
        found = place()
        assert found is not None
        return found

    async def answer(self, notice: Arrived, words: str) -> None:
        """Reply to a notice as his habits are."""
        recipient = notice.reply_to.rpartition("<")[2].rstrip(">")
        await self._courier.send(self.address, recipient, reply(self.name, self.address, self._habits, notice, words))

    async def close(self) -> None:
        """End his connections."""
        await self._mailbox.close()
        await self._courier.close()
